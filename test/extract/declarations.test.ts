import { expect, it } from "vitest";
import { category } from "../../src/api/records/category.ts";
import { faq } from "../../src/api/records/faq.ts";
import { post } from "../../src/api/records/post.ts";
import { product } from "../../src/api/records/product.ts";
import { RECORDS } from "../../src/api/records.ts";
import { checkDeclarations } from "../../src/extract/declarations.ts";

const { embeds, gathers, overalls } = product;

it.each([
  ["gathers rows, which no fingerprint of its own has", post.name, { gathers }],
  ["embeds a record", post.name, { embeds }],
  ["is made of all rows of another", faq.name, { overalls }],
  ["embeds a record that is no category", product.name, { embeds: [{ of: faq.name, by: "faq_id" }] }],
  ["gathers rows that do not belong to it", product.name, { gathers: [{ ...gathers[0], of: post.name }] }],
  ["has an own part and belongs to a product", category.name, { belongsTo: faq.belongsTo }],
])("refuses a record that %s", (_, name, declared) => {
  const records = RECORDS.map((each) => (each.name === name ? { ...each, ...declared } : each));
  expect(() => checkDeclarations(records as typeof RECORDS)).toThrow(
    `what ${name} is declared to be made of`,
  );
});

it("refuses a record before those that it is made of", () => {
  expect(() => checkDeclarations(RECORDS.toReversed())).toThrow("does not cover");
});

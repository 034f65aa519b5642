/** How a record is declared. */
import { expect, it } from "vitest";
import { flag, id, slug } from "../../src/api/field.ts";
import { record } from "../../src/api/record.ts";

const FIELDS = { id: id(), slug: slug() };
const BUNDLE = {
  name: "bundle",
  file: "bundles",
  endpoint: "faqs",
  title: "Bundle",
  fields: FIELDS,
} as const;
const FILTERS = { product_id: { column: "slug", compare: "equals" } } as const;
const filters = { ...FILTERS, product_slug: FILTERS.product_id, type: FILTERS.product_id } as const;

it("a hidden field reaches the catalog by its name, so that readers of answers know what they lack", () => {
  const bundle = record({
    ...BUNDLE,
    hidden: { featured: flag("Shown first.") },
    columns: { slug: ["TEXT", (shown) => shown.slug], first: ["INTEGER", "featured"] },
    filters,
    sorts: {},
  });
  expect(bundle.hiddenColumns).toEqual(["first"]);
  expect(bundle.columns["first"]?.[1]({ featured: true })).toBe(1);
});

it("a column that computes with a hidden field does not compile", () => {
  const declared = {
    ...BUNDLE,
    hidden: { featured: flag("Shown first.") },
    filters,
    sorts: {},
  };
  record({
    ...declared,
    columns: {
      slug: ["TEXT", (shown) => shown.slug],
      // @ts-expect-error A reader of answers could not compute it.
      first: ["INTEGER", (shown) => Number(shown.featured)],
    },
  });
});

/** Optional columns of allow-list files: without one, its fields are empty. Without a required one, the build is refused. */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { formsOf } from "../../src/api/forms.ts";
import { RECORDS } from "../../src/api/records.ts";
import { withoutComments } from "../../src/base/sql-words.ts";
import { OPTIONAL_COLUMNS, QUERY_COLUMNS, readAllowList } from "../../src/extract/allow-list.ts";
import { extractTemporarily } from "../../src/pipeline/plan.ts";
import { demoInputs, smallStore, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const queries = join(folder, "queries");
const made = join(folder, "catalog.sqlite");

/** The fields of the record if a column is missing, by file and column. */
const EMPTY: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>> = {
  store: {
    tagline: { tagline: "" },
    description: { description: "" },
    logo_url: { logo_url: "" },
    favicon_url: { favicon_url: "" },
    public_url: { public_url: "" },
    support_url: { support_url: "" },
    docs_url: { docs_url: "" },
    blog_url: { blog_url: "" },
    social_links: { social_links: [] },
  },
  categories: { description: { description: "" }, url: { url: "" } },
  products: {
    excerpt: { excerpt: "" },
    description_short: { description_short: "" },
    description_html: { description: "", description_html: "" },
    sale_price_minor: { sale_price: null },
    preorder_price_minor: {},
    extended_price_minor: {},
    image: { image: "" },
    gallery: { gallery: [] },
    featured: {},
    public_url: { public_url: "" },
    demo_url: { demo_url: "" },
    docs_url: { docs_url: "" },
    currency_digits: {},
    price_digits: {},
  },
  reviews: {
    title: { title: "" },
    body: { body: "" },
    customer_display_name: { customer_display_name: "" },
    customer_avatar: { customer_avatar: "" },
    verified_purchase: { verified_purchase: false },
  },
  faqs: {
    product_id: { product_id: null, product_slug: null },
    answer_html: { answer: "", answer_html: "" },
    position: {},
  },
  releases: { title: { title: "" }, notes_html: { notes: "" }, public_url: { public_url: "" } },
  blog: {
    excerpt: { excerpt: "" },
    image: { image: "" },
    url: { url: "" },
    content_html: { content_html: "", content_text: "" },
  },
  forum: {
    category_slug: { category: null },
    category_name: { category: null },
    author_display_name: { author_display_name: "" },
    pinned: { pinned: false },
    locked: { locked: false },
    solved: { solved: false },
    url: { url: "" },
    content_html: { content_html: "", content_text: "", excerpt: "" },
    replies: { replies: [], reply_count: 0 },
  },
};

/** The demo uses its currency's digits, so its files do not give these columns. */
const NOT_IN_DEMO = ["currency_digits", "price_digits"];

/** Makes the demo's catalog without one column of one file. */
async function extractWithout(name: string, column: string) {
  rmSync(queries, { recursive: true, force: true });
  rmSync(made, { force: true });
  cpSync("templates/queries", queries, { recursive: true });
  const file = join(queries, `${name}.sql`);
  const given = (QUERY_COLUMNS[name] ?? []).filter((each) => each !== column && !NOT_IN_DEMO.includes(each));
  const sql = withoutComments(readFileSync(file, "utf8")).trim();
  writeFileSync(file, `SELECT ${given.join(", ")} FROM (\n${sql}\n) AS whole`);
  return extractTemporarily(demoInputs(smallStore(), folder, { queries }), made);
}

/** All records of a file as the catalog has them, including the detail parts. */
function recordsOf(name: string): Record<string, unknown>[] {
  const catalog = new Database(made, { readonly: true });
  try {
    const rows = (sql: string) => catalog.prepare<[], string>(sql).pluck().all();
    if (name === "store")
      return rows("SELECT value FROM meta WHERE name = 'store'").map((json) => JSON.parse(json));
    const record = RECORDS.find(({ file }) => file === name);
    const lists = rows(`SELECT json FROM ${record?.name}_list ORDER BY id`);
    const added = record?.detail == null ? [] : rows(`SELECT json FROM ${record.name}_added ORDER BY id`);
    return lists.map((json, at) => ({ ...JSON.parse(json), ...JSON.parse(added[at] ?? "{}") }));
  } finally {
    catalog.close();
  }
}

describe("a column that may be empty", () => {
  it("is one of these", () => {
    const known = Object.entries(OPTIONAL_COLUMNS).map(([name, columns]) => [
      name,
      [...columns.keys()].sort(),
    ]);
    const tested = Object.entries(EMPTY).map(([name, columns]) => [name, Object.keys(columns).sort()]);
    expect(Object.fromEntries(known)).toEqual(Object.fromEntries(tested));
  });

  const cases = Object.entries(EMPTY).flatMap(([name, columns]) =>
    Object.entries(columns).map(([column, fields]) => [name, column, fields] as const),
  );
  it.each(cases)("may be missing in %s.sql: %s", async (name, column, fields) => {
    const { leftOut, wrong } = await extractWithout(name, column);
    const records = recordsOf(name);
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) expect(record).toMatchObject(fields);
    // A category without its name is reported; nothing else is wrong because a column is missing.
    const reported = wrong.filter((each) => each.file === `${name}.sql` && each.column === column);
    expect(reported.map(({ outcome }) => outcome)).toEqual(column === "category_name" ? ["emptied"] : []);
    expect(leftOut[name] ?? 0).toBeLessThan(records.length);
  });

  it("does not change other prices if it is sale_price", async () => {
    await extractWithout("products", "sale_price_minor");
    for (const { price, pricing, status } of recordsOf("products"))
      expect(pricing).toMatchObject({
        regular: price,
        sale: null,
        ...(status === "preorder" ? {} : { current: price }),
      });
  });
});

describe("a column that is required", () => {
  const cases = Object.entries(QUERY_COLUMNS)
    .filter(([name]) => readAllowList("templates/queries")[name] !== undefined)
    .flatMap(([name, columns]) =>
      columns
        .filter((column) => OPTIONAL_COLUMNS[name]?.has(column) !== true && columns.length > 1)
        .map((column) => [name, column] as const),
    );
  it.each(cases)("is named if %s.sql lacks it: %s", async (name, column) => {
    await expect(extractWithout(name, column)).rejects.toMatchObject({
      code: "allow_list_invalid",
      message: expect.stringContaining(
        `${name}.sql lacks the column ${formsOf(column).join(" or ")}. It must give: `,
      ),
    });
  });
});

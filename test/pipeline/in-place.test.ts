/** Whatever changes in a store, a catalog changed in place has the same content as a new one. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { digestCatalog } from "../../src/catalog/verify.ts";
import { extractTemporarily } from "../../src/pipeline/plan.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { makePlainStore } from "../support/plain-store.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const config = { ...DEMO_CONFIG, siteUrl: "https://shop.example", grid: { depth: 0, maxFiles: 250_000 } };

function digestOf(file: string): string {
  using catalog = openCatalog(file);
  expect(digestCatalog(file)).toBe(catalog.digest);
  return catalog.digest;
}

describe("a catalog that is changed in place has the content of a new one", () => {
  const home = join(folder, "shop");
  mkdirSync(home);
  const { store, queries } = makePlainStore(home, 60);
  const { catalog } = layoutOf(join(home, "out"));
  let minute = 0;
  const build = () => {
    minute += 1;
    const now = `2026-11-20 12:${String(minute).padStart(2, "0")}:00`;
    const options = { config, queries, now, allowShrink: 1_000_000, maxLeftOut: 0.5 };
    const inputs = demoInputs(store, join(home, "out"), options);
    return buildQuietly(inputs).then((report) => ({ report, inputs }));
  };
  const sql = (text: string) => new Database(store).exec(text).close();

  it.each([
    ["all rows are new", "SELECT 1", "whole"],
    ["every product has another price", "UPDATE products SET price_minor = price_minor + 1", "part"],
    [
      "every row changed",
      `UPDATE products SET title = title || '!'; UPDATE reviews SET body = 'Other'; UPDATE faqs SET position = -id;
       UPDATE releases SET version = '2'; UPDATE blog SET title = 'B' || id; UPDATE forum SET title = 'F' || id`,
      "part",
    ],
    [
      "posts exchange their slugs, up and down",
      `UPDATE blog SET slug = 'post-' || CASE WHEN id < 30 THEN 1 + id % 29 ELSE 30 + (id + 1) % 31 END`,
      "part",
    ],
    ["a post takes the slug of a later one", "UPDATE blog SET slug = 'post-50' WHERE id = 2", "part"],
    ["another post changes meanwhile", "UPDATE blog SET title = 'C' WHERE id = 3", "part"],
    ["it gives the slug back", "UPDATE blog SET slug = 'given-back' WHERE id = 2", "part"],
    ["a product takes the slug of a later one", "UPDATE products SET slug = 'thing-9' WHERE id = 4", "part"],
    ["and gives it back", "UPDATE products SET slug = 'thing-4' WHERE id = 4", "part"],
    ["a category is gone", "UPDATE categories SET id = 77 WHERE id = 2", "part"],
    ["and is there again", "UPDATE categories SET id = 2, name = 'Again' WHERE id = 77", "part"],
    ["nearly all rows are gone", "DELETE FROM products WHERE id > 2; DELETE FROM blog WHERE id > 1", "part"],
  ])("where %s", async (_, change, work) => {
    sql(change);
    const { report, inputs } = await build();
    expect(report.work).toBe(work);
    const fresh = join(folder, `fresh-${minute}.sqlite`);
    const { records, leftOut, wrong, summary } = await extractTemporarily(inputs, fresh);
    expect({ ...report }).toMatchObject({ records, leftOut, wrong, summary });
    expect(digestOf(catalog)).toBe(digestOf(fresh));
  });

  it("and is made anew if a file that selects all columns of a view returns one in another form with unchanged rows", async () => {
    writeFileSync(join(queries, "faqs.sql"), "SELECT * FROM questions");
    sql("CREATE VIEW questions AS SELECT id, product_id, type, question, answer_html, position FROM faqs");
    await build();
    sql(`DROP VIEW questions; CREATE VIEW questions AS
      SELECT id, product_id, type, question, answer_html AS answer_text, position FROM faqs`);
    const { report, inputs } = await build();
    expect(report.work).toBe("whole");
    await extractTemporarily(inputs, join(folder, "columns.sqlite"));
    expect(digestOf(catalog)).toBe(digestOf(join(folder, "columns.sqlite")));
  });
});

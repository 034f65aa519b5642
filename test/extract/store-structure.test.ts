/** Where pages that differ stand in a b-tree, told without reading all its pages. */
import type Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { differingPages, digestsOf, type PageDigests } from "../../src/extract/stores/sqlite-pages.ts";
import { placesIn } from "../../src/extract/stores/sqlite-structure.ts";
import { createShop } from "./support/changing-store.ts";
import { lookAt } from "./support/picture.ts";

const KEY = Buffer.alloc(16, 1);

interface Place {
  readonly page: number;
  readonly path: string;
}

function pagesOf(db: Database.Database, tree: string): Place[] {
  return db.prepare<[string], Place>("SELECT pageno AS page, path FROM dbstat WHERE name = ?").all(tree);
}

/** What is said of a b-tree after a change, and what SQLite says of the same pages. */
function placesAfter(journal: string, tree: string, before: string, change: string) {
  const { file, shop } = createShop(journal);
  shop.exec(before);
  const old = lookAt(file, (db, picture) => {
    return { pages: digestsOf(picture, KEY, null) as PageDigests, own: pagesOf(db, tree) };
  });
  shop.exec(change);
  return lookAt(file, (db, picture) => {
    const now = digestsOf(picture, KEY, old.pages) as PageDigests;
    const own = new Set(old.own.map(({ page }) => page));
    const differing = new Set([...differingPages(old.pages, now)].filter((page) => own.has(page)));
    const root = db
      .prepare<[string], number>("SELECT rootpage FROM sqlite_schema WHERE name = ?")
      .pluck()
      .get(tree);
    const found = placesIn(picture, { root: root ?? 0, owned: (page) => own.has(page), differing });
    const byPage = (a: Place, b: Place) => a.page - b.page;
    return {
      found: found && [...found].sort(byPage),
      real: pagesOf(db, tree)
        .filter(({ page }) => differing.has(page))
        .sort(byPage),
    };
  });
}

const GROWN =
  "UPDATE faqs SET answer_html = printf('%.*c', 30000, 'a') WHERE id IN (SELECT id FROM faqs ORDER BY id LIMIT 40)";

describe.each(["delete", "wal"])("pages that differ (%s)", (journal) => {
  it("have the places that SQLite tells, with what rows keep on other pages", () => {
    for (const change of [
      "UPDATE products SET regular_price_minor = regular_price_minor + 1 WHERE id % 50 = 0",
      "UPDATE products SET regular_price_minor = 7",
    ]) {
      const { found, real } = placesAfter(journal, "products", "", change);
      expect(found).toEqual(real);
      expect(real.length).toBeGreaterThan(1);
    }
    const long = placesAfter(
      journal,
      "faqs",
      GROWN,
      "UPDATE faqs SET is_active = 1 - is_active, answer_html = replace(answer_html, 'a', 'b') WHERE length(answer_html) = 30000",
    );
    expect(long.found).toEqual(long.real);
    expect(long.real.some(({ path }) => path.includes("+"))).toBe(true);
  });

  it("are found in an index too", () => {
    const index = "CREATE INDEX by_title ON faqs (question, answer_html)";
    const { found, real } = placesAfter(
      journal,
      "by_title",
      index,
      "UPDATE faqs SET question = substr(question, 1, length(question) - 1) || 'Z' WHERE id % 40 = 0",
    );
    if (found !== null) expect(found).toEqual(real);
    expect(real.length).toBeGreaterThan(0);
  });

  it("are not told where the b-tree may have got another page", () => {
    const grown = placesAfter(journal, "faqs", "", GROWN);
    expect(grown.found).toBeNull();
    const more = placesAfter(
      journal,
      "faqs",
      "",
      `INSERT INTO faqs SELECT id + 1000000, question, answer_html, category, product_id, position, updated_at,
         is_active, audience, internal_note FROM faqs`,
    );
    expect(more.found).toBeNull();
  });

  it("are not told of a text whose row's own page is what it was", () => {
    const change =
      "UPDATE faqs SET answer_html = substr(answer_html, 1, 29999) || 'b' WHERE length(answer_html) = 30000";
    expect(placesAfter(journal, "faqs", GROWN, change).found).toBeNull();
  });
});

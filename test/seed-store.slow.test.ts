import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CANARY_NUMBER, CANARY_TEXT } from "../scripts/seed/canary.ts";
import { TABLES } from "../scripts/seed/columns.ts";
import { seedStore } from "../scripts/seed/seed.ts";
import { OPTIONS, openStores, STORE_QUERIES, type Stores } from "./store-fixture.ts";

let stores: Stores;
beforeAll(() => {
  stores = openStores();
});
afterAll(() => stores.close());

const answer: Stores["answer"] = (...args) => stores.answer(...args);
const bySlug: Stores["bySlug"] = (...args) => stores.bySlug(...args);
const values: Stores["values"] = (sql) => stores.values(sql);
const count: Stores["count"] = (source) => stores.count(source);

describe("the demo store's file", () => {
  it("has the same bytes for the same options, and others for another seed", () => {
    seedStore(OPTIONS, join(stores.folder, "again.sqlite"));
    seedStore({ ...OPTIONS, seed: "other" }, join(stores.folder, "other.sqlite"));
    const first = readFileSync(join(stores.folder, "store.sqlite"));
    expect(first.equals(readFileSync(join(stores.folder, "again.sqlite")))).toBe(true);
    expect(first.equals(readFileSync(join(stores.folder, "other.sqlite")))).toBe(false);
    expect(readdirSync(stores.folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("is sound: no row points to a missing one", () => {
    expect(stores.store.pragma("integrity_check")).toEqual([{ integrity_check: "ok" }]);
    expect(stores.store.pragma("foreign_key_check")).toEqual([]);
  });

  it("refuses fewer products than its special rows need", () => {
    expect(() => seedStore({ ...OPTIONS, products: 10 }, join(stores.folder, "small.sqlite"))).toThrow(
      /too few/,
    );
  });

  it("can be made by the command line, too", () => {
    const run = (args: string[]): string =>
      execFileSync("npx", ["node", "scripts/seed-store.ts", ...args], { encoding: "utf8", stdio: "pipe" });
    const file = join(stores.folder, "cli.sqlite");
    run(["--products", "240", "--seed", "test", "--out", file]);
    expect(readFileSync(file).equals(readFileSync(join(stores.folder, "store.sqlite")))).toBe(true);
    expect(run(["--help"])).toContain("--now TIME");
    expect(() => run(["--products", "240"])).toThrow(/--out FILE is missing/);
  });
});

/** Public words of rows that are hidden whatever the clock says; `WHERE` of each. */
const HIDDEN_ROWS: readonly (readonly [table: string, where: string])[] = [
  ["products", "status IN ('draft', 'pending', 'archived', 'unlisted') OR visibility <> 'visible'"],
  ["products", "deleted_at IS NOT NULL OR password <> '' OR published_at IS NULL OR published_at > '2090'"],
  ["categories", "is_visible = 0"],
  ["product_media", "is_private = 1"],
  ["license_tiers", "is_active = 0"],
  ["releases", "status IN ('draft', 'unlisted', 'yanked') OR published_at > '2090'"],
  ["reviews", "status <> 'approved'"],
  ["reviews", "product_id IN (SELECT id FROM products WHERE slug LIKE 'cnry%')"],
  ["review_replies", "is_draft = 1"],
  ["faqs", "is_active = 0 OR audience <> 'public'"],
  ["blog_posts", "status IN ('draft', 'private') OR password <> '' OR published_at > '2090'"],
  ["subforums", "access_level <> 'public' OR is_hidden = 1"],
  ["forum_categories", "is_hidden = 1"],
  ["threads", "visibility <> 'public' OR deleted_at IS NOT NULL OR moderation_state <> 'approved'"],
  ["threads", "subforum_id IN (SELECT id FROM subforums WHERE access_level <> 'public' OR is_hidden = 1)"],
  ["posts", "is_hidden = 1 OR is_whisper = 1 OR deleted_at IS NOT NULL"],
  ["widgets", "is_enabled = 0"],
  ["social_links", "is_enabled = 0"],
];

describe("canaries", () => {
  it("cover every table of the schema", () => {
    const names = values("SELECT name FROM sqlite_schema WHERE type = 'table'").map((row) => row.name);
    expect(names.toSorted()).toEqual(Object.keys(TABLES).toSorted());
  });

  it("fill every private column", () => {
    const bare: string[] = [];
    for (const [table, kinds] of Object.entries(TABLES)) {
      const infos = values(`SELECT name FROM pragma_table_info('${table}')`);
      const names = infos.map((info) => String(info.name));
      for (const known of [...kinds.public, ...kinds.words, ...kinds.bound]) expect(names).toContain(known);
      for (const name of names) {
        if (kinds.public.includes(name) || kinds.bound.includes(name)) continue;
        const filled = values(`SELECT ${name} AS value FROM ${table} WHERE COALESCE(${name}, '') <> ''`);
        const isMarked = (value: unknown): boolean =>
          typeof value === "number" || /^7919-/.test(String(value))
            ? CANARY_NUMBER.test(String(value)) || /^7919-/.test(String(value))
            : CANARY_TEXT.test(String(value));
        if (filled.length === 0 || !filled.every((row) => isMarked(row.value))) bare.push(`${table}.${name}`);
      }
    }
    expect(bare).toEqual([]);
  });

  it.each(HIDDEN_ROWS)("mark the words of hidden %s: %s", (table, where) => {
    const rows = values(`SELECT * FROM ${table} WHERE ${where}`);
    expect(rows.length).toBeGreaterThan(0);
    const unmarked = rows.flatMap((row) =>
      (TABLES[table]?.words ?? []).filter((name) => !CANARY_TEXT.test(String(row[name]))),
    );
    expect(unmarked).toEqual([]);
  });
});

describe("the special rows", () => {
  it("have each product status with each visibility, and only one of these is public", () => {
    expect(count("(SELECT DISTINCT status, visibility FROM products)")).toBe(24);
    const seen = answer(STORE_QUERIES, "products").filter((row) => String(row.slug).startsWith("state-"));
    expect(seen.map((row) => row.slug)).toEqual(["state-published-visible"]);
  });

  it("have each state of reviews, releases, posts and questions", () => {
    expect(count("(SELECT DISTINCT status FROM reviews WHERE product_id = 12)")).toBe(5);
    expect(count("(SELECT DISTINCT status FROM releases WHERE product_id = 12)")).toBe(5);
    expect(count("(SELECT DISTINCT status FROM blog_posts)")).toBe(4);
    expect(count("(SELECT DISTINCT audience FROM faqs)")).toBe(3);
    expect(count("(SELECT DISTINCT access_level FROM subforums)")).toBe(4);
  });

  it("share one moment thirty times, and one price", () => {
    const ties = answer(STORE_QUERIES, "products").filter(
      (row) => Number(row.id) > 30 && Number(row.id) <= 60,
    );
    expect(ties).toHaveLength(30);
    expect(
      new Set(ties.map((row) => `${row.created_at} ${row.price_minor} ${row.sale_price_minor}`)).size,
    ).toBe(1);
  });

  it("include the product and the category of all examples", () => {
    expect(bySlug("products", "invoice-kit")).toMatchObject({ id: 12, category_id: 1, type: "script" });
    expect(bySlug("categories", "scripts")).toMatchObject({ id: 1 });
    expect(bySlug("products", "cafe-menu-builder")?.title).toBe("Café Menu Builder");
  });

  it("keep a category visible in which everything is hidden, and none below a hidden one", () => {
    const shelf = bySlug("categories", "quiet-shelf");
    expect(shelf).toBeDefined();
    const inside = answer(STORE_QUERIES, "products").filter((row) => row.category_id === shelf?.id);
    expect(inside).toEqual([]);
    expect(count("product_categories WHERE category_id = 17")).toBeGreaterThan(0);
    expect(answer(STORE_QUERIES, "categories")).toHaveLength(count("categories") - 3);
  });
});

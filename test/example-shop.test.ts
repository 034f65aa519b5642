/** `examples/demo`, which the package ships, and the texts that it is made from. */
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { makeStore } from "../scripts/demo/store.ts";
import { openCatalog } from "../src/catalog/catalog.ts";
import { extractTemporarily } from "../src/pipeline/plan.ts";
import { answerTarget } from "../src/serve/answer.ts";
import { demoInputs, temporaryFolder } from "./support/shop.ts";

const SHIPPED = "examples/demo/store.sqlite";
const MEDIA = "examples/demo/media";

function open(file: string) {
  const db = new Database(file, { readonly: true });
  return { list: (sql: string) => db.prepare(sql).raw().all(), [Symbol.dispose]: () => db.close() };
}

/** All rows of all tables. */
function rowsOf(file: string): Record<string, unknown> {
  using store = open(file);
  const tables = store.list("SELECT name FROM sqlite_schema WHERE type = 'table'") as string[][];
  return Object.fromEntries(tables.map(([name = ""]) => [name, store.list(`SELECT * FROM ${name}`)]));
}

describe("the shop of the demo", () => {
  it("is made from the texts in scripts/demo: node scripts/make-demo.ts", () => {
    const made = join(temporaryFolder(), "store.sqlite");
    makeStore(made);
    expect(rowsOf(made)).toEqual(rowsOf(SHIPPED));
  });

  it("has exactly the pictures that it names, each of at most 30 kB", () => {
    using store = open(SHIPPED);
    const named = store.list(`
      SELECT url FROM product_media UNION SELECT cover_image FROM blog_posts WHERE cover_image IS NOT NULL
      UNION SELECT logo_url FROM store_settings UNION SELECT favicon_url FROM store_settings`) as string[][];
    const files = globSync("**/*.webp", { cwd: MEDIA });
    expect(files.map((name) => `/media/${name}`).sort()).toEqual(named.flat().sort());
    for (const name of files) expect(statSync(join(MEDIA, name)).size, name).toBeLessThanOrEqual(30_000);
  });

  it("has a version, title, date and notes for each release, and an answer to each question", () => {
    using store = open(SHIPPED);
    const releases = store.list(
      "SELECT version, title, date(published_at), notes_html FROM releases",
    ) as string[][];
    for (const [version = "", title = "", date, notes = ""] of releases) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      expect([version, title]).toEqual([version, expect.stringMatching(/^[^\n]{4,60}$/)]);
      expect([version, date, notes]).toEqual([version, expect.any(String), expect.stringContaining("<li>")]);
    }
    expect(store.list("SELECT question FROM faqs WHERE answer_html = ''")).toEqual([]);
  });

  it("has three reviews or more of each of its five newest products", () => {
    using store = open(SHIPPED);
    const counts = store.list(`
      SELECT (SELECT COUNT(*) FROM reviews AS r WHERE r.product_id = p.id AND r.status = 'approved') FROM products AS p
      WHERE p.status = 'published' ORDER BY p.created_at DESC, p.id DESC LIMIT 5`) as number[][];
    expect(counts.flat().every((count) => count >= 3)).toBe(true);
  });

  it("is reviewed after a product is there, and looks the same for years: nothing ends before 2030", () => {
    using store = open(SHIPPED);
    const early = `
      SELECT p.slug, r.created_at FROM products AS p JOIN reviews AS r ON r.product_id = p.id
      WHERE r.created_at < p.created_at AND p.status = 'published'`;
    expect(store.list(early)).toEqual([]);
    const moments = store.list(`
      SELECT starts_at FROM sale_windows UNION ALL SELECT ends_at FROM sale_windows WHERE ends_at IS NOT NULL
      UNION ALL SELECT opens_at FROM preorders UNION ALL SELECT closes_at FROM preorders
      UNION ALL SELECT release_at FROM preorders UNION ALL SELECT release_at FROM products WHERE release_at IS NOT NULL
      UNION ALL SELECT published_at FROM products WHERE published_at IS NOT NULL
      UNION ALL SELECT published_at FROM releases UNION ALL SELECT published_at FROM blog_posts WHERE published_at IS NOT NULL
      UNION ALL SELECT created_at FROM reviews UNION ALL SELECT last_activity_at FROM threads`) as string[][];
    expect(moments.flat().filter((moment) => moment > "2026-11-26" && moment < "2030")).toEqual([]);
  });

  it("has excerpts of threads without the marks of their lists and quotes", async () => {
    const file = join(temporaryFolder(), "catalog.sqlite");
    await extractTemporarily(demoInputs(SHIPPED, ""), file);
    const catalog = openCatalog(file);
    const { body } = answerTarget(catalog, "/api/v1/forum?per_page=100");
    catalog.close();
    const { data } = JSON.parse(body.toString()) as { data: { excerpt: string }[] };
    const excerpts = data.map(({ excerpt }) => excerpt);
    expect(excerpts.filter((text) => /(?:^| )[*>] /.test(text))).toEqual([]);
    expect(
      excerpts.filter((text) => text.startsWith("Three things, in this order: Shelfcount, for")),
    ).toHaveLength(1);
  });

  it.each(["docs/start.md", "examples/demo/README.md"])("is as large as %s says", (page) => {
    const text = readFileSync(page, "utf8").replaceAll(/\s+/g, " ");
    using store = open(SHIPPED);
    const counts = {
      products: "products WHERE status = 'published'",
      categories: "categories",
      reviews: "reviews WHERE status = 'approved'",
      customers: "customers",
      posts: "blog_posts WHERE status = 'published'",
      threads: "threads WHERE subforum_id IN (SELECT id FROM subforums WHERE access_level = 'public')",
    };
    const said = [...text.matchAll(/(\d+) (products|categories|reviews|customers|posts|threads)/g)];
    expect(said.length).toBeGreaterThan(3);
    for (const [, count, what = ""] of said)
      expect([what, store.list(`SELECT COUNT(*) FROM ${counts[what as keyof typeof counts]}`)]).toEqual([
        what,
        [[Number(count)]],
      ]);
  });
});

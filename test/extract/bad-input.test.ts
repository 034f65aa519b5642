import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { VitrineError } from "../../src/base/error.ts";
import type { BuildInputs } from "../../src/config/inputs.ts";
import {
  buildQuietly,
  DEMO_CONFIG,
  demoInputs,
  readStamps,
  seedSmall,
  temporaryFolder,
} from "../support/shop.ts";

const folder = temporaryFolder();
const out = join(folder, "out");
const config = { ...DEMO_CONFIG, grid: { depth: 0, maxFiles: 250_000 } };
let store = "";

beforeAll(async () => {
  store = seedSmall(folder);
  await buildQuietly(demoInputs(store, out, { config }));
});

/** For a shop that wants all its rows: any wrong row refuses the build. */
const STRICT = { maxLeftOut: 0 };

/** Every lock of the folder changes these files. */
const LOCKS = [".lock", ".turn"];

/** Builds into the good output and returns the error; nothing there may be changed. */
async function failure(change: Partial<BuildInputs>): Promise<VitrineError> {
  const before = readStamps(out);
  for (const name of LOCKS) before.delete(name);
  let thrown: unknown;
  try {
    await buildQuietly(demoInputs(store, out, { config, ...STRICT, ...change }));
  } catch (error) {
    thrown = error;
  }
  const after = readStamps(out);
  for (const name of LOCKS) after.delete(name);
  expect(after).toEqual(before);
  expect(thrown).toBeInstanceOf(VitrineError);
  return thrown as VitrineError;
}

/** The store after some SQL. */
function storeAfter(sql: string): string {
  const file = join(folder, "bad.sqlite");
  copyFileSync(store, file);
  const db = new Database(file);
  db.pragma("foreign_keys = OFF");
  db.pragma("ignore_check_constraints = ON");
  db.exec(sql);
  db.close();
  return file;
}

/** The allow-list with one file changed. */
function queriesWith(file: string, change: (sql: string) => string): string {
  const place = join(folder, "queries");
  rmSync(place, { recursive: true, force: true });
  cpSync("templates/queries", place, { recursive: true });
  const path = join(place, file);
  writeFileSync(path, change(existsSync(path) ? readFileSync(path, "utf8") : ""));
  return place;
}

/** An allow-list file with the rows of the original, and other expressions for some columns. */
function overriding(columns: Readonly<Record<string, string>>): (sql: string) => string {
  return (sql) => {
    const names =
      "id title slug excerpt description_short description_html category_id type status price_minor " +
      "sale_price_minor preorder_price_minor extended_price_minor currency image gallery featured public_url demo_url " +
      "docs_url created_at updated_at";
    const list = names.split(" ").map((name) => (columns[name] ? `${columns[name]} AS ${name}` : name));
    return `SELECT ${list.join(", ")} FROM (${sql.trim().replace(/;$/, "")}\n)`;
  };
}

describe("a store that can't be read", () => {
  it("is missing", async () => {
    const error = await failure({ store: join(folder, "nowhere.sqlite") });
    expect(error).toMatchObject({ code: "store_unreadable", exitCode: 3 });
    expect(error.message).toContain("nowhere.sqlite");
  });
  it("is not SQLite", async () => {
    const file = join(folder, "text.sqlite");
    writeFileSync(
      file,
      "This is a text, long enough to be taken for the header of a database file. ".repeat(40),
    );
    expect(await failure({ store: file })).toMatchObject({ code: "store_unreadable", exitCode: 3 });
  });
  // As after a power cut, or in a copy that was made during a write.
  it("was left in the middle of a change", async () => {
    const [file, copy] = [join(folder, "changing.sqlite"), join(folder, "left.sqlite")];
    const shop = new Database(file);
    shop.exec("CREATE TABLE products (title TEXT); INSERT INTO products VALUES (hex(zeroblob(60000)))");
    shop.pragma("cache_size = 1");
    shop.exec("BEGIN; UPDATE products SET title = lower(title) || 'a'; DELETE FROM products");
    shop.exec("INSERT INTO products SELECT hex(zeroblob(60000)) FROM (VALUES (1), (2), (3))");
    for (const part of ["", "-journal"]) copyFileSync(file + part, copy + part);
    shop.close();
    const { message } = await failure({ store: copy });
    expect(message).toMatch(/a program ended in the middle of a change, and .*left\.sqlite-journal has what/);
    // SQLite removes the journal afterwards: without that right, it says "disk I/O error".
    expect(message).toContain("as a user who may write both files and their folder, sqlite3 ");
    const mender = new Database(copy);
    expect(mender.prepare("SELECT COUNT(*) FROM products").pluck().get()).toBe(1);
    mender.close();
  });
  it("is broken in the middle", async () => {
    const file = join(folder, "broken.sqlite");
    const bytes = readFileSync(store);
    bytes.fill(0x5a, 8192, bytes.length - 4096);
    writeFileSync(file, bytes);
    expect((await failure({ store: file })).exitCode).toBe(3);
  });
});

describe("an allow-list that is wrong", () => {
  const cases: readonly (readonly [string, string, (sql: string) => string, RegExp])[] = [
    [
      "lacks a column",
      "categories.sql",
      (sql) => sql.replace("c.name AS name", "c.name AS title"),
      /categories\.sql lacks the column name or name_html and gives title, .* It must give: id, name or name_html, slug/,
    ],
    [
      "gives a column that its record does not have",
      "store.sql",
      (sql) => `SELECT *, 1 AS owner_email FROM (${sql.trim().replace(/;$/, "")}\n)`,
      /store\.sql gives owner_email, which its record does not have/,
    ],
    [
      "misspells a column",
      "store.sql",
      (sql) => `SELECT *, '' AS taglin FROM (${sql.trim().replace(/;$/, "")}\n)`,
      /store\.sql gives taglin, which its record does not have \(did you mean tagline\?\)\. It must give/,
    ],
    ["is not SQL", "faqs.sql", () => "SELEKT 1", /faqs\.sql, line \d+: .*syntax error/],
    [
      "names a missing table",
      "faqs.sql",
      () => "SELECT id FROM no_such_table",
      /faqs\.sql: no such table: no_such_table/,
    ],
    [
      "writes",
      "faqs.sql",
      () => "DELETE FROM products",
      /faqs\.sql: near "DELETE": syntax error\. It must be one SELECT/,
    ],
    ["is two statements", "faqs.sql", (sql) => `${sql.trim().replace(/;$/, "")}; SELECT 1`, /faqs\.sql: /],
    [
      "has a file that is not listed",
      "review.sql",
      () => "SELECT 1",
      /review\.sql is not a file of the allow-list.*Did you mean reviews\.sql/s,
    ],
  ];
  it.each(cases)("%s", async (_, file, change, message) => {
    const error = await failure({ queries: queriesWith(file, change) });
    expect(error).toMatchObject({ code: "allow_list_invalid", exitCode: 3 });
    expect(error.message).toMatch(message);
  });
  it("is not a folder", async () => {
    expect((await failure({ queries: join(folder, "none") })).message).toContain("--queries");
  });
  it("lacks products.sql", async () => {
    const place = queriesWith("faqs.sql", (sql) => sql);
    rmSync(join(place, "products.sql"));
    expect((await failure({ queries: place })).message).toContain("lacks products.sql");
  });
});

describe("rows that are wrong", () => {
  it("ids that are texts: nothing is wrong with the texts that slugs are made from", async () => {
    const sql = "SELECT 'c' || id AS id, name, name AS slug_source FROM categories";
    const { message } = await failure({ queries: queriesWith("categories.sql", () => sql) });
    expect(message).toContain("  id must be a whole number from 1 to 999999999999999, not text");
    expect(message).not.toContain("slug_source");
  });

  const cases: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    [
      "a slug outside the rules",
      { slug: "IIF(id = 12, 'No Slug!', slug)" },
      /products\.sql: 1 row is wrong, more than the 0 of \d+ that may be left out \(rows\.maxLeftOut\)\n {2}slug must be a slug \(.*AS slug_source takes any text\): 1 row, id 12; id 12 has "No Slug!"\n/,
    ],
    [
      "a price below zero",
      { price_minor: "IIF(id = 12, -1, price_minor)" },
      /price_minor must be a whole number from 0: 1 row, id 12; id 12 has -1/,
    ],
    [
      "a price that is not whole",
      { price_minor: "IIF(id = 12, 9.5, price_minor)" },
      /price_minor must be .* id 12 has 9\.5/,
    ],
    [
      "two products with one slug",
      { slug: "IIF(id = 12, (SELECT 'same'), IIF(id = 15, 'same', slug))" },
      /slug must be unique: 1 row, id 15; id 15 has "same", which id 12 has too/,
    ],
    ["one id twice", { id: "IIF(id = 15, 12, id)" }, /id must be unique: 1 row, id 12/],
    [
      "a missing category",
      { category_id: "IIF(id = 12, 9999, category_id)" },
      /category_id must be of a category in categories\.sql: 1 row, id 12; id 12 has 9999/,
    ],
    [
      "a status that is not public",
      { status: "IIF(id = 12, 'draft', status)" },
      /status must be published or.*: 1 row, id 12; id 12 has "draft"/,
    ],
    [
      "a day that does not exist",
      { created_at: "IIF(id = 12, '2026-02-30 00:00:00', created_at)" },
      /created_at must be a UTC date.*id 12 has "2026-02-30/,
    ],
    [
      "milliseconds",
      { created_at: "IIF(id = 12, 1700000000000, created_at)" },
      /created_at must be Unix seconds, not milliseconds \(docs\/stores\.md#values-of-another-type has the SQL\): 1 row, id 12;/,
    ],
    [
      "a missing title",
      { title: "IIF(id = 12, NULL, title)" },
      /title must be text that is not empty: 1 row, id 12; id 12 has NULL/,
    ],
    [
      "a price in minor units as the text that a decimal arrives as",
      { price_minor: "IIF(id = 12, '1999', price_minor)" },
      /price_minor must be a whole number from 0, not text \(docs\/stores\.md#values-of-another-type has the SQL\): .* has "1999"/,
    ],
    [
      "a flag that is a text",
      { featured: "IIF(id = 12, '1', featured)" },
      /featured must be 0 or 1, not text \(docs.*\): .* has "1"/,
    ],
    [
      "a title that SQLite made a number of",
      { title: "IIF(id = 12, 1984, title)" },
      /title must be text that is not empty, not a number \(docs.*\): .* has 1984/,
    ],
    [
      "a title of bytes",
      { title: "IIF(id = 12, x'41', title)" },
      /title must be text that is not empty, not bytes \(docs.*\): .* has a BLOB/,
    ],
    [
      "ids that are texts",
      { id: "IIF(id = 12, 'a-uuid', id)" },
      /id must be a whole number from 1 to 9{15}, not text \(docs.*\): .* has "a-uuid"/,
    ],
  ];
  it.each(cases)("%s", async (_, columns, message) => {
    const error = await failure({ queries: queriesWith("products.sql", overriding(columns)) });
    expect(error).toMatchObject({ code: "rows_invalid", exitCode: 3 });
    expect(error.message).toMatch(message);
  });

  it("are reported by problem: how many rows, three ids, one example", async () => {
    const { message } = await failure({
      queries: queriesWith("products.sql", overriding({ price_minor: "-5" })),
    });
    const rows = Number(/products\.sql: (\d+) rows are wrong/.exec(message)?.[1]);
    expect(rows).toBeGreaterThan(20);
    expect(message.match(/price_minor/g)).toHaveLength(1);
    expect(message).toMatch(
      new RegExp(`price_minor must be .*: ${rows} rows, ids \\d+, \\d+, \\d+, …; id \\d+ has -5\\n`),
    );
  });

  it("are found before they are due: a moment in a wrong form", async () => {
    const file = storeAfter(
      "UPDATE blog_posts SET status = 'scheduled', published_at = '2026-12-06T09:00:00Z', password = NULL WHERE id = 3",
    );
    const error = await failure({ store: file });
    expect(error).toMatchObject({ code: "rows_invalid", exitCode: 3 });
    expect(error.message).toMatch(/next_change_at must be a UTC date .* has "2026-12-06T09:00:00Z"/);
  });

  it("are next changes in the past", async () => {
    const queries = queriesWith("next_change.sql", () => "SELECT '2026-11-20 11:59:59' AS next_change_at");
    expect((await failure({ queries })).message).toMatch(
      /next_change_at must be after the moment of the build, 2026-11-20 12:00:00: 1 row/,
    );
  });

  it("are counted as rows, however many problems each has", async () => {
    const columns = { slug: "'No Slug!'", price_minor: "-5", status: "'draft'" };
    const { message } = await failure({ queries: queriesWith("products.sql", overriding(columns)) });
    const rows = /products\.sql: (\d+) rows are wrong/.exec(message)?.[1];
    expect(message.split("\n").filter((line) => line.includes(`: ${rows} rows, ids`))).toHaveLength(3);
    // A wrong slug is not also reported as a duplicate.
    expect(message).not.toContain("unique");
  });

  it("are left out and counted if their product is not public", async () => {
    const file = storeAfter("UPDATE products SET status = 'draft' WHERE slug = 'invoice-kit'");
    const careless = () => `SELECT id, product_id, rating, title, body, 'Somebody' AS customer_display_name,
      '' AS customer_avatar, 0 AS verified_purchase, created_at FROM reviews WHERE status = 'approved'`;
    const queries = queriesWith("reviews.sql", careless);
    const place = join(folder, "left");
    const report = await buildQuietly(demoInputs(file, place, { config, queries }));
    expect(report.leftOut["reviews"]).toBeGreaterThan(0);
    expect(existsSync(join(place, "site/api/v1/reviews/product_slug=invoice-kit"))).toBe(false);
  });
});

describe("a disk that is full", () => {
  const small = join(folder, "small");
  let mounted = false;
  beforeAll(async () => {
    const { spawnSync } = await import("node:child_process");
    mkdirSync(small);
    mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", small]).status === 0;
    return () => {
      if (mounted) spawnSync("umount", [small]);
    };
  });
  it("is reported as such, and the last good output is kept", async (context) => {
    if (!mounted) {
      if (process.env["CI"] === "true")
        expect.fail("A small file system must be mountable here: run as root.");
      context.skip("needs the right to mount a small file system");
    }
    const place = join(small, "out");
    await buildQuietly(demoInputs(store, place, { config }));
    const before = readStamps(place);
    const larger = { ...config, grid: { depth: 2, maxFiles: 250_000 } };
    let thrown: unknown;
    try {
      await buildQuietly(demoInputs(store, place, { config: larger }));
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: "write_failed", exitCode: 6 });
    expect(String((thrown as Error).message)).toContain("the disk is full");
    expect(readStamps(place)).toEqual(before);
    await buildQuietly(demoInputs(store, place, { config, now: "2026-11-20 13:00:00" }));
    expect(existsSync(join(place, ".next"))).toBe(false);
  });
});

it("an image at an address that visitors can't open is left out of a text and counted, unless the site is at such an address, too", async () => {
  const image = '<img src="http://localhost:9000/a.png" alt="A"><img src="https://cdn.example/b.png">';
  const bad = storeAfter(`UPDATE blog_posts SET content_html = '<p>Text</p>${image}'`);
  const place = join(folder, "out-of-images");
  const build = async (siteUrl: string) => {
    const report = await buildQuietly(demoInputs(bad, place, { config: { ...config, siteUrl } }));
    const folderOfPosts = join(place, "site/api/v1/blog");
    const texts = readdirSync(folderOfPosts)
      .filter((name) => name.startsWith("slug="))
      .map((name) => readFileSync(join(folderOfPosts, name), "utf8"));
    return { report, texts };
  };
  const open = await build("https://shop.example");
  expect(open.report.wrong).toEqual([
    expect.objectContaining({
      file: "blog.sql",
      column: "content_html",
      problem: expect.stringMatching(/images at an address that visitors can open, not one of localhost/),
      outcome: "emptied",
      rows: open.report.records.post,
    }),
  ]);
  for (const text of open.texts) {
    expect(text).not.toContain("localhost");
    expect(text).toContain("https://cdn.example/b.png");
  }
  const local = await build("http://127.0.0.1:8080");
  expect(local.report.wrong).toEqual([]);
  for (const text of local.texts) expect(text).toContain("http://localhost:9000/a.png");
});

it("counts images that are in no file, elements that the shop's page hides, and frames", async () => {
  const text =
    '<p>Text</p><img src="data:image/png;base64,AA=="><div style="display:none">For the staff</div>';
  const bad = storeAfter(`UPDATE blog_posts SET content_html = '${text}'`);
  const place = join(folder, "hidden-parts");
  const { wrong, shortened, records } = await buildQuietly(demoInputs(bad, place, { config }));
  const rows = records.post;
  const problem = "must have images at https://…, http://… or a path";
  expect(wrong).toEqual([
    expect.objectContaining({ file: "blog.sql", column: "content_html", problem, outcome: "emptied", rows }),
  ]);
  // The hostile texts of the other files have frames.
  const frames = { "faqs.sql": 1, "forum.sql": 1, "products.sql": 1, "releases.sql": 1 };
  expect(shortened).toEqual([
    { what: "element div", count: rows, rows: { "blog.sql": rows } },
    { what: "element iframe", count: 4, rows: frames },
  ]);
  const posts = readdirSync(join(place, "site/api/v1/blog"));
  const texts = posts.map((name) => readFileSync(join(place, "site/api/v1/blog", name), "utf8"));
  expect(texts.join("")).not.toContain("For the staff");
});

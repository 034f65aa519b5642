/** A file of the allow-list is spared where the columns that it reads did not change, and only there. */
import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { AllowListQuery } from "../../src/extract/allow-list.ts";
import { readsOf } from "../../src/extract/stores/sqlite-plan.ts";
import { treesOf } from "../../src/extract/stores/sqlite-trees.ts";
import {
  changesOf,
  createShop,
  digestOf,
  fingerprintOf,
  openShop,
  QUERIES,
  withReader,
} from "./support/changing-store.ts";

const OF_PRODUCTS = ["products", "reviews", "faqs", "releases", "next_change"];

describe("what changed in the demo store", () => {
  it.each([
    ["a price", "UPDATE products SET regular_price_minor = 5 WHERE id = 7", ["products", "next_change"]],
    ["a slug", "UPDATE products SET slug = 'x' WHERE id = 7", ["products", "releases"]],
    ["what a product has in stock", "UPDATE products SET stock_qty = 5 WHERE id = 7", ["products"]],
    ["a hidden product", "UPDATE products SET visibility = 'hidden' WHERE id = 7", OF_PRODUCTS],
    ["a product that went", "DELETE FROM products WHERE id = 7", OF_PRODUCTS],
    ["an order", "UPDATE orders SET status = 'refunded'", []],
    ["an approved review", "UPDATE reviews SET status = 'approved'", ["reviews"]],
    ["the notes of a release", "UPDATE releases SET notes_html = 'x' WHERE id = 3", ["releases"]],
    ["a listed release", "UPDATE releases SET status = 'unlisted' WHERE id = 3", ["releases", "next_change"]],
    ["the words of a post", "UPDATE blog_posts SET content_html = 'x' WHERE id = 3", ["blog"]],
    ["a user's e-mail", "UPDATE users SET email = 'x' WHERE id = 3", []],
    ["a user's name", "UPDATE users SET display_name = 'x' WHERE id = 3", ["forum"]],
  ])("is, with %s, the files that read that", async (_, edit, names) => {
    const { file, shop } = createShop("delete");
    shop.pragma("ignore_check_constraints = ON");
    const before = await fingerprintOf(file);
    shop.exec(edit);
    expect((await changesOf(file, before)).changed).toEqual(new Set(names));
  });

  it.each(["products", "releases", "blog_posts", "users"])(
    "names every file whose rows differ by one column of %s",
    async (table) => {
      const { file, shop } = createShop("delete");
      const columns = shop
        .prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`)
        .pluck()
        .all();
      shop.pragma("ignore_check_constraints = ON");
      const digests = () =>
        withReader(file, async (reader) => {
          const all = new Map<string, string>();
          for (const query of QUERIES) all.set(query.name, await digestOf(reader, query));
          return all;
        });
      let rows = await digests();
      let before = await fingerprintOf(file);
      let spared = 0;
      for (const column of columns) {
        shop.exec(
          `UPDATE ${table} SET ${column} = ${column === "id" ? "-id" : `${column} || '1'`} WHERE id % 3 = 0`,
        );
        const { fingerprint, changed } = await changesOf(file, before);
        const now = await digests();
        const differ = QUERIES.filter(({ name }) => rows.get(name) !== now.get(name)).map(({ name }) => name);
        const named: string[] = [...changed];
        expect(named, column).toEqual(expect.arrayContaining(differ));
        spared += Number(changed !== "all" && !changed.has("next_change"));
        rows = now;
        before = fingerprint ?? before;
      }
      expect(spared).toBeGreaterThan(0);
    },
  );
});

/** A table of so many columns that digests of two are worth it, with more rows than are digested at once. */
const WIDE = `CREATE TABLE wide (id INTEGER PRIMARY KEY, a, b, c, d, e, f, g, h);
  INSERT INTO wide (id, a, b, c) WITH n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 600) SELECT i - 5, 1, i, 'c' FROM n`;

/** An SQL file, a change, and whether the file's rows differ then. */
const EDITS: readonly (readonly [
  what: string,
  schema: string,
  sql: string,
  edit: string,
  differ: boolean,
])[] = [
  ["another column", WIDE, "SELECT SUM(a) FROM wide", "UPDATE wide SET b = 7", false],
  ["its column", WIDE, "SELECT SUM(a) FROM wide", "UPDATE wide SET a = 7", true],
  [
    "its column in the last row",
    WIDE,
    "SELECT SUM(a) FROM wide",
    "UPDATE wide SET a = 7 WHERE id = 595",
    true,
  ],
  [
    "its column in the first row",
    WIDE,
    "SELECT SUM(a) FROM wide",
    "UPDATE wide SET a = 7 WHERE id = -5",
    true,
  ],
  ["its type", WIDE, "SELECT MAX(typeof(a)) FROM wide", "UPDATE wide SET a = 1.0", true],
  ["its condition", WIDE, "SELECT SUM(a) FROM wide WHERE b > 9", "UPDATE wide SET b = 7", true],
  ["another column than is counted", WIDE, "SELECT COUNT(*) FROM wide", "UPDATE wide SET b = 7", false],
  ["how many there are", WIDE, "SELECT COUNT(*) FROM wide", "DELETE FROM wide WHERE id = 9", true],
  ["a rowid", WIDE, "SELECT SUM(id) FROM wide", "UPDATE wide SET id = 999 WHERE id = 9", true],
  [
    "the order of an index",
    `${WIDE}; CREATE INDEX wide_ab ON wide (a, b)`,
    "SELECT group_concat(id) FROM wide INDEXED BY wide_ab WHERE a = 1",
    "UPDATE wide SET b = -b",
    true,
  ],
  [
    "another column than the index has",
    `${WIDE}; CREATE INDEX wide_ab ON wide (a, b)`,
    "SELECT group_concat(id) FROM wide INDEXED BY wide_ab WHERE a = 1",
    "UPDATE wide SET c = 'd'",
    false,
  ],
  [
    "which rows a partial index has",
    `${WIDE}; CREATE INDEX wide_a ON wide (a) WHERE b = 7`,
    "SELECT COUNT(*) FROM wide INDEXED BY wide_a WHERE b = 7 AND a = 1",
    "UPDATE wide SET b = 7 WHERE id < 9",
    true,
  ],
  [
    "an index's expression",
    `${WIDE}; CREATE INDEX wide_b ON wide (b + 1)`,
    "SELECT COUNT(*) FROM wide INDEXED BY wide_b WHERE b + 1 = 7",
    "UPDATE wide SET b = 6 WHERE id < 9",
    true,
  ],
  [
    "a column after a generated one",
    `CREATE TABLE made (id INTEGER PRIMARY KEY, v AS (b) VIRTUAL, a, b, c, d, e, f, g, h); INSERT INTO made (a) VALUES (1)`,
    "SELECT SUM(a) FROM made",
    "UPDATE made SET a = 7",
    true,
  ],
  [
    "a table without rowids",
    "CREATE TABLE keyed (a, b, c, d, e, f, g, h, PRIMARY KEY (h)) WITHOUT ROWID; INSERT INTO keyed (a, h) VALUES (1, 1)",
    "SELECT SUM(a) FROM keyed",
    "UPDATE keyed SET a = 7",
    true,
  ],
  [
    "a rowid where a column is called so",
    "CREATE TABLE odd (rowid, a, b, c, d, e, f, g, h); INSERT INTO odd (a) VALUES (1)",
    "SELECT SUM(oid) FROM odd",
    "UPDATE odd SET oid = 7",
    true,
  ],
  ["bytes that are no text", WIDE, "SELECT MAX(hex(c)) FROM wide", "UPDATE wide SET c = x'01'", true],
  [
    "bytes that were there before",
    `${WIDE}; UPDATE wide SET c = x'01'`,
    "SELECT MAX(hex(c)) FROM wide",
    "UPDATE wide SET c = x'02'",
    true,
  ],
  [
    "a text that is no UTF-8",
    `${WIDE}; UPDATE wide SET c = CAST(x'ff' AS TEXT)`,
    "SELECT MAX(hex(c)) FROM wide",
    "UPDATE wide SET c = CAST(x'fe' AS TEXT)",
    true,
  ],
  [
    "a text after its zero byte",
    `${WIDE}; UPDATE wide SET c = CAST(x'6100' AS TEXT)`,
    "SELECT MAX(hex(c)) FROM wide",
    "UPDATE wide SET c = CAST(x'610000' AS TEXT)",
    true,
  ],
];

/** Which file of the allow-list it is does not matter: this one has one column of any kind. */
function fileOf(sql: string): AllowListQuery {
  return {
    name: "next_change",
    file: "next_change.sql",
    sql: `SELECT value AS next_change_at FROM (${sql.replace(" FROM", " AS value FROM")})`,
  };
}

function rowsOf(file: string, query: AllowListQuery): Promise<string> {
  return withReader(file, (reader) => digestOf(reader, query));
}

async function expectChange(
  { file, shop }: ReturnType<typeof createShop>,
  query: AllowListQuery,
  edit: string,
  differ: boolean,
): Promise<void> {
  const { fingerprint: before } = await changesOf(file, null, [query]);
  const rows = await rowsOf(file, query);
  shop.exec(edit);
  expect((await rowsOf(file, query)) !== rows).toBe(differ);
  const { changed } = await changesOf(file, before, [query]);
  expect(changed).toEqual(new Set(differ ? [query.name] : []));
}

describe("one file", () => {
  it.each(EDITS)("is read again, or not, where what changed is %s", async (_, schema, sql, edit, differ) => {
    const store = createShop("delete");
    store.shop.exec(schema);
    await expectChange(store, fileOf(sql), edit, differ);
  });

  it("is read again where texts in UTF-16 differ that are equal in UTF-8", async () => {
    const { file, shop: demo } = createShop("delete");
    demo.close();
    rmSync(file);
    const store = { file, shop: openShop(file) };
    store.shop.pragma("encoding = 'UTF-16le'");
    store.shop.exec(`${WIDE}; UPDATE wide SET c = CAST(x'00d84100' AS TEXT)`);
    const edit = "UPDATE wide SET c = CAST(x'00d841dc' AS TEXT)";
    await expectChange(store, fileOf("SELECT MAX(hex(CAST(c AS BLOB))) FROM wide"), edit, true);
  });

  it("is read again where nothing is remembered of its columns", async () => {
    const { file, shop } = createShop("delete");
    shop.exec(WIDE);
    const before = await fingerprintOf(file);
    shop.exec("UPDATE wide SET b = 7");
    const query = fileOf("SELECT SUM(a) FROM wide");
    const { fingerprint, changed } = await changesOf(file, before, [query]);
    expect(changed).toEqual(new Set([query.name]));
    shop.exec("UPDATE wide SET b = 8");
    expect((await changesOf(file, fingerprint, [query])).changed).toEqual(new Set());
  });

  it("is told what changed since, whatever else did in between", async () => {
    const { file, shop } = createShop("delete");
    shop.exec(WIDE);
    const queries = [fileOf("SELECT SUM(a) FROM wide")];
    let { fingerprint } = await changesOf(file, null, queries);
    for (const [edit, differ] of [
      ["UPDATE faqs SET position = position + 1", false],
      ["UPDATE wide SET a = 2", true],
      ["UPDATE faqs SET position = position + 1", false],
      ["UPDATE wide SET b = 2", false],
      ["UPDATE wide SET a = 1", true],
    ] as const) {
      shop.exec(edit);
      const changes = await changesOf(file, fingerprint, queries);
      expect(changes.changed, edit).toEqual(new Set(differ ? ["next_change"] : []));
      fingerprint = changes.fingerprint;
    }
  });
});

describe("a plan", () => {
  const opened = new Database(":memory:");
  opened.exec("CREATE TABLE wide (id INTEGER PRIMARY KEY, a, b)");
  const trees = treesOf(opened);
  const columnsOf = (...operations: string[]) =>
    readsOf(opened, trees, {
      bound: [],
      sql: `SELECT column1 AS opcode, column2 AS p1, column3 AS p2, 0 AS p3, 0 AS p5 FROM (VALUES ${operations.join()})`,
    })?.columns.get("wide");

  it("reads the columns that its operations name", () => {
    expect(columnsOf("('OpenRead', 5, 2)", "('Rewind', 5, 0)", "('Column', 5, 2)")).toEqual(new Set(["b"]));
    expect(columnsOf("('OpenRead', 5, 2)", "('Column', 6, 2)")).toEqual(new Set());
  });

  it("may read any where an operation is not known, takes a record whole, or names no column", () => {
    expect(columnsOf("('OpenRead', 5, 2)", "('Offset', 5, 2)")).toBeNull();
    expect(columnsOf("('OpenRead', 5, 2)", "('RowData', 5, 0)", "('Column', 5, 2)")).toBeNull();
    expect(columnsOf("('OpenRead', 5, 2)", "('Column', 5, 9)", "('Column', 5, 2)")).toBeNull();
  });
});

/** The capture in a file: whatever is done to it, rows that differ are told, and the shop's writes pass. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askingStore } from "../../src/build/capture.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { temporaryFolder } from "../support/shop.ts";
import { createSqliteDatabase } from "../support/sqlite.ts";
import { changesIn, file, installFor, statusFor } from "./support/captured.ts";
import { SQLITE_CASES } from "./support/sqlite-cases.ts";
import { ROWS } from "./support/unseen-cases.ts";

const folder = temporaryFolder();

const queries = (sql = "SELECT id, v FROM t", table = "t") => [file("faqs", `-- rows: ${table}.id\n${sql}`)];

let database: TestDatabase;
beforeEach(async () => {
  database = await createSqliteDatabase();
});
afterEach(() => database.close());

async function rowsOf(sql: string): Promise<Map<unknown, string>> {
  const rows = await askingStore(database.address, (ask) => ask(sql));
  return new Map(rows.map((row) => [row[0], JSON.stringify(row)]));
}

const changesSince = (mark: Buffer | null, files = queries()) => changesIn(database.address, mark, files);

describe("rows that differ are told", () => {
  it.each(SQLITE_CASES)("$name", async ({ make, sql = "SELECT id, v FROM t", edit }) => {
    await database.run(make);
    const files = queries(sql);
    await installFor(database.address, files, null);
    const { mark } = await changesSince(null, files);
    const before = await rowsOf(sql);
    await database.run(edit);
    const after = await rowsOf(sql);
    const differ = [...new Set([...before.keys(), ...after.keys()])].filter(
      (id) => before.get(id) !== after.get(id),
    );
    expect(differ).not.toEqual([]);
    const { changed, rowFilters } = await changesSince(mark, files);
    expect(changed === "all" || changed.has("faqs")).toBe(true);
    const told = rowFilters?.get("faqs");
    const ids = told?.flatMap(({ column, ids }) => (column === "id" ? ids : [])) ?? differ;
    expect(ids).toEqual(expect.arrayContaining(differ));
  });
});

describe("everything is read", () => {
  const install = async () => {
    await database.run(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); ${ROWS}`);
    await installFor(database.address, queries(), null);
    await database.run("UPDATE t SET v = 'c' WHERE id = 1");
    return (await changesSince(null)).mark;
  };

  it.each([
    [
      "a change was taken out by hand",
      "DELETE FROM vitrine_change WHERE seq = (SELECT MAX(seq) FROM vitrine_change)",
    ],
    ["all of them were", "DELETE FROM vitrine_change"],
    ["what was written down is another's", "UPDATE vitrine_change SET mark = 'x'"],
    ["a change stands for nothing that is known", "INSERT INTO vitrine_change (src, id) VALUES (77, 1)"],
  ])("where %s", async (_, edit) => {
    const mark = await install();
    expect(await changesSince(mark)).toEqual({ mark, changed: new Set(), rowFilters: new Map() });
    await database.run("UPDATE t SET v = 'd' WHERE id = 2");
    await database.run(edit);
    expect((await changesSince(mark)).changed).toBe("all");
  });

  it("where an older copy was put over the file, and the shop went on with that", async () => {
    const older = join(folder, "older.sqlite");
    await database.run(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); ${ROWS}`);
    await installFor(database.address, queries(), null);
    await database.run("UPDATE t SET v = 'c' WHERE id = 1; PRAGMA wal_checkpoint(TRUNCATE)");
    copyFileSync(database.address, older);
    await database.run("UPDATE t SET v = 'd' WHERE id = 1");
    const { mark } = await changesSince(null);
    const putBack = async (edit: string) => {
      const shop = new Database(older);
      shop.exec(`${edit}; PRAGMA wal_checkpoint(TRUNCATE)`);
      shop.close();
      await database.close();
      database = await createSqliteDatabase(older);
    };
    await putBack("SELECT 1");
    expect((await changesSince(mark)).changed).toBe("all");
    // As many changes as there were, and more.
    await putBack("UPDATE t SET v = 'e' WHERE id = 1");
    expect((await changesSince(mark)).changed).toBe("all");
    await putBack("UPDATE t SET v = 'f' WHERE id = 2");
    expect((await changesSince(mark)).changed).toBe("all");
  });

  it("of a file whose table has no triggers of this installation any more; status says so", async () => {
    const mark = await install();
    await database.run("CREATE TABLE u AS SELECT * FROM t; DROP TABLE t; ALTER TABLE u RENAME TO t");
    const { mark: next, changed } = await changesSince(mark);
    expect(changed).toBe("all");
    await database.run("UPDATE t SET v = 'unseen'");
    expect((await changesSince(next)).changed).toEqual(new Set(["faqs"]));
    const { tables, gaps } = await statusFor(database.address, queries());
    expect([tables, gaps["t"]]).toEqual([{ t: false }, expect.stringContaining("install it again")]);
    await installFor(database.address, queries(), null);
    expect((await statusFor(database.address, queries())).tables).toEqual({ t: true });
  });
});

describe("the shop's writes", () => {
  it("pass, whatever a key is; a row is told where it is a number that is held exactly", async () => {
    await database.run("CREATE TABLE t (id, v TEXT)");
    await installFor(database.address, queries(), null);
    const keys = [
      "NULL",
      "'text'",
      `'${"x".repeat(100_000)}'`,
      "zeroblob(100000)",
      "1.5",
      "9e999",
      "9007199254740993",
    ];
    const insert = (key: string) =>
      database.run(`INSERT INTO t VALUES (${key}, 'a'); UPDATE t SET v = 'b'; DELETE FROM t`);
    for (const key of keys) {
      const { mark } = await changesSince(null);
      await insert(key);
      const { changed, rowFilters } = await changesSince(mark);
      expect([key.slice(0, 20), changed, rowFilters]).toEqual([
        key.slice(0, 20),
        new Set(["faqs"]),
        new Map(),
      ]);
    }
    const [longest] = await database.run("SELECT MAX(length(CAST(id AS BLOB))) AS n FROM vitrine_change");
    expect(Number(longest?.["n"])).toBeLessThan(20);
    const { mark } = await changesSince(null);
    await insert("-7");
    expect((await changesSince(mark)).rowFilters?.get("faqs")).toEqual([{ column: "id", ids: [-7] }]);
  });

  it("see nothing of ours: the row that was inserted last, and how many were changed", async () => {
    await database.run(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE); ${ROWS}`);
    await installFor(database.address, queries(), null);
    await database.run("INSERT INTO t VALUES (40, 'x')");
    expect(await database.run("SELECT last_insert_rowid() AS id, changes() AS n")).toEqual([
      { id: 40, n: 1 },
    ]);
    await database.run("UPDATE t SET v = v || 1");
    expect(await database.run("SELECT last_insert_rowid() AS id, changes() AS n")).toEqual([
      { id: 40, n: 3 },
    ]);
  });
});

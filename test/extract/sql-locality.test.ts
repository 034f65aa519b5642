/** Which rows of tables the rows of a file are made of: what is told is checked by changing other rows. */
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { Random } from "../../scripts/bench/random.ts";
import { mergedRanges } from "../../src/extract/id-ranges.ts";
import { localTables } from "../../src/extract/stores/sql-locality.ts";
import { narrowed } from "../../src/extract/stores/sqlite-narrow.ts";
import { plainTable, treesOf } from "../../src/extract/stores/sqlite-trees.ts";

function createStore(): Database.Database {
  const db = new Database(":memory:");
  db.exec(`
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price INTEGER, parent INTEGER, "end" INTEGER);
    CREATE TABLE part (id INTEGER PRIMARY KEY, item_id INTEGER, word TEXT, place INTEGER);
    CREATE INDEX part_by_item ON part (item_id, place);
    CREATE TABLE note (id INTEGER PRIMARY KEY, item_id TEXT, body TEXT);
    CREATE TABLE shelf (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE loose (item_id INTEGER, word TEXT);
    CREATE VIEW items AS SELECT * FROM item`);
  return db;
}

function localIn(db: Database.Database, sql: string, column: string) {
  const trees = treesOf(db);
  const local = localTables(sql, column, (name) => plainTable(db, trees, name)?.columns ?? null);
  return local && Object.fromEntries([...local.tables].map(([table, by]) => [table, [...by]]));
}

const ITEM = { item: ["id"] };
const BOTH = { item: ["id"], part: ["item_id"] };

/** What is told of each, by another column where one is named. */
const TOLD: readonly (readonly [sql: string, told: Record<string, string[]> | null, column?: string])[] = [
  [
    "SELECT p.id AS id, p.item_id AS owner, i.name FROM part p JOIN item i ON i.id = p.item_id",
    BOTH,
    "owner",
  ],
  [
    "SELECT p.id AS id, i.id AS owner FROM part p, item i WHERE i.id = p.item_id AND i.price > 1",
    BOTH,
    "owner",
  ],
  [
    "SELECT p.id AS id, p.item_id AS owner, i.name FROM part p LEFT JOIN item i ON i.id = p.item_id",
    BOTH,
    "owner",
  ],
  ["SELECT p.id AS id, i.id AS owner FROM part p LEFT JOIN item i ON i.id = p.item_id", {}, "owner"],
  ["SELECT p.id AS id, p.item_id AS owner FROM part p", null, "other"],
  ["SELECT id, name FROM item", ITEM],
  ["SELECT i.* FROM item AS i WHERE i.price > 3 AND i.name <> 'x'", ITEM],
  ["SELECT i.id AS id, s.name FROM item i LEFT JOIN shelf s ON s.id = i.parent", ITEM],
  ["SELECT i.id AS id, p.word FROM item i LEFT JOIN part p ON p.item_id = i.id AND p.place = 1", BOTH],
  ["SELECT i.id AS id, p.word FROM item i JOIN part p ON i.id = p.item_id WHERE p.place = 1", BOTH],
  ["SELECT i.id AS id, p.word FROM item i, part p WHERE i.id = p.item_id AND p.place = 1", BOTH],
  ["SELECT p.item_id AS id, MAX(p.word) AS w FROM part AS p GROUP BY p.item_id", { part: ["item_id"] }],
  [
    "WITH w(i, n) AS (SELECT item_id, COUNT(*) FROM part GROUP BY item_id) SELECT i.id, n FROM item i LEFT JOIN w ON w.i = i.id",
    BOTH,
  ],
  ["SELECT i.id AS id, j.name FROM item i JOIN item j ON j.id = i.id", ITEM],
  ["SELECT i.id AS id FROM item i WHERE CASE WHEN i.price = 1 THEN 1 ELSE i.parent = i.id END", ITEM],
  ["SELECT id, name FROM item WHERE price = 1 UNION ALL SELECT id, name FROM item WHERE price > 5", ITEM],
  ["SELECT id FROM item UNION SELECT item_id FROM part", BOTH],
  ["SELECT i.id AS id, (SELECT COUNT(*) FROM part AS p WHERE p.item_id = i.id) AS n FROM item i", null],
  ["SELECT id FROM item WHERE price = (SELECT MAX(price) FROM item)", null],
  ["SELECT id FROM item WHERE id IN (SELECT item_id FROM part)", null],
  ["SELECT id FROM item WHERE price IN shelf", null],
  ["SELECT id, RANK() OVER (ORDER BY price) AS r FROM item", null],
  ["SELECT id, name FROM item ORDER BY price LIMIT 3", {}],
  ["SELECT i.id AS id, j.name FROM item i JOIN item j ON j.id = i.parent", {}],
  ["SELECT i.id AS id, j.name FROM item i LEFT JOIN item j ON j.parent = i.id", {}],
  ["SELECT i.id AS id, j.name FROM item i LEFT JOIN item j ON j.id = i.id OR j.price = 1", {}],
  ["SELECT i.id AS id FROM item i JOIN item j ON j.price BETWEEN 1 AND j.id = i.id", {}],
  ["SELECT i.id AS id, m FROM item i, (SELECT MAX(price) AS m FROM item)", {}],
  ["SELECT i.id AS id FROM item i JOIN part p ON p.place = 1 LEFT JOIN item j ON j.id = p.item_id", {}],
  ["SELECT MAX(id) AS id FROM item", {}],
  ["SELECT price AS id, COUNT(*) AS n FROM item GROUP BY price", { item: ["price"] }],
  ["SELECT item_id AS id, word FROM part GROUP BY item_id", null],
  ["SELECT item_id AS id, group_concat(word) AS w FROM part GROUP BY item_id", null],
  [
    "SELECT item_id AS id, group_concat(word ORDER BY place, id) AS w FROM part GROUP BY item_id",
    { part: ["item_id"] },
  ],
  ["SELECT item_id AS id, SUM(place) AS n FROM part GROUP BY item_id", null],
  [
    "WITH RECURSIVE up(id, top) AS (SELECT id, parent FROM item UNION SELECT u.id, i.parent FROM up u JOIN item i ON i.id = u.top) SELECT id, COUNT(*) AS n FROM up GROUP BY id",
    {},
  ],
  ["SELECT i.id AS id, n.body FROM item i LEFT JOIN note n ON n.item_id = i.id AND n.id < 3", ITEM],
  ["SELECT id, name FROM items", null],
  ["SELECT rowid AS id, name FROM item", null],
  ["SELECT id, name FROM main.item", null],
  ["WITH item AS (SELECT * FROM part) SELECT id FROM item", { part: ["id"] }],
  ["WITH a AS (SELECT * FROM shelf), shelf AS (SELECT * FROM item) SELECT id FROM a", null],
  ["SELECT id, name FROM item NATURAL JOIN part", null],
  ["SELECT i.id AS id, CASE WHEN i.end > 1 THEN i.end END AS e FROM item AS i", ITEM],
  ["SELECT i.price id, i.name FROM item AS i", null],
  ["SELECT DISTINCT i.id AS id, i.name -- not FROM part\n FROM item AS i /* ( */ WHERE i.name <> ')'", ITEM],
  ["SELECT id FROM item, json_each('[1]')", null],
  ["SELECT id FROM item WHERE name = 'broken", null],
];

const CASES = TOLD.map(([sql, told, column = "id"]) => ({ sql, told, column }));

describe("what is told of an SQL file", () => {
  it.each(CASES)("$sql", ({ sql, told, column }) => {
    expect(localIn(createStore(), sql, column)).toEqual(told);
  });
});

type Rows = Map<unknown, string[]>;

function read(
  db: Database.Database,
  sql: string,
  column: string,
  ids: readonly number[] | null,
  owner?: string,
): Rows {
  const ranges = mergedRanges((ids ?? []).map((id) => [id, id]));
  const { ctes, where } =
    ids === null ? { ctes: "", where: "" } : narrowed(db, sql, { column, ranges }, owner);
  const rows: Rows = new Map();
  const select = `${ctes} SELECT * FROM (${sql}) ${where}`;
  for (const row of db.prepare<[], Record<string, unknown>>(select).all())
    rows.set(row[column], [...(rows.get(row[column]) ?? []), JSON.stringify(row)].sort());
  return rows;
}

/** Rows told by their ids whose owners' rows alone are read, and rows of which that is not certain. */
const OWNED: readonly (readonly [sql: string, narrow: readonly string[]])[] = [
  [
    "SELECT p.id AS id, p.item_id AS owner, i.name FROM part p JOIN item i ON i.id = p.item_id",
    ["item", "part"],
  ],
  ["SELECT p.id AS id, i.id AS owner FROM part p, item i WHERE i.id = p.item_id", ["item", "part"]],
  [
    "SELECT p.id AS id, p.item_id AS owner, i.name FROM part p LEFT JOIN item i ON i.id = p.item_id",
    ["item", "part"],
  ],
  [
    "WITH w(i, n) AS (SELECT item_id, COUNT(*) FROM part GROUP BY item_id), v(i, n) AS (SELECT j.id, w.n FROM item j JOIN w ON w.i = j.id WHERE j.price > 1) SELECT p.id AS id, p.item_id AS owner, v.n FROM part p JOIN v ON v.i = p.item_id",
    [],
  ],
  [
    "SELECT p.id AS id, p.item_id AS owner, i.price FROM part p JOIN item i ON i.id = p.item_id WHERE p.place > 2 UNION ALL SELECT p.id, p.item_id, 0 FROM part p WHERE p.place < 2",
    ["item", "part"],
  ],
  // Who owns a part that is none says the item, which may be any.
  [
    "SELECT i.parent AS id, i.id AS owner, p.word FROM item i LEFT JOIN part p ON p.id = i.parent AND p.item_id = i.id",
    ["item", "part"],
  ],
  ["SELECT p.id AS id, i.id AS owner FROM item i LEFT JOIN part p ON p.item_id = i.id", []],
  ["SELECT p.id AS id, p.place AS owner, i.name FROM part p JOIN item i ON i.id = p.item_id", ["part"]],
];

/** Some rows of each table, by chance equal and by chance not. */
function edit(db: Database.Database, random: Random, table: "item" | "part", key: string, id: number): void {
  const small = () => random.below(6);
  db.prepare(`DELETE FROM ${table} WHERE ${key} = ?`).run(id);
  for (let times = random.below(key === "id" ? 2 : 4); times > 0; times--) {
    if (table === "item")
      db.prepare("INSERT OR REPLACE INTO item VALUES (?, ?, ?, ?, ?)").run(
        key === "id" ? id : null,
        `n${small()}`,
        key === "price" ? id : small(),
        small(),
        small(),
      );
    else
      db.prepare("INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?)").run(
        key === "id" ? id : null,
        key === "item_id" ? id : small(),
        `w${small()}`,
        small(),
      );
  }
}

describe("rows with other numbers in a column", () => {
  const local = CASES.filter(({ told }) => Object.keys(told ?? {}).length > 0);

  it.each(local)("are the same whatever becomes of a table's rows: $sql", ({ sql, told, column }) => {
    const db = createStore();
    const random = new Random("locality", sql);
    for (let id = 1; id <= 12; id++) {
      edit(db, random, "item", "id", id);
      edit(db, random, "part", "item_id", id % 7);
      db.prepare("INSERT INTO note VALUES (?, ?, 'b')").run(id, `0${id}`);
      db.prepare("INSERT INTO shelf VALUES (?, ?)").run(id, `s${id}`);
    }
    for (let step = 0; step < 60; step++) {
      const before = read(db, sql, column, null);
      const [table, keys] = random.pick(Object.entries(told ?? {}));
      const id = random.below(8);
      edit(db, random, table as "item" | "part", random.pick(keys), id);
      const after = read(db, sql, column, null);
      const one = after.get(id);
      expect(read(db, sql, column, [id]), `step ${step}`).toEqual(
        new Map(one === undefined ? [] : [[id, one]]),
      );
      before.delete(id);
      after.delete(id);
      expect(after, `step ${step}`).toEqual(before);
    }
    db.close();
  });
});

describe("rows told by their ids, where it is known whose they are", () => {
  it.each(OWNED)("are the same without what others' owners have: %s", (sql, narrow) => {
    const db = createStore();
    const random = new Random("owners", sql);
    for (let step = 0; step < 120; step++) {
      edit(db, random, "item", "id", random.below(8));
      edit(db, random, "part", random.pick(["id", "item_id"]), random.below(8));
      if (step % 10 === 9) db.prepare("UPDATE part SET item_id = NULL WHERE id = ?").run(random.below(8));
      if (step % 10 === 0) db.prepare("DELETE FROM part WHERE item_id IS NULL").run();
      const ids = [random.below(8), random.below(8)];
      const all = read(db, sql, "id", null);
      const wanted = new Map([...all].filter(([id]) => ids.includes(Number(id)) && id !== null));
      expect(read(db, sql, "id", ids, "owner"), `step ${step}`).toEqual(wanted);
    }
    db.prepare("DELETE FROM part WHERE item_id IS NULL").run();
    const { ctes } = narrowed(db, sql, { column: "id", ranges: [[1, 2]] }, "owner");
    const told = [...ctes.matchAll(/"(\w+)" AS/g)].map(([, name]) => name);
    expect(told.sort()).toEqual(narrow);
    db.close();
  });
});

describe("many rows", () => {
  const sql = "SELECT id, name FROM item";

  /** Every third pair of so many ids. */
  const pairs = (count: number) => Array.from({ length: count }, (_, at) => [at * 6, at * 6 + 1] as const);

  it("are told one by one, however scattered they are", () => {
    const db = createStore();
    db.exec(
      "WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 40000) INSERT INTO item (id, name) SELECT i, i FROM n",
    );
    for (const count of [400, 1500, 6000, 15_000]) {
      const { ctes, where } = narrowed(db, sql, { column: "id", ranges: pairs(count) });
      const found = db.prepare(`${ctes} SELECT id FROM (${sql}) ${where} ORDER BY id`).pluck().all();
      const all = count > 10_000;
      expect(where === "").toBe(all);
      if (!all)
        expect(found).toEqual(
          pairs(count)
            .flat()
            .filter((id) => id <= 40_000),
        );
    }
    db.close();
  });

  it("are told by their ends, up to as many as an expression can have", () => {
    const db = createStore();
    const ranges = (count: number) =>
      Array.from({ length: count }, (_, at) => [at * 100, at * 100 + 50] as const);
    for (const count of [1, 500]) {
      const { where } = narrowed(db, sql, { column: "id", ranges: ranges(count) });
      expect(db.prepare(`SELECT id FROM (${sql}) ${where}`).all()).toEqual([]);
    }
    expect(narrowed(db, sql, { column: "id", ranges: ranges(501) }).where).toBe("");
    db.close();
  });
});

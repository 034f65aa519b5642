/** What is done to a store in a file that triggers do not see by themselves, or that they once did not tell. */
import { type Case, ROWS } from "./unseen-cases.ts";

const PLAIN = `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); ${ROWS}`;
const NUMBERED = "INSERT INTO t (id, v, n) VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)";

export const SQLITE_CASES: readonly Case[] = [
  {
    name: "a view is made anew",
    make: `${PLAIN}; CREATE VIEW w AS SELECT id, v FROM t`,
    sql: "SELECT id, v FROM w",
    edit: "DROP VIEW w; CREATE VIEW w AS SELECT id, upper(v) AS v FROM t",
  },
  {
    name: "a view below a view is made anew",
    make: `${PLAIN}; CREATE VIEW w AS SELECT id, v FROM t; CREATE VIEW x AS SELECT * FROM w`,
    sql: "SELECT id, v FROM x",
    edit: "DROP VIEW w; CREATE VIEW w AS SELECT id, upper(v) AS v FROM t",
  },
  {
    name: "a view is made anew under the same cookie",
    make: `${PLAIN}; CREATE VIEW w AS SELECT id, v FROM t; PRAGMA schema_version = 1000`,
    sql: "SELECT id, v FROM w",
    edit: "DROP VIEW w; CREATE VIEW w AS SELECT id, upper(v) AS v FROM t; PRAGMA schema_version = 1000",
  },
  {
    name: "a table is dropped and made again",
    make: PLAIN,
    edit: "DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'other')",
  },
  {
    name: "another table takes its place",
    make: `${PLAIN}; CREATE TABLE u (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO u VALUES (1, 'u')`,
    edit: "ALTER TABLE t RENAME TO gone; ALTER TABLE u RENAME TO t",
  },
  {
    name: "a column comes with a value",
    make: PLAIN,
    sql: "SELECT * FROM t",
    edit: "ALTER TABLE t ADD COLUMN w TEXT DEFAULT 'x'",
  },
  {
    name: "VACUUM numbers rows anew",
    make: `CREATE TABLE t (v TEXT); INSERT INTO t VALUES ('a'), ('b'), ('c'); DELETE FROM t WHERE v = 'a'`,
    sql: "SELECT rowid AS id, v FROM t",
    edit: "VACUUM",
  },
  { name: "a table is emptied", make: PLAIN, edit: "DELETE FROM t" },
  { name: "REPLACE removes by the key", make: PLAIN, edit: "REPLACE INTO t VALUES (2, 'z')" },
  ...[
    ["inserted", "INSERT OR REPLACE INTO t VALUES (9, 'b', 9)"],
    ["updated", "UPDATE OR REPLACE t SET v = 'b' WHERE id = 1"],
    ["inserted by another spelling of a name", "INSERT OR REPLACE INTO T (ID, V, N) VALUES (9, 'b', 9)"],
    ["updated in many rows", "UPDATE OR REPLACE t SET v = 'x'"],
    [
      "inserted with triggers that recurse",
      "PRAGMA recursive_triggers = ON; REPLACE INTO t VALUES (9, 'b', 9)",
    ],
    ["moved onto another", "UPDATE OR REPLACE t SET id = 2, v = 'd' WHERE id = 1"],
    ["moved by its other name", "UPDATE OR REPLACE t SET rowid = 2, v = 'd' WHERE id = 1"],
  ].map(([what, edit = ""]) => ({
    name: `REPLACE removes by a unique column: a row is ${what}`,
    make: `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE, n INT); ${NUMBERED}`,
    edit,
  })),
  {
    name: "a unique column replaces where a table says so itself",
    make: `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE ON CONFLICT REPLACE, n INT); ${NUMBERED}`,
    edit: "INSERT INTO t VALUES (9, 'b', 9)",
  },
  {
    name: "a unique column replaces by its collation",
    make: `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, n INT); CREATE UNIQUE INDEX u ON t (v COLLATE NOCASE); ${NUMBERED}`,
    edit: "REPLACE INTO t VALUES (9, 'B', 9)",
  },
  {
    name: "two unique columns replace together",
    make: `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, n INT); CREATE UNIQUE INDEX u ON t (v, n); ${NUMBERED}`,
    edit: "REPLACE INTO t VALUES (9, 'b', 2)",
  },
  {
    name: "one row replaces several",
    make: `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE, n INT UNIQUE); ${NUMBERED}`,
    edit: "REPLACE INTO t VALUES (9, 'b', 3)",
  },
  {
    name: "an index of a part of the rows replaces",
    make: `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, n INT); ${NUMBERED}; UPDATE t SET v = 'b';
      CREATE UNIQUE INDEX u ON t (v) WHERE n = 2`,
    edit: "UPDATE OR REPLACE t SET n = 2 WHERE id = 1",
  },
  {
    name: "an index of an expression replaces",
    make: `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, n INT); CREATE UNIQUE INDEX u ON t (lower(v)); ${NUMBERED}`,
    edit: "REPLACE INTO t VALUES (9, 'B', 9)",
  },
  {
    name: "a generated column replaces",
    make: `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, n INT, g TEXT AS (lower(v)) STORED UNIQUE); ${NUMBERED}`,
    sql: "SELECT id, v FROM t",
    edit: "REPLACE INTO t (id, v, n) VALUES (9, 'B', 9)",
  },
  {
    name: "a rowid replaces that no column has",
    make: `CREATE TABLE t (id INT, v TEXT); ${ROWS}`,
    edit: "REPLACE INTO t (rowid, id, v) VALUES (2, 9, 'z')",
  },
  {
    name: "a rowid replaces beside a column of that name",
    make: "CREATE TABLE t (id INT, rowid TEXT, v TEXT); INSERT INTO t VALUES (1, 'r', 'a'), (2, 's', 'b')",
    sql: "SELECT id, v FROM t",
    edit: "REPLACE INTO t (_rowid_, id, rowid, v) VALUES (2, 9, 's', 'z')",
  },
  {
    name: "a table without rowids replaces",
    make: `CREATE TABLE t (id INT UNIQUE, v TEXT PRIMARY KEY) WITHOUT ROWID; ${ROWS}`,
    edit: "REPLACE INTO t VALUES (9, 'b')",
  },
  {
    name: "an upsert changes a row",
    make: `CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE, n INT); ${NUMBERED}`,
    edit: "INSERT INTO t VALUES (9, 'b', 9) ON CONFLICT (v) DO UPDATE SET id = 8",
  },
  {
    name: "a parent's row goes, and its children with it",
    make: `CREATE TABLE p (id INTEGER PRIMARY KEY); INSERT INTO p VALUES (1), (2);
      CREATE TABLE t (id INTEGER PRIMARY KEY, v INT REFERENCES p (id) ON DELETE CASCADE ON UPDATE CASCADE);
      INSERT INTO t VALUES (1, 1), (2, 2)`,
    edit: "DELETE FROM p WHERE id = 1",
  },
  {
    name: "a parent's key changes, and its children's with it",
    make: `CREATE TABLE p (id INTEGER PRIMARY KEY); INSERT INTO p VALUES (1), (2);
      CREATE TABLE t (id INTEGER PRIMARY KEY, v INT REFERENCES p (id) ON DELETE CASCADE ON UPDATE CASCADE);
      INSERT INTO t VALUES (1, 1), (2, 2)`,
    edit: "UPDATE p SET id = 3 WHERE id = 1",
  },
  {
    name: "a trigger of the shop's writes",
    make: `${PLAIN}; CREATE TABLE u (id INT); CREATE TRIGGER own AFTER INSERT ON u BEGIN UPDATE t SET v = 'u' WHERE id = NEW.id; END`,
    edit: "INSERT INTO u VALUES (2)",
  },
  {
    name: "a view of the shop's is written to",
    make: `${PLAIN}; CREATE VIEW x AS SELECT * FROM t;
      CREATE TRIGGER own INSTEAD OF DELETE ON x BEGIN DELETE FROM t WHERE id = OLD.id; END`,
    edit: "DELETE FROM x WHERE id = 2",
  },
  {
    name: "a table's words are indexed",
    make: "CREATE VIRTUAL TABLE t USING fts5(v); INSERT INTO t (rowid, v) VALUES (1, 'a'), (2, 'b')",
    sql: "SELECT rowid AS id, v FROM t",
    edit: "UPDATE t SET v = 'c' WHERE rowid = 1",
  },
  {
    name: "a trigger is gone for a while",
    make: PLAIN,
    edit: "DROP TRIGGER vitrine_capture_1_1; UPDATE t SET v = 'unseen'",
  },
  {
    name: "a table and a column have odd names",
    make: `CREATE TABLE "t ""x"" y" (id INTEGER PRIMARY KEY, "a,""b" TEXT UNIQUE);
      INSERT INTO "t ""x"" y" VALUES (1, 'a'), (2, 'b')`,
    sql: `SELECT id, "a,""b" AS v FROM "t ""x"" y"`,
    edit: `REPLACE INTO "t ""x"" y" VALUES (9, 'b')`,
  },
  {
    name: "a table of SQLite's own is read",
    make: "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, v TEXT)",
    sql: "SELECT 1 AS id, seq AS v FROM sqlite_sequence WHERE name = 't'",
    edit: "INSERT INTO t (v) VALUES ('a')",
  },
];

/** The SQL of a file means the same on a server whose operator changed its settings. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messageOf } from "../../src/base/error.ts";
import { openSession } from "../../src/store/open.ts";
import { askOf } from "../../src/store/session.ts";
import { createHostileMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createHostilePostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";

const NOW = "2026-11-20 12:00:00";

/** A construct, its SQL, and its result on a server with default settings. */
type Case = readonly [what: string, sql: string, gives: unknown];

const MARIADB_CASES: readonly Case[] = [
  ["backslashes of a text", "SELECT 'a\\\\b'", "a\\b"],
  [
    "a pattern with backslashes",
    "SELECT REGEXP_REPLACE('Open. [x]secret[/x] End.', '\\\\[x\\\\].*\\\\[/x\\\\]', '')",
    "Open.  End.",
  ],
  ["a pattern's blanks", "SELECT 'a b' REGEXP 'a b'", 1],
  ["a pattern's end", "SELECT 'a\nb' REGEXP 'a$'", 0],
  ["double quotes", 'SELECT "text"', "text"],
  ["two bars", "SELECT 'x' || 1", 1],
  ["columns that are not grouped by", "SELECT filled FROM places", "ab"],
  ["filled text", "SELECT CONCAT('<', filled, '>') FROM places LIMIT 1", "<ab>"],
  ["a zero date", "SELECT CAST('0000-00-00 00:00:00' AS DATETIME) IS NULL", 0],
  ["a division", "SELECT CAST(1 / 3 AS CHAR)", "0.3333"],
  ["a month's name", "SELECT DATE_FORMAT('2026-03-01', '%M')", "March"],
  ["a week", "SELECT WEEK('2026-01-01')", 0],
  ["the zone", "SELECT FROM_UNIXTIME(0)", "1970-01-01 00:00:00"],
  ["letters of other scripts", "SELECT 'Größe 日本 🎁'", "Größe 日本 🎁"],
  ["the collation", "SELECT @@collation_connection", "utf8mb4_general_ci"],
  ["long lists", "SELECT CHAR_LENGTH(GROUP_CONCAT(id)) FROM places", 9],
  // MariaDB 10.6 and later end a recursion after 1,000 steps, with a warning.
  [
    "a deep recursion",
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT COUNT(*) FROM n",
    3000,
  ],
  // Providers of shared servers limit joins: all rows are read here, whatever they are.
  [
    "a join of many rows",
    "SELECT COUNT(*) FROM places AS a JOIN places AS b ON b.filled <> a.filled JOIN places AS c ON c.filled <> b.filled",
    80,
  ],
  ["a transaction's pause", "SELECT @@idle_transaction_timeout", 600],
  ["a read-only transaction's pause", "SELECT @@idle_readonly_transaction_timeout", 600],
];

const POSTGRES_CASES: readonly Case[] = [
  ["backslashes of a text", "SELECT 'a\\nb'", "a\\nb"],
  ["a pattern with backslashes", "SELECT regexp_replace('a.b ab', 'a\\.b', '')", " ab"],
  ["an equality with NULL", "SELECT COALESCE((NULL = NULL)::text, 'unknown')", "unknown"],
  ["a day", "SELECT '02/03/2026'::date", "2026-02-03"],
  ["a moment's text", "SELECT '2026-11-20 12:00:00+09'::timestamptz::text", "2026-11-20 03:00:00+00"],
  ["an interval", "SELECT INTERVAL '1 day 2 hours'", "1 day 02:00:00"],
  ["a fraction", "SELECT 0.1::float8 + 0.2::float8", 0.30000000000000004],
  ["bytes as text", "SELECT '\\x00ff'::bytea::text", "\\x00ff"],
];

it.skipIf(MARIADB_MISSING !== null)(
  "knows its own tables where MariaDB writes all names in lower case",
  async () => {
    const database = await createHostileMariadbDatabase();
    await database.run("CREATE TABLE Places (id INTEGER)");
    const session = await openSession(
      database.address.replace(database.name, database.name.toUpperCase()),
      NOW,
    );
    const [origin] = await session.origins("SELECT id AS place FROM Places");
    expect(origin).toEqual({ column: "place", of: { table: "places", column: "id" } });
    await session.close();
    await database.close();
  },
);

// A server that speaks German says "bei 'places' in Zeile 2".
it.skipIf(MARIADB_MISSING !== null)("finds the line of a mistake where MariaDB speaks German", async () => {
  const database = await createHostileMariadbDatabase();
  const session = await openSession(database.address, NOW);
  const mistake = await session.mistake("SELECT id\nFROMM places");
  expect([messageOf(mistake?.error), mistake?.at]).toEqual(["syntax error near places", 16]);
  await session.close();
  await database.close();
});

describe.each([
  { name: "MariaDB", create: createHostileMariadbDatabase, missing: MARIADB_MISSING, cases: MARIADB_CASES },
  {
    name: "PostgreSQL",
    create: createHostilePostgresDatabase,
    missing: POSTGRES_MISSING,
    cases: POSTGRES_CASES,
  },
])("a session with $name", ({ create, missing, cases }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    if (missing !== null) return;
    database = await create();
    await database.run("CREATE TABLE places (id INTEGER, filled CHAR(5))");
    await database.run("INSERT INTO places VALUES (1, 'ab'), (2, 'cd'), (3, 'ef'), (4, 'gh'), (5, 'ij')");
  });
  afterAll(() => database?.close());

  it.skipIf(missing !== null)("gives the results of default settings", async () => {
    const session = await openSession(database.address, NOW);
    const ask = askOf(session);
    const found: unknown[] = [];
    for (const [what, sql] of cases) {
      const [row] = await ask(sql).catch((error: unknown) => [[String(error)]]);
      found.push([what, row?.[0]]);
    }
    const all = await ask("SELECT id FROM places");
    await session.close();
    expect(found).toEqual(cases.map(([what, , gives]) => [what, gives]));
    expect(all).toHaveLength(5);
  });
});

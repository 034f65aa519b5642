/** Values of each database's types arrive in the same form. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AllowListQuery, QUERY_COLUMNS } from "../../src/extract/allow-list.ts";
import { valuesOf } from "../../src/extract/store.ts";
import { openStore } from "../../src/store/open.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { temporaryFolder } from "../support/shop.ts";

type Name = "sqlite" | "postgres" | "mariadb";

/** A value's name, the form in which it arrives, and its SQL in the databases that have it. */
type Case = readonly [name: string, arrives: unknown, sql: Partial<Record<Name, string>>];

const MOMENT = "2026-11-20 12:00:00";

const CASES: readonly Case[] = [
  ["a small number", -7, { sqlite: "-7", postgres: "(-7)::smallint", mariadb: "CAST(-7 AS INTEGER)" }],
  ["the largest exact one", 2 ** 53 - 1, same("9007199254740991")],
  ["one beyond", 2 ** 53, same("9007199254740993")],
  ["a decimal", "12.50", { sqlite: "'12.50'", postgres: "12.50", mariadb: "CAST(12.5 AS DECIMAL(10, 2))" }],
  [
    "a long decimal",
    "123456789012345678.90",
    { postgres: "123456789012345678.90", mariadb: "123456789012345678.90" },
  ],
  ["a fraction", 0.1, { sqlite: "0.1", postgres: "0.1::float8", mariadb: "CAST('0.1' AS DOUBLE)" }],
  ["a short fraction", 1.1, { postgres: "1.1::float4", mariadb: "(SELECT single_float FROM typed)" }],
  ["infinity", "Infinity", { postgres: "'infinity'::float8" }],
  ["true", 1, { sqlite: "1 = 1", postgres: "TRUE", mariadb: "TRUE" }],
  ["false", 0, { sqlite: "1 = 2", postgres: "FALSE", mariadb: "(SELECT flag FROM typed)" }],
  ["a bit", 1, { postgres: "B'1'", mariadb: "(SELECT one_bit FROM typed)" }],
  ["bits", 513, { postgres: "B'001000000001'", mariadb: "(SELECT bits FROM typed)" }],
  ["the highest of 64 bits", 2 ** 63, { postgres: "(1::bigint << 63)::bit(64)" }],
  [
    "a moment",
    MOMENT,
    { sqlite: `'${MOMENT}'`, postgres: `TIMESTAMP '${MOMENT}'`, mariadb: `TIMESTAMP '${MOMENT}'` },
  ],
  [
    "a moment in another zone",
    MOMENT,
    { postgres: "TIMESTAMPTZ '2026-11-20 21:00:00+09'", mariadb: "(SELECT elsewhere FROM typed)" },
  ],
  [
    "a moment with a fraction",
    `${MOMENT}.987`,
    {
      sqlite: `'${MOMENT}.987'`,
      postgres: `TIMESTAMPTZ '${MOMENT}.987+00'`,
      mariadb: `TIMESTAMP '${MOMENT}.987'`,
    },
  ],
  [
    "a day",
    "2026-11-20",
    { sqlite: "'2026-11-20'", postgres: "DATE '2026-11-20'", mariadb: "DATE '2026-11-20'" },
  ],
  ["a zero date", null, { mariadb: "(SELECT no_moment FROM typed)" }],
  ["NULL", null, same("NULL")],
  [
    "text",
    "Ünï \\ ' \" 日本 🎁",
    { sqlite: text(), postgres: text(), mariadb: text().replace("\\", "\\\\") },
  ],
  ["filled text", "ab", { postgres: "'ab'::char(5)", mariadb: "(SELECT filled FROM typed)" }],
  ["an enum", "b", { postgres: "'b'::letter", mariadb: "(SELECT letter FROM typed)" }],
  ["bytes", { blob: true }, { sqlite: "x'00ff'", postgres: "'\\x00ff'::bytea", mariadb: "x'00ff'" }],
  // SQLite's binary JSON: true, and the text "abc".
  ["bytes that could be JSON", { blob: true }, { sqlite: "x'01'" }],
  ["bytes that could be a text in JSON", { blob: true }, { sqlite: "CAST('7abc' AS BLOB)" }],
];

/** Rows of the table in docs/stores.md: what `x` is in each database, and what its conversion gives. */
const CONVERTED: Readonly<Record<string, readonly [x: Partial<Record<Name, string>>, arrives: unknown]>> = {
  "a decimal of whole numbers, `SUM(…)`, `ROUND(…)`": [
    { sqlite: "12.0", postgres: "12.0", mariadb: "SUM(12.0)" },
    12,
  ],
  "digits as a text, `1999` or empty": [same("''"), null],
  "... in groups, `1.999` for 1999, of which a cast alone makes 1": [same("'1.999'"), 1999],
  "a text for true": [same("'t'"), 1],
  "a number, such as the title 1984": [same("1984"), "1984"],
  "bytes of a text": [
    { sqlite: "x'c3bc'", postgres: "'\\xc3bc'::bytea", mariadb: "CAST(x'c3bc' AS BINARY)" },
    "ü",
  ],
  "an array of texts": [{ postgres: "ARRAY['a', 'b,c']" }, '["a","b,c"]'],
  "a decimal with a comma, as text": [same("'19,90'"), "19.90"],
  "`money`": [{ postgres: "'19.90'::money" }, "19.90"],
  "a day": [
    { sqlite: "'2026-11-20'", postgres: "DATE '2026-11-20'", mariadb: "DATE '2026-11-20'" },
    "2026-11-20 00:00:00",
  ],
  "a text like `2026-11-20T12:00:00.000Z`": [same("'2026-11-20T12:00:00.000Z'"), MOMENT],
  "milliseconds, as of JavaScript's `Date.now()`": [
    { sqlite: "1795176000987", postgres: "1795176000000", mariadb: "1795176000000" },
    expect.stringMatching(/^2026-11-20 12:00:00(\.0+)?$/),
  ],
  "a UUID or another text": [
    {
      postgres: "'5f0c1d4e-1111-4222-8333-123456789abc'::uuid",
      mariadb: "'5f0c1d4e-1111-4222-8333-123456789abc'",
    },
    167_361_158_647_758,
  ],
};

/** The table's conversions for one database, by their first column. */
function conversionsFor(name: Name): [what: string, sql: string][] {
  const [, section = ""] = /### Values of another type\n(.*?)\n###/s.exec(STORES) ?? [];
  return section.split("\n").flatMap((line): [string, string][] => {
    const [, what = "", , ...sql] = line.replaceAll("\\|", "∣").split("|");
    const [, code = null] =
      /^ `(.*)` $/.exec(sql[["sqlite", "postgres", "mariadb"].indexOf(name)] ?? "") ?? [];
    return code === null ? [] : [[what.trim(), code.replaceAll("∣", "|")]];
  });
}

const STORES = readFileSync(new URL("../../docs/stores.md", import.meta.url), "utf8");

const JSON_VALUE = { b: [1, 2.5, "é"], a: null };
const JSON_SQL: Record<Name, string> = {
  sqlite: `'${JSON.stringify(JSON_VALUE)}'`,
  postgres: `'${JSON.stringify(JSON_VALUE)}'::jsonb`,
  mariadb: "(SELECT json FROM typed)",
};

function same(sql: string): Record<Name, string> {
  return { sqlite: sql, postgres: sql, mariadb: sql };
}

function text(): string {
  return `'Ünï \\ '' " 日本 🎁'`;
}

/** A database with a table of one row, in which a column has the value of any SQL. */
interface Opened {
  readonly place: string;
  close(): Promise<void>;
}

const POSTGRES_TYPES = "CREATE TYPE letter AS ENUM ('a', 'b')";
const MARIADB_TYPES = `CREATE TABLE typed (single_float FLOAT, flag BOOLEAN, one_bit BIT(1), bits BIT(12),
    elsewhere TIMESTAMP, no_moment DATETIME, filled CHAR(5), letter ENUM('a', 'b'), json JSON);
  SET sql_mode = ''; SET time_zone = '+09:00';
  INSERT INTO typed VALUES (1.1, FALSE, b'1', b'1000000001', '2026-11-20 21:00:00', '0000-00-00 00:00:00', 'ab', 'b',
    '${JSON.stringify(JSON_VALUE)}')`;

async function onServer(create: () => Promise<TestDatabase>, types: string): Promise<Opened> {
  const database = await create();
  await database.run(types);
  return { place: database.address, close: database.close };
}

async function inFile(): Promise<Opened> {
  const place = join(temporaryFolder(), "store.sqlite");
  new Database(place).exec("CREATE TABLE t (id INTEGER)").close();
  return { place, close: async () => {} };
}

/** The values that arrive for expressions, each as the title of a release. */
async function arriving(place: string, expressions: readonly string[]): Promise<unknown[]> {
  const others = (QUERY_COLUMNS["releases"] ?? []).filter((column) => column !== "id" && column !== "title");
  const row = (sql: string) =>
    `SELECT 1 AS id, ${sql} AS title, ${others.map((name) => `'' AS ${name}`).join(", ")}`;
  const reader = await openStore(place, MOMENT);
  const found: unknown[] = [];
  try {
    for (const sql of expressions) {
      const query: AllowListQuery = { name: "releases", file: "releases.sql", sql: row(sql) };
      for await (const [first] of reader.batches(query, ["title"])) {
        const value = valuesOf(first ?? { text: "[]" })[(QUERY_COLUMNS["releases"] ?? []).indexOf("title")];
        expect(first?.extra).toEqual([value]);
        found.push(value);
      }
    }
  } finally {
    await reader.close();
  }
  return found;
}

describe.each([
  { name: "sqlite", open: inFile, missing: null },
  {
    name: "postgres",
    open: () => onServer(createPostgresDatabase, POSTGRES_TYPES),
    missing: POSTGRES_MISSING,
  },
  { name: "mariadb", open: () => onServer(createMariadbDatabase, MARIADB_TYPES), missing: MARIADB_MISSING },
] as const)("values of $name", ({ name, open, missing }) => {
  let opened: Opened;
  beforeAll(async () => {
    if (missing === null) opened = await open();
  });
  afterAll(() => opened?.close());

  it.skipIf(missing !== null)("arrive as SQLite's would", async () => {
    const cases = CASES.flatMap(([what, arrives, { [name]: sql }]) =>
      sql === undefined ? [] : [{ what, arrives, sql }],
    );
    const found = await arriving(
      opened.place,
      cases.map(({ sql }) => sql),
    );
    expect(cases.map(({ what }, at) => [what, found[at]])).toEqual(
      cases.map(({ what, arrives }) => [what, arrives]),
    );
  });

  it.skipIf(missing !== null)(
    "of another type are converted as the table in docs/stores.md says",
    async () => {
      const cases = conversionsFor(name).map(([what, sql]) => {
        const [x, arrives] = CONVERTED[what] ?? [{}, undefined];
        return { what, sql: sql.replace(/\bx\b(?!')/, () => `(${x[name]})`), arrives };
      });
      expect(cases.map(({ what }) => what)).toEqual(
        Object.entries(CONVERTED).flatMap(([what, [x]]) => (x[name] === undefined ? [] : [what])),
      );
      const found = await arriving(
        opened.place,
        cases.map(({ sql }) => sql),
      );
      expect(cases.map(({ what }, at) => [what, found[at]])).toEqual(
        cases.map(({ what, arrives }) => [what, arrives]),
      );
    },
  );

  it.skipIf(missing !== null)("arrive as JSON text if they are JSON", async () => {
    const [found] = await arriving(opened.place, [JSON_SQL[name]]);
    expect(JSON.parse(String(found))).toEqual(JSON_VALUE);
  });
});

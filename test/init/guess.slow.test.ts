/** Small shops of a schema that nobody knows, on real databases: what is proposed of them, and that no guess becomes public. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAllowList } from "../../src/extract/allow-list.ts";
import { confirmFile, showFiles, toConfirm } from "../../src/setup/confirm.ts";
import { planInit, writeInit } from "../../src/setup/init.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();

/** The products of a small shop: two are public, two are not, by one column. */
interface Shop {
  readonly column: string;
  /** The column's type, after what must be made before the table. */
  readonly type: string;
  readonly before?: string;
  readonly shown: string;
  readonly hidden: string;
  /** What is proposed; a shop without it is left to a person, who is offered both. */
  readonly proposed?: string;
}

interface Case extends Shop {
  /** What a person may write, by parts of the text; the first is right. */
  readonly offers?: readonly [string, string];
}

const MARIADB: readonly Case[] = [
  { column: "status", type: "TINYINT", shown: "1", hidden: "0", offers: ["= 1", "= 0"] },
  { column: "status", type: "BIT(1)", shown: "b'1'", hidden: "b'0'", offers: ["= 1", "= 0"] },
  { column: "status", type: "ENUM('N','Y')", shown: "'Y'", hidden: "'N'", offers: ["= 'Y'", "= 'N'"] },
  { column: "status", type: "ENUM('0','1')", shown: "'1'", hidden: "'0'", offers: ["= '1'", "= '0'"] },
  { column: "status", type: "INT UNSIGNED", shown: "2", hidden: "1", offers: ["= 2", "= 1"] },
  { column: "status", type: "DECIMAL(3,1)", shown: "1", hidden: "0", offers: ["= 1.0", "= 0.0"] },
  { column: "published_at", type: "INT", shown: "1500000000", hidden: "0", offers: ["= 1500000000", "= 0"] },
  {
    column: "is_active",
    type: "ENUM('no','yes')",
    shown: "'yes'",
    hidden: "'no'",
    offers: ["= 'yes'", "= 'no'"],
  },
  {
    column: "status",
    type: "ENUM('draft','live')",
    shown: "'live'",
    hidden: "'draft'",
    proposed: "IN ('live')",
  },
  {
    column: "status",
    type: "VARCHAR(9)",
    shown: "'Published'",
    hidden: "NULL",
    proposed: "IN ('Published')",
  },
  { column: "is_active", type: "TINYINT(1)", shown: "1", hidden: "0", proposed: "= 1" },
  { column: "isDeleted", type: "BIT(1)", shown: "0", hidden: "1", proposed: "= 0" },
  { column: "members_only", type: "TINYINT", shown: "0", hidden: "1", proposed: "= 0" },
  {
    column: "published",
    type: "DATETIME",
    shown: "'2020-01-01'",
    hidden: "'2999-01-01'",
    proposed: "<= @now",
  },
  { column: "removed_at", type: "DATETIME", shown: "NULL", hidden: "'2020-01-01'", proposed: "IS NULL" },
];

const POSTGRES: readonly Case[] = [
  { column: "status", type: "SMALLINT", shown: "1", hidden: "0", offers: ["= 1", "= 0"] },
  { column: "status", type: "BOOLEAN", shown: "TRUE", hidden: "FALSE", offers: ["", "NOT"] },
  { column: "is_active", type: "BIT(1)", shown: "B'1'", hidden: "B'0'", offers: ["= '1'", "= '0'"] },
  {
    ...{ column: "status", before: "CREATE TYPE yn AS ENUM ('N', 'Y');", type: "yn" },
    ...{ shown: "'Y'", hidden: "'N'", offers: ["= 'Y'", "= 'N'"] },
  },
  {
    ...{ column: "status", before: "CREATE TYPE state AS ENUM ('draft', 'active');", type: "state" },
    ...{ shown: "'active'", hidden: "'draft'", proposed: "IN ('active')" },
  },
  { column: "visible", type: "BOOLEAN", shown: "TRUE", hidden: "FALSE", proposed: "" },
  { column: "archived", type: "BOOLEAN", shown: "FALSE", hidden: "TRUE", proposed: "NOT" },
  { column: "inactive", type: "INTEGER", shown: "0", hidden: "1", proposed: "= 0" },
  {
    column: "publish_status",
    type: "TEXT",
    shown: "'PUBLISHED'",
    hidden: "'x'",
    proposed: "IN ('PUBLISHED')",
  },
  {
    column: "published_at",
    type: "BIGINT",
    shown: "1500000000",
    hidden: "0",
    offers: ["= 1500000000", "= 0"],
  },
  {
    column: "expires_at",
    type: "TIMESTAMPTZ",
    shown: "NULL",
    hidden: "'2020-01-01'",
    proposed: "IS NULL OR",
  },
];

const SQLITE: readonly Case[] = [
  { column: "status", type: "INTEGER", shown: "1", hidden: "0", offers: ["= 1", "= 0"] },
  { column: "is_active", type: "TEXT", shown: "'Y'", hidden: "'N'", offers: ["= 'Y'", "= 'N'"] },
  { column: "enabled", type: "TEXT", shown: "'1'", hidden: "'0'", offers: ["= '1'", "= '0'"] },
  {
    column: "published_at",
    type: "INTEGER",
    shown: "1500000000",
    hidden: "99999999999",
    offers: ["= 1500000000", "= 9"],
  },
  { column: "status", type: "TEXT", shown: "'it''s on'", hidden: "'off'", offers: ["= 'on'", "= 'off'"] },
  { column: "is_listed", type: "BOOLEAN", shown: "1", hidden: "0", proposed: "= 1" },
  { column: "status", type: "", shown: "'active'", hidden: "0", offers: ["= 'active'", "= 0"] },
  {
    column: "published_at",
    type: "TEXT",
    shown: "'2020-01-01T00:00:00Z'",
    hidden: "'2999-01-01'",
    proposed: "<= :now",
  },
  {
    column: "embargo_until",
    type: "TEXT",
    shown: "'2020-01-01'",
    hidden: "'2999-01-01'",
    proposed: "<= :now",
  },
];

const tablesOf = ({ column, type, before = "", shown, hidden }: Case, key: string) => `${before}
  CREATE TABLE products (id ${key} PRIMARY KEY, name VARCHAR(40), price DECIMAL(10, 2), ${column} ${type});
  INSERT INTO products VALUES (1, 'One', 5, ${shown}), (2, 'CNRY two', 6, ${hidden}), (3, 'Three', 7, ${shown}),
    (4, 'CNRY four', 8, ${hidden});`;

const codeOf = (work: () => unknown) => {
  try {
    work();
    return null;
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
};

let made = 0;

/** As a person comes to it: init, a look at the files, a choice where there is one, and a confirmation of each. */
async function expectNoGuess(store: string, { column, offers, proposed }: Case): Promise<void> {
  const project = join(folder, `project-${++made}`);
  mkdirSync(project);
  const plan = await planInit({ store, folder: project });
  writeInit(project, plan);
  const queries = join(project, "queries");
  const file = join(queries, "products.sql");
  const names = plan.shown.map((each) => each.file);
  const titlesOf = (shown: typeof plan.shown) =>
    shown.find((each) => each.file === "products.sql")?.samples.map(({ title }) => title);
  expect(codeOf(() => readAllowList(queries))).toBe("not_confirmed");
  expect(JSON.stringify(plan.shown)).not.toContain("CNRY");
  const sql = readFileSync(file, "utf8");
  expect(sql).not.toMatch(/<> ''|IN \('published'/);
  if (offers !== undefined) {
    expect(titlesOf(plan.shown)).toEqual([]);
    expect(sql).toMatch(/AND 1 = 0 -- vitrine: choose/);
    expect(sql.match(/\(2 rows\)/g)?.length ?? 0).toBeGreaterThan(0);
    expect(codeOf(() => toConfirm(queries, names))).toBe("not_confirmed");
    // A line that is taken out by hand alone does not do.
    writeFileSync(file, sql.slice(sql.indexOf("\n") + 1));
    expect(codeOf(() => readAllowList(queries))).toBe("not_confirmed");
    const right = /write instead of 1 = 0: (.*)/.exec(sql)?.[1] ?? "";
    const choice = right.split(" or ").find((offer) => offer.includes(offers[0]) && !/\bNOT\b/.test(offer));
    expect([column, right]).toEqual([column, expect.stringContaining(offers[1])]);
    const condition = (choice ?? "FALSE").replace(/ \(2 rows\)$/, "");
    writeFileSync(file, sql.replace(/1 = 0 -- vitrine: choose.*/, condition));
    if (choice === undefined) return; // Nothing fit to be offered: the person writes it.
  } else expect(sql).toContain(proposed);
  expect(titlesOf(await showFiles(store, queries, toConfirm(queries, names)))).toEqual(["One", "Three"]);
  for (const name of toConfirm(queries, names)) confirmFile(queries, name);
  expect(Object.keys(readAllowList(queries)).sort()).toEqual(["categories", "products", "store"]);
  expect(toConfirm(queries, names)).toEqual([]);
}

const titled = (cases: readonly Case[]) =>
  cases.map((each) => [`${each.column} ${each.type}`, each] as const);

describe("in SQLite", () => {
  it.each(titled(SQLITE))("%s: what is hidden is not proposed, and nothing is public", async (_, shop) => {
    const store = join(folder, `shop-${++made}.sqlite`);
    const db = new Database(store);
    db.exec(tablesOf(shop, "INTEGER"));
    db.close();
    await expectNoGuess(store, shop);
  });
});

describe.each([
  ["MariaDB", createMariadbDatabase, MARIADB_MISSING, MARIADB],
  ["PostgreSQL", createPostgresDatabase, POSTGRES_MISSING, POSTGRES],
] as const)("in %s", (_, create, missing, cases) => {
  let database: TestDatabase;
  beforeAll(async () => {
    if (missing === null) database = await create();
  });
  afterAll(() => database?.close());

  it.skipIf(missing !== null).each(titled(cases))(
    "%s: what is hidden is not proposed, and nothing is public",
    async (__, shop) => {
      await database.run(`DROP TABLE IF EXISTS products; ${tablesOf(shop, "INTEGER")}`);
      await expectNoGuess(database.address, shop);
    },
  );
});

/** Databases that a test captures by files of its own, and what is told of an edit. */
import { copyStore } from "../../../scripts/seed/copy-store.ts";
import { askingStore, runCaptureSql } from "../../../src/build/capture.ts";
import type { AllowListQuery } from "../../../src/extract/allow-list.ts";
import type { StoreChanges, StoreReader } from "../../../src/extract/store.ts";
import {
  type CaptureStatus,
  captureStatus,
  type InstallPlan,
  planInstall,
} from "../../../src/store/capture/capture.ts";
import { openStore } from "../../../src/store/open.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../../support/postgres.ts";
import type { TestDatabase } from "../../support/server-of-run.ts";
import { NOW } from "../../support/shop.ts";
import { createSqliteDatabase } from "../../support/sqlite.ts";

interface StoreCase<Kind extends string> {
  readonly name: string;
  readonly kind: Kind;
  readonly definer: string | null;
  readonly create: () => Promise<TestDatabase>;
  readonly missing: string | null;
}

const ALL: readonly StoreCase<"postgres" | "mysql">[] = [
  {
    ...{ name: "PostgreSQL", kind: "postgres", definer: null },
    ...{ create: createPostgresDatabase, missing: POSTGRES_MISSING },
  },
  {
    ...{ name: "MariaDB", kind: "mysql", definer: "root@localhost" },
    ...{ create: createMariadbDatabase, missing: MARIADB_MISSING },
  },
];

export const SERVERS = ALL.filter(({ missing }) => missing === null);

/** Those, and a file. */
export const STORES: readonly StoreCase<"postgres" | "mysql" | "sqlite">[] = [
  { name: "SQLite", kind: "sqlite", definer: null, create: () => createSqliteDatabase(), missing: null },
  ...SERVERS,
];

/** A database with the tables and rows of a demo store. */
export async function createShopIn(
  { kind, create }: (typeof STORES)[number],
  seeded: string,
): Promise<TestDatabase> {
  if (kind === "sqlite") return createSqliteDatabase(seeded);
  const database = await create();
  await copyStore(seeded, { kind, run: database.run });
  return database;
}

/** Where the shipped files for such a shop stand. */
export const queriesFor = (kind: string) =>
  kind === "sqlite" ? "templates/queries" : `templates/queries-${kind}`;

export function file(name: string, sql: string): AllowListQuery {
  return { name, file: `${name}.sql`, sql };
}

/** @param definer the account that triggers run as, where the database has to be told */
export function planFor(
  address: string,
  queries: readonly AllowListQuery[],
  definer: string | null,
): Promise<InstallPlan> {
  return askingStore(address, (ask, dialect) => planInstall(ask, dialect, queries, definer));
}

export async function installFor(
  address: string,
  queries: readonly AllowListQuery[],
  definer: string | null,
): Promise<void> {
  const { statements } = await planFor(address, queries, definer);
  await runCaptureSql({ store: address }, statements);
}

export function statusFor(address: string, queries: readonly AllowListQuery[]): Promise<CaptureStatus> {
  return askingStore(address, (ask, dialect) => captureStatus(ask, dialect, queries));
}

async function withReader<Result>(
  address: string,
  work: (reader: StoreReader) => Promise<Result>,
): Promise<Result> {
  const reader = await openStore(address, NOW);
  try {
    return await work(reader);
  } finally {
    await reader.close();
  }
}

export function changesIn(
  address: string,
  before: Buffer | null,
  queries: readonly AllowListQuery[],
): Promise<StoreChanges> {
  return withReader(address, (reader) => reader.changesSince(before, queries));
}

/** The rows of a file, whatever its columns. */
function rowsIn(address: string, { sql }: AllowListQuery): Promise<string> {
  return askingStore(address, async (ask) =>
    JSON.stringify((await ask(sql)).map((row) => JSON.stringify(row)).sort()),
  );
}

/** What is told of an edit, and which files' rows it changed. */
export async function toldOf(
  address: string,
  queries: readonly AllowListQuery[],
  edit: () => Promise<unknown>,
): Promise<StoreChanges & { readonly differ: readonly string[] }> {
  const readAll = () => Promise.all(queries.map((query) => rowsIn(address, query)));
  const { mark } = await changesIn(address, null, queries);
  const before = await readAll();
  await edit();
  const told = await changesIn(address, mark, queries);
  const after = await readAll();
  const differ = queries.filter((_, at) => before[at] !== after[at]).map(({ name }) => name);
  return { ...told, differ };
}

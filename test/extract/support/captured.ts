/** Databases that a test captures by files of its own, and what is told of an edit. */
import type { AllowListQuery } from "../../../src/extract/allow-list.ts";
import {
  type CaptureStatus,
  captureStatus,
  type InstallPlan,
  planInstall,
} from "../../../src/extract/capture/capture.ts";
import type { Ask, CaptureDialect } from "../../../src/extract/capture/dialect.ts";
import type { StoreChanges, StoreReader } from "../../../src/extract/store.ts";
import { askOf } from "../../../src/extract/stores/server-session.ts";
import { openStore, serverOf } from "../../../src/open-store.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../../support/postgres.ts";
import type { TestDatabase } from "../../support/server-of-run.ts";
import { NOW } from "../../support/shop.ts";

interface ServerCase {
  readonly name: string;
  readonly kind: "postgres" | "mysql";
  readonly definer: string | null;
  readonly create: () => Promise<TestDatabase>;
  readonly missing: string | null;
}

const ALL: readonly ServerCase[] = [
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

export function file(name: string, sql: string): AllowListQuery {
  return { name, file: `${name}.sql`, sql };
}

export async function asking<Result>(
  address: string,
  work: (ask: Ask, dialect: CaptureDialect) => Promise<Result>,
): Promise<Result> {
  const server = serverOf(address);
  const session = await server.driver.open(server.address, server.password, NOW);
  try {
    return await work(askOf(session), server.driver.dialect.capture);
  } finally {
    await session.close();
  }
}

/** @param definer the account that triggers run as, where the database has to be told */
export function planFor(
  address: string,
  queries: readonly AllowListQuery[],
  definer: string | null,
): Promise<InstallPlan> {
  return asking(address, (ask, dialect) => planInstall(ask, dialect, queries, definer));
}

export async function installFor(
  address: string,
  queries: readonly AllowListQuery[],
  definer: string | null,
): Promise<void> {
  const { statements } = await planFor(address, queries, definer);
  const server = serverOf(address);
  await server.driver.run(server.address, server.password, statements);
}

export function statusFor(address: string, queries: readonly AllowListQuery[]): Promise<CaptureStatus> {
  return asking(address, (ask, dialect) => captureStatus(ask, dialect, queries));
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

export type Told = Omit<StoreChanges, "fingerprint"> & { readonly fingerprint: Buffer | null };

export function changesIn(
  address: string,
  before: Buffer | null,
  queries: readonly AllowListQuery[],
): Promise<Told> {
  return withReader(address, async (reader) => {
    const changes = await reader.changesSince(before, queries);
    return { ...changes, fingerprint: await changes.fingerprint() };
  });
}

/** The rows of a file, whatever its columns. */
function rowsIn(address: string, { sql }: AllowListQuery): Promise<string> {
  return asking(address, async (ask) =>
    JSON.stringify((await ask(sql)).map((row) => JSON.stringify(row)).sort()),
  );
}

/** What is told of an edit, and which files' rows it changed. */
export async function toldOf(
  address: string,
  queries: readonly AllowListQuery[],
  edit: () => Promise<unknown>,
): Promise<Told & { readonly differ: readonly string[] }> {
  const readAll = () => Promise.all(queries.map((query) => rowsIn(address, query)));
  const { fingerprint } = await changesIn(address, null, queries);
  const before = await readAll();
  await edit();
  const told = await changesIn(address, fingerprint, queries);
  const after = await readAll();
  const differ = queries.filter((_, at) => before[at] !== after[at]).map(({ name }) => name);
  return { ...told, differ };
}

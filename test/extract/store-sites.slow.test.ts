/** The demo store in each database gives the same site. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyStore } from "../../scripts/seed/copy-store.ts";
import { createHostileMariadbDatabase, createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import {
  createHostilePostgresDatabase,
  createPostgresDatabase,
  POSTGRES_MISSING,
} from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import {
  buildQuietly,
  demoInputs,
  NOW,
  readTree,
  SMALL_CONFIG,
  smallStore,
  temporaryFolder,
} from "../support/shop.ts";

const folder = temporaryFolder();
const LATER = "2026-12-24 12:00:00";

const SERVERS = [
  { name: "PostgreSQL", kind: "postgres", create: createPostgresDatabase, missing: POSTGRES_MISSING },
  { name: "MariaDB", kind: "mysql", create: createMariadbDatabase, missing: MARIADB_MISSING },
  {
    name: "PostgreSQL with changed settings",
    kind: "postgres",
    create: createHostilePostgresDatabase,
    missing: POSTGRES_MISSING,
  },
  {
    name: "MariaDB with changed settings",
    kind: "mysql",
    create: createHostileMariadbDatabase,
    missing: MARIADB_MISSING,
  },
] as const;

const sites = new Map<string, Promise<{ files: Map<string, Buffer>; report: object }>>();

/** The site of the store's file at a moment, built once. */
function siteOfFile(now: string) {
  const known = sites.get(now) ?? build(smallStore(), "templates/queries", `file ${now}`, now);
  sites.set(now, known);
  return known;
}

async function build(store: string, queries: string, name: string, now: string) {
  const out = join(folder, name);
  mkdirSync(out, { recursive: true });
  const inputs = demoInputs(store, out, { queries, now, config: SMALL_CONFIG });
  const { records, nextChangeAt, summary, leftOut, work } = await buildQuietly(inputs);
  return { files: readTree(join(out, "site")), report: { records, nextChangeAt, summary, leftOut }, work };
}

describe.each(SERVERS.filter(({ missing }) => missing === null))("the demo store in $name", (server) => {
  let database: TestDatabase;
  const queries = `templates/queries-${server.kind}`;

  beforeAll(async () => {
    database = await server.create();
    await copyStore(smallStore(), { kind: server.kind, run: database.run });
  });
  afterAll(() => database.close());

  it.each([NOW, LATER])("gives the same site and report at %s", async (now) => {
    const [expected, found] = [
      await siteOfFile(now),
      await build(database.address, queries, `${server.name} ${now}`, now),
    ];
    expect(found.report).toEqual(expected.report);
    expect([...found.files.keys()]).toEqual([...expected.files.keys()]);
    for (const [path, bytes] of expected.files) expect(found.files.get(path)?.equals(bytes), path).toBe(true);
  });
});

/** Tables that the shop's own software rewrites, empties and replaces around the moment when a reading begins. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AllowListQuery } from "../../src/extract/allow-list.ts";
import type { StoreReader } from "../../src/extract/store.ts";
import { openStore } from "../../src/store/open.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { until } from "../support/until.ts";

const NOW = "2026-11-20 12:00:00";

function releasesOf(source: string): AllowListQuery {
  const sql = `SELECT id, 1 AS product_id, '' AS version, 'T' AS title, '' AS notes_html, '${NOW}' AS release_date,
    '' AS public_url FROM ${source}`;
  return { name: "releases", file: "releases.sql", sql };
}

async function idsOf(reader: StoreReader, query: AllowListQuery): Promise<unknown[]> {
  const ids: unknown[] = [];
  for await (const rows of reader.batches(query)) ids.push(...rows.map(({ id }) => id));
  return ids;
}

const ROWS = "INSERT INTO moved VALUES (1, 1), (2, 2), (3, 1)";

/** A change of the shop: what to read, and how. */
type Change = readonly [what: string, source: string, sql: string];

const SERVERS = [
  {
    name: "PostgreSQL",
    create: createPostgresDatabase,
    missing: POSTGRES_MISSING,
    shop: `DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE moved (id INTEGER, part INTEGER);
      CREATE TABLE parted (id INTEGER, part INTEGER) PARTITION BY LIST (part);
      CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1); CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
      CREATE VIEW seen AS SELECT id FROM moved; CREATE TABLE staged (id INTEGER, part INTEGER);
      CREATE FUNCTION found() RETURNS TABLE (id INTEGER) LANGUAGE sql STABLE AS 'SELECT id FROM moved';
      ${ROWS}; INSERT INTO parted SELECT * FROM moved`,
    begin: "BEGIN",
    commit: "COMMIT",
    changes: [
      ["emptied and filled", "moved", `TRUNCATE moved; ${ROWS}`],
      ["emptied and filled below a view", "seen", `TRUNCATE moved; ${ROWS}`],
      ["emptied and filled below a function", "found() AS f", `TRUNCATE moved; ${ROWS}`],
      ["rewritten for another type", "moved", "ALTER TABLE moved ALTER part TYPE BIGINT"],
      ["rewritten for a default", "moved", "ALTER TABLE moved ADD n FLOAT DEFAULT random()"],
      [
        "replaced by a new one",
        "moved",
        "CREATE TABLE made AS SELECT * FROM moved; DROP VIEW seen; DROP TABLE moved; ALTER TABLE made RENAME TO moved",
      ],
      [
        "exchanged for one that was filled meanwhile",
        "moved",
        "LOCK TABLE moved; INSERT INTO staged SELECT * FROM moved; ALTER TABLE moved RENAME TO old; ALTER TABLE staged RENAME TO moved",
      ],
    ] as readonly Change[],
    detach: "ALTER TABLE parted DETACH PARTITION parted_2",
    waiting: (name: string) =>
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'vitrine' AND datname = '${name}' AND wait_event_type = 'Lock'`,
    impatient: "SET lock_timeout = '1s'",
    kept: [
      ["moved", "TRUNCATE moved"],
      ["seen", "ALTER TABLE moved ALTER part TYPE BIGINT"],
      ["found() AS f", "ALTER TABLE moved RENAME TO old"],
      ["parted", "ALTER TABLE parted DETACH PARTITION parted_2"],
      ["parted", "DROP TABLE parted_1"],
    ],
    refused: /lock timeout/,
  },
  {
    name: "MariaDB",
    create: createMariadbDatabase,
    missing: MARIADB_MISSING,
    shop: `DROP FUNCTION IF EXISTS found; DROP VIEW IF EXISTS seen; DROP TABLE IF EXISTS moved, parted, staged, old;
      CREATE TABLE moved (id INTEGER PRIMARY KEY, part INTEGER); CREATE TABLE staged LIKE moved;
      CREATE TABLE parted (id INTEGER, part INTEGER) PARTITION BY LIST (part) (PARTITION p1 VALUES IN (1), PARTITION p2 VALUES IN (2));
      CREATE VIEW seen AS SELECT id, part FROM moved; ${ROWS}; INSERT INTO parted SELECT * FROM moved;
      CREATE FUNCTION found() RETURNS INTEGER READS SQL DATA RETURN (SELECT MAX(id) FROM moved)`,
    begin: "LOCK TABLES moved WRITE, parted WRITE",
    commit: "UNLOCK TABLES",
    changes: [
      ["emptied and filled", "moved", `TRUNCATE moved; ${ROWS}`],
      ["emptied and filled below a view", "seen", `TRUNCATE moved; ${ROWS}`],
      ["given an index", "moved", "CREATE INDEX by_part ON moved (part)"],
      ["rewritten for another type", "moved", "ALTER TABLE moved MODIFY id BIGINT"],
      ["rebuilt", "moved", "OPTIMIZE TABLE moved"],
    ] as readonly Change[],
    detach: "ALTER TABLE parted DROP PARTITION p2",
    waiting: (name: string) =>
      `SELECT id FROM information_schema.processlist WHERE db = '${name}' AND state LIKE 'Waiting for table metadata lock%'`,
    impatient: "SET lock_wait_timeout = 1",
    kept: [
      ["moved", "TRUNCATE moved"],
      ["seen", "CREATE INDEX by_part ON moved (part)"],
      ["moved", "RENAME TABLE moved TO old, staged TO moved"],
      ["(SELECT found() AS id) AS f", "ALTER TABLE moved MODIFY id BIGINT"],
      ["parted", "ALTER TABLE parted DROP PARTITION p2"],
    ],
    refused: /[Ll]ock wait timeout/,
  },
].filter(({ missing }) => missing === null);

describe.each(SERVERS)("a reading of $name", (server) => {
  const { create, shop, begin, commit, changes, detach, waiting, impatient, kept, refused } = server;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await create();
  });
  beforeEach(() => database.run(shop));
  afterAll(() => database.close());

  /** Begins a reading while the shop's transaction has the table, and ends that once the reading waits for it. */
  async function readDuring(source: string, change: string): Promise<unknown[]> {
    const holder = await database.another();
    try {
      await holder.run(`${begin}; ${change}`);
      const query = releasesOf(source);
      const opening = openStore(database.address, NOW, [query]);
      opening.catch(() => undefined);
      await until("the reading waits", async () => (await database.run(waiting(database.name))).length > 0);
      await holder.run(commit);
      const reader = await opening;
      const ids = await idsOf(reader, query).finally(() => reader.close());
      return ids;
    } finally {
      await holder.close();
    }
  }

  it.each(changes)("has all rows of a table that is %s as it begins", async (_, source, change) => {
    expect(await readDuring(source, change)).toEqual([1, 2, 3]);
  });

  it("has the rows of before or after a partition was taken away, not of a third state", async () => {
    expect(await readDuring("parted", detach)).toEqual([1, 3]);
  });

  it.each(kept as [string, string][])("of %s keeps the shop from: %s", async (source, change) => {
    const query = releasesOf(source);
    const other = await database.another();
    await other.run(impatient);
    const reader = await openStore(database.address, NOW, [query]);
    try {
      await expect(other.run(change)).rejects.toThrow(refused);
      expect(await idsOf(reader, query)).not.toEqual([]);
      await reader.close();
      // The server may notice a moment later that the connection has ended.
      await other.run(change);
    } finally {
      await reader.close();
      await other.close();
    }
  });

  it("may begin although a file is wrong, which its own reading reports", async () => {
    const reader = await openStore(database.address, NOW, [releasesOf("moved"), releasesOf("nowhere")]);
    try {
      expect(await idsOf(reader, releasesOf("moved"))).toEqual([1, 2, 3]);
      await expect(idsOf(reader, releasesOf("nowhere"))).rejects.toThrow(
        /^releases\.sql(, line 2)?: .*nowhere/,
      );
    } finally {
      await reader.close();
    }
  });
});

describe.skipIf(POSTGRES_MISSING !== null)("a role that may read some columns only", () => {
  it("has all rows of a table that is emptied and filled as it begins", async () => {
    const database = await createPostgresDatabase();
    try {
      await database.run(`CREATE TABLE moved (id INTEGER, part INTEGER); ${ROWS}; DROP ROLE IF EXISTS some_columns;
        CREATE ROLE some_columns LOGIN; GRANT SELECT (id) ON moved TO some_columns`);
      const holder = await database.another();
      await holder.run(`BEGIN; TRUNCATE moved; ${ROWS}`);
      const address = database.address.replace("postgres@", "some_columns@");
      const opening = openStore(address, NOW, [releasesOf("moved")]);
      const waits = `SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'moved'::regclass`;
      await until("the reading waits", async () => (await database.run(waits)).length > 0);
      await holder.run("COMMIT");
      await holder.close();
      const reader = await opening;
      expect(await idsOf(reader, releasesOf("moved"))).toEqual([1, 2, 3]);
      await reader.close();
      await database.run("DROP OWNED BY some_columns; DROP ROLE some_columns");
    } finally {
      await database.close();
    }
  });
});

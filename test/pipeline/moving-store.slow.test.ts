/** Builds of stores that move meanwhile: imports, migrations, ended connections. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyStore } from "../../scripts/seed/copy-store.ts";
import type { Log } from "../../src/base/log.ts";
import { readAllowList } from "../../src/extract/allow-list.ts";
import { buildSnapshot } from "../../src/pipeline/build.ts";
import { readAgain } from "../../src/pipeline/read-again.ts";
import { ChangedRow } from "../../src/store/probe.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { demoInputs, NOW, SMALL_CONFIG, seedSmall, smallStore, temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";

const folder = temporaryFolder();

/** An allow-list of its own, without changed.sql, with this SQL instead of a file's. */
function queriesWith(name: string, from: string, changes: Readonly<Record<string, string>> = {}): string {
  const queries = join(folder, name);
  cpSync(from, queries, { recursive: true });
  rmSync(join(queries, "changed.sql"), { force: true });
  for (const [file, sql] of Object.entries(changes)) writeFileSync(join(queries, file), sql);
  return queries;
}

const RELEASE =
  "id, product_id, version, '' AS title, '' AS notes_html, '2026-01-01 00:00:00' AS release_date, NULL AS public_url";
const COLUMNS = "id, product_id, category AS type, question, answer_html, position";

const SERVERS = [
  {
    name: "PostgreSQL",
    kind: "postgres",
    create: createPostgresDatabase,
    missing: POSTGRES_MISSING,
    emptied: "BEGIN; CREATE TEMP TABLE kept AS SELECT * FROM faqs; TRUNCATE faqs",
    filled: "INSERT INTO faqs SELECT * FROM kept; COMMIT",
    locked: "BEGIN; LOCK TABLE faqs",
    unlocked: "COMMIT",
    waiting: (name: string) =>
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'vitrine' AND datname = '${name}' AND wait_event_type = 'Lock'`,
    slow: "pg_sleep(60) IS NULL",
    sessions: (name: string) =>
      `SELECT pid AS id FROM pg_stat_activity WHERE application_name = 'vitrine' AND datname = '${name}'`,
    asleep: (name: string) =>
      `SELECT pid AS id FROM pg_stat_activity WHERE application_name = 'vitrine' AND datname = '${name}' AND wait_event = 'PgSleep'`,
    kill: (id: unknown) => `SELECT pg_terminate_backend(${id})`,
    rename: "ALTER TABLE faqs RENAME TO faqs_old",
    back: "ALTER TABLE faqs_old RENAME TO faqs",
  },
  {
    name: "MariaDB",
    kind: "mysql",
    create: createMariadbDatabase,
    missing: MARIADB_MISSING,
    emptied: "CREATE TABLE kept AS SELECT * FROM faqs; LOCK TABLES faqs WRITE, kept READ; TRUNCATE faqs",
    filled: "INSERT INTO faqs SELECT * FROM kept; UNLOCK TABLES; DROP TABLE kept",
    locked: "LOCK TABLES faqs WRITE",
    unlocked: "UNLOCK TABLES",
    waiting: (name: string) =>
      `SELECT id FROM information_schema.processlist WHERE db = '${name}' AND state LIKE 'Waiting for table metadata lock%'`,
    slow: "SLEEP(60) = 0",
    sessions: (name: string) =>
      `SELECT id FROM information_schema.processlist WHERE db = '${name}' AND id <> CONNECTION_ID()`,
    asleep: (name: string) =>
      `SELECT id FROM information_schema.processlist WHERE db = '${name}' AND state = 'User sleep'`,
    kill: (id: unknown) => `KILL ${id}`,
    rename: "RENAME TABLE faqs TO faqs_old",
    back: "RENAME TABLE faqs_old TO faqs",
  },
] as const;

describe.each(SERVERS.filter(({ missing }) => missing === null))("a build of a store in $name", (server) => {
  const { create, kind, waiting, name } = server;
  const templates = `templates/queries-${kind}`;
  let database: TestDatabase;
  let faqs = 0;
  const tried: string[] = [];
  const log: Log = {
    info: () => undefined,
    warn: () => undefined,
    progress: (state) => {
      const said = state();
      if (typeof said === "string" && said.startsWith("trying again")) tried.push(said);
    },
  };

  beforeAll(async () => {
    database = await create();
    await copyStore(smallStore(), { kind, run: database.run });
    const built = await build(queriesWith(`${name} before`, templates));
    faqs = built.records.faq ?? 0;
    expect(faqs).toBeGreaterThan(10);
  });
  afterAll(() => database.close());

  function build(queries: string, options = "") {
    tried.length = 0;
    const out = join(folder, `${name} out`);
    mkdirSync(out, { recursive: true });
    const inputs = demoInputs(`${database.address}${options}`, out, {
      queries,
      config: SMALL_CONFIG,
      full: true,
    });
    return buildSnapshot(inputs, log);
  }

  /** Builds while the shop's transaction goes on, which ends once the build waits for it. */
  async function buildDuring(queries: string, [first, second]: readonly [string, string]) {
    const holder = await database.another();
    try {
      await holder.run(first);
      const building = build(queries);
      building.catch(() => undefined);
      await until("the build waits", async () => (await database.run(waiting(database.name))).length > 0);
      await holder.run(second);
      return await building;
    } finally {
      await holder.close();
    }
  }

  it("has the rows of a table that an import empties and fills in one transaction", async () => {
    const queries = queriesWith(`${name} import`, templates);
    const { records, deleted } = await buildDuring(queries, [server.emptied, server.filled]);
    expect([records.faq, deleted]).toEqual([faqs, 0]);
  });

  it("waits for a lock again and again, and lets go of its own meanwhile", async () => {
    const holder = await database.another();
    try {
      await holder.run(server.locked);
      const building = build(queriesWith(`${name} locked`, templates), "?read_timeout=2");
      building.catch(() => undefined);
      await until("it has tried twice", () => tried.length >= 2);
      await holder.run(server.unlocked);
      expect((await building).records.faq).toBe(faqs);
    } finally {
      await holder.close();
    }
  });

  it("reads again after its connection was ended", async () => {
    const queries = queriesWith(`${name} killed`, templates);
    const file = join(queries, "releases.sql");
    const sql = readFileSync(file, "utf8");
    writeFileSync(file, `SELECT * FROM (SELECT ${RELEASE} FROM releases) AS r WHERE ${server.slow}`);
    const building = build(queries);
    building.catch(() => undefined);
    const [session] = await until("it sleeps", async () => {
      const found = await database.run(server.asleep(database.name));
      return found.length > 0 && found;
    });
    writeFileSync(file, sql);
    await database.run(server.kill(session?.["id"]));
    expect((await building).records.faq).toBe(faqs);
    expect(tried).toHaveLength(1);
  });

  it("reports a table that is missing as the allow-list's fault only after a second look", async () => {
    const queries = queriesWith(`${name} renamed`, templates);
    await database.run(server.rename);
    await expect(build(queries)).rejects.toMatchObject({ code: "allow_list_invalid" });
    expect(tried).toHaveLength(1);
    await database.run(server.back);
    expect((await build(queries)).records.faq).toBe(faqs);
  });

  it("asks changed.sql again on a new connection if the kept one was ended", async () => {
    const queries = queriesWith(`${name} changed`, templates, { "changed.sql": "SELECT COUNT(*) FROM faqs" });
    const changed = new ChangedRow({ store: database.address, queries });
    try {
      const row = await changed.ask();
      for (const { id } of await database.run(server.sessions(database.name)))
        await database.run(server.kill(id));
      await until(
        "it was ended",
        async () => (await database.run(server.sessions(database.name))).length === 0,
      );
      expect(await changed.ask()).toBe(row);
    } finally {
      await changed.close();
    }
  });
});

describe.skipIf(POSTGRES_MISSING !== null)("a build that reads a table only through a procedure", () => {
  it("does not believe that it is empty while an import fills it", async () => {
    const database = await createPostgresDatabase();
    try {
      await copyStore(smallStore(), { kind: "postgres", run: database.run });
      await database.run(`CREATE FUNCTION all_faqs() RETURNS SETOF faqs LANGUAGE plpgsql STABLE AS
        'BEGIN RETURN QUERY SELECT * FROM faqs; END'`);
      const sql = `SELECT ${COLUMNS} FROM all_faqs() AS f WHERE product_id IS NULL`;
      const queries = queriesWith("procedure", "templates/queries-postgres", { "faqs.sql": sql });
      const out = join(folder, "procedure out");
      mkdirSync(out);
      const inputs = demoInputs(database.address, out, { queries, config: SMALL_CONFIG });
      const log = { info: () => undefined, warn: () => undefined, progress: () => undefined };
      const before = await buildSnapshot(inputs, log);
      const holder = await database.another();
      await holder.run("BEGIN; CREATE TEMP TABLE kept AS SELECT * FROM faqs; TRUNCATE faqs");
      const building = buildSnapshot(inputs, log);
      building.catch(() => undefined);
      const waits = "SELECT pid FROM pg_locks WHERE NOT granted AND relation = 'faqs'::regclass";
      await until("the build waits", async () => (await database.run(waits)).length > 0);
      await holder.run("INSERT INTO faqs SELECT * FROM kept; COMMIT");
      const after = await building;
      await holder.close();
      expect(before.records.faq).toBeGreaterThan(3);
      expect([after.records.faq, after.deleted]).toEqual([before.records.faq, 0]);
    } finally {
      await database.close();
    }
  });
});

describe("a file that had rows and has none", () => {
  const queries = readAllowList("templates/queries");
  /** The memory of a build in which all files but these had rows. */
  const filesWithout = (...empty: string[]) => ({
    files: Object.fromEntries(
      Object.keys(queries).flatMap((file) => (empty.includes(file) ? [] : [[file, "00"]])),
    ),
  });

  it("is refused if it has rows at a second look, and believed if it stays empty", async () => {
    const store = seedSmall(folder);
    const inputs = { store, now: NOW };
    const all = filesWithout();
    const look = (before: typeof all | null) => readAgain({ inputs, queries }, before, filesWithout("faqs"));
    await expect(look(all)).rejects.toMatchObject({
      code: "store_unreadable",
      message: expect.stringMatching(/^faqs\.sql gave no row, and a moment later it gives some/),
    });
    await expect(look(null)).rejects.toMatchObject({ code: "store_unreadable" });
    await look(filesWithout("faqs"));
    const shop = new Database(store);
    shop.exec("DELETE FROM faqs");
    shop.close();
    await look(all);
  });
});

/** A store behind a pooler: the reading is one transaction of one server's session, and leaves nothing in it for the next client. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AllowListQuery } from "../../src/extract/allow-list.ts";
import { openStore } from "../../src/store/open.ts";
import { freePort } from "../support/free-port.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import { idOf, missingServer, type TestDatabase } from "../support/server-of-run.ts";
import { temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";

const NOW = "2026-11-20 12:00:00";
/** More than are taken at once. */
const ROWS = 700;
const FAQS: AllowListQuery = {
  name: "faqs",
  file: "faqs.sql",
  sql: "SELECT id, at FROM shown WHERE at < current_setting('vitrine.now')::timestamptz",
  columns: ["id", "at"],
};
/** Without an id, rows come as they are found: the first 600 at once, then one in five seconds. */
const SLOW_FAQS: AllowListQuery = {
  ...FAQS,
  sql: "SELECT at FROM shown WHERE id <= 600 OR pg_sleep(5) IS NULL",
  columns: ["at"],
};
const PGBOUNCER = "/usr/sbin/pgbouncer";
const PGPOOL = "/usr/sbin/pgpool";

const missing =
  POSTGRES_MISSING ??
  missingServer(existsSync(PGBOUNCER), "PgBouncer", "pgbouncer") ??
  missingServer(existsSync(PGPOOL), "Pgpool-II", "pgpool2");

const children: ChildProcess[] = [];
const isRoot = process.getuid?.() === 0;
const as = isRoot ? { uid: idOf("postgres", "-u"), gid: idOf("postgres", "-g") } : {};

/** A pooler's program, which refuses to run as root. */
async function start(program: string, args: readonly string[], address: string): Promise<void> {
  children.push(spawn(program, args, { ...as, cwd: "/", stdio: "ignore" }));
  await until(`answers of ${program}`, async () => (await connected(address, "SELECT 1")) !== null);
}

/** The first row of a statement by another client of the pooler; null where there is no answer. */
async function connected(address: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: address });
  try {
    await client.connect();
    return (await client.query<Record<string, unknown>>(sql)).rows[0];
  } catch {
    // It has not started yet.
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}

describe.skipIf(missing !== null)("a store in PostgreSQL behind a pooler", () => {
  const folder = temporaryFolder();
  const addresses: Record<string, string> = {};
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createPostgresDatabase(`CREATE TABLE shown (id INTEGER PRIMARY KEY, at TIMESTAMPTZ);
      INSERT INTO shown SELECT n, '2026-07-01 10:00:00+00' FROM generate_series(1, ${ROWS}) AS n`);
    await database.run(`ALTER DATABASE ${database.name} SET timezone = 'Europe/Berlin'`);
    const { port, name } = database;
    const [bouncer, pool] = [await freePort(), await freePort()];
    if (as.uid !== undefined) chownSync(folder, as.uid, as.gid);
    const users = join(folder, "users.txt");
    writeFileSync(users, '"postgres" ""\n');
    const modes = ["session", "transaction", "statement"];
    const databases = modes.map(
      (mode) => `${mode} = host=127.0.0.1 port=${port} dbname=${name} pool_mode=${mode}`,
    );
    const limits = "default_pool_size = 1\nauth_type = trust\nunix_socket_dir =\n";
    const bouncerFile = join(folder, "pgbouncer.ini");
    writeFileSync(
      bouncerFile,
      `[databases]\n${databases.join("\n")}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${bouncer}\n${limits}auth_file = ${users}\n`,
    );
    for (const mode of modes) addresses[mode] = `postgres://postgres@127.0.0.1:${bouncer}/${mode}`;
    const poolFile = join(folder, "pgpool.conf");
    const settings = {
      listen_addresses: "127.0.0.1",
      port: pool,
      pcp_port: await freePort(),
      socket_dir: folder,
      pcp_socket_dir: folder,
      logdir: folder,
      pid_file_name: join(folder, "pgpool.pid"),
      backend_clustering_mode: "streaming_replication",
      backend_hostname0: "127.0.0.1",
      backend_port0: port,
      num_init_children: 2,
      sr_check_period: 0,
    };
    const lines = Object.entries(settings).map(([setting, value]) => `${setting} = '${value}'\n`);
    writeFileSync(poolFile, lines.join(""));
    addresses["pool"] = `postgres://postgres@127.0.0.1:${pool}/${name}`;
    await start(PGBOUNCER, ["-q", bouncerFile], addresses["session"] ?? "");
    await start(PGPOOL, ["-n", "-f", poolFile, "-F", "/dev/null"], addresses["pool"]);
  });
  afterAll(async () => {
    for (const child of children) {
      const ended = once(child, "exit");
      if (child.kill("SIGINT")) await ended;
    }
    await database.close();
  });

  it.each([
    ["PgBouncer, session", "session"],
    ["PgBouncer, transaction", "transaction"],
    ["Pgpool-II", "pool"],
  ])("is read to its last row: %s", async (_, key) => {
    const address = addresses[key] ?? "";
    const store = await openStore(`${address}?read_timeout=10`, NOW, [FAQS]);
    const texts: string[] = [];
    for await (const rows of store.batches(FAQS)) texts.push(...rows.map(({ text }) => text));
    await store.close();
    expect([texts.length, texts[0]]).toEqual([ROWS, '[1,"2026-07-01 10:00:00"]']);
    const left = await connected(
      address,
      `SELECT current_setting('TimeZone') AS zone, current_setting('statement_timeout') AS timeout,
        COALESCE(current_setting('vitrine.now', TRUE), '') AS now`,
    );
    expect(left).toEqual({ zone: "Europe/Berlin", timeout: "0", now: "" });
  });

  it.each(["session", "transaction"])("leaves PgBouncer its connection to the server: %s", async (key) => {
    const address = addresses[key] ?? "";
    const PID = "SELECT pg_backend_pid() AS pid";
    const before = await connected(address, PID);
    const store = await openStore(address, NOW, [FAQS]);
    for await (const _ of store.batches(FAQS));
    await store.close();
    expect(before).not.toBeNull();
    expect(await connected(address, PID)).toEqual(before);
  });

  // The next rows are on their way when it stops, as after a full disk: their end must not end the process.
  it("may be closed before its last row", async () => {
    const store = await openStore(addresses["session"] ?? "", NOW, [SLOW_FAQS]);
    for await (const _ of store.batches(SLOW_FAQS)) break;
    await store.close();
  });

  it("is refused with what to change where each statement may go to another session", async () => {
    await expect(openStore(addresses["statement"] ?? "", NOW, [FAQS])).rejects.toMatchObject({
      code: "store_unreadable",
      message: expect.stringMatching(/statement pooling mode.*pool_mode=transaction/s),
    });
  });
});

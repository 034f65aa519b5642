/** PostgreSQL for tests, of Debian's package. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import {
  missingServer,
  nextDatabaseName,
  runOnce,
  type ServerKind,
  serverOfRun,
  type TestDatabase,
} from "./server-of-run.ts";

const VERSIONS = "/usr/lib/postgresql";

/** Where the programs of the newest version are that is installed. */
function programs(): string | undefined {
  const found = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  return found
    .map((version) => join(VERSIONS, version, "bin"))
    .find((each) => existsSync(join(each, "initdb")));
}

const BIN = programs() ?? "";

export const POSTGRES_MISSING: string | null = missingServer(BIN !== "", "PostgreSQL", "postgresql");

/** The role `locked` needs its password; all others are let in without one. */
const ACCESS = `host all locked 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
`;

const POSTGRES: ServerKind = {
  name: "postgres",
  user: "postgres",
  prepare(folder, as) {
    const data = join(folder, "data");
    const options = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync"];
    runOnce(join(BIN, "initdb"), ["--pgdata", data, ...options], as);
    writeFileSync(join(data, "pg_hba.conf"), ACCESS);
  },
  command(folder, port) {
    const settings = {
      port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      shared_buffers: "64MB",
      max_connections: 60,
      // Joins are planned a few tables at a time: the shops' views join many, and have few rows.
      from_collapse_limit: 4,
      join_collapse_limit: 4,
      log_line_prefix: "%d ",
      ssl: "on",
      ssl_cert_file: join(folder, "server.crt"),
      ssl_key_file: join(folder, "server.key"),
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    return [join(BIN, "postgres"), "-D", join(folder, "data"), ...options];
  },
  ask: (port) => withClient(addressOf(port, "postgres"), async () => undefined),
};

function addressOf(port: number, database: string): string {
  return `postgres://postgres@127.0.0.1:${port}/${database}`;
}

async function withClient<Result>(
  address: string,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** @param sql what it has at first; databases with the same are copies of one that was filled once a run */
export async function createPostgresDatabase(sql = ""): Promise<TestDatabase> {
  const { port, certificate } = await serverOfRun(POSTGRES);
  const name = nextDatabaseName();
  const administer = (sql: string) => withClient(addressOf(port, "postgres"), (client) => client.query(sql));
  await administer(`CREATE DATABASE ${name} TEMPLATE ${await templateWith(sql, port)}`);
  const address = addressOf(port, name);
  const { run, close } = await connectTo(address);
  return {
    address,
    port,
    name,
    certificate,
    run,
    another: () => connectTo(address),
    async close() {
      await close();
      await administer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** The name of a database that only has this, and to which nobody is connected. */
async function templateWith(sql: string, port: number): Promise<string> {
  if (sql === "") return "template1";
  const name = `filled_${createHash("sha256").update(sql).digest("hex").slice(0, 16)}`;
  await withClient(addressOf(port, "postgres"), async (client) => {
    // Until this connection ends: another test file waits for what this one fills.
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [name]);
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (rowCount !== 0) return;
    await client.query(`CREATE DATABASE ${name}_filling`);
    await withClient(addressOf(port, `${name}_filling`), (filling) => filling.query(sql));
    await client.query(`ALTER DATABASE ${name}_filling RENAME TO ${name}`);
  });
  return name;
}

/** What changes the meaning of SQL, set for a whole database. */
const HOSTILE = {
  standard_conforming_strings: "off",
  transform_null_equals: "on",
  TimeZone: "Asia/Tokyo",
  DateStyle: "SQL, DMY",
  IntervalStyle: "sql_standard",
  extra_float_digits: "-15",
  bytea_output: "escape",
};

/** A database with settings that change the meaning of SQL; what `run` says has the usual one. */
export async function createHostilePostgresDatabase(): Promise<TestDatabase> {
  const database = await createPostgresDatabase();
  const set = Object.entries(HOSTILE).map(
    ([name, value]) => `ALTER DATABASE ${database.name} SET ${name} = '${value}'`,
  );
  await database.run(set.join("; "));
  return database;
}

async function connectTo(connectionString: string): Promise<Pick<TestDatabase, "run" | "close">> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return {
    async run(sql) {
      const result: unknown = await client.query(sql);
      const last = Array.isArray(result) ? result.at(-1) : result;
      return (last as pg.QueryResult).rows;
    },
    close: () => client.end(),
  };
}

/** MariaDB for tests, of Debian's package. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import mysql from "mysql2/promise";
import {
  missingServer,
  nextDatabaseName,
  runOnce,
  type ServerKind,
  serverOfRun,
  type TestDatabase,
} from "./server-of-run.ts";

const isThere = ["mariadbd", "mariadb-install-db"].every((name) => spawnSync("which", [name]).status === 0);

export const MARIADB_MISSING: string | null = missingServer(isThere, "MariaDB", "mariadb-server");

const MARIADB: ServerKind = {
  name: "mariadb",
  user: "mysql",
  prepare(folder, as) {
    const options = ["--auth-root-authentication-method=normal", "--skip-test-db"];
    runOnce("mariadb-install-db", ["--no-defaults", `--datadir=${join(folder, "data")}`, ...options], as);
  },
  command(folder, port) {
    const settings = {
      // A server that starts removes temporary files of others in a folder that they share.
      tmpdir: folder,
      datadir: join(folder, "data"),
      socket: join(folder, "socket"),
      port,
      "bind-address": "127.0.0.1",
      "innodb-flush-log-at-trx-commit": 0,
      "innodb-flush-method": "nosync",
      "skip-log-bin": "ON",
      "innodb-buffer-pool-size": "64M",
      "performance-schema": "OFF",
      // The order of joins is sought among a few tables at a time: the shops' views join many, and have few rows.
      "optimizer-search-depth": 4,
      "skip-name-resolve": "ON",
      "character-set-server": "utf8mb4",
      "max-allowed-packet": "64M",
      "ssl-cert": join(folder, "server.crt"),
      "ssl-key": join(folder, "server.key"),
    };
    const options = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
    return ["mariadbd", "--no-defaults", ...options];
  },
  async ask(port) {
    const connection = await connect(port);
    await connection.end();
  },
};

/** A server whose operator set, for all, what changes the meaning of SQL. */
const HOSTILE: ServerKind = {
  ...MARIADB,
  name: "mariadb-hostile",
  command(folder, port) {
    const modes =
      "NO_BACKSLASH_ESCAPES,ANSI_QUOTES,PIPES_AS_CONCAT,ONLY_FULL_GROUP_BY,TRADITIONAL,PAD_CHAR_TO_FULL_LENGTH";
    const settings = {
      "sql-mode": modes,
      "character-set-server": "latin1",
      "default-time-zone": "+09:00",
      "lc-time-names": "de_DE",
      "lc-messages": "de_DE",
      "default-week-format": 3,
      "div-precision-increment": 1,
      "default-regex-flags": "EXTENDED,MULTILINE",
      "group-concat-max-len": 8,
      "lower-case-table-names": 1,
      "max-recursive-iterations": 2,
      "max-join-size": 20,
      "idle-transaction-timeout": 1,
      "idle-readonly-transaction-timeout": 1,
      // As servers have it.
      "optimizer-search-depth": 62,
    };
    const options = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
    return [...MARIADB.command(folder, port), ...options, "--skip-character-set-client-handshake"];
  },
};

/** A server with MyRocks, which is a package of its own. */
const ROCKSDB: ServerKind = {
  ...MARIADB,
  name: "mariadb-rocksdb",
  command: (folder, port) => [...MARIADB.command(folder, port), "--plugin-load-add=ha_rocksdb"],
};

const hasRocksdb = existsSync("/usr/lib/mysql/plugin/ha_rocksdb.so");

/** No machine has to have it, CI included. */
export const ROCKSDB_MISSING: string | null =
  MARIADB_MISSING ?? (hasRocksdb ? null : "needs Debian's mariadb-plugin-rocksdb");

function connect(port: number, database?: string): Promise<mysql.Connection> {
  const where = { host: "127.0.0.1", port, user: "root", ...(database === undefined ? {} : { database }) };
  return mysql.createConnection({ ...where, multipleStatements: true, charset: "utf8mb4" });
}

/** @param sql what it has at first */
export async function createMariadbDatabase(sql = ""): Promise<TestDatabase> {
  const database = await createDatabase(MARIADB);
  if (sql !== "") await database.run(sql);
  return database;
}

/** Runs on a separate server with settings that change the meaning of SQL; the statements of `run` have the usual meaning. */
export async function createHostileMariadbDatabase(): Promise<TestDatabase> {
  const database = await createDatabase(HOSTILE);
  await database.run("SET GLOBAL sql_select_limit = 3");
  return database;
}

export function createRocksdbDatabase(): Promise<TestDatabase> {
  return createDatabase(ROCKSDB);
}

async function createDatabase(kind: ServerKind): Promise<TestDatabase> {
  const { port, certificate } = await serverOfRun(kind);
  const name = nextDatabaseName();
  const connection = await connect(port);
  await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  await connection.end();
  const { run, close } = await connectTo(port, name);
  return {
    address: `mysql://root@127.0.0.1:${port}/${name}`,
    port,
    name,
    certificate,
    run,
    another: () => connectTo(port, name),
    async close() {
      await run(`DROP DATABASE ${name}`);
      await close();
    },
  };
}

async function connectTo(port: number, name: string): Promise<Pick<TestDatabase, "run" | "close">> {
  const connection = await connect(port, name);
  await connection.query("SET NAMES utf8mb4; SET sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'");
  return {
    async run(sql) {
      const [result] = await connection.query(sql);
      const several: readonly unknown[] = Array.isArray(result) ? result : [];
      const last = Array.isArray(several.at(-1)) ? several.at(-1) : several;
      return last as readonly Readonly<Record<string, unknown>>[];
    },
    close: () => connection.end(),
  };
}

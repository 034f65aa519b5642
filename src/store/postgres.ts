/** The store in PostgreSQL: one connection, one read-only transaction, rows by a cursor. */
import type pg from "pg";
import { messageOf } from "../base/error.ts";
import type { SqlTime } from "../base/time.ts";
import type { Origin, StoreValue } from "../extract/store.ts";
import type { ServerAddress } from "./address.ts";
import { POSTGRES_TYPES } from "./conversions.ts";
import { ChangedMeanwhile, isOfSql } from "./passing.ts";
import {
  answered,
  askOf,
  EndedConnection,
  IDLE_SECONDS,
  lockSeconds,
  type Mistake,
  ReadingDeadline,
  type Rows,
  type Session,
  type StoreConnection,
  saidAs,
  serverFailure,
  UnreadableColumn,
} from "./session.ts";

export async function connectPostgres(address: ServerAddress, password: string): Promise<StoreConnection> {
  const connected = await connect(address, password).catch((error: unknown) => {
    throw serverFailure(address, error);
  });
  const { client, lost } = connected;
  const explained = (error: unknown) => {
    throw serverFailure(address, error, lost);
  };
  const [shop] = (await client.query<{ zone: string }>(SHOP_ZONE).catch(explained)).rows;
  const zone = shop?.zone ?? "UTC";
  return {
    begin: (now, sources = []) => begin(connected, address, now, zone, sources).catch(explained),
    end: async () => void (await client.query("ROLLBACK").catch(explained)),
    close: () => end(client, address),
  };
}

/** A connection, and whether it has ended. */
interface Connected {
  readonly client: pg.Client;
  readonly lost: AbortSignal;
}

async function connect(address: ServerAddress, password: string): Promise<Connected> {
  const { default: driver } = await import("pg");
  const { host, port, user, database, tls, connectSeconds, readSeconds } = address;
  const client = new driver.Client({
    // Without a host, a certificate for "localhost" would be accepted for any IP address.
    host,
    port,
    user,
    database,
    ssl: tls === null ? false : { ...tls, host },
    types,
    // A function, because the driver replaces an empty password by one from its environment or file.
    password: () => password,
    client_encoding: "UTF8",
    application_name: "vitrine",
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    connectionTimeoutMillis: connectSeconds * 1000,
    query_timeout: readSeconds * 1000,
  });
  // A broken connection is reported by the running query, or the next.
  const lost = new AbortController();
  client.on("error", (error) => lost.abort(error));
  client.on("end", () => lost.abort(new EndedConnection()));
  try {
    await answered(client.connect(), connectSeconds);
    return { client, lost: lost.signal };
  } catch (error) {
    await end(client, address);
    throw error;
  }
}

const types = {
  getTypeParser: (type: number) => POSTGRES_TYPES.get(type) ?? ((text: string) => text),
} as unknown as pg.CustomTypesConfig;

/** Needed even if the login failed: the driver keeps the socket open, and the server waits on it. */
async function end(client: pg.Client, { connectSeconds }: ServerAddress): Promise<void> {
  // PgBouncer closes the server's connection if its client leaves within a transaction.
  const isWithin = ["T", "E"].includes(client.getTransactionStatus() ?? "");
  if (isWithin) await answered(client.query("ROLLBACK"), ROLLBACK_SECONDS).catch(() => undefined);
  await answered(client.end(), connectSeconds).catch(() => undefined);
  // If the server never closed its side, the connection would keep this process from ending.
  client.connection.stream.destroy();
}

/** A statement that still runs is not waited for: the server ends it with the connection. */
const ROLLBACK_SECONDS = 1;

/**
 * The time zone in which the shop's own sessions write moments without one (`timestamp`): that of the role that owns most tables,
 * of the database, or of the server. This session has the last two as its own default, but another role.
 */
const SHOP_ZONE = `SELECT COALESCE((
    SELECT SUBSTRING(c.setting FROM '=(.*)')
    FROM pg_catalog.pg_db_role_setting AS s
    CROSS JOIN UNNEST(s.setconfig) AS c (setting)
    WHERE c.setting ~* '^timezone=[a-z]'
      AND s.setdatabase IN (0, (SELECT d.oid FROM pg_catalog.pg_database AS d WHERE d.datname = current_database()))
      AND s.setrole = (
        SELECT t.relowner
        FROM pg_catalog.pg_class AS t
        JOIN pg_catalog.pg_namespace AS n ON n.oid = t.relnamespace
        WHERE t.relkind IN ('r', 'p') AND n.nspname = ANY (current_schemas(FALSE))
        GROUP BY t.relowner ORDER BY COUNT(*) DESC, t.relowner LIMIT 1
      )
    ORDER BY s.setdatabase DESC LIMIT 1
  ), (SELECT p.reset_val FROM pg_catalog.pg_settings AS p WHERE p.name = 'TimeZone')) AS zone`;

/**
 * PostgreSQL takes a snapshot before it locks the first table, and shows a table that was emptied or rewritten between the two
 * as empty. So all tables are locked first, and if one was changed since the snapshot, a new one is taken
 * (docs/decisions/moving-stores.md).
 */
async function begin(
  connected: Connected,
  address: ServerAddress,
  now: SqlTime,
  zone: string,
  sources: readonly string[],
): Promise<Session> {
  const { client } = connected;
  let changed: Rows = [];
  for (let beginnings = 0; beginnings < MOST_BEGINNINGS; beginnings++) {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // The snapshot is taken by the first SELECT.
    const set = settings(address, now, zone);
    const calls = set.map((_, at) => `set_config($${2 * at + 1}, $${2 * at + 2}, true)`);
    await client.query(`SELECT ${calls.join(", ")}`, set.flat());
    await client.query(`SAVEPOINT ${SAVEPOINT}`);
    const session = new PostgresSession(connected, address);
    if (sources.length === 0 || !(await session.lock(sources))) return session;
    changed = await askOf(session)(CHANGED_TABLES);
    // Going back to an earlier savepoint would release the locks.
    if (changed.length === 0) {
      await client.query(`SAVEPOINT ${SAVEPOINT}`);
      return session;
    }
    await client.query("ROLLBACK");
  }
  throw new ChangedMeanwhile(
    `${changed.map(([table]) => table).join(", ")} changed again and again while the reading began`,
  );
}

/** How often a transaction is begun again because tables were changed between its snapshot and its locks. */
const MOST_BEGINNINGS = 10;

/** Also time limits in the server, so that it does not continue after this side has given up; and plans for all rows, not for the first. */
function settings(
  address: ServerAddress,
  now: SqlTime,
  zone: string,
): readonly (readonly [string, string])[] {
  return [
    ["vitrine.now", now],
    ["vitrine.zone", zone],
    ...SESSION_SETTINGS,
    ["statement_timeout", `${address.readSeconds}s`],
    ["lock_timeout", `${1000 * lockSeconds(address)}ms`],
    ["idle_in_transaction_session_timeout", `${IDLE_SECONDS}s`],
    ["cursor_tuple_fraction", "1"],
  ];
}

/** A failed statement is rolled back to this savepoint; otherwise the transaction would be over. */
const SAVEPOINT = "vitrine";

class PostgresSession implements Session {
  readonly now = "current_setting('vitrine.now')";
  readonly #client: pg.Client;
  readonly #lost: AbortSignal;
  readonly #address: ServerAddress;
  readonly #deadline: ReadingDeadline;
  #cursors = 0;

  constructor({ client, lost }: Connected, address: ServerAddress) {
    this.#client = client;
    this.#lost = lost;
    this.#address = address;
    this.#deadline = new ReadingDeadline(address);
  }

  /**
   * Locks all tables that these sources use, also through views, partitions and functions of plain SQL, until the
   * transaction ends. False if one fails: the reading of it reports that.
   */
  async lock(sources: readonly string[]): Promise<boolean> {
    for (const source of sources)
      try {
        await this.#fields(`SELECT * FROM ${source} LIMIT 0`);
      } catch (error) {
        if (!this.isSqlError(error)) throw error;
        return false;
      }
    return true;
  }

  async columns(sql: string): Promise<readonly string[]> {
    const fields = await this.#fields(sql);
    const money = fields.find(({ dataTypeID }) => dataTypeID === MONEY);
    if (money !== undefined) throw new UnreadableColumn(`${money.name} has the type money, ${CAST_MONEY}`);
    return fields.map(({ name }) => name);
  }

  async origins(sql: string): Promise<readonly Origin[]> {
    const fields = await this.#fields(`SELECT * FROM (\n${sql}\n) AS file LIMIT 0`);
    const { rows } = await this.#undoing(() =>
      this.#client.query<{ place: string; table: string; column: string }>(COLUMN_NAMES, [
        fields.map(({ tableID }) => tableID),
      ]),
    );
    const names = new Map(rows.map(({ place, table, column }) => [place, { table, column }]));
    return fields.map(({ name, tableID, columnID }) => ({
      column: name,
      of: names.get(`${tableID}.${columnID}`) ?? null,
    }));
  }

  #fields(sql: string): Promise<readonly pg.FieldDef[]> {
    return this.#undoing(async () => {
      // The extended protocol accepts one statement only; the driver's types do not know it yet.
      const config: pg.QueryConfig & { readonly queryMode: "extended" } = {
        text: sql,
        queryMode: "extended",
      };
      return (await this.#client.query(config)).fields;
    });
  }

  /** PREPARE takes one statement, and reads it without running it. */
  async mistake(sql: string): Promise<Mistake | null> {
    const beginning = "PREPARE vitrine_mistake AS\n";
    try {
      await this.#fields(beginning + sql);
      await this.#client.query("DEALLOCATE vitrine_mistake");
      return null;
    } catch (error) {
      if (!this.isSqlError(error)) throw error;
      const { position, hint } = error as pg.DatabaseError;
      const message = hint === undefined ? messageOf(error) : `${messageOf(error)}. ${hint}`;
      // It counts characters from 1, where JavaScript's strings count a rare one as two.
      const before = Array.from(beginning + sql).slice(0, Number(position) - 1);
      const at = position === undefined ? null : before.join("").length - beginning.length;
      return { error: saidAs(error, message), at };
    }
  }

  /**
   * By a cursor in SQL. The protocol's own way to take some rows at a time would wait for ever behind Pgpool-II 4.3, which
   * passes them on only with the end of the statement (docs/stores.md).
   */
  async *rows(sql: string): AsyncGenerator<Rows> {
    this.#cursors += 1;
    const cursor = `vitrine_rows_${this.#cursors}`;
    await this.#fields(`DECLARE ${cursor} NO SCROLL CURSOR FOR\n${sql}`);
    let next = this.#fetch(cursor);
    for (;;) {
      this.#deadline.check();
      const rows = await next;
      const isLast = rows.length < FETCH_ROWS;
      // The server makes the next rows while these are processed.
      if (!isLast) next = this.#fetch(cursor);
      if (rows.length > 0) yield rows;
      if (isLast) break;
    }
    // One that is not read to its end ends with the transaction.
    await this.#client.query(`CLOSE ${cursor}`);
  }

  #fetch(cursor: string): Promise<Rows> {
    const fetching = this.#undoing(() =>
      this.#client.query<StoreValue[]>({ text: `FETCH ${FETCH_ROWS} FROM ${cursor}`, rowMode: "array" }),
    );
    const found = fetching.then(({ rows }) => rows);
    // Attached now: it is awaited once the rows before it are processed, or not at all.
    found.catch(() => undefined);
    return found;
  }

  async #undoing<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      // Whatever the server reports ends the transaction, a file that it lacks too; with a connection that is over, this fails as well.
      if (error instanceof Error && "severity" in error)
        await this.#client.query(`ROLLBACK TO SAVEPOINT ${SAVEPOINT}`).catch(() => undefined);
      throw error;
    }
  }

  async plan(sql: string): Promise<string[]> {
    const explaining = () => this.#client.query<[string]>({ text: `EXPLAIN ${sql}`, rowMode: "array" });
    return (await this.#undoing(explaining)).rows.map(([line]) => line);
  }

  isSqlError(error: unknown): boolean {
    if (!(error instanceof Error) || !("code" in error) || !("severity" in error)) return false;
    return typeof error.code === "string" && isOfSql(error);
  }

  unreadable(error: unknown): Error {
    return serverFailure(this.#address, error, this.#lost);
  }

  async close(): Promise<void> {
    await end(this.#client, this.#address);
  }
}

/** Number of the type money in pg_type. */
const MONEY = 790;

/** The text of money has the currency's sign and a locale's separators. */
const CAST_MONEY = "whose text depends on the locale: cast it, like amount::numeric AS price";

/** Names of columns by their table's and their own number. */
const COLUMN_NAMES = `SELECT a.attrelid || '.' || a.attnum AS place, c.relname AS table, a.attname AS column
  FROM pg_catalog.pg_attribute AS a JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
  JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
  WHERE a.attrelid = ANY ($1::oid[]) AND n.nspname = current_schema()`;

/** Rows that are taken at once, while earlier ones are processed: at most twice as many are in memory. */
const FETCH_ROWS = 250;

/**
 * The tables that this transaction has locked and that its snapshot knows otherwise than they are now: rewritten, replaced by
 * another of their name, or without one of their partitions. Their older rows are gone for this snapshot, and their newer ones
 * are not in it yet. A catalogue that SQL reads is as old as the snapshot, one that PostgreSQL's functions read is current
 * (its manual, "Caveats" of concurrency control).
 */
const CHANGED_TABLES = `SELECT now.identity FROM pg_catalog.pg_locks AS l
  CROSS JOIN pg_catalog.pg_identify_object('pg_catalog.pg_class'::regclass, l.relation, 0) AS now
  LEFT JOIN pg_catalog.pg_class AS c ON c.oid = l.relation
  LEFT JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
  WHERE l.pid = pg_backend_pid() AND l.locktype = 'relation' AND now.schema <> 'pg_catalog'
    AND l.database = (SELECT d.oid FROM pg_catalog.pg_database AS d WHERE d.datname = current_database())
    AND (n.oid IS NULL OR now.identity <> format('%I.%I', n.nspname, c.relname)
      OR c.relfilenode <> COALESCE(pg_relation_filenode(c.oid), 0)
      OR c.relkind = 'p' AND EXISTS (SELECT FROM pg_catalog.pg_inherits AS i WHERE i.inhparent = c.oid
        AND i.inhrelid NOT IN (SELECT part.relid FROM pg_catalog.pg_partition_tree(c.oid) AS part)))`;

/**
 * Settings that change what SQL means and how values are written. Each is set to PostgreSQL's default, whatever the server,
 * the database or the role has. `search_path` is left to the role, because it selects the shop in a shared database.
 */
const SESSION_SETTINGS: readonly (readonly [string, string])[] = [
  ["standard_conforming_strings", "on"],
  ["backslash_quote", "safe_encoding"],
  ["transform_null_equals", "off"],
  ["TimeZone", "UTC"],
  ["timezone_abbreviations", "Default"],
  // The order decides how texts like 01/02/2026 are read.
  ["DateStyle", "ISO, MDY"],
  ["IntervalStyle", "postgres"],
  ["extra_float_digits", "1"],
  ["bytea_output", "hex"],
  ["xmlbinary", "base64"],
  ["lc_monetary", "C"],
  ["lc_numeric", "C"],
  ["lc_time", "C"],
];

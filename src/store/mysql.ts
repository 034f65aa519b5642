/** The store in MySQL or MariaDB: one connection, one read-only transaction, streamed rows. */
import { isIP } from "node:net";
import type { Duplex, Readable } from "node:stream";
import type { Connection, ConnectionOptions, FieldPacket, PrepareStatementInfo, QueryError } from "mysql2";
import { within } from "../base/clock.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { decodedTwice } from "../base/text.ts";
import type { SqlTime } from "../base/time.ts";
import type { Origin, StoreValue } from "../extract/store.ts";
import type { ServerAddress } from "./address.ts";
import { type Conversion, MYSQL_TYPES } from "./conversions.ts";
import { isOfSql } from "./passing.ts";
import {
  answered,
  askOf,
  ENDS_EARLY,
  EndedConnection,
  IDLE_SECONDS,
  lineStart,
  lockSeconds,
  type Mistake,
  ReadingDeadline,
  type Rows,
  type Session,
  type StoreConnection,
  saidAs,
  serverFailure,
} from "./session.ts";

export async function connectMysql(address: ServerAddress, password: string): Promise<StoreConnection> {
  const connected = await connect(address, password).catch((error: unknown) => {
    throw serverFailure(address, error);
  });
  const { connection, lost } = connected;
  const explained = (error: unknown) => {
    throw serverFailure(address, error, lost);
  };
  return {
    async begin(now, sources = []) {
      await answered(begin(connection, address, now), address.connectSeconds).catch(explained);
      await answered(lock(connection, sources), address.readSeconds).catch(explained);
      return new MysqlSession(connected, address);
    },
    end: async () =>
      void (await answered(ask(connection, "ROLLBACK"), address.connectSeconds).catch(explained)),
    close: () => end(connected),
  };
}

/** A connection, and whether it has ended. */
interface Connected {
  readonly connection: Connection;
  readonly lost: AbortSignal;
}

async function connect(address: ServerAddress, password: string): Promise<Connected> {
  const { default: driver } = await import("mysql2");
  const { host, port, user, database, tls, connectSeconds } = address;
  if (tls?.rejectUnauthorized === true && isIP(host) !== 0)
    // The driver would accept a certificate for "localhost".
    throw new VitrineError(
      "config_invalid",
      "The store's address must have a host name, not an IP address, for sslmode=verify-full.",
    );
  const place = host.startsWith("/") ? { socketPath: host } : { host, port };
  const connection = driver.createConnection({
    ...place,
    user,
    database,
    password,
    connectTimeout: connectSeconds * 1000,
    ...(tls === null ? {} : { ssl: { ...tls, verifyIdentity: tls.rejectUnauthorized === true } }),
    charset: "utf8mb4",
    timezone: "Z",
    dateStrings: true,
    supportBigNumbers: true,
    jsonStrings: true,
    multipleStatements: false,
    flags: ["-LOCAL_FILES"],
    rowsAsArray: true,
    enableKeepAlive: true,
  } as ConnectionOptions);
  // A broken connection is reported by the running query, or the next.
  const lost = new AbortController();
  connection.on("error", (error) => lost.abort(error));
  connection.on("end", () => lost.abort(new EndedConnection()));
  return { connection, lost: lost.signal };
}

/**
 * With a goodbye: without it, the server counts the connection as aborted and writes a warning into its log. A busy server does not
 * read it, and is not waited for.
 */
async function end({ connection, lost }: Connected): Promise<void> {
  if (!lost.aborted) {
    const ended = new Promise<void>((resolve) => {
      lost.addEventListener("abort", () => resolve());
      connection.end(() => resolve());
    });
    await within(GOODBYE_MILLISECONDS, ended, () => undefined);
  }
  connection.destroy();
  (connection as { readonly stream?: Duplex }).stream?.destroy();
}

const GOODBYE_MILLISECONDS = 1000;

async function begin(connection: Connection, address: ServerAddress, now: SqlTime): Promise<void> {
  await ask(connection, SESSION_SETTINGS);
  await ask(connection, NAMES);
  await bound(connection, address);
  const settings = "time_zone = '+00:00', SESSION group_concat_max_len = ?, @now = ?";
  await ask(connection, `SET ${settings}`, [MAX_CONCAT_BYTES, now]);
  await ask(connection, "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
  // The snapshot is taken by the first row that is read.
  await ask(connection, "START TRANSACTION READ ONLY");
}

function ask(connection: Connection, sql: string, values: (string | number)[] = []): Promise<FieldPacket[]> {
  return new Promise((resolve, reject) => {
    connection.query(sql, values, (error, _, fields) => (error === null ? resolve(fields) : reject(error)));
  });
}

/** More steps than a shop's recursion has, and few enough that one without an end fills no disk. */
const MAX_RECURSION = 1_000_000;

/**
 * Settings that change what SQL means, and that a server's operator may have changed for all sessions: each is set to the
 * default of MySQL and MariaDB. `NO_BACKSLASH_ESCAPES` would change a file's regular expressions, `ANSI_QUOTES` would turn its
 * texts into columns; a mistake's place is read from the server's message, which must be in English. MariaDB ends a recursion
 * after 1,000 steps with a warning only, MySQL with an error; providers limit the rows of a join. Only MariaDB reads the first two
 * comments and only MySQL the third.
 */
const SESSION_SETTINGS = `SET SESSION sql_mode = '', lc_time_names = 'en_US', lc_messages = 'en_US', default_week_format = 0,
  div_precision_increment = 4, max_sort_length = 1024, sql_select_limit = 18446744073709551615, sql_big_selects = 1 /*M!100100 , default_regex_flags = '' */
  /*M!100202 , max_recursive_iterations = ${MAX_RECURSION} */ /*!80003 , cte_max_recursion_depth = ${MAX_RECURSION} */`;

/** A server may be configured to ignore the character set that a client gives when it connects. */
const NAMES = "SET NAMES utf8mb4 COLLATE utf8mb4_general_ci";

/**
 * Limits in the server, so that it does not continue after this side has given up. Only MariaDB reads the comments with an M,
 * only MySQL the other; one takes seconds, the other milliseconds.
 */
async function bound(connection: Connection, address: ServerAddress): Promise<void> {
  const { readSeconds } = address;
  const statements = `/*M!100101 , max_statement_time = ${readSeconds} */ /*!50708 , max_execution_time = ${readSeconds * 1000} */`;
  const idle = `net_write_timeout = ${IDLE_SECONDS}, wait_timeout = ${IDLE_SECONDS} /*M!100300 , idle_transaction_timeout =
    ${IDLE_SECONDS}, idle_readonly_transaction_timeout = ${IDLE_SECONDS} */`;
  await ask(
    connection,
    `SET SESSION lock_wait_timeout = ${Math.ceil(lockSeconds(address))}, ${idle} ${statements}`,
  );
}

/** GROUP_CONCAT silently truncates longer texts. */
const MAX_CONCAT_BYTES = 1 << 30;

/**
 * Locks all tables that these sources use until the transaction ends, before its snapshot is taken: one statement opens all of
 * its tables first, and reads no row behind LIMIT 0. A table that was rewritten after the snapshot could not be read (1412), and
 * one without a partition, or with a new table in its place, would silently have other rows (docs/decisions/moving-stores.md).
 */
async function lock(connection: Connection, sources: readonly string[]): Promise<void> {
  if (sources.length === 0) return;
  const selects = sources.map((source) => `(SELECT 1 FROM ${source} LIMIT 0)`);
  try {
    await ask(connection, selects.join(" UNION ALL "));
  } catch (error) {
    // A source that is wrong is reported by its reading.
    if (!isSqlError(error)) throw error;
  }
}

function isSqlError(error: unknown): boolean {
  const { sqlState, fatal } = error as Partial<QueryError>;
  return error instanceof Error && sqlState !== undefined && fatal !== true && isOfSql(error);
}

class MysqlSession implements Session {
  readonly now = "@now";
  readonly #connection: Connection;
  readonly #address: ServerAddress;
  readonly #limits: ReadingLimits;

  constructor({ connection, lost }: Connected, address: ServerAddress) {
    this.#connection = connection;
    this.#address = address;
    this.#limits = { silenceSeconds: address.readSeconds, deadline: new ReadingDeadline(address), lost };
  }

  async columns(sql: string): Promise<readonly string[]> {
    const fields = await answered(ask(this.#connection, sql), this.#address.readSeconds);
    return fields.map(({ name }) => name);
  }

  /** Prepared as it is: as a subquery, the server would report the subquery's name instead of the table's. */
  async origins(sql: string): Promise<readonly Origin[]> {
    const fields = await answered(prepared(this.#connection, sql), this.#address.readSeconds);
    // With lower_case_table_names, the server writes it otherwise than the address.
    const [[database] = []] = await askOf(this)("SELECT DATABASE()");
    return fields.map(({ name, schema, orgTable, orgName }) => {
      const isTable = schema === database && !mayBeSubquery(sql, orgTable);
      return { column: name, of: isTable ? { table: orgTable, column: orgName } : null };
    });
  }

  async mistake(sql: string): Promise<Mistake | null> {
    try {
      await answered(prepared(this.#connection, sql), this.#address.readSeconds);
      return null;
    } catch (error) {
      if (!isSqlError(error)) throw error;
      const [, near = "", line] = /near '(.*)' at line (\d+)$/s.exec(messageOf(error)) ?? [];
      if (line === undefined) return { error, at: null };
      const start = lineStart(sql, Number(line));
      const [word = ""] = near.split("\n");
      const said = near === "" ? ENDS_EARLY : `syntax error near ${word}`;
      return {
        error: saidAs(error, said),
        at: near === "" ? sql.length : Math.max(start, sql.indexOf(near, start)),
      };
    }
  }

  async *rows(sql: string): AsyncGenerator<Rows> {
    let conversions: readonly (Conversion | undefined)[] = [];
    const query = this.#connection.query(sql);
    query.on("fields", (fields: readonly FieldPacket[]) => {
      conversions = fields.map(({ columnType }) => MYSQL_TYPES.get(columnType ?? -1));
    });
    const stream = query.stream({ highWaterMark: BUFFERED_ROWS });
    for await (const rows of rowsOfStream<StoreValue[]>(stream, this.#limits)) {
      for (const row of rows) {
        convert(row, conversions);
        if (this.#address.isEncodedTwice) decode(row);
      }
      yield rows;
    }
  }

  async plan(sql: string): Promise<string[]> {
    const steps = await askOf(this)(`EXPLAIN ${sql}`);
    return steps.map((step) => step.map((value) => String(value ?? "-")).join("  "));
  }

  isSqlError(error: unknown): boolean {
    return isSqlError(error);
  }

  unreadable(error: unknown): Error {
    return serverFailure(this.#address, error, this.#limits.lost);
  }

  close(): Promise<void> {
    return end({ connection: this.#connection, lost: this.#limits.lost });
  }
}

/** The columns of a statement that is prepared and not run; the driver's types lack them. */
function prepared(connection: Connection, sql: string): Promise<readonly FieldPacket[]> {
  return new Promise((resolve, reject) => {
    connection.prepare(sql, (error, statement) => {
      if (error !== null) return reject(error);
      resolve((statement as PrepareStatementInfo & { readonly columns: readonly FieldPacket[] }).columns);
      statement.close();
    });
  });
}

/**
 * True if a table's name may be that of the file's own subquery: `(SELECT …) AS products`, `WITH products AS (…)`. The server
 * reports both alike.
 */
function mayBeSubquery(sql: string, table: string): boolean {
  // The server executes such a comment's content; quotes within a name are doubled.
  if (/\/\*M?!/.test(sql) || /[`"]/.test(table)) return true;
  const name = `[\`"]?${table.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}[\`"]?(?![\\w$])`;
  const behind = `\\)${GAP}(?:as${GAP})?${name}`;
  const before = `(?<![\\w$])${name}${GAP}(?:\\([^]*?\\)${GAP})?as${GAP}\\(`;
  return new RegExp(`${behind}|${before}`, "iu").test(sql);
}

/** Blanks and comments between two words. */
const GAP = String.raw`(?:\s|/\*(?:(?!\*/)[^])*\*/|(?:--|#)[^\n]*\n)*`;

/** Rows that are buffered while earlier ones are processed. */
const BUFFERED_ROWS = 250;

function convert(row: StoreValue[], conversions: readonly (Conversion | undefined)[]): void {
  conversions.forEach((conversion, at) => {
    const value = row[at];
    if (conversion !== undefined && value !== null) row[at] = conversion(value as never);
  });
}

/** Texts as the shop reads them, repaired where they were encoded twice. Other texts are kept. */
function decode(row: StoreValue[]): void {
  row.forEach((value, at) => {
    if (typeof value === "string") row[at] = decodedTwice(value) ?? value;
  });
}

/** What ends a reading: silence, the end of its connection, its whole length. */
interface ReadingLimits {
  readonly silenceSeconds: number;
  readonly deadline: ReadingDeadline;
  /** Aborted with the connection's error. The driver's streams do not fail, end or close with their connection. */
  readonly lost: AbortSignal;
}

/**
 * All rows of a driver's stream, in batches as they arrive: an await for each row would cost more than the row. The stream is
 * destroyed with the iterator. @throws SilentStore, LongReading, the connection's error
 */
async function* rowsOfStream<Row>(
  stream: Readable,
  { silenceSeconds, deadline, lost }: ReadingLimits,
): AsyncGenerator<readonly Row[]> {
  let wake = () => {};
  const wakeNow = () => wake();
  for (const event of ["readable", "end", "close", "error"]) stream.on(event, wakeNow);
  lost.addEventListener("abort", wakeNow);
  try {
    for (;;) {
      deadline.check();
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const rows: Row[] = [];
      for (let row = stream.read(); row !== null; row = stream.read()) rows.push(row);
      if (stream.errored !== null) throw stream.errored;
      if (rows.length > 0) {
        yield rows;
        continue;
      }
      if (stream.readableEnded || stream.closed) return;
      lost.throwIfAborted();
      await answered(woken, silenceSeconds);
    }
  } finally {
    lost.removeEventListener("abort", wakeNow);
    stream.destroy();
  }
}

/** The store in MySQL or MariaDB: one connection, one read-only transaction, rows as they come. */
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import type { Connection, ConnectionOptions, FieldPacket, PrepareStatementInfo, QueryError } from "mysql2";
import { VitrineError } from "../base/error.ts";
import { decodedTwice } from "../base/text.ts";
import type { SqlTime } from "../base/time.ts";
import type { Origin, StoreValue } from "../extract/store.ts";
import type { ServerAddress } from "./address.ts";
import { type Conversion, MYSQL_TYPES } from "./conversions.ts";
import {
  answered,
  askOf,
  isTimeout,
  type Rows,
  rowsOfStream,
  type Session,
  type Connection as StoreConnection,
  serverFailure,
} from "./session.ts";

/** Rows that are held while those before are worked on. */
const HELD_ROWS = 250;

/** How long the server waits for us to take rows: as long as a batch may take to make. */
const WRITE_SECONDS = 600;

/** Texts that GROUP_CONCAT makes are cut off without a word where they are longer. */
const MOST_CONCAT_BYTES = 1 << 30;

/**
 * What SQL means depends on these, and a server's operator may have set others for all: each is what MySQL and MariaDB
 * have unless they are told otherwise. `NO_BACKSLASH_ESCAPES` would make other patterns of a file's regular expressions,
 * `ANSI_QUOTES` columns of its texts. MariaDB alone reads the comment.
 */
const MEANING = `SET SESSION sql_mode = '', lc_time_names = 'en_US', default_week_format = 0, div_precision_increment = 4,
  max_sort_length = 1024, sql_select_limit = 18446744073709551615 /*M!100100 , default_regex_flags = '' */`;

/** The server may have been started to take no character set that a client names when it connects. */
const NAMES = "SET NAMES utf8mb4 COLLATE utf8mb4_general_ci";

async function connect(address: ServerAddress, password: string): Promise<Connection> {
  const { default: driver } = await import("mysql2");
  const { host, port, user, database, tls, connectSeconds } = address;
  if (tls?.rejectUnauthorized === true && isIP(host) !== 0)
    // The driver would take a certificate for "localhost".
    throw new VitrineError(
      "config_invalid",
      "The store's address must name the host by its name, not by its number, for sslmode=verify-full.",
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
  // A broken connection is reported by the query under way, or the next.
  connection.on("error", () => undefined);
  return connection;
}

function ask(connection: Connection, sql: string, values: (string | number)[] = []): Promise<FieldPacket[]> {
  return new Promise((resolve, reject) => {
    connection.query(sql, values, (error, _, fields) => (error === null ? resolve(fields) : reject(error)));
  });
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

/** Blanks and comments between two words. */
const GAP = String.raw`(?:\s|/\*(?:(?!\*/)[^])*\*/|(?:--|#)[^\n]*\n)*`;

/**
 * True where a table's name may be that of the file's own subquery: `(SELECT …) AS products`, `WITH products AS (…)`. The
 * server names that, too.
 */
function mayBeSubquery(sql: string, table: string): boolean {
  // The server reads what stands in such a comment; quotes within a name are doubled.
  if (/\/\*M?!/.test(sql) || /[`"]/.test(table)) return true;
  const name = `[\`"]?${table.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}[\`"]?(?![\\w$])`;
  const behind = `\\)${GAP}(?:as${GAP})?${name}`;
  const before = `(?<![\\w$])${name}${GAP}(?:\\([^]*?\\)${GAP})?as${GAP}\\(`;
  return new RegExp(`${behind}|${before}`, "iu").test(sql);
}

/**
 * The server's own bounds, so that it does not work on for nobody: MariaDB alone reads the first comment, MySQL alone the
 * second, each in seconds and milliseconds of its own variable.
 */
async function bound(connection: Connection, { readSeconds }: ServerAddress): Promise<void> {
  const statements = `/*M!100101 , max_statement_time = ${readSeconds} */ /*!50708 , max_execution_time = ${readSeconds * 1000} */`;
  await ask(connection, `SET SESSION lock_wait_timeout = ${readSeconds} ${statements}`);
}

/** The driver alone would only say goodbye, which a server that is at work does not hear: the process would stay. */
function end(connection: Connection): void {
  connection.destroy();
  (connection as { readonly stream?: Duplex }).stream?.destroy();
}

async function begin(connection: Connection, address: ServerAddress, now: SqlTime): Promise<void> {
  await ask(connection, MEANING);
  await ask(connection, NAMES);
  await bound(connection, address);
  const settings =
    "time_zone = '+00:00', SESSION group_concat_max_len = ?, SESSION net_write_timeout = ?, @now = ?";
  await ask(connection, `SET ${settings}`, [MOST_CONCAT_BYTES, WRITE_SECONDS, now]);
  await ask(connection, "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
  await ask(connection, "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
}

class MysqlSession implements Session {
  readonly now = "@now";
  readonly #connection: Connection;
  readonly #address: ServerAddress;

  constructor(connection: Connection, address: ServerAddress) {
    this.#connection = connection;
    this.#address = address;
  }

  async columns(sql: string): Promise<readonly string[]> {
    const fields = await answered(ask(this.#connection, sql), this.#address.readSeconds);
    return fields.map(({ name }) => name);
  }

  /** A statement that is run as a subquery would name the subquery: so it is prepared as it is. */
  async origins(sql: string): Promise<readonly Origin[]> {
    const fields = await answered(prepared(this.#connection, sql), this.#address.readSeconds);
    return fields.map(({ name, schema, orgTable, orgName }) => {
      const isTable = schema === this.#address.database && !mayBeSubquery(sql, orgTable);
      return { column: name, of: isTable ? { table: orgTable, column: orgName } : null };
    });
  }

  async *rows(sql: string): AsyncGenerator<Rows> {
    let conversions: readonly (Conversion | undefined)[] = [];
    const query = this.#connection.query(sql);
    query.on("fields", (fields: readonly FieldPacket[]) => {
      conversions = fields.map(({ columnType }) => MYSQL_TYPES.get(columnType ?? -1));
    });
    const stream = query.stream({ highWaterMark: HELD_ROWS });
    for await (const rows of rowsOfStream<StoreValue[]>(stream, this.#address.readSeconds)) {
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

  isOfTheSql(error: unknown): boolean {
    const { sqlState, fatal } = error as Partial<QueryError>;
    return error instanceof Error && sqlState !== undefined && fatal !== true && !isTimeout(error);
  }

  unreadable(error: unknown): Error {
    return serverFailure(this.#address, error);
  }

  async close(): Promise<void> {
    end(this.#connection);
  }
}

function convert(row: StoreValue[], conversions: readonly (Conversion | undefined)[]): void {
  conversions.forEach((conversion, at) => {
    const value = row[at];
    if (conversion !== undefined && value !== null) row[at] = conversion(value as never);
  });
}

/** Texts as the shop reads them: what it wrote as UTF-8 on a connection of latin1. Others stay as they are. */
function decode(row: StoreValue[]): void {
  row.forEach((value, at) => {
    if (typeof value === "string") row[at] = decodedTwice(value) ?? value;
  });
}

export async function connectMysql(address: ServerAddress, password: string): Promise<StoreConnection> {
  const explained = (error: unknown) => {
    throw serverFailure(address, error);
  };
  const connection = await connect(address, password).catch(explained);
  const session = new MysqlSession(connection, address);
  return {
    async begin(now) {
      await answered(begin(connection, address, now), address.connectSeconds).catch(explained);
      return session;
    },
    end: async () =>
      void (await answered(ask(connection, "ROLLBACK"), address.connectSeconds).catch(explained)),
    close: () => session.close(),
  };
}

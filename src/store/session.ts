/** A connection to a store's database: the interface of all adapters, and the common parts of those for servers. */
import type { Readable } from "node:stream";
import { messageOf, VitrineError } from "../base/error.ts";
import type { SqlTime } from "../base/time.ts";
import type { Origin, RowText, StoreValue } from "../extract/store.ts";
import { PASSWORD_PLACES, type ServerAddress } from "./address.ts";

export type Rows = readonly (readonly StoreValue[])[];

/** Runs a SELECT and returns its rows. */
export type Ask = (sql: string) => Promise<Rows>;

/** Which rows of a file's SQL are read, and how. */
export interface RowQuery {
  readonly source: string;
  readonly columns: readonly string[];
  /** Columns whose values are also returned separately. */
  readonly extraColumns: readonly string[];
  /** Only the rows with these ids; undefined: all rows. */
  readonly ids: readonly number[] | undefined;
}

/**
 * One read-only transaction of a connection, which sees the store as it is at one moment. Statements run one after the other;
 * a failed one leaves the transaction usable.
 */
export interface Session {
  /** The moment of the build, as the dialect writes it: `:now`, `@now`. */
  readonly now: string;
  /** The columns of a statement, without reading a row. */
  columns(sql: string): Promise<readonly string[]>;
  /** Where the columns of a SELECT come from, without reading a row. */
  origins(sql: string): Promise<readonly Origin[]>;
  /** Rows of a statement, in batches as they arrive; values as in `conversions.ts`. */
  rows(sql: string): AsyncIterable<Rows>;
  /** Rows as JSON text, made by the database itself. */
  texts?(reading: RowQuery): Iterable<RowText>;
  /** The database's query plan. */
  plan(sql: string): Promise<readonly string[]>;
  /** True if the statement or a row caused the error: not the connection, not the server. */
  isSqlError(error: unknown): boolean;
  /** The error to report for any other one. */
  unreadable(error: unknown): unknown;
  close(): Promise<void>;
}

/** A connection to a store, outside of any transaction. */
export interface Connection {
  /** Begins the session's transaction. @throws VitrineError store_unreadable */
  begin(now: SqlTime): Promise<Session>;
  /** Ends that transaction; another may begin. */
  end(): Promise<void>;
  close(): Promise<void>;
}

/** For statements that return few rows. */
export function askOf(session: Pick<Session, "rows">): Ask {
  return async (sql) => {
    const found: Rows[number][] = [];
    for await (const rows of session.rows(sql)) found.push(...rows);
    return found;
  };
}

/** The server has been silent for too long. */
class SilentStore extends Error {
  constructor(seconds: number) {
    super(`it has not answered for ${seconds} s`);
  }
}

/** Stops waiting for a promise after some seconds; its work is not cancelled. @throws SilentStore */
export async function answered<Value>(promise: Promise<Value>, seconds: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SilentStore(seconds)), seconds * 1000);
    // The connection keeps the process alive; once it is closed, nothing is left to wait for.
    timer.unref();
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => undefined);
  }
}

/**
 * All rows of a driver's stream, in batches as they arrive: an await for each row would cost more than the row. The stream is
 * destroyed with the iterator. @throws SilentStore
 */
export async function* rowsOfStream<Row>(
  stream: Readable,
  silenceSeconds: number,
): AsyncGenerator<readonly Row[]> {
  let wake = () => {};
  for (const event of ["readable", "end", "close", "error"]) stream.on(event, () => wake());
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const rows: Row[] = [];
      for (let row = stream.read(); row !== null; row = stream.read()) rows.push(row);
      if (stream.errored !== null) throw stream.errored;
      if (rows.length > 0) yield rows;
      else if (stream.readableEnded || stream.closed) return;
      else await answered(woken, silenceSeconds);
    }
  } finally {
    stream.destroy();
  }
}

/** The server refused the login: SQLSTATE class 28 in every server. */
function isRefusedLogin(error: unknown): boolean {
  const { code, sqlState } = (error ?? {}) as { readonly code?: unknown; readonly sqlState?: unknown };
  // PostgreSQL's driver demands a password before the server has asked for one.
  return /^28/.test(String(sqlState ?? code)) || /client password must be/.test(messageOf(error));
}

/** PostgreSQL: cancelled, lock not available. MariaDB and MySQL: lock wait, interrupted, statement time, the same in MySQL. */
const TIMEOUTS: readonly unknown[] = ["57014", "55P03", 1205, 1317, 1969, 3024];

/** True if a statement took too long, as reported by the server or noticed here. */
export function isTimeout(error: unknown): boolean {
  const { code, errno } = (error ?? {}) as { readonly code?: unknown; readonly errno?: unknown };
  // PostgreSQL's driver says so only in its message.
  return (
    error instanceof SilentStore || TIMEOUTS.includes(errno ?? code) || /read timeout/.test(messageOf(error))
  );
}

/** The error to report for one that the SQL did not cause. */
export function serverFailure(address: ServerAddress, error: unknown): VitrineError {
  if (error instanceof VitrineError) return error;
  let hint = "";
  if (isRefusedLogin(error)) hint = ` Give its password in ${PASSWORD_PLACES}.`;
  else if (isTimeout(error))
    hint =
      ` The limit for a statement is ${address.readSeconds} s: make its SQL faster, or set read_timeout=SECONDS in the ` +
      "address.";
  return new VitrineError(
    "store_unreadable",
    `Cannot read the store ${address.shown}: ${messageOf(error)}.${hint}`,
    { cause: error },
  );
}

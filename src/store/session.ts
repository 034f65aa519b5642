/** A connection to a store's database, as the adapter for its kind gives it; and what adapters of servers have in common. */
import type { Readable } from "node:stream";
import { messageOf, VitrineError } from "../base/error.ts";
import type { SqlTime } from "../base/time.ts";
import type { Origin, RowText, StoreValue } from "../extract/store.ts";
import { PASSWORD_PLACES, type ServerAddress } from "./address.ts";

export type Rows = readonly (readonly StoreValue[])[];

/** Runs a SELECT and gives its rows. */
export type Ask = (sql: string) => Promise<Rows>;

/** Which rows of a file's SQL are read, and how. */
export interface RowQuery {
  readonly source: string;
  readonly columns: readonly string[];
  /** Columns whose values are wanted on their own. */
  readonly extraColumns: readonly string[];
  /** Of the only rows; undefined: all rows. */
  readonly ids: readonly number[] | undefined;
}

/**
 * A connection within its one transaction, which only reads and sees the store as it is at one moment. Statements come one
 * after the other; one that fails leaves the transaction as it was.
 */
export interface Session {
  /** How SQL says the moment of the build. */
  readonly now: string;
  /** The columns that a statement gives, without reading a row. */
  columns(sql: string): Promise<readonly string[]>;
  /** Where the columns of a SELECT come from, without reading a row. */
  origins(sql: string): Promise<readonly Origin[]>;
  /** Rows of a statement, as many at once as there are; values as `conversions.ts` has them. */
  rows(sql: string): AsyncIterable<Rows>;
  /** Rows as texts that the database makes itself. */
  texts?(reading: RowQuery): Iterable<RowText>;
  /** How a statement would be run, in the database's words. */
  plan(sql: string): Promise<readonly string[]>;
  /** True for what the statement or a row is to blame for: not the connection, not the server. */
  isOfTheSql(error: unknown): boolean;
  /** What any other error becomes. */
  unreadable(error: unknown): unknown;
  close(): Promise<void>;
}

/** A connection to a store, outside of any transaction. */
export interface Connection {
  /** Begins the one transaction that a session is. @throws VitrineError store_unreadable */
  begin(now: SqlTime): Promise<Session>;
  /** Ends that transaction: another may begin. */
  end(): Promise<void>;
  close(): Promise<void>;
}

/** Rows of a statement that gives few. */
export function askOf(session: Pick<Session, "rows">): Ask {
  return async (sql) => {
    const found: Rows[number][] = [];
    for await (const rows of session.rows(sql)) found.push(...rows);
    return found;
  };
}

/** Nothing came for so long that nothing will. */
class SilentStore extends Error {
  constructor(seconds: number) {
    super(`it has not answered for ${seconds} s`);
  }
}

/** Ends the wait for a promise after some seconds; what it stands for goes on. @throws SilentStore */
export async function answered<Value>(promise: Promise<Value>, seconds: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SilentStore(seconds)), seconds * 1000);
    // The connection keeps the process alive; once that is closed, the wait is for nothing.
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
 * All rows of a driver's stream, as many at once as there are: an await for each would cost more than the row. The stream is
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

/** What a server says to a login that it refuses: SQLSTATE class 28, whatever the server. */
function isRefusedLogin(error: unknown): boolean {
  const { code, sqlState } = (error ?? {}) as { readonly code?: unknown; readonly sqlState?: unknown };
  // The driver of PostgreSQL asks for a password before it asks the server whether there must be one.
  return /^28/.test(String(sqlState ?? code)) || /client password must be/.test(messageOf(error));
}

/** PostgreSQL: cancelled, lock not available. MariaDB and MySQL: lock wait, interrupted, statement's time, the same in MySQL. */
const TIMEOUTS: readonly unknown[] = ["57014", "55P03", 1205, 1317, 1969, 3024];

/** True where a statement took longer than it may, as the server says or this side found. */
export function isTimeout(error: unknown): boolean {
  const { code, errno } = (error ?? {}) as { readonly code?: unknown; readonly errno?: unknown };
  // The driver of PostgreSQL says so in words alone.
  return (
    error instanceof SilentStore || TIMEOUTS.includes(errno ?? code) || /read timeout/.test(messageOf(error))
  );
}

/** What an error that the SQL is not to blame for becomes. */
export function serverFailure(address: ServerAddress, error: unknown): VitrineError {
  if (error instanceof VitrineError) return error;
  let hint = "";
  if (isRefusedLogin(error)) hint = ` Its password is given as ${PASSWORD_PLACES}.`;
  else if (isTimeout(error))
    hint =
      ` A statement may take ${address.readSeconds} s there: make its SQL faster, or give read_timeout=SECONDS in the ` +
      "address.";
  return new VitrineError(
    "store_unreadable",
    `Cannot read the store ${address.shown}: ${messageOf(error)}.${hint}`,
    { cause: error },
  );
}

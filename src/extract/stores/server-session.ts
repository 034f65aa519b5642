/** A kind of database server, as its adapter gives it. */
import { messageOf, VitrineError } from "../../base/error.ts";
import type { SqlTime } from "../../base/time.ts";
import type { Ask, CaptureDialect } from "../capture/dialect.ts";
import type { Origin, StoreValue } from "../store.ts";
import { PASSWORD_PLACES, type ServerAddress } from "./address.ts";
import { SilentStore } from "./row-stream.ts";

/**
 * A connection within its one transaction, which only reads and has one picture of the store. Statements come one after
 * the other; one that fails leaves the transaction as it was.
 */
export interface ServerSession {
  /** The columns that a statement gives, without reading a row. */
  columns(sql: string): Promise<readonly string[]>;
  /** Where the columns of a SELECT come from, without reading a row. */
  origins(sql: string): Promise<readonly Origin[]>;
  /** Rows of a statement, as many at once as there are; values as `conversions.ts` has them. */
  rows(sql: string): AsyncIterable<readonly (readonly StoreValue[])[]>;
  /** True for what the statement or a row is to blame for: not the connection, not the server. */
  isOfTheSql(error: unknown): boolean;
  close(): Promise<void>;
}

/** Rows of a statement that gives few. */
export async function allRows(
  session: Pick<ServerSession, "rows">,
  sql: string,
): Promise<readonly (readonly StoreValue[])[]> {
  const found: (readonly StoreValue[])[] = [];
  for await (const rows of session.rows(sql)) found.push(...rows);
  return found;
}

export function askOf(session: Pick<ServerSession, "rows">): Ask {
  return (sql) => allRows(session, sql);
}

/** What the files of one server differ in from another's. */
export interface Dialect {
  /** How SQL says the moment of the build. */
  readonly now: string;
  /** What stands before a statement for its plan. */
  readonly explain: string;
  readonly capture: CaptureDialect;
}

/** One kind of server. */
export interface ServerDriver {
  readonly dialect: Dialect;
  /** @throws VitrineError store_unreadable, usage */
  open(address: ServerAddress, password: string, now: SqlTime): Promise<ServerSession>;
  /** A connection that sees what is committed, for who looks again and again. */
  connect(
    address: ServerAddress,
    password: string,
  ): Promise<{ readonly ask: Ask; readonly close: () => Promise<void> }>;
  /** Runs statements that write, in their order: what `vitrine capture` does, and nothing else. */
  run(address: ServerAddress, password: string, statements: readonly string[]): Promise<void>;
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

function hintOf({ readSeconds }: ServerAddress, error: unknown): string {
  if (isRefusedLogin(error)) return ` Its password is given as ${PASSWORD_PLACES}.`;
  if (!isTimeout(error)) return "";
  return ` A statement may take ${readSeconds} s there: make its SQL faster, or give read_timeout=SECONDS in the address.`;
}

function failed(what: string, address: ServerAddress, error: unknown): VitrineError {
  if (error instanceof VitrineError) return error;
  const hint = hintOf(address, error);
  return new VitrineError(
    "store_unreadable",
    `Cannot ${what} the store ${address.shown}: ${messageOf(error)}.${hint}`,
    { cause: error },
  );
}

/** What an error that the SQL is not to blame for becomes. */
export function unreadable(address: ServerAddress, error: unknown): VitrineError {
  return failed("read", address, error);
}

export function unwritable(address: ServerAddress, error: unknown): VitrineError {
  return failed("change", address, error);
}

/** A connection to a store's database: the interface of all adapters, and the common parts of those for servers. */

import { CLOCK, within } from "../base/clock.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import type { SqlTime } from "../base/time.ts";
import type { Origin, RowText, StoreValue } from "../extract/store.ts";
import { PASSWORD_PLACES, type ServerAddress } from "./address.ts";
import { serverState } from "./passing.ts";

export type Rows = readonly (readonly StoreValue[])[];

/** Runs a SELECT and returns its rows. */
export type Ask = (sql: string) => Promise<Rows>;

/** Why a database refuses a statement. */
export interface Mistake {
  readonly error: unknown;
  /** The character of the statement at which it noticed that; null if it does not say. */
  readonly at: number | null;
}

export const ENDS_EARLY = "the SQL ends too early: something is missing, or a bracket is not closed";

/** A database's error in other words, of the same kind. */
export function saidAs(error: unknown, message: string): Error {
  const { code, errno } = error as { readonly code?: unknown; readonly errno?: unknown };
  return Object.assign(new Error(message, { cause: error }), { code, errno });
}

/** A column whose SQL is right, and whose values no file can have. The message says what to write instead. */
export class UnreadableColumn extends Error {}

/** The index at which a line begins, from 1. */
export function lineStart(text: string, line: number): number {
  const before = text.split("\n").slice(0, line - 1);
  return before.reduce((sum, { length }) => sum + length + 1, 0);
}

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
  /** The mistake in a statement as it is, found without running it. */
  mistake(sql: string): Promise<Mistake | null>;
  /** The database's query plan. */
  plan(sql: string): Promise<readonly string[]>;
  /** True if the statement or a row caused the error: not the connection, not the server. */
  isSqlError(error: unknown): boolean;
  /** The error to report for any other one. */
  unreadable(error: unknown): unknown;
  close(): Promise<void>;
}

/** A connection to a store, outside of any transaction. */
export interface StoreConnection {
  /**
   * Begins the session's transaction. The tables of these sources, which will be read, are not rewritten, emptied or replaced
   * until it ends, and its snapshot is not older than that. A source that fails is left to its reading to report.
   * @throws VitrineError store_unreadable
   */
  begin(now: SqlTime, sources?: readonly string[]): Promise<Session>;
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
  promise.catch(() => undefined);
  const silent = () => {
    throw new SilentStore(seconds);
  };
  // The connection keeps the process alive; once it is closed, nothing is left to wait for.
  return within(seconds * 1000, promise, silent, { isBackground: true });
}

/** The connection has ended, and the server gave no reason. */
export class EndedConnection extends Error {
  readonly code = "ECONNRESET";

  constructor() {
    super("the server ended the connection");
  }
}

/** The server refused the login: SQLSTATE class 28 in every server. */
function isRefusedLogin(error: unknown): boolean {
  const { code, sqlState } = (error ?? {}) as { readonly code?: unknown; readonly sqlState?: unknown };
  // PostgreSQL's driver demands a password before the server has asked for one.
  return /^28/.test(String(sqlState ?? code)) || /client password must be/.test(messageOf(error));
}

/** PostgreSQL: cancelled. MariaDB and MySQL: interrupted, statement time, the same in MySQL. */
const TIMEOUTS: readonly unknown[] = ["57014", 1317, 1969, 3024];

/** True if a statement took too long, as reported by the server or noticed here. */
function isTimeout(error: unknown): boolean {
  const { code, errno } = (error ?? {}) as { readonly code?: unknown; readonly errno?: unknown };
  // PostgreSQL's driver says so only in its message.
  return (
    error instanceof SilentStore || TIMEOUTS.includes(errno ?? code) || /read timeout/.test(messageOf(error))
  );
}

/** MySQL's driver, of a way to log in that it does not have: MariaDB's ed25519 and PARSEC, LDAP, Kerberos. */
const UNKNOWN_PLUGIN = /unknown plugin (\w+)/;

/** Only a standby ends a transaction that only reads with a serialization failure. */
function isStandbyConflict({ kind }: ServerAddress, error: unknown): boolean {
  return kind === "postgres" && (error as { readonly code?: unknown } | null)?.code === "40001";
}

/** The longest wait for another session's lock. Meanwhile the tables that are locked already are kept from the shop's migrations. */
const LOCK_SECONDS = 10;

/** How long a session may do nothing within its transaction, or take no rows: as long as processing a batch may take. */
export const IDLE_SECONDS = 600;

/** Less than the limit of the whole statement, so that the server reports which of the two it was. */
export function lockSeconds({ readSeconds }: ServerAddress): number {
  return Math.min(LOCK_SECONDS, readSeconds / 2);
}

/** Ends readings that would keep the shop from changing its tables for hours. */
export class ReadingDeadline {
  readonly #ends: number;
  readonly #seconds: number;

  /** A reading has many statements: it may take six times as long as one. */
  constructor({ readSeconds }: ServerAddress) {
    this.#seconds = 6 * readSeconds;
    this.#ends = CLOCK.elapsed() + 1000 * this.#seconds;
  }

  /** @throws LongReading */
  check(): void {
    if (CLOCK.elapsed() > this.#ends) throw new LongReading(this.#seconds);
  }
}

class LongReading extends Error {
  constructor(seconds: number) {
    super(`reading it has taken more than ${seconds} s, six times its read_timeout`);
  }
}

/**
 * The error to report for one that the SQL did not cause.
 * @param lost aborted if the connection has ended: what the server said then explains what the driver says now
 */
export function serverFailure(address: ServerAddress, thrown: unknown, lost?: AbortSignal): VitrineError {
  if (thrown instanceof VitrineError) return thrown;
  const error = lost?.aborted === true && serverState(thrown) === null ? (lost.reason as unknown) : thrown;
  const [, plugin] = UNKNOWN_PLUGIN.exec(messageOf(error)) ?? [];
  const said =
    plugin === undefined ? messageOf(error) : `the role logs in by ${plugin}, which Vitrine cannot do`;
  let hint = "";
  if (plugin !== undefined)
    hint =
      " Give the role a password of another kind: in MariaDB, ALTER USER … IDENTIFIED VIA mysql_native_password USING " +
      "PASSWORD('…'); in MySQL, ALTER USER … IDENTIFIED WITH caching_sha2_password BY '…'.";
  else if (isStandbyConflict(address, error))
    hint =
      " The server is a standby that had to replay a change, and ends readings that keep it back: set max_standby_streaming_delay " +
      "on it to more than `extracted in` of a build, or hot_standby_feedback = on (docs/stores.md, “Poolers and replicas”).";
  else if (isRefusedLogin(error)) hint = ` Give its password in ${PASSWORD_PLACES}.`;
  else if (serverState(error) === "lock")
    hint =
      ` Another session kept a table locked for ${lockSeconds(address)} s (${LOCK_SECONDS} s, or half of ` +
      "read_timeout in the address), as a migration or an import does: try again once it has ended.";
  else if (/statement pooling mode/.test(messageOf(error)))
    hint =
      " A reading is one transaction: give its database pool_mode=transaction (or session) in PgBouncer's file, or name the " +
      "server itself (docs/stores.md, “Poolers and replicas”).";
  else if (isTimeout(error) || error instanceof LongReading)
    hint =
      ` The limit for a statement is ${address.readSeconds} s: make its SQL faster, or set read_timeout=SECONDS in the ` +
      "address.";
  return new VitrineError("store_unreadable", `Cannot read the store ${address.shown}: ${said}.${hint}`, {
    cause: error,
  });
}

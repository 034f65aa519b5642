/**
 * Errors that a database reports although no SQL and no row is wrong, and which of them pass. Databases move while they are read:
 * a migration, an import, a restart or a failover ends a reading that succeeds a moment later.
 */
import { VitrineError } from "../base/error.ts";

/**
 * `lock`: another session holds a table. `moment`: passes by itself. `definition`: a name that the SQL uses is missing, perhaps
 * only between two statements of a migration; otherwise the SQL is wrong. `server`: nothing is wrong with the SQL, and another
 * try would fail, too.
 */
export type ServerState = "lock" | "moment" | "definition" | "server";

/** By SQLSTATE, by the first two characters of one, by the errno of MySQL and MariaDB, or by the code of SQLite or the system. */
const STATES: ReadonlyMap<unknown, ServerState> = new Map(
  Object.entries({
    lock: [
      "55P03", // PostgreSQL: lock_timeout
      1205, // lock_wait_timeout
      3572, // MySQL: NOWAIT
    ],
    moment: [
      "08", // PostgreSQL, PgBouncer: the connection
      "53300", // too many connections
      "40001", // serialization; on a standby: a conflict with recovery
      "40P01", // deadlock
      "57P01", // the administrator ends the server or the session
      "57P02", // another session crashed
      "57P03", // the server starts
      "57P05", // idle_session_timeout
      "25P03", // idle_in_transaction_session_timeout
      "25P04", // transaction_timeout, from PostgreSQL 17 on
      "XX000", // could not open relation: it was dropped meanwhile
      1412, // the table was rewritten or replaced after the snapshot was taken
      1213, // deadlock
      1020, // MariaDB: a row changed since it was read
      1615, // a prepared statement must be prepared again
      1040, // too many connections
      1203, // too many connections of this user
      1053, // the server is shutting down
      1927, // MariaDB: KILL CONNECTION
      1047, // Galera: this node is not part of the cluster yet
      1158, // a network error while reading, …
      1159, // … its timeout,
      1160, // a network error while writing,
      1161, // … its timeout
      4031, // MySQL: idle for too long
      "ECONNRESET",
      "EPIPE",
      "PROTOCOL_CONNECTION_LOST",
      "SQLITE_PROTOCOL", // several processes opened a log at once
      "SQLITE_SCHEMA",
    ],
    definition: [
      "42P01", // no such table
      "42703", // no such column
      "42883", // no such function
      "42501", // no right: a new table was put in place and gets its rights later
      "3F000", // no such schema
      "55000", // a materialised view without its rows
      1146, // no such table
      1054, // no such column
      1305, // no such function
      1356, // a view whose table is missing
      1142, // no right to a table, …
      1143, // … to a column
    ],
    server: [
      "53", // disk, memory
      "57", // 57014: a statement took too long, or was cancelled
      "58", // a file of the server
      "XX", // damaged files
      1317, // KILL QUERY
      1969, // MariaDB: max_statement_time
      3024, // MySQL: max_execution_time
      1021, // disk
      1037, // memory
      1041, // memory
      1030, // the storage engine
      ...[126, 127, 134, 144, 145], // MyISAM, Aria: a damaged table, by the storage engine's own numbers
      ...[1034, 1035, 1194, 1195, 1712], // a damaged table or index
      ...[1016, 1812, 1814, 1932], // InnoDB: a table without its file
      "SQLITE_BUSY", // after its own wait
      "SQLITE_CANTOPEN",
      "SQLITE_CORRUPT",
      "SQLITE_FULL",
      "SQLITE_IOERR",
      "SQLITE_LOCKED",
      "SQLITE_NOMEM",
      "SQLITE_NOTADB",
    ],
  } satisfies Record<ServerState, readonly (string | number)[]>).flatMap(([state, codes]) =>
    codes.map((code) => [code, state as ServerState] as const),
  ),
);

/** The store was changed while it was read, as found by comparing what it says at two moments. */
export class ChangedMeanwhile extends Error {}

/** Null for an error that the SQL, a row or Vitrine caused. */
export function serverState(error: unknown): ServerState | null {
  if (error instanceof ChangedMeanwhile) return "moment";
  if (error instanceof VitrineError) return serverState(error.cause);
  if (!(error instanceof Error)) return null;
  // PostgreSQL's driver, of a connection that a proxy closed without a word, gives no code.
  if (error.message.startsWith("Connection terminated")) return "moment";
  const { errno, code, routine } = error as Error & {
    readonly errno?: unknown;
    readonly code?: unknown;
    readonly routine?: unknown;
  };
  const text = String(code ?? "");
  // PostgreSQL: SQL with $1, which nothing gives a value. PgBouncer reports lost servers so, but names no routine of its source. The
  // severity would not tell them apart: PostgreSQL writes it in the language of lc_messages.
  if (text === "08P01" && routine !== undefined) return null;
  // SQLITE_IOERR_READ is a kind of SQLITE_IOERR.
  const keys = [
    errno,
    text,
    /^SQLITE_[A-Z]+/.exec(text)?.[0],
    /^[0-9A-Z]{5}$/.test(text) ? text.slice(0, 2) : "",
  ];
  for (const key of keys) {
    const state = STATES.get(key);
    if (state !== undefined) return state;
  }
  return null;
}

/** True unless the connection, the server or another session caused the error. */
export function isOfSql(error: unknown): boolean {
  const state = serverState(error);
  return state === null || state === "definition";
}

/** The only code that opens the store: read-only, one read transaction, and only the allow-list's SELECTs. */
import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import type { SqlTime } from "../base/time.ts";
import { type AllowListQuery, QUERY_COLUMNS } from "./allow-list.ts";
import { findFailedRow, type StoreValue } from "./failed-row.ts";

export type StoreRow = Readonly<Record<string, StoreValue>>;

export interface StoreReader {
  /** Rows in order of id; only the named columns, all of the file's where none are named. */
  rows(query: AllowListQuery, columns?: readonly string[]): IterableIterator<StoreRow>;
  close(): void;
}

/** How long to wait for a writer that holds the store exclusively. */
const BUSY_MILLISECONDS = 30_000;

function unreadable(file: string, error: unknown): VitrineError {
  const code = systemCodeOf(error);
  if (code === "SQLITE_NOTADB") {
    return new VitrineError("store_unreadable", `The store ${file} is not an SQLite database.`, {
      cause: error,
    });
  }
  return new VitrineError(
    "store_unreadable",
    `Cannot read the store ${file}: ${messageOf(error)}. Name its SQLite file with --store.`,
    { cause: error },
  );
}

/**
 * Opens the store. The read transaction begins with the first read and holds one picture until close: in WAL mode
 * writers go on beside it.
 * @throws VitrineError store_unreadable
 */
export function openStore(file: string, now: SqlTime): StoreReader {
  if (!existsSync(file)) throw unreadable(file, new Error("there is no such file"));
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_MILLISECONDS });
    // What the store's own schema brings (views, generated columns) may not call anything with side effects.
    db.pragma("trusted_schema = OFF");
    db.exec("BEGIN");
    db.prepare("SELECT COUNT(*) FROM sqlite_schema").get();
  } catch (error) {
    db?.close();
    throw unreadable(file, error);
  }
  const store = db;
  return {
    rows: (query, columns) => readRows(store, query, now, columns ?? QUERY_COLUMNS[query.name] ?? []),
    close: () => {
      store.close();
    },
  };
}

/** Compiles the file as a subquery: only a SELECT can stand there, and the order by id is ours. */
function* readRows(
  db: Database.Database,
  query: AllowListQuery,
  now: SqlTime,
  columns: readonly string[],
): IterableIterator<StoreRow> {
  checkColumns(db, query);
  const order = columns.includes("id") ? " ORDER BY id" : "";
  const source = `(\n${query.sql}\n)`;
  const bound = /:now\b/.test(query.sql) ? [{ now }] : [];
  try {
    const statement = db.prepare<object[], StoreRow>(`SELECT ${columns.join(", ")} FROM ${source}${order}`);
    yield* statement.iterate(...bound);
  } catch (error) {
    const row = isOfARow(error) ? findFailedRow(db, source, columns, bound) : null;
    if (row === null) throw failedQuery(query, error);
    const where = `${query.file}: ${row.column} of id ${row.id} cannot be read: ${messageOf(error)}.`;
    const advice = "Mend this row in the store, or leave it out in the SQL. Nothing was written.";
    throw new VitrineError("rows_invalid", `${where} ${advice}`, { cause: error });
  }
}

/** True for what a value can cause: a function that refuses it, a text too long. */
function isOfARow(error: unknown): boolean {
  return ["SQLITE_ERROR", "SQLITE_TOOBIG"].includes(systemCodeOf(error)) || error instanceof RangeError;
}

/** True for what the SQL or a row is to blame for, and for values that JavaScript can't hold. */
function isOfTheQuery(error: unknown): boolean {
  const code = systemCodeOf(error);
  return code.startsWith("SQLITE_") || error instanceof RangeError || error instanceof TypeError;
}

function failedQuery(query: AllowListQuery, error: unknown): unknown {
  if (!isOfTheQuery(error)) return error;
  return new VitrineError("allow_list_invalid", `${query.file}: ${messageOf(error)}.`, { cause: error });
}

function checkColumns(db: Database.Database, query: AllowListQuery): void {
  let given: string[];
  try {
    given = db
      .prepare(`SELECT * FROM (\n${query.sql}\n)`)
      .columns()
      .map((column) => column.name);
  } catch (error) {
    throw failedQuery(query, error);
  }
  const wanted = QUERY_COLUMNS[query.name] ?? [];
  const missing = wanted.filter((column) => !given.includes(column));
  const extra = given.filter((column) => !wanted.includes(column));
  if (missing.length === 0 && extra.length === 0) return;
  const parts = [
    missing.length > 0 ? `lacks the column ${missing.join(", ")}` : "",
    extra.length > 0 ? `gives ${extra.join(", ")}, which its record does not have` : "",
  ].filter((part) => part !== "");
  throw new VitrineError(
    "allow_list_invalid",
    `${query.file} ${parts.join(" and ")}. It must name exactly: ${wanted.join(", ")}.`,
  );
}

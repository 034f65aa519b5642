/** The only code that opens the store: read-only, one read transaction, and only the allow-list's SELECTs. */
import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import type { SqlTime } from "../base/time.ts";
import { type AllowListQuery, QUERY_COLUMNS } from "./allow-list.ts";

/** A value as SQLite gives it. */
export type StoreValue = string | number | bigint | Buffer | null;
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
    rows: (query, columns) => readRows(store, query, now, columns ?? QUERY_COLUMNS[query.name]),
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
  try {
    const statement = db.prepare<[{ now: string }], StoreRow>(
      `SELECT ${columns.join(", ")} FROM (\n${query.sql}\n)${order}`,
    );
    yield* usesNow(query)
      ? statement.iterate({ now })
      : (statement as Database.Statement<[], StoreRow>).iterate();
  } catch (error) {
    throw failedQuery(query, error);
  }
}

function usesNow(query: AllowListQuery): boolean {
  return /:now\b/.test(query.sql);
}

function failedQuery(query: AllowListQuery, error: unknown): unknown {
  if (
    !systemCodeOf(error).startsWith("SQLITE_") &&
    !(error instanceof RangeError || error instanceof TypeError)
  ) {
    return error;
  }
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
  const wanted: readonly string[] = QUERY_COLUMNS[query.name];
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

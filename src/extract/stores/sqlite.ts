/** The store in an SQLite file: read-only, one read transaction, and only the allow-list's SELECTs. */
import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { messageOf, systemCodeOf, VitrineError } from "../../base/error.ts";
import type { SqlTime } from "../../base/time.ts";
import { type AllowListQuery, checkColumns, QUERY_COLUMNS, usesNow } from "../allow-list.ts";
import { BATCH_ROWS, type StoreReader, type StoreRow } from "../store.ts";
import { holdFile } from "./held-file.ts";
import { changesSince } from "./sqlite-changes.ts";
import { findFailedRow } from "./sqlite-failed-row.ts";
import { sqliteFilesOf } from "./sqlite-files.ts";
import { beginPicture, type Picture } from "./sqlite-picture.ts";

/** Characters of a batch, after which it is given as it is: memory is bounded by a row's size, not by its batch's. */
const BATCH_CHARACTERS = 4_000_000;

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
 * Opens the store. The read transaction begins here and ends with close: in WAL mode writers go on beside it.
 * @throws VitrineError store_unreadable
 */
export async function openSqliteStore(file: string, now: SqlTime): Promise<StoreReader> {
  if (!existsSync(file)) throw unreadable(file, new Error("there is no such file"));
  let db: Database.Database | undefined;
  let picture: Picture | null;
  try {
    const files = sqliteFilesOf(file);
    const main = holdFile(files.main);
    db = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_MILLISECONDS });
    // What the store's own schema brings (views, generated columns) may not call anything with side effects.
    db.pragma("trusted_schema = OFF");
    picture = beginPicture(db, files, main);
  } catch (error) {
    db?.close();
    throw unreadable(file, error);
  }
  const store = db;
  return {
    batches: (query, columns) => readBatches(store, query, now, columns ?? QUERY_COLUMNS[query.name] ?? []),
    changesSince: async (before, queries) => {
      const plans = queries.map((query) => ({
        name: query.name,
        sql: `EXPLAIN ${selectOf(query, QUERY_COLUMNS[query.name] ?? [])}`,
        bound: boundOf(query, now),
      }));
      return changesSince(store, picture, before, plans);
    },
    close: async () => {
      store.close();
    },
  };
}

/** The file as a subquery: only a SELECT can stand there, and the order by id is ours. */
function selectOf(query: AllowListQuery, columns: readonly string[]): string {
  const order = columns.includes("id") ? " ORDER BY id" : "";
  return `SELECT ${columns.join(", ")} FROM ${sourceOf(query)}${order}`;
}

function sourceOf(query: AllowListQuery): string {
  return `(\n${query.sql}\n)`;
}

function boundOf(query: AllowListQuery, now: SqlTime): object[] {
  return usesNow(query) ? [{ now }] : [];
}

async function* readBatches(
  db: Database.Database,
  query: AllowListQuery,
  now: SqlTime,
  columns: readonly string[],
): AsyncGenerator<readonly StoreRow[]> {
  checkColumns(query, columnsOf(db, query));
  const bound = boundOf(query, now);
  try {
    const statement = db.prepare<object[], StoreRow>(selectOf(query, columns));
    yield* inBatches(statement.iterate(...bound));
  } catch (error) {
    const row = isOfARow(error) ? findFailedRow(db, sourceOf(query), columns, bound) : null;
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

/** The columns that the file's SQL gives, without reading a row. */
function columnsOf(db: Database.Database, query: AllowListQuery): string[] {
  try {
    const statement = db.prepare(`SELECT * FROM ${sourceOf(query)}`);
    return statement.columns().map((column) => column.name);
  } catch (error) {
    throw failedQuery(query, error);
  }
}

function charactersOf(row: StoreRow): number {
  let characters = 0;
  for (const name in row) {
    const value = row[name];
    if (typeof value === "string") characters += value.length;
  }
  return characters;
}

function* inBatches(rows: Iterable<StoreRow>): Generator<readonly StoreRow[]> {
  let batch: StoreRow[] = [];
  let characters = 0;
  for (const row of rows) {
    batch.push(row);
    characters += charactersOf(row);
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** The store in an SQLite file: read-only, one read transaction, and only the allow-list's SELECTs. */
import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { messageOf, systemCodeOf, VitrineError } from "../../base/error.ts";
import type { SqlTime } from "../../base/time.ts";
import { type AllowListQuery, chooseColumns, QUERY_COLUMNS, usesNow } from "../allow-list.ts";
import { BATCH_ROWS, type RowText, type StoreReader, type StoreValue } from "../store.ts";
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
    columns: async (query) => columnsOf(store, query),
    batches: (query, beside) => readBatches(store, query, now, beside ?? []),
    changesSince: async (before, queries) => {
      const plans = queries.map((query) => ({
        name: query.name,
        sql: `EXPLAIN ${selectOf(query, query.columns ?? QUERY_COLUMNS[query.name] ?? [])}`,
        bound: boundOf(query, now),
      }));
      return changesSince(store, picture, before, plans);
    },
    explain: async (query) => explainQuery(store, query, now),
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

interface PlanStep {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

function explainQuery(db: Database.Database, query: AllowListQuery, now: SqlTime): string[] {
  const sql = `EXPLAIN QUERY PLAN ${selectOf(query, columnsOf(db, query))}`;
  const depths = new Map([[0, -1]]);
  return db
    .prepare<object[], PlanStep>(sql)
    .all(...boundOf(query, now))
    .map(({ id, parent, detail }) => {
      const depth = (depths.get(parent) ?? -1) + 1;
      depths.set(id, depth);
      return `${"  ".repeat(depth)}${detail}`;
    });
}

function boundOf(query: AllowListQuery, now: SqlTime): object[] {
  return usesNow(query) ? [{ now }] : [];
}

/** What is read of a file: its SQL as a source of rows, the moment that it is bound to, and its columns. */
interface Reading {
  readonly source: string;
  readonly bound: readonly object[];
  readonly columns: readonly string[];
  readonly beside: readonly string[];
}

/** Compiles the file as a subquery: only a SELECT can stand there, and the order by id is ours. */
async function* readBatches(
  db: Database.Database,
  query: AllowListQuery,
  now: SqlTime,
  beside: readonly string[],
): AsyncGenerator<readonly RowText[]> {
  const columns = columnsOf(db, query);
  const source = sourceOf(query);
  const bound = boundOf(query, now);
  try {
    yield* inBatches(rowsOf(db, { source, bound, columns, beside }));
  } catch (error) {
    const row = isOfARow(error) ? findFailedRow(db, sourceOf(query), columns, bound) : null;
    if (row === null) throw failedQuery(query, error);
    const where = `${query.file}: ${row.column} of id ${row.id} cannot be read: ${messageOf(error)}.`;
    const advice = "Mend this row in the store, or leave it out in the SQL. Nothing was written.";
    throw new VitrineError("rows_invalid", `${where} ${advice}`, { cause: error });
  }
}

/** Rows as SQLite makes texts of them. Where one has bytes, which no JSON holds, the rest is made into texts here. */
function* rowsOf(db: Database.Database, reading: Reading): Generator<RowText> {
  const { columns, beside } = reading;
  let read = 0;
  try {
    const text = `json_array(${columns.join(", ")})`;
    for (const [id, row, ...others] of iterate(db, reading, [text, ...beside]) as Iterable<StoreValue[]>) {
      yield { id: id ?? null, text: String(row), beside: others };
      read += 1;
    }
  } catch (error) {
    if (!/BLOB/.test(messageOf(error))) throw error;
    let place = 0;
    for (const [id, ...values] of iterate(db, reading, [...columns, ...beside])) {
      place += 1;
      if (place <= read) continue;
      const cells = [id, ...values].map((value) => (Buffer.isBuffer(value) ? { blob: true } : value));
      const [first = null, ...rest] = cells as StoreValue[];
      const text = JSON.stringify(rest.slice(0, columns.length));
      yield { id: first, text, beside: rest.slice(columns.length) };
    }
  }
}

function iterate(
  db: Database.Database,
  { source, bound, columns }: Reading,
  expressions: readonly string[],
): Iterable<unknown[]> {
  const hasId = columns.includes("id");
  const list = [hasId ? "id" : "NULL", ...expressions].join(", ");
  return db
    .prepare<object[], unknown[]>(`SELECT ${list} FROM ${source}${hasId ? " ORDER BY id" : ""}`)
    .raw()
    .iterate(...bound);
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
function columnsOf(db: Database.Database, query: AllowListQuery): readonly string[] {
  if (query.columns !== undefined) return query.columns;
  let given: string[];
  try {
    const statement = db.prepare(`SELECT * FROM ${sourceOf(query)}`);
    given = statement.columns().map((column) => column.name);
  } catch (error) {
    throw failedQuery(query, error);
  }
  return chooseColumns(query, given);
}

function* inBatches(rows: Iterable<RowText>): Generator<readonly RowText[]> {
  let batch: RowText[] = [];
  let characters = 0;
  for (const row of rows) {
    batch.push(row);
    characters += row.text.length;
    if (batch.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** The store in an SQLite file: read-only, one read transaction, and only the allow-list's SELECTs. */
import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { messageOf, systemCodeOf, VitrineError } from "../../base/error.ts";
import type { SqlTime } from "../../base/time.ts";
import { type AllowListQuery, chooseColumns, OWNER_COLUMNS, QUERY_COLUMNS, usesNow } from "../allow-list.ts";
import type { RowsBy } from "../id-ranges.ts";
import type { RowText, StoreReader, StoreValue } from "../store.ts";
import { type FailureProbe, findFailedRow } from "./failed-row.ts";
import { holdFile } from "./held-file.ts";
import { Batcher, selectOf, sourceOf } from "./sql.ts";
import { changesSince } from "./sqlite-changes.ts";
import { sqliteFilesOf } from "./sqlite-files.ts";
import { ALL_ROWS, narrowed } from "./sqlite-narrow.ts";
import { beginPicture, type Picture } from "./sqlite-picture.ts";

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
    // Rows are read once, so pages are hardly needed again; a sorter takes as much memory as this before it goes to a file.
    db.pragma("cache_size = -2000");
    picture = beginPicture(db, files, main);
  } catch (error) {
    db?.close();
    throw unreadable(file, error);
  }
  const store = db;
  return {
    columns: async (query) => columnsOf(store, query),
    batches: (query, beside, wanted) => readBatches(store, query, now, beside ?? [], wanted),
    changesSince: async (before, queries) => {
      const plans = queries.map((query) => ({
        name: query.name,
        query: query.sql,
        owner: OWNER_COLUMNS[query.name] ?? null,
        sql: `EXPLAIN ${selectColumns(query)}`,
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

/** What {@link readBatches} reads of a file. */
function selectColumns(query: AllowListQuery): string {
  const columns = query.columns ?? QUERY_COLUMNS[query.name] ?? [];
  return selectOf(sourceOf(query), columns, columns);
}

interface PlanStep {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

function explainQuery(db: Database.Database, query: AllowListQuery, now: SqlTime): string[] {
  const columns = columnsOf(db, query);
  const sql = `EXPLAIN QUERY PLAN ${selectOf(sourceOf(query), columns, columns)}`;
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
  /** What stands before its SELECT. */
  readonly ctes: string;
  readonly source: string;
  /** Which ids; "" for all. */
  readonly where: string;
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
  wanted: RowsBy | undefined,
): AsyncGenerator<readonly RowText[]> {
  const columns = columnsOf(db, query);
  const source = sourceOf(query);
  const bound = boundOf(query, now);
  try {
    const { ctes, where } =
      wanted === undefined ? ALL_ROWS : narrowed(db, query.sql, wanted, OWNER_COLUMNS[query.name]);
    yield* inBatches(rowsOf(db, { ctes, source, where, bound, columns, beside }));
  } catch (error) {
    const row = isOfARow(error) ? await findFailedRow(columns, probeOf(db, source, bound)) : null;
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
  { ctes, source, where, bound, columns }: Reading,
  expressions: readonly string[],
): Iterable<unknown[]> {
  const id = columns.includes("id") ? "id" : "NULL";
  return db
    .prepare<object[], unknown[]>(`${ctes} ${selectOf(`${source} ${where}`, columns, [id, ...expressions])}`)
    .raw()
    .iterate(...bound);
}

function probeOf(db: Database.Database, source: string, bound: readonly object[]): FailureProbe {
  return {
    fails: async (column, condition) => {
      try {
        db.prepare(`SELECT COUNT(${column}) FROM ${source} ${condition}`).get(...bound);
        return false;
      } catch {
        return true;
      }
    },
    ids: async () =>
      db
        .prepare<unknown[], unknown>(`SELECT id FROM ${source} ORDER BY id`)
        .pluck()
        .all(...bound),
  };
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
  const batcher = new Batcher();
  for (const row of rows) {
    const batch = batcher.add(row);
    if (batch !== null) yield batch;
  }
  const rest = batcher.take();
  if (rest.length > 0) yield rest;
}

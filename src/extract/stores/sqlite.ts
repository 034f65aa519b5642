/** The store in an SQLite file: read-only, one read transaction, and only the allow-list's SELECTs. */
import { existsSync } from "node:fs";
import Database from "better-sqlite3";
import { messageOf, systemCodeOf, VitrineError } from "../../base/error.ts";
import { beginReading } from "../../base/read-transaction.ts";
import type { SqlTime } from "../../base/time.ts";
import { type AllowListQuery, chooseColumns, usesNow } from "../allow-list.ts";
import { capturedChanges } from "../capture/capture.ts";
import type { Ask, Rows } from "../capture/dialect.ts";
import { textWithViews } from "../capture/reads.ts";
import { SQLITE_CAPTURE } from "../capture/sqlite.ts";
import type { Origin, RowsBy, RowText, StoreReader } from "../store.ts";
import { type FailureProbe, findFailedRow } from "./failed-row.ts";
import { selectOf, sourceOf } from "./sql.ts";
import { connect, type Reading, rowBatches } from "./sqlite-rows.ts";

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

/** A connection in its one read transaction. @throws VitrineError store_unreadable */
function openToRead(file: string): Database.Database {
  if (!existsSync(file)) throw unreadable(file, new Error("there is no such file"));
  let db: Database.Database | undefined;
  try {
    db = connect(file, BUSY_MILLISECONDS);
    beginReading(db);
    return db;
  } catch (error) {
    db?.close();
    throw unreadable(file, error);
  }
}

function askOf(db: Database.Database): Ask {
  return async (sql) => db.prepare(sql).raw().all() as Rows;
}

/** Calls with who asks the store, as it is at one moment. @throws VitrineError store_unreadable */
export async function askingSqlite<Result>(
  file: string,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  const db = openToRead(file);
  try {
    return await work(askOf(db));
  } finally {
    db.close();
  }
}

/** Runs statements that write, all or none of them: what `vitrine capture` does, and nothing else. @throws VitrineError store_unreadable */
export function runSqlite(file: string, statements: readonly string[]): void {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { fileMustExist: true, timeout: BUSY_MILLISECONDS });
    const store = db;
    store
      .transaction(() => store.exec(statements.map((statement) => `${statement};`).join("\n")))
      .immediate();
  } catch (error) {
    const what = `Cannot change the store ${file}: ${messageOf(error)}.`;
    throw new VitrineError("store_unreadable", what, { cause: error });
  } finally {
    db?.close();
  }
}

/**
 * Opens the store. The read transaction begins here and ends with close: in WAL mode writers go on beside it.
 * @throws VitrineError store_unreadable
 */
export async function openSqliteStore(file: string, now: SqlTime): Promise<StoreReader> {
  const store = openToRead(file);
  return {
    columns: async (query) => columnsOf(store, query),
    batches: (query, beside, wanted) => readBatches(store, query, now, beside ?? [], wanted),
    changesSince: (before, queries) => capturedChanges(askOf(store), SQLITE_CAPTURE, { before, queries }),
    origins: async (query) => originsOf(store, query),
    explain: async (query) => explainQuery(store, query, now),
    close: async () => {
      store.close();
    },
  };
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

/** The file as a subquery: only a SELECT can stand there, and the order by id is ours. */
async function* readBatches(
  db: Database.Database,
  query: AllowListQuery,
  now: SqlTime,
  beside: readonly string[],
  wanted: RowsBy | undefined,
): AsyncGenerator<readonly RowText[]> {
  if (wanted?.ids.length === 0) return;
  const reading: Reading = {
    ...{ columns: columnsOf(db, query), source: sourceOf(query), bound: boundOf(query, now) },
    ...{ beside, wanted },
  };
  try {
    yield* rowBatches(db, reading);
  } catch (error) {
    const row = isOfARow(error) ? await findFailedRow(reading.columns, probeOf(db, reading)) : null;
    if (row === null) throw failedQuery(query, error);
    const where = `${query.file}: ${row.column} of id ${row.id} cannot be read: ${messageOf(error)}.`;
    const advice = "Mend this row in the store, or leave it out in the SQL. Nothing was written.";
    throw new VitrineError("rows_invalid", `${where} ${advice}`, { cause: error });
  }
}

function probeOf(db: Database.Database, { source, bound }: Reading): FailureProbe {
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

/** What the file's SQL gives, without reading a row. */
function describe(db: Database.Database, query: AllowListQuery): readonly Database.ColumnDefinition[] {
  try {
    return db.prepare(`SELECT * FROM ${sourceOf(query)}`).columns();
  } catch (error) {
    throw failedQuery(query, error);
  }
}

function columnsOf(db: Database.Database, query: AllowListQuery): readonly string[] {
  if (query.columns !== undefined) return query.columns;
  const given = describe(db, query).map(({ name }) => name);
  return chooseColumns(query, given);
}

/** Of SELECTs that are put together (UNION) SQLite names the columns of one alone: then it is not known. */
function originsOf(db: Database.Database, query: AllowListQuery): readonly Origin[] {
  const columns = describe(db, query);
  const views = db
    .prepare<[], [string, string]>("SELECT lower(name), sql FROM main.sqlite_schema WHERE type = 'view'")
    .raw()
    .all();
  const oddlyNamed = views.flatMap(([name, sql]) => (/^\w+$/.test(name) ? [] : [sql]));
  const text = textWithViews([query.sql, ...oddlyNamed].join("\n"), new Map(views));
  const isCompound = text === null || /\b(?:union|intersect|except|values)\b/i.test(text);
  return columns.map(({ name, database, table, column }) => ({
    column: name,
    of: isCompound || database !== "main" || table === null || column === null ? null : { table, column },
  }));
}

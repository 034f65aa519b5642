/** The store in an SQLite file: read-only, one read transaction, and only the allow-list's SELECTs. */
import { existsSync } from "node:fs";
import type Database from "better-sqlite3";
import { messageOf, systemCodeOf, VitrineError } from "../../base/error.ts";
import type { SqlTime } from "../../base/time.ts";
import { type AllowListQuery, chooseColumns, OWNER_COLUMNS, QUERY_COLUMNS, usesNow } from "../allow-list.ts";
import { textWithViews } from "../capture/reads.ts";
import type { RowsBy } from "../id-ranges.ts";
import type { Origin, RowText, StoreReader } from "../store.ts";
import { type FailureProbe, findFailedRow } from "./failed-row.ts";
import { holdFile } from "./held-file.ts";
import { selectOf, sourceOf } from "./sql.ts";
import { SqliteBeside } from "./sqlite-beside.ts";
import { changesSince } from "./sqlite-changes.ts";
import { sqliteFilesOf } from "./sqlite-files.ts";
import { ALL_ROWS, narrowed } from "./sqlite-narrow.ts";
import { beginPicture, type Picture } from "./sqlite-picture.ts";
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
    db = connect(file, BUSY_MILLISECONDS);
    picture = beginPicture(db, files, main);
  } catch (error) {
    db?.close();
    throw unreadable(file, error);
  }
  const store = db;
  const beside = picture === null ? null : new SqliteBeside(file, picture);
  return {
    columns: async (query) => columnsOf(store, query),
    batches: (query, beside, wanted) => readBatches(store, query, now, beside ?? [], wanted),
    readBeside: async (query) => (await beside?.read(readingOf(store, query, now, [], undefined))) ?? null,
    changesSince: async (before, queries) => {
      const plans = queries.map((query) => ({
        name: query.name,
        query: query.sql,
        owner: OWNER_COLUMNS[query.name] ?? null,
        sql: `EXPLAIN ${selectColumns(query)}`,
        bound: boundOf(query, now),
      }));
      const compare = () => changesSince(store, picture, before, plans);
      if (before === null && beside?.isLarge === true) {
        const making = beside.fingerprint(plans);
        // It is waited for at the end; until then nobody may take its failure for forgotten.
        making.catch(() => undefined);
        return { fingerprint: async () => (await making) ?? compare().fingerprint, changed: "all" };
      }
      const { fingerprint, ...changes } = compare();
      return { ...changes, fingerprint: async () => fingerprint };
    },
    origins: async (query) => originsOf(store, query),
    explain: async (query) => explainQuery(store, query, now),
    close: async () => {
      await beside?.close();
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

/** The file as a subquery: only a SELECT can stand there, and the order by id is ours. */
function readingOf(
  db: Database.Database,
  query: AllowListQuery,
  now: SqlTime,
  beside: readonly string[],
  wanted: RowsBy | undefined,
): Reading {
  const columns = columnsOf(db, query);
  const [source, bound] = [sourceOf(query), boundOf(query, now)];
  try {
    const { ctes, where } =
      wanted === undefined ? ALL_ROWS : narrowed(db, query.sql, wanted, OWNER_COLUMNS[query.name]);
    return { ctes, source, where, bound, columns, beside };
  } catch (error) {
    throw failedQuery(query, error);
  }
}

/** Compiles the file's SQL, and reads. */
async function* readBatches(
  db: Database.Database,
  query: AllowListQuery,
  now: SqlTime,
  beside: readonly string[],
  wanted: RowsBy | undefined,
): AsyncGenerator<readonly RowText[]> {
  const reading = readingOf(db, query, now, beside, wanted);
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

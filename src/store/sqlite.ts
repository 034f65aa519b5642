/** The store in an SQLite file: read-only, one read transaction, and only the allow-list's SELECTs. */
import { closeSync, openSync, readSync, type Stats, statSync } from "node:fs";
import type Database from "better-sqlite3";
import { CLOCK } from "../base/clock.ts";
import { isLocked, messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import { textWithViews } from "../base/sql-words.ts";
import { beginReading, openSqlite, remedyOf } from "../base/sqlite.ts";
import type { SqlTime } from "../base/time.ts";
import type { Origin, RowText, StoreValue } from "../extract/store.ts";
import { isOfSql } from "./passing.ts";
import {
  ENDS_EARLY,
  lineStart,
  type Mistake,
  type RowQuery,
  type Rows,
  type Session,
  type StoreConnection,
  saidAs,
  UnreadableColumn,
} from "./session.ts";
import { selectOf } from "./sql.ts";

/** Each session opens and closes the file: between two of them the shop's last writer can clear its log. */
export function connectSqlite(file: string): StoreConnection {
  let session: SqliteSession | null = null;
  const end = async () => session?.close();
  return {
    async begin(now) {
      session = new SqliteSession(file, await openToRead(file), now);
      return session;
    },
    end,
    close: end,
  };
}

const BYTES: StoreValue = { blob: true };

const OWN_ORDER =
  ", which only the shop's own program has: choose SQLite's own for each such column, like title COLLATE BINARY AS title";

class SqliteSession implements Session {
  readonly now = ":now";
  readonly #file: string;
  readonly #db: Database.Database;
  /** The value of `:now` in SQL. */
  readonly #bound: { readonly now: SqlTime };

  constructor(file: string, db: Database.Database, now: SqlTime) {
    this.#file = file;
    this.#db = db;
    this.#bound = { now };
  }

  /** A subquery's second `id` is named `id:1`. */
  async columns(sql: string): Promise<readonly string[]> {
    const names = this.#prepared(sql)
      .columns()
      .map(({ name }) => name);
    return names.map((name) => {
      const first = name.replace(/:\d+$/, "");
      return names.includes(first) ? first : name;
    });
  }

  /** A program's own order of texts: SQLite reads a column of it, but not as a column of a subquery. */
  #prepared(sql: string): Database.Statement {
    try {
      return this.#db.prepare(sql);
    } catch (error) {
      const said = messageOf(error);
      if (this.isSqlError(error) && said.startsWith("no such collation"))
        throw new UnreadableColumn(said + OWN_ORDER);
      throw error;
    }
  }

  /** For a compound SELECT (UNION) SQLite reports the columns of one part only: then the origin is unknown. */
  async origins(sql: string): Promise<readonly Origin[]> {
    const columns = this.#db.prepare(`SELECT * FROM (\n${sql}\n)`).columns();
    const views = this.#db
      .prepare<[], [string, string]>("SELECT lower(name), sql FROM main.sqlite_schema WHERE type = 'view'")
      .raw()
      .all();
    const text = textWithViews(sql, new Map(views));
    const isCompound = text === null || /\b(?:union|intersect|except|values)\b/i.test(text);
    return columns.map(({ name, database, table, column }) => ({
      column: name,
      of: isCompound || database !== "main" || table === null || column === null ? null : { table, column },
    }));
  }

  async *rows(sql: string): AsyncGenerator<Rows> {
    yield this.#db.prepare(sql).raw().all(this.#bound) as Rows;
  }

  /**
   * `json_array` refuses bytes, or reads them as JSON if they happen to be SQLite's binary form of it: `x'01'` is true, `7abc` the
   * text "abc".
   */
  *texts({ source, columns, extraColumns, ids }: RowQuery): Generator<RowText> {
    const cells = columns.map(
      (column) => `CASE typeof(${column}) WHEN 'blob' THEN json('{"blob":true}') ELSE ${column} END`,
    );
    const id = columns.includes("id") ? "id" : "NULL";
    const expressions = [id, `json_array(${cells.join(", ")})`, ...extraColumns];
    // Without a LIMIT in both, SQLite makes one SELECT of them, which computes each column twice.
    const sql = `SELECT ${expressions.join(", ")} FROM (${selectOf(source, columns, columns, ids)} LIMIT -1) LIMIT -1`;
    for (const values of this.#db.prepare<object[], unknown[]>(sql).raw().iterate(this.#bound)) {
      const [own = null, text, ...extra] = values.map((value) =>
        Buffer.isBuffer(value) ? BYTES : (value as StoreValue),
      );
      yield { id: own, text: String(text), extra };
    }
  }

  /** A statement that ends earlier is refused in the same words as soon as it has the word that SQLite did not expect. */
  async mistake(sql: string): Promise<Mistake | null> {
    const refusal = (text: string) => {
      try {
        this.#db.prepare(text);
        return null;
      } catch (error) {
        if (this.isSqlError(error)) return error;
        throw error;
      }
    };
    const error = refusal(sql);
    if (error === null) return null;
    const message = messageOf(error);
    if (message === "incomplete input") return { error: saidAs(error, ENDS_EARLY), at: sql.length };
    if (!message.startsWith("near ")) return { error, at: null };
    const lines = sql.split("\n");
    const until = (count: number) => lines.slice(0, count).join("\n");
    let [good, bad] = [0, lines.length];
    while (bad - good > 1) {
      const middle = (good + bad) >> 1;
      if (messageOf(refusal(until(middle))) === message) bad = middle;
      else good = middle;
    }
    return { error, at: lineStart(sql, bad) };
  }

  async plan(sql: string): Promise<string[]> {
    const depths = new Map([[0, -1]]);
    const steps = this.#db.prepare<object[], [number, number, number, string]>(`EXPLAIN QUERY PLAN ${sql}`);
    return steps
      .raw()
      .all(this.#bound)
      .map(([id, parent, , detail]) => {
        const depth = (depths.get(parent) ?? -1) + 1;
        depths.set(id, depth);
        return `${"  ".repeat(depth)}${detail}`;
      });
  }

  /** Values that JavaScript can't hold count as well. */
  isSqlError(error: unknown): boolean {
    const code = systemCodeOf(error);
    if (code.startsWith("SQLITE_")) return isOfSql(error);
    return error instanceof RangeError || error instanceof TypeError;
  }

  unreadable(error: unknown): unknown {
    return systemCodeOf(error).startsWith("SQLITE_") ? unreadable(this.#file, error) : error;
  }

  async close(): Promise<void> {
    this.#db.close();
  }
}

/**
 * A connection that only reads, in one read transaction: in WAL mode writers are not blocked.
 * @throws VitrineError store_unreadable
 */
async function openToRead(file: string): Promise<Database.Database> {
  const found = statOf(file);
  if (found === undefined) throw unreadable(file, new Error("there is no such file"));
  if (found.isDirectory()) throw unreadable(file, new Error("it is a folder"));
  // To SQLite this is a database without tables. The sqlite3 shell makes one if the name is misspelt, and a full disk leaves one of a copy.
  if (found.isFile() && found.size === 0) throw unreadable(file, new Error("it is an empty file"));
  const since = CLOCK.elapsed();
  for (;;) {
    try {
      return openNow(file);
    } catch (error) {
      if (!isLocked(error) || CLOCK.elapsed() - since > BUSY_MILLISECONDS) throw unreadable(file, error);
    }
    // SQLite's own wait would stop this thread, with its timers and signals.
    await CLOCK.sleep(BUSY_PAUSE_MILLISECONDS);
  }
}

/** @throws VitrineError store_unreadable if a folder on the way is closed to this user */
function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** @throws what better-sqlite3 throws; SQLITE_BUSY while a writer holds the store exclusively */
function openNow(file: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    db = openSqlite(file, { readonly: true, fileMustExist: true, timeout: 0 });
    // The store's own views and generated columns may not call functions with side effects.
    db.pragma("trusted_schema = OFF");
    // Rows are read once, so cached pages are hardly needed again. A sorter uses as much memory as this before it goes to a file.
    db.pragma("cache_size = -2000");
    beginReading(db);
    return db;
  } catch (error) {
    db?.close();
    throw error;
  }
}

function unreadable(file: string, error: unknown): VitrineError {
  if (isLogUnreadable(file, error)) {
    const log = `${file}-wal`;
    return new VitrineError(
      "store_unreadable",
      `Cannot read the store ${file}: it keeps changes in a log, ${log}, and SQLite can't write ${file}-shm, which reading ` +
        "the log needs. Copy the file together with its log to a folder that can be written, or mount this folder writable, or, where the shop runs, make " +
        `a copy without a log: sqlite3 ${file} "vacuum into 'copy.sqlite'".`,
      { cause: error },
    );
  }
  // SQLite reads nothing before the half of a transaction is taken back, and a reader does not write.
  if (systemCodeOf(error) === "SQLITE_READONLY_ROLLBACK")
    return new VitrineError(
      "store_unreadable",
      `Cannot read the store ${file}: a program ended in the middle of a change, and ${file}-journal has what takes its half ` +
        "back. The next program that opens the file to write does so: the shop, or, as a user who may write both files and their folder, " +
        `sqlite3 ${file} "select count(*) from sqlite_schema".`,
      { cause: error },
    );
  const { next, hint } = remedyOf(file, error, "Name its SQLite file with --store.");
  const what =
    systemCodeOf(error) === "SQLITE_NOTADB"
      ? `The store ${file} is not an SQLite database.`
      : `Cannot read the store ${file}: ${messageOf(error)}. ${next}`;
  return new VitrineError("store_unreadable", what, { cause: error, hint });
}

/** True if a write-ahead log exists that can't be read: SQLite needs to make a file beside it for that. */
function isLogUnreadable(file: string, error: unknown): boolean {
  return /^SQLITE_(CANTOPEN|READONLY)/.test(systemCodeOf(error)) && isInLogMode(file);
}

/** True for a database in WAL mode, by its header: https://www.sqlite.org/fileformat.html#file_format_version_numbers */
function isInLogMode(file: string): boolean {
  const header = Buffer.alloc(20);
  try {
    const opened = openSync(file, "r");
    try {
      readSync(opened, header, 0, header.length, 0);
    } finally {
      closeSync(opened);
    }
  } catch {
    // Missing or forbidden: the next open reports that.
    return false;
  }
  return header[18] === 2;
}

/** How long to wait for a writer that holds the store exclusively: less than `doctor` gives a check, so that it says what locks the store. */
const BUSY_MILLISECONDS = 25_000;
const BUSY_PAUSE_MILLISECONDS = 50;

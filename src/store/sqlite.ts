/** The store in an SQLite file: read-only, one read transaction, and only the allow-list's SELECTs. */
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import Database from "better-sqlite3";
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import { beginReading } from "../base/sqlite.ts";
import type { SqlTime } from "../base/time.ts";
import type { Origin, RowText, StoreValue } from "../extract/store.ts";
import { textWithViews } from "./reads.ts";
import type { Connection, RowQuery, Rows, Session } from "./session.ts";
import { selectOf } from "./sql.ts";

/** How long to wait for a writer that holds the store exclusively. */
const BUSY_MILLISECONDS = 30_000;

/** Codes of SQLite's that speak of the file or of the machine. */
const NOT_OF_THE_SQL = /^SQLITE_(BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOMEM|NOTADB|PROTOCOL)/;

/** A log that another program has left or uses can be read only with a file that SQLite makes beside it. */
function isLogUnreadable(file: string, error: unknown): boolean {
  return /^SQLITE_(CANTOPEN|READONLY)/.test(systemCodeOf(error)) && isInLogMode(file);
}

/** True of a database in WAL mode, by its header: https://www.sqlite.org/fileformat.html#file_format_version_numbers */
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
    return false;
  }
  return header[18] === 2;
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
  const what =
    systemCodeOf(error) === "SQLITE_NOTADB"
      ? `The store ${file} is not an SQLite database.`
      : `Cannot read the store ${file}: ${messageOf(error)}. Name its SQLite file with --store.`;
  return new VitrineError("store_unreadable", what, { cause: error });
}

/**
 * A connection that only reads, in its one read transaction: in WAL mode writers are not blocked.
 * @throws VitrineError store_unreadable
 */
function openToRead(file: string): Database.Database {
  if (!existsSync(file)) throw unreadable(file, new Error("there is no such file"));
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_MILLISECONDS });
    // What the store's own schema brings (views, generated columns) may not call anything with side effects.
    db.pragma("trusted_schema = OFF");
    // Rows are read once, so pages are hardly needed again; a sorter takes as much memory as this before it goes to a file.
    db.pragma("cache_size = -2000");
    beginReading(db);
    return db;
  } catch (error) {
    db?.close();
    throw unreadable(file, error);
  }
}

class SqliteSession implements Session {
  readonly now = ":now";
  readonly #file: string;
  readonly #db: Database.Database;
  /** What SQL says as `:now`. */
  readonly #bound: { readonly now: SqlTime };

  constructor(file: string, now: SqlTime) {
    this.#file = file;
    this.#db = openToRead(file);
    this.#bound = { now };
  }

  async columns(sql: string): Promise<readonly string[]> {
    return this.#db
      .prepare(sql)
      .columns()
      .map(({ name }) => name);
  }

  /** Of SELECTs that are put together (UNION) SQLite names the columns of one alone: then it is not known. */
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

  /** Where a row has bytes, which no JSON holds, the rest is made into texts here. */
  *texts(query: RowQuery): Generator<RowText> {
    const { columns, extraColumns } = query;
    let read = 0;
    try {
      const text = `json_array(${columns.join(", ")})`;
      for (const [id, row, ...others] of this.#iterate(query, [text, ...extraColumns]) as Iterable<
        StoreValue[]
      >) {
        yield { id: id ?? null, text: String(row), extra: others };
        read += 1;
      }
    } catch (error) {
      if (!/BLOB/.test(messageOf(error))) throw error;
      let place = 0;
      for (const values of this.#iterate(query, [...columns, ...extraColumns])) {
        place += 1;
        if (place <= read) continue;
        const cells = values.map((value) => (Buffer.isBuffer(value) ? { blob: true } : value));
        const [id = null, ...rest] = cells as StoreValue[];
        const text = JSON.stringify(rest.slice(0, columns.length));
        yield { id, text, extra: rest.slice(columns.length) };
      }
    }
  }

  #iterate({ source, ids, columns }: RowQuery, expressions: readonly string[]): Iterable<unknown[]> {
    const id = columns.includes("id") ? "id" : "NULL";
    return this.#db
      .prepare<object[], unknown[]>(selectOf(source, columns, [id, ...expressions], ids))
      .raw()
      .iterate(this.#bound);
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

  /** Values that JavaScript can't hold count, too. */
  isOfTheSql(error: unknown): boolean {
    const code = systemCodeOf(error);
    if (code.startsWith("SQLITE_")) return !NOT_OF_THE_SQL.test(code);
    return error instanceof RangeError || error instanceof TypeError;
  }

  unreadable(error: unknown): unknown {
    return systemCodeOf(error).startsWith("SQLITE_") ? unreadable(this.#file, error) : error;
  }

  async close(): Promise<void> {
    this.#db.close();
  }
}

/** A session opens the file and closes it: between two of them the shop's last writer can clear its log away. */
export function connectSqlite(file: string): Connection {
  let session: SqliteSession | null = null;
  const end = async () => session?.close();
  return {
    async begin(now) {
      session = new SqliteSession(file, now);
      return session;
    },
    end,
    close: end,
  };
}

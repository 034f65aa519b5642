/** A thread that reads and writes catalogs while another answers requests: it does one task, and ends. */
import { setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { beginReading } from "../base/sqlite.ts";
import { answerMessages } from "../base/thread-pool.ts";
import type { RowChange } from "../catalog/apply.ts";
import type { CatalogChange, ListChanges } from "../catalog/catalog.ts";
import { buffersOf, type Piece, readPieces } from "../catalog/lists.ts";
import type { ResourceName } from "../catalog/resources.ts";
import { readSearchWords } from "../search/search-words.ts";
import { applyDeltas } from "../snapshot/apply-deltas.ts";
import { openDelta, readHeader, rowsOf } from "../snapshot/delta.ts";

export type CatalogTask =
  /** Throws where a file is damaged. */
  | { readonly task: "check"; readonly file: string }
  /** Moves what is in the write-ahead log into the file; gives whether the log is empty then. */
  | { readonly task: "empty log"; readonly file: string }
  /** Applies deltas to a file; gives {@link Applied}. */
  | {
      readonly task: "apply";
      readonly file: string;
      readonly deltas: readonly string[];
      readonly digest: string;
    }
  /** Gives lists of a catalog, which must have this digest, as pieces. */
  | {
      readonly task: "read lists";
      readonly file: string;
      readonly digest: string;
      readonly names: readonly ResourceName[];
      readonly words: boolean;
    }
  | ({ readonly task: "read changes" } & ChangesToRead);

export interface Applied {
  readonly digest: string;
  /** True where a text that search looks at has changed. */
  readonly documents: boolean;
}

/** Gives what deltas, which a file has by now, have changed since it had the digest `from`, as {@link ChangePart}s. */
export interface ChangesToRead {
  readonly file: string;
  readonly deltas: readonly string[];
  readonly from: string;
  readonly documents: boolean;
  /** More rows are read faster than merged: then nothing is given. */
  readonly mostRows: number;
}

export type ChangePart =
  /** Some of the rows. Ids ascend from part to part. */
  | { readonly resource: ResourceName; readonly changes: ListChanges }
  /** The last one. */
  | { readonly rest: Omit<CatalogChange, "changes"> };

/**
 * SQLite's check of all its tables: it reads the whole file, 2 s for 1 GB. The check of the text index by its meaning is
 * left out: it takes six times as long, and its tables are among the others.
 */
function check(db: Database.Database): void {
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .pluck()
    .all();
  for (const table of tables) {
    const said = db.pragma(`quick_check("${table}")`, { simple: true });
    if (said !== "ok") throw new Error(String(said));
  }
}

/** What was deleted stands in neither log nor file then. While others read on in what is in the log, it is not emptied. */
function emptyLog(db: Database.Database): boolean {
  return db.pragma("wal_checkpoint(TRUNCATE)", { simple: true }) === 0;
}

function* readLists(
  db: Database.Database,
  task: Extract<CatalogTask, { task: "read lists" }>,
): Generator<Piece> {
  beginReading(db);
  if (digestOf(db) !== task.digest) throw new Error("the catalog changed while it was read");
  yield* readPieces(db, task.names, task.words);
}

type Put = ListChanges["put"][number];

/** What deltas leave of each row, the last one of them says; null where there are too many. */
function lastOfRows(
  deltas: readonly string[],
  mostRows: number,
): Map<ResourceName, Map<number, Put | null>> | null {
  const found = new Map<ResourceName, Map<number, Put | null>>();
  const note = (row: RowChange) => {
    const known = found.get(row.resource) ?? new Map<number, Put | null>();
    found.set(row.resource, known);
    if ("deleted" in row) known.set(row.deleted, null);
    else {
      const { id, columns, list } = "put" in row ? row.put : row.listed;
      known.set(id, { id, columns, list });
    }
  };
  let count = 0;
  for (const file of deltas) {
    for (const row of rowsOf(openDelta(file))) {
      count += 1;
      if (count > mostRows) return null;
      note(row);
    }
  }
  return found;
}

/** Rows of one part: what is taken between two requests. */
const PART_ROWS = 200;

function* readChanges(
  db: Database.Database,
  { deltas, from, documents, mostRows }: ChangesToRead,
): Generator<ChangePart> {
  const [first] = deltas;
  if (first === undefined || readHeader(first).from.catalog !== from) return;
  const rows = lastOfRows(deltas, mostRows);
  if (rows === null) return;
  for (const [resource, ofResource] of rows) {
    const sorted = [...ofResource].sort(([a], [b]) => a - b);
    for (let at = 0; at < sorted.length; at += PART_ROWS) {
      const some = sorted.slice(at, at + PART_ROWS);
      const put = some.flatMap(([, row]) => (row === null ? [] : [row]));
      const deleted = some.flatMap(([id, row]) => (row === null ? [id] : []));
      yield { resource, changes: { put, deleted } };
    }
  }
  const entries = db.prepare<[], [string, string]>("SELECT name, value FROM meta").raw().all();
  const meta = Object.fromEntries(entries);
  yield { rest: documents ? { meta, words: readSearchWords(db) } : { meta } };
}

/** The content digest that a catalog names. */
function digestOf(db: Database.Database): unknown {
  return db.prepare("SELECT value FROM meta WHERE name = 'digest'").pluck().get();
}

function* work(task: CatalogTask): Generator<unknown> {
  const documents = task.task === "apply" && applyDeltas(task.file, task.deltas, { digest: task.digest });
  const isWriting = task.task === "empty log";
  const db = new Database(task.file, {
    fileMustExist: true,
    readonly: !isWriting,
    ...(isWriting ? { timeout: 0 } : {}),
  });
  try {
    if (task.task === "check") check(db);
    else if (task.task === "empty log") yield emptyLog(db);
    else if (task.task === "read lists") yield* readLists(db, task);
    else if (task.task === "read changes") yield* readChanges(db, task);
    else yield { documents, digest: digestOf(db) };
  } finally {
    db.close();
  }
}

// Requests go first. Elsewhere than on Linux only a whole process has a priority.
if (process.platform === "linux") setPriority(5);
const parts = work(workerData as CatalogTask);
answerMessages(
  () => {
    const { done, value } = parts.next();
    return done === true ? null : value;
  },
  (part) => [...buffersOf(part)],
);

/** A thread that reads and writes catalogs while another answers requests: it does one task, and ends. */
import { setPriority } from "node:os";
import Database from "better-sqlite3";
import { answerMessages } from "../base/thread-pool.ts";
import { applyDeltas } from "../site/apply-deltas.ts";

export type CatalogTask =
  /** Throws where a file is damaged. */
  | { readonly task: "check"; readonly file: string }
  /** Moves what is in the write-ahead log into the file; gives whether the log is empty then. */
  | { readonly task: "empty log"; readonly file: string }
  /** Applies deltas to a file, which has this digest then; gives the digest. */
  | {
      readonly task: "apply";
      readonly file: string;
      readonly deltas: readonly string[];
      readonly digest: string;
    };

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

/** The content digest that a catalog names. */
function metaDigest(db: Database.Database): unknown {
  return db.prepare("SELECT value FROM meta WHERE name = 'digest'").pluck().get();
}

function work(task: CatalogTask): unknown {
  if (task.task === "apply") applyDeltas(task.file, task.deltas, { digest: task.digest });
  const isWriting = task.task === "empty log";
  const db = new Database(task.file, {
    fileMustExist: true,
    readonly: !isWriting,
    ...(isWriting ? { timeout: 0 } : {}),
  });
  try {
    if (task.task === "apply") return metaDigest(db);
    if (task.task === "empty log") return emptyLog(db);
    return check(db);
  } finally {
    db.close();
  }
}

// Requests go first. Elsewhere than on Linux only a whole process has a priority.
if (process.platform === "linux") setPriority(5);
answerMessages(work);

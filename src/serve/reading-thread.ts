/** The thread that reads and writes files beside the one that answers requests. */
import { workerData } from "node:worker_threads";
import Database from "better-sqlite3";
import { readPieces } from "../catalog/lists.ts";
import { catchUp } from "./catch-up.ts";
import { goBeside, handOver, type ThreadOrder } from "./thread.ts";

/**
 * SQLite's check of all its tables: it reads the whole file, 2 s for 1 GB. The check of the text index by its meaning is
 * left out: it takes six times as long, and its tables are among the others.
 */
function checkWhole(file: string): void {
  const db = new Database(file, { readonly: true });
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .pluck()
    .all();
  for (const table of tables) {
    const said = db.pragma(`quick_check("${table}")`, { simple: true });
    if (said !== "ok") throw new Error(String(said));
  }
  db.close();
}

function* work(given: ThreadOrder): Generator<unknown> {
  if (given.task === "catch up" || given.isBeside) goBeside();
  if (given.task === "catch up") yield* catchUp(given.order);
  else if (given.task === "check") checkWhole(given.file);
  else {
    const db = new Database(given.file, { readonly: true });
    yield* readPieces(db, given.names, given.words);
    db.close();
  }
}

handOver(work(workerData as ThreadOrder));

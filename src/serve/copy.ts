/**
 * A catalog opened from a copy that has no name any more, so that nobody can write over what is being read.
 * Copying and checking happen beside the requests, not between them.
 */
import { constants, statSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { messageOf, VitrineError } from "../base/error.ts";
import { type Catalog, openCatalog } from "../catalog/catalog.ts";

/** What tells one file from its successor, and a file from itself once it was written to; "" where there is none. */
export function fingerprint(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino} ${found.mtimeNs} ${found.ctimeNs} ${found.size}`;
}

/**
 * SQLite's check of all its tables, in a thread of its own because it reads the whole file: 2 s for 1 GB. The check of
 * the text index by its meaning is left out: it takes six times as long, and its tables are among the others.
 */
const CHECK = `
const { parentPort, workerData } = require("node:worker_threads");
import(workerData.sqlite).then(({ default: Database }) => {
  const db = new Database(workerData.file, { readonly: true });
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").pluck().all();
  const found = tables.map((name) => db.pragma('quick_check("' + name + '")', { simple: true }));
  db.close();
  parentPort.postMessage(found.find((said) => said !== "ok") ?? "ok");
});`;

function checkWhole(file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sqlite = import.meta.resolve("better-sqlite3");
    const worker = new Worker(CHECK, { eval: true, execArgv: [], workerData: { file, sqlite } });
    worker.once("message", (found: string) => (found === "ok" ? resolve() : reject(new Error(found))));
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the check ended without a word")));
  });
}

/** Opens a catalog from a copy in `folder`, a fast one where the file system shares blocks. @throws VitrineError catalog_unreadable */
export async function openCopy(file: string, folder: string): Promise<Catalog> {
  // Says what is wrong with a file that is none in the words of every command.
  openCatalog(file).close();
  const before = fingerprint(file);
  const room = await mkdtemp(join(folder, "vitrine-catalog-"));
  try {
    const copy = join(room, "catalog.sqlite");
    await copyFile(file, copy, constants.COPYFILE_FICLONE);
    if (before === "" || fingerprint(file) !== before) throw new Error("it changed while it was read");
    await checkWhole(copy);
    return openCatalog(copy);
  } catch (error) {
    throw new VitrineError("catalog_unreadable", `The catalog ${file} cannot be used: ${messageOf(error)}.`, {
      cause: error,
    });
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

/** One build at a time in an output folder. The lock is SQLite's own, so it ends with its process, however that ends. */
import Database from "better-sqlite3";
import { systemCodeOf, VitrineError } from "../base/error.ts";

/** Takes the lock; the returned function gives it back. @throws VitrineError out_busy */
export function lockOut(file: string): () => void {
  const db = new Database(file, { timeout: 0 });
  try {
    db.pragma("journal_mode = MEMORY");
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (!systemCodeOf(error).startsWith("SQLITE_BUSY")) throw error;
    throw new VitrineError("out_busy", `Another build is at work on ${file}. Wait until it is done.`, {
      cause: error,
    });
  }
  return () => {
    db.close();
  };
}

/**
 * Who may use an output folder: one build alone, or any number of readers, and never both. The locks are SQLite's own,
 * so they end with their process, however that ends.
 */
import Database from "better-sqlite3";
import { systemCodeOf, VitrineError } from "../base/error.ts";

/** Takes a lock with these statements; the returned function gives it back. */
function lockBy(file: string, statements: string, busy: string): () => void {
  const db = new Database(file, { timeout: 0 });
  try {
    db.pragma("journal_mode = MEMORY");
    db.exec(statements);
  } catch (error) {
    db.close();
    if (!systemCodeOf(error).startsWith("SQLITE_BUSY")) throw error;
    throw new VitrineError("out_busy", busy, { cause: error });
  }
  return () => {
    db.close();
  };
}

/** Takes the lock alone. @throws VitrineError out_busy */
export function lockOut(file: string): () => void {
  return lockBy(
    file,
    "BEGIN EXCLUSIVE",
    `Another build is at work on ${file}, or a publish reads what it would replace. Wait until it is done.`,
  );
}

/** Takes the lock together with other readers. @throws VitrineError out_busy */
export function lockForReading(file: string): () => void {
  return lockBy(
    file,
    // A transaction locks nothing before it reads.
    "BEGIN; SELECT count(*) FROM sqlite_schema",
    `A build is at work on ${file}. Wait until it is done.`,
  );
}

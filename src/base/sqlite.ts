/** SQLite as several rooms use it: a read transaction that stays open, and locks that end with their process. */

import Database from "better-sqlite3";
import { systemCodeOf } from "./error.ts";

/** Reads on in one transaction: as the file is now, and no look-up locks it. Does nothing where one has begun. */
export function beginReading(db: Database.Database): void {
  // A transaction begins with its first read.
  if (!db.inTransaction) db.exec("BEGIN; SELECT 1 FROM sqlite_schema");
}

export function endReading(db: Database.Database): void {
  if (db.inTransaction) db.exec("COMMIT");
}

/** For one alone. */
export const EXCLUSIVE = "BEGIN EXCLUSIVE";
/** Together with others who read. A transaction locks nothing before it does. */
export const SHARED = "BEGIN; SELECT count(*) FROM sqlite_schema";

/** Takes a lock and returns what gives it back; null where another holds it. Makes the file, unless that must be there. */
export function takeLock(
  file: string,
  how: typeof EXCLUSIVE | typeof SHARED,
  { fileMustExist = false } = {},
): (() => void) | null {
  const db = new Database(file, { timeout: 0, fileMustExist });
  try {
    db.pragma("journal_mode = MEMORY");
    db.exec(how);
  } catch (error) {
    db.close();
    if (!systemCodeOf(error).startsWith("SQLITE_BUSY")) throw error;
    return null;
  }
  return () => {
    db.close();
  };
}

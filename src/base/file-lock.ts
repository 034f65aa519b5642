/** Locks on files that end with their process, however that ends: SQLite's own. */
import Database from "better-sqlite3";
import { systemCodeOf } from "./error.ts";

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

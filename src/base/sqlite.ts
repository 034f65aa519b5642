/** SQLite for several rooms: opening a file, a read transaction that stays open, and locks that end with their process. */
import { accessSync, closeSync, constants, existsSync, openSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { AFTER_LOCK, isForbidden, isLocked, systemCodeOf } from "./error.ts";
import { refusePipe } from "./files.ts";
import { isDamage } from "./memory.ts";

/** What SQLite opens together with a database. */
const BESIDE = ["", "-journal", "-wal", "-shm"];

/** Opens a database in a file. @throws NOT_FILE, EMFILE, ENFILE, EACCES, and what better-sqlite3 throws */
export function openSqlite(file: string, options: Database.Options = {}): Database.Database {
  for (const suffix of BESIDE) refusePipe(`${file}${suffix}`);
  try {
    return new Database(file, options);
  } catch (error) {
    if (systemCodeOf(error).startsWith("SQLITE_CANTOPEN")) refuseUnopened(file);
    throw error;
  }
}

/** SQLite does not say that a process has no descriptors left, or no right to a file. @throws EMFILE, ENFILE, EACCES */
function refuseUnopened(file: string): void {
  closeSync(openSync(existsSync(file) ? file : "/", constants.O_RDONLY));
}

interface Remedy {
  readonly next: string;
  /** If the hint of the error's code, which is to make the file again, would mislead. */
  readonly hint?: string;
}

/** What to do about a database that cannot be read: `otherwise`, unless it is only locked, or closed to this user. */
export function remedyOf(file: string, error: unknown, otherwise: string): Remedy {
  if (isLocked(error)) return { next: AFTER_LOCK, hint: `fuser ${file} names that process` };
  if (isForbidden(error))
    return { next: "Run this as a user who may read it.", hint: `ls -l ${file} shows whose file it is` };
  return { next: otherwise };
}

/** Begins a read transaction that later reads share: they see the file as it is now, without a lock each. Does nothing within one. */
export function beginReading(db: Database.Database): void {
  // A transaction begins with its first read.
  if (!db.inTransaction) db.exec("BEGIN; SELECT 1 FROM sqlite_schema");
}

export function endReading(db: Database.Database): void {
  if (db.inTransaction) db.exec("COMMIT");
}

/** An exclusive lock. */
export const EXCLUSIVE = "BEGIN EXCLUSIVE";
/** A shared lock. The SELECT is needed: a transaction takes no lock before its first read. */
export const SHARED = "BEGIN; SELECT count(*) FROM sqlite_schema";

/**
 * SQLite opens a file that it may not write read-only, and then BEGIN EXCLUSIVE takes a shared lock without an error.
 * @throws EACCES, EPERM, EROFS
 */
function refuseReadOnly(file: string): void {
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    // Another process may have removed its folder meanwhile: the caller checks that.
    if (systemCodeOf(error) !== "ENOENT") throw error;
  }
}

/** Takes a lock and returns the function that releases it; null if another process holds it. Makes the file, unless `fileMustExist`. @throws if it cannot be written and the lock is exclusive */
export function takeLock(
  file: string,
  how: typeof EXCLUSIVE | typeof SHARED,
  { fileMustExist = false } = {},
): (() => void) | null {
  const db = openSqlite(file, { timeout: 0, fileMustExist });
  try {
    if (how === EXCLUSIVE) refuseReadOnly(file);
    db.pragma("journal_mode = MEMORY");
    db.exec(how);
  } catch (error) {
    db.close();
    // A file that must exist may be somebody else's.
    if (isDamage(error) && !fileMustExist && empty(file)) return takeLock(file, how, { fileMustExist: true });
    if (!isLocked(error)) throw error;
    return null;
  }
  return () => {
    db.close();
  };
}

/**
 * Empties the file of a lock, which holds nothing, in its place: a new file would have separate locks. A link is left alone.
 * @returns false if it was empty
 */
function empty(file: string): boolean {
  if (statSync(file).size === 0) return false;
  closeSync(openSync(file, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW));
  return true;
}

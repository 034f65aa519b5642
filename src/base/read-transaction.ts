/** Reading an SQLite file on in one transaction: as it is now, and no look-up locks the file and looks at its head. */
import type Database from "better-sqlite3";

/** Does nothing where one has begun. */
export function beginReading(db: Database.Database): void {
  // A transaction begins with its first read.
  if (!db.inTransaction) db.exec("BEGIN; SELECT 1 FROM sqlite_schema");
}

export function endReading(db: Database.Database): void {
  if (db.inTransaction) db.exec("COMMIT");
}

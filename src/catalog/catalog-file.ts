/** Opens a catalog's file to write it: a new one, or an existing one to change it; and rewrites a changed one. */
import { FORMATS } from "../base/formats.ts";
import { openSqlite } from "../base/sqlite.ts";
import { TABLES } from "./resources.ts";
import { CatalogWriter, HAS_REMAINS } from "./writer.ts";

/** How long a commit waits for readers of the file: a fallback that compares it with its copy takes seconds. */
const BUSY_MILLISECONDS = 60_000;

/**
 * Makes a new file; nothing may exist at the path. `format`: that of the catalog which it is copied from, which an older version
 * may have written.
 */
export function createCatalog(file: string, format: number = FORMATS.catalog.newest): CatalogWriter {
  const db = openSqlite(file);
  // No other process sees the file before it is renamed, and an incomplete one is thrown away: no journal is needed.
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  db.pragma("page_size = 8192");
  db.pragma("cache_size = -16000");
  // Also overwrites the remains of a split page: they would survive a later deletion of the row.
  db.pragma("secure_delete = ON");
  db.exec(TABLES);
  db.exec("BEGIN");
  db.prepare("INSERT INTO meta VALUES ('format', ?)").run(String(format));
  return new CatalogWriter(db, true);
}

/**
 * Opens an existing catalog to change it in one transaction: readers see all of it or nothing. Deleted content is overwritten, together
 * with {@link removeRemains}. @throws if it cannot be read
 */
export function changeCatalog(file: string): CatalogWriter {
  const db = openSqlite(file, { fileMustExist: true, timeout: BUSY_MILLISECONDS });
  try {
    // Outside WAL mode changed pages wait in memory, so that readers wait only for the commit.
    db.pragma("secure_delete = ON");
    if (db.pragma("journal_mode", { simple: true }) !== "wal") db.pragma("cache_spill = OFF");
    db.exec("BEGIN IMMEDIATE");
    return new CatalogWriter(db, false);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Rewrites a catalog if it was changed, so that it holds nothing else than its rows. Needs room for two more copies of it. */
export function removeRemains(file: string): void {
  const db = openSqlite(file, { fileMustExist: true, timeout: BUSY_MILLISECONDS });
  try {
    if (db.pragma("user_version", { simple: true }) !== HAS_REMAINS) return;
    db.exec("VACUUM");
    db.pragma("user_version = 0");
  } finally {
    db.close();
  }
}

/** Opens a catalog's file to write it: a new one, or an existing one to change it; and rewrites a changed one. */
import type Database from "better-sqlite3";
import { FORMATS } from "../base/formats.ts";
import { openSqlite } from "../base/sqlite.ts";
import { PART_INDEXES, TABLES } from "./resources.ts";
import { CatalogWriter } from "./writer.ts";

/**
 * The `user_version` of a catalog that was changed since it was last rewritten. Text of earlier rows may be left in unused bytes, even
 * with `secure_delete`: SQLite does not overwrite those of a page that it rebuilds because rows moved.
 */
const HAS_REMAINS = 1;

/** Writes a file in one transaction, which {@link commit} or {@link close} ends. */
export class CatalogFileWriter extends CatalogWriter {
  declare readonly db: Database.Database;
  readonly #isNew: boolean;

  constructor(db: Database.Database, isNew: boolean) {
    super(db, isNew);
    this.#isNew = isNew;
  }

  /** Also makes the indexes by which the next build looks up parts. */
  override finish(meta: Readonly<Record<string, string>>, generatedAt: string): string {
    this.db.exec(PART_INDEXES.join(";\n"));
    return super.finish(meta, generatedAt);
  }

  /** Writes all that was put and deleted since the catalog was opened, and closes the file. */
  commit(): void {
    if (!this.#isNew) this.db.pragma(`user_version = ${HAS_REMAINS}`);
    this.db.exec("COMMIT");
    this.db.close();
  }

  /** Closes the file and discards all changes. */
  close(): void {
    this.db.close();
  }
}

/** How long a commit waits for readers of the file: a fallback that compares it with its copy takes seconds. */
const BUSY_MILLISECONDS = 60_000;

/**
 * Makes a new file; nothing may exist at the path. `format`: that of the catalog which it is copied from, which an older version
 * may have written.
 */
export function createCatalog(file: string, format: number = FORMATS.catalog.newest): CatalogFileWriter {
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
  return new CatalogFileWriter(db, true);
}

/**
 * Opens an existing catalog to change it in one transaction: readers see all of it or nothing. Deleted content is overwritten, together
 * with {@link removeRemains}. @throws if it cannot be read
 */
export function changeCatalog(file: string): CatalogFileWriter {
  const db = openSqlite(file, { fileMustExist: true, timeout: BUSY_MILLISECONDS });
  try {
    // Outside WAL mode changed pages wait in memory, so that readers wait only for the commit.
    db.pragma("secure_delete = ON");
    if (db.pragma("journal_mode", { simple: true }) !== "wal") db.pragma("cache_spill = OFF");
    db.exec("BEGIN IMMEDIATE");
    return new CatalogFileWriter(db, false);
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

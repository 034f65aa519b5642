/**
 * An open catalog file. Only writer.ts writes it: it puts each record together with its columns, its search texts and its digests,
 * and the catalog's digest covers these in order of id; verify.ts checks it. `view.ts` has what answers are made of.
 */
import { existsSync } from "node:fs";
import type Database from "better-sqlite3";
import { isForbidden, messageOf, VitrineError } from "../base/error.ts";
import type { Json } from "../base/json.ts";
import { beginReading, endReading, openSqlite, remedyOf } from "../base/sqlite.ts";
import type { Resource } from "./resources.ts";
import { type CatalogView, readMeta, viewOver } from "./view.ts";

export interface Catalog extends CatalogView, Disposable {
  readonly db: Database.Database;
  /**
   * Keeps one read transaction open until {@link release}: answers come from the file as it is now, whatever others write to it
   * in WAL mode, and a look-up does not lock the file each time.
   */
  hold(): void;
  release(): void;
  /** All records in their list shape, in order of id, read one by one. */
  records(resource: Resource): IterableIterator<Json>;
  close(): void;
}

function openDatabase(file: string, isHeld: boolean): { db: Database.Database; meta: Map<string, string> } {
  let db: Database.Database | undefined;
  try {
    db = openSqlite(file, { readonly: true, fileMustExist: true });
    if (isHeld) beginReading(db);
    return { db, meta: readMeta(db, file) };
  } catch (error) {
    db?.close();
    if (error instanceof VitrineError) throw error;
    const { next, hint } = remedyOf(file, error, "Make it again with vitrine build, or name another file.");
    throw new VitrineError(
      "catalog_unreadable",
      existsSync(file) || isForbidden(error)
        ? `Cannot read the catalog ${file}: ${messageOf(error)}. ${next}`
        : `There is no catalog ${file}. Make it with vitrine build, or name another.`,
      { cause: error, hint },
    );
  }
}

function catalogOf(db: Database.Database, meta: ReadonlyMap<string, string>, file: string): Catalog {
  const close = () => {
    db.close();
  };
  return {
    ...viewOver(db, meta, file),
    db,
    hold: () => beginReading(db),
    release: () => endReading(db),
    records: ({ name }) =>
      db.prepare<[], Json>(`SELECT json FROM ${name}_list ORDER BY id`).pluck().iterate(),
    close,
    [Symbol.dispose]: close,
  };
}

/** A catalog as one connection sees it, including its uncommitted transaction. `file`: for messages. */
export function catalogOver(db: Database.Database, file: string): Catalog {
  return catalogOf(db, readMeta(db, file), file);
}

/** Opens a catalog read-only. @throws VitrineError catalog_unreadable */
export function openCatalog(file: string): Catalog {
  const { db, meta } = openDatabase(file, false);
  return catalogOf(db, meta, file);
}

/** As {@link openCatalog}, in a read transaction from the first read on: another process may change the file at any moment. */
export function openHeldCatalog(file: string): Catalog {
  const { db, meta } = openDatabase(file, true);
  return catalogOf(db, meta, file);
}

/**
 * Writes a catalog: a new one, or additions, changes and deletions in an existing one. Either way the same rows give the same
 * content digest.
 */
import { hash } from "node:crypto";
import type Database from "better-sqlite3";
import type { Cell } from "../api/record.ts";
import type { AlikeRows, Gather, GatheredRow, Values } from "../api/row.ts";
import { FORMATS } from "../base/formats.ts";
import type { Json } from "../base/json.ts";
import { openSqlite } from "../base/sqlite.ts";
import { documentId, hasDocuments } from "../search/documents.ts";
import type { FileShapes } from "./files.ts";
import { RecordDigests } from "./record-digests.ts";
import { partIndexes, RESOURCES, type Resource, type ResourceName, TABLES } from "./resources.ts";
import {
  type CatalogRow,
  type DocumentWords,
  digestsOfRow,
  type PreparedRow,
  prepareRow,
  type StoredDetailPart,
  type StoredDocument,
  type StoredListPart,
  type StoredRow,
  storedDetailPart,
  storedWords,
} from "./row.ts";

/** The result of putting a row. `slugTaken`: nothing was written, because the row with this id has the slug. */
type PutOutcome = "changed" | "unchanged" | { readonly slugTaken: number };

interface Statements {
  /** Columns in the order of the table. */
  readonly columns: readonly string[];
  /** The index of the slug among them. */
  readonly slugPlace: number;
  /** The list fragment, then the columns. */
  readonly getListPart: Database.Statement<[number], Cell[]>;
  readonly getAdded: Database.Statement<[number], Json> | null;
  readonly row: Database.Statement;
  readonly list: Database.Statement;
  readonly updateList: Database.Statement<[Json, number]>;
  readonly added: Database.Statement | null;
  /** Clears a row's slug, so that another row can take it: this row is about to get another one. */
  readonly freeSlug: Database.Statement<[number]> | null;
  readonly slugOwner: Database.Statement<[Cell], number> | null;
  readonly putDigests: Database.Statement<[number, Buffer, Buffer | null]>;
  readonly deleteDigests: Database.Statement<[number]>;
  readonly deleteListPart: readonly Database.Statement<[number]>[];
  readonly deleteAdded: Database.Statement<[number]> | null;
}

function prepare(db: Database.Database, resource: Resource): Statements {
  const columns = Object.keys(resource.columns);
  const { name, detail, slug } = resource;
  const deletion = (table: string) => db.prepare<[number]>(`DELETE FROM ${table} WHERE id = ?`);
  const fields = columns.join(", ");
  return {
    columns,
    slugPlace: columns.indexOf("slug"),
    getListPart: db
      .prepare<[number], Cell[]>(
        `SELECT (SELECT json FROM ${name}_list AS l WHERE l.id = r.id), ${fields} FROM ${name} AS r WHERE id = ?`,
      )
      .raw(),
    getAdded: detail
      ? db.prepare<[number], Json>(`SELECT json FROM ${name}_added WHERE id = ?`).pluck()
      : null,
    row: db.prepare(`INSERT INTO ${name} VALUES (?, ${columns.map(() => "?").join(", ")})`),
    list: db.prepare(`INSERT INTO ${name}_list VALUES (?, ?)`),
    updateList: db.prepare<[Json, number]>(`UPDATE ${name}_list SET json = ? WHERE id = ?`),
    added: detail ? db.prepare(`INSERT INTO ${name}_added VALUES (?, ?)`) : null,
    freeSlug: slug ? db.prepare<[number]>(`UPDATE ${name} SET slug = NULL WHERE id = ?`) : null,
    slugOwner: slug ? db.prepare<[Cell], number>(`SELECT id FROM ${name} WHERE slug = ?`).pluck() : null,
    putDigests: db.prepare(`INSERT OR REPLACE INTO ${name}_digest VALUES (?, ?, ?)`),
    deleteDigests: deletion(`${name}_digest`),
    deleteListPart: [deletion(name), deletion(`${name}_list`)],
    deleteAdded: detail ? deletion(`${name}_added`) : null,
  };
}

/** The first half of a digest, as it is stored beside its row. */
function storedDigest(digest: string): Buffer {
  return Buffer.from(digest.slice(0, 32), "hex");
}

function storedDigestOrNull(digest: string | null): Buffer | null {
  return digest === null ? null : storedDigest(digest);
}

/** The narrow columns of a row, as SQLite gives them. */
type ColumnsRow = Readonly<Record<string, Cell>> & { readonly id: number };

/** The content digest of a catalog, from the digest of its rows and its meta. */
export function digestOfContent(rows: string, meta: readonly (readonly [string, string])[]): string {
  return hash("sha256", JSON.stringify([rows, meta]));
}

/**
 * One digest of all rows of a catalog, whatever the order in which they were put. Only digests of digests in a fixed order are that:
 * docs/decisions/sets.md says why no sum is.
 */
export function digestOfRows(digests: Pick<RecordDigests, "of">): string {
  return hash("sha256", RESOURCES.map(({ name }) => `${name} ${digests.of(name).whole}\n`).join(""));
}

/** The meta that is part of a catalog's digest: everything except digests and the time it was made. */
export function contentMeta(meta: Iterable<readonly [string, string]>): (readonly [string, string])[] {
  return [...meta]
    .filter(([name]) => !["digest", "generated_at", "files"].includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Up to this many deleted documents are removed from the index one by one, 6 to 37 ms each. With more of them the whole index
 * is rewritten at the end, which also leaves no trace of deleted words.
 */
const MAX_SECURE_DELETIONS = 50;

/** Segments of a new index, a megabyte each, that may wait to be merged: SQLite allows 2000. */
const MAX_SEGMENTS = 1000;

/** Writes the texts for search: the stored documents, and the words of the full-text index. */
class DocumentWriter {
  readonly #db: Database.Database;
  readonly #isNew: boolean;
  readonly #insert: Database.Statement;
  readonly #insertWords: Database.Statement;
  readonly #deleteDocument: Database.Statement<[number]>;
  readonly #deleteWords: Database.Statement;
  readonly #get: Database.Statement<[number], StoredDocument>;
  #deletions = 0;

  constructor(db: Database.Database, isNew: boolean) {
    this.#db = db;
    this.#isNew = isNew;
    this.#insert = db.prepare("INSERT INTO document VALUES (?, ?, ?, ?)");
    this.#insertWords = db.prepare(
      "INSERT INTO document_text (rowid, title, excerpt, text) VALUES (?, ?, ?, ?)",
    );
    this.#deleteDocument = db.prepare<[number]>("DELETE FROM document WHERE id = ?");
    this.#deleteWords = db.prepare(
      "INSERT INTO document_text (document_text, rowid, title, excerpt, text) VALUES ('delete', ?, ?, ?, ?)",
    );
    this.#get = db.prepare<[number], StoredDocument>(
      "SELECT title_words AS titleWords, excerpt, text FROM document WHERE id = ?",
    );
    // Merging all at the end is faster than merging while inserting.
    if (isNew) this.#configure("automerge", 0);
    if (isNew) this.#configure("crisismerge", MAX_SEGMENTS);
  }

  get(resource: ResourceName, id: number): StoredDocument | null {
    return hasDocuments(resource) ? (this.#get.get(documentId(resource, id)) ?? null) : null;
  }

  /** Replaces a document; `old` is null for a new one. */
  put(
    resource: ResourceName,
    id: number,
    next: StoredDocument,
    words: DocumentWords,
    old: StoredDocument | null,
  ): void {
    const place = documentId(resource, id);
    if (old !== null) {
      const { titleWords, excerpt, text } = old;
      if (next.titleWords === titleWords && next.excerpt === excerpt && next.text === text) return;
      this.delete(resource, id, old);
    }
    this.#insert.run(place, next.titleWords, next.excerpt, next.text);
    this.#insertWords.run(place, words.title, words.excerpt, words.text);
  }

  /** The index removes a document only if it is given exactly the words that it was given before. */
  delete(resource: ResourceName, id: number, old: StoredDocument): void {
    if (this.#deletions === 0) this.#configure("secure-delete", 1);
    if (this.#deletions === MAX_SECURE_DELETIONS) this.#configure("secure-delete", 0);
    this.#deletions += 1;
    const place = documentId(resource, id);
    this.#deleteDocument.run(place);
    const words = storedWords(old);
    this.#deleteWords.run(place, words.title, words.excerpt, words.text);
  }

  finish(): void {
    if (!this.#isNew && this.#deletions <= MAX_SECURE_DELETIONS) return;
    this.#db.exec("INSERT INTO document_text (document_text) VALUES ('optimize')");
    if (!this.#isNew) return;
    this.#configure("automerge", 4);
    this.#configure("crisismerge", 16);
  }

  /** With a literal: a bound number is a REAL, which the index refuses. */
  #configure(option: string, value: number): void {
    this.#db.exec(`INSERT INTO document_text (document_text, rank) VALUES ('${option}', ${value})`);
  }
}

export class CatalogWriter {
  readonly db: Database.Database;
  /** True for a new file: rows need not be looked up. */
  readonly #isNew: boolean;
  readonly #statements: ReadonlyMap<ResourceName, Statements>;
  readonly #documents: DocumentWriter;
  #hasDeleted = false;
  /** Other statements, by their SQL. */
  readonly #others = new Map<string, Database.Statement>();

  /** `db` must have all tables and be within a transaction. */
  constructor(db: Database.Database, isNew: boolean) {
    this.db = db;
    this.#isNew = isNew;
    this.#statements = new Map(RESOURCES.map((resource) => [resource.name, prepare(db, resource)]));
    this.#documents = new DocumentWriter(db, isNew);
  }

  #of(name: ResourceName): Statements {
    const found = this.#statements.get(name);
    if (found === undefined) throw new Error(`No resource is named ${name}`);
    return found;
  }

  put(name: ResourceName, row: CatalogRow): PutOutcome {
    return this.putPrepared(name, prepareRow(name, row));
  }

  /** Replaces the row with this id. An equal row is not written. */
  putPrepared(name: ResourceName, row: PreparedRow): PutOutcome {
    const { id, digests } = row;
    const before = this.#isNew ? null : this.#get(name, id);
    const old = before === null ? null : digestsOfRow(name, id, before);
    const isDetailKept = old !== null && old.detail === digests.detail;
    if (isDetailKept && old.list === digests.list) return "unchanged";
    const taken = this.#replaceListPart(name, id, row, before);
    if (taken !== null) return taken;
    this.#of(name).putDigests.run(id, storedDigest(digests.list), storedDigestOrNull(digests.detail));
    if (!isDetailKept) this.#replaceDetailPart(name, row, before);
    return "changed";
  }

  /** As {@link putPrepared}, but takes the slug from another row that has it. That row must be put or deleted before {@link commit}. */
  takeSlugAndPut(name: ResourceName, row: PreparedRow): Exclude<PutOutcome, object> {
    let outcome = this.putPrepared(name, row);
    if (typeof outcome === "object") {
      this.#of(name).freeSlug?.run(outcome.slugTaken);
      outcome = this.putPrepared(name, row);
    }
    if (typeof outcome === "object")
      throw new Error(`${name} ${outcome.slugTaken} does not give up its slug`);
    return outcome;
  }

  /** Deletes a row; false if there was none. */
  delete(name: ResourceName, id: number): boolean {
    const before = this.#get(name, id);
    if (before === null) return false;
    this.#hasDeleted = true;
    this.#deleteListPart(name, id);
    this.#of(name).deleteDigests.run(id);
    this.#of(name).deleteAdded?.run(id);
    if (before.document !== null) this.#documents.delete(name, id, before.document);
    return true;
  }

  get hasDeleted(): boolean {
    return this.#hasDeleted;
  }

  /** Rows of a part that name one of these owners, by owner, each in order of id. */
  partsOf({ of, by }: Gather<unknown>, owners: readonly number[]): Map<number, GatheredRow[]> {
    const sql = `SELECT * FROM ${of} WHERE ${by} IN (SELECT value FROM json_each(?)) ORDER BY ${by}, id`;
    const parts = new Map<number, GatheredRow[]>();
    for (const row of this.#prepared<[string], ColumnsRow>(sql).all(JSON.stringify(owners))) {
      const owner = Number(row[by]);
      const own = parts.get(owner);
      const part = { columns: row, shape: () => this.shape(of, row.id) };
      if (own === undefined) parts.set(owner, [part]);
      else own.push(part);
    }
    return parts;
  }

  /** All rows of a record, grouped by some of their narrow columns. */
  alikeRows(of: string, names: readonly string[]): AlikeRows[] {
    const columns = names.join(", ");
    const sql = `SELECT COUNT(*) AS count, ${columns} FROM ${of} GROUP BY ${columns}`;
    const found = this.#prepared<[], [count: number, ...cells: Cell[]]>(sql).raw().all();
    const named = (cells: readonly Cell[]) =>
      Object.fromEntries(names.map((name, at) => [name, cells[at] ?? null]));
    return found.map(([count, ...cells]) => ({ columns: named(cells), count }));
  }

  /** A record's list shape; null if the record is missing. */
  shape(name: string, id: number): Values | null {
    const row = this.#prepared<[number], { json: string }>(`SELECT json FROM ${name}_list WHERE id = ?`).get(
      id,
    );
    return row === undefined ? null : (JSON.parse(row.json) as Values);
  }

  #prepared<Bound extends unknown[], Found>(sql: string): Database.Statement<Bound, Found> {
    const known = this.#others.get(sql) ?? this.db.prepare(sql);
    this.#others.set(sql, known);
    return known as Database.Statement<Bound, Found>;
  }

  /** Narrow columns of all rows, by id. */
  cellsBy(name: ResourceName, columns: readonly string[]): Map<number, Cell[]> {
    const sql = `SELECT id, ${columns.join(", ")} FROM ${name}`;
    const rows = this.#prepared<[], [number, ...Cell[]]>(sql).raw().all();
    return new Map(rows.map(([id, ...cells]) => [id, cells]));
  }

  /** Computes the digests of all rows again. @throws if the stored ones differ */
  checkDigests(name: ResourceName): void {
    const stored = this.db.prepare<[number], { list: Buffer; detail: Buffer | null }>(
      `SELECT list, detail FROM ${name}_digest WHERE id = ?`,
    );
    for (const id of this.ids(name)) {
      const row = this.#get(name, id);
      if (row === null) continue;
      const { list, detail } = digestsOfRow(name, id, row);
      const known = stored.get(id);
      const isSame =
        known?.list.equals(storedDigest(list)) === true &&
        known.detail?.toString("hex") === storedDigestOrNull(detail)?.toString("hex");
      if (!isSame) throw new Error(`${name} ${id} has other digests than its row gives`);
    }
    if (this.count(`${name}_digest`) !== this.count(name))
      throw new Error(`${name} has digests of missing rows`);
  }

  /** All ids, ascending. */
  ids(name: string): number[] {
    return this.#prepared<[], number>(`SELECT id FROM ${name} ORDER BY id`).pluck().all();
  }

  count(name: string): number {
    return this.#prepared<[], number>(`SELECT COUNT(*) FROM ${name}`).pluck().get() ?? 0;
  }

  /** Call once all rows of a record are in: makes the indexes by which its parts are looked up. */
  complete(name: ResourceName): void {
    this.db.exec(partIndexes(name));
  }

  /** Completes the content and returns its digest. Unchanged content keeps its time, so that a new time alone makes no new catalog. */
  finish(meta: Readonly<Record<string, string>>, generatedAt: string): string {
    this.#documents.finish();
    const rows = digestOfRows(new RecordDigests(this.db));
    // A catalog of an older format keeps its number, because the digest includes it.
    const format = this.meta("format") ?? "";
    const entries = contentMeta(Object.entries({ ...meta, format }));
    const digest = digestOfContent(rows, entries);
    const put = this.db.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
    if (this.meta("digest") === digest) return digest;
    const all = [...entries, ["digest", digest], ["generated_at", generatedAt]] as const;
    for (const [name, value] of all) put.run(name, value);
    return digest;
  }

  /** Sets when the content last changed, if that was earlier. */
  setGeneratedAt(time: string): void {
    this.db.prepare("INSERT OR REPLACE INTO meta VALUES ('generated_at', ?)").run(time);
  }

  /** Sets which queries have a file. They follow from the content, so they are no part of its digest. */
  setFiles(shapes: FileShapes): void {
    if (Object.keys(shapes).length === 0) this.db.exec("DELETE FROM meta WHERE name = 'files'");
    else this.db.prepare("INSERT OR REPLACE INTO meta VALUES ('files', ?)").run(JSON.stringify(shapes));
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

  /** A text of the catalog's meta; null if it is missing. */
  meta(name: string): string | null {
    const sql = "SELECT value FROM meta WHERE name = ?";
    return this.#prepared<[string], { value: string }>(sql).get(name)?.value ?? null;
  }

  #get(name: ResourceName, id: number): StoredRow | null {
    const listPart = this.#getListPart(name, id);
    if (listPart === null) return null;
    const added = this.#of(name).getAdded?.get(id) ?? null;
    return { ...listPart, added, document: this.#documents.get(name, id) };
  }

  #getListPart(name: ResourceName, id: number): StoredListPart | null {
    const found = this.#of(name).getListPart.get(id);
    if (found === undefined) return null;
    const [list, ...cells] = found;
    return { cells, list: list as Json };
  }

  /** Replaces the list part of a row; null if that was done. */
  #replaceListPart(
    name: ResourceName,
    id: number,
    next: StoredListPart,
    before: StoredListPart | null,
  ): { readonly slugTaken: number } | null {
    const statements = this.#of(name);
    if (before?.cells.every((cell, at) => cell === next.cells[at])) {
      statements.updateList.run(next.list, id);
      return null;
    }
    const owner = statements.slugOwner?.get(next.cells[statements.slugPlace] ?? null);
    if (owner !== undefined && owner !== id) {
      statements.freeSlug?.run(id);
      return { slugTaken: owner };
    }
    if (before !== null) this.#deleteListPart(name, id);
    statements.row.run(id, ...next.cells);
    statements.list.run(id, next.list);
    return null;
  }

  #deleteListPart(name: ResourceName, id: number): void {
    for (const deletion of this.#of(name).deleteListPart) deletion.run(id);
  }

  #replaceDetailPart(name: ResourceName, row: PreparedRow, before: StoredDetailPart | null): void {
    const { added, deleteAdded } = this.#of(name);
    const { id, words } = row;
    if (before !== null) deleteAdded?.run(id);
    added?.run(id, row.added);
    const old = before?.document ?? null;
    const { document } = storedDetailPart(row.added, row.document, words?.title ?? "");
    if (document !== null && words !== null) this.#documents.put(name, id, document, words, old);
    else if (old !== null) this.#documents.delete(name, id, old);
  }
}

/**
 * The `user_version` of a catalog that was changed since it was last rewritten. Text of earlier rows may be left in unused bytes, even
 * with `secure_delete`: SQLite does not overwrite those of a page that it rebuilds because rows moved.
 */
const HAS_REMAINS = 1;

/** How long a commit waits for readers of the file: a fallback that compares it with its copy takes seconds. */
const BUSY_MILLISECONDS = 60_000;

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

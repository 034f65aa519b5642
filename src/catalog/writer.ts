/**
 * Writes a catalog's rows: into a new file, or additions, changes and deletions in an existing one, in one transaction. Either way
 * the same rows give the same content digest. A row is written only if the digests of its parts differ from those stored with it.
 */

import type { Cell } from "../api/record.ts";
import type { AlikeRows, Gather, GatheredRow, Values } from "../api/row.ts";
import type { Json } from "../base/json.ts";
import type { Sql, SqlStatement } from "../base/sql.ts";
import { hasDocuments } from "../search/search-texts.ts";
import { contentMeta, digestOfContent, digestOfRows } from "./content-digest.ts";
import { DocumentWriter } from "./document-writer.ts";
import type { FileShapes } from "./files.ts";
import { RecordDigests } from "./record-digests.ts";
import { partIndex, RESOURCES, type Resource, type ResourceName } from "./resources.ts";
import { type CatalogRow, digestsOfRow, type PartDigests } from "./row.ts";

/** A row that differs from the stored one, or is not stored yet. */
export interface Difference {
  readonly name: ResourceName;
  readonly row: CatalogRow;
  readonly digests: PartDigests;
  readonly isStored: boolean;
  readonly isListKept: boolean;
  /** False also for a new row. */
  readonly isDetailKept: boolean;
}

export class CatalogWriter {
  readonly db: Sql;
  /** True for a new file: rows need not be looked up. */
  readonly #isNew: boolean;
  readonly #statements: ReadonlyMap<ResourceName, Statements>;
  readonly #documents: DocumentWriter;
  #hasDeleted = false;
  #digests: RecordDigests | null = null;
  /** Other statements, by their SQL. */
  readonly #others = new Map<string, SqlStatement>();

  /** `db` must have all tables and be within a transaction. */
  constructor(db: Sql, isNew: boolean) {
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

  /**
   * Replaces the row with this id; false if the stored one is equal. Another row that has its slug loses it: that row must be put or
   * deleted in the same transaction.
   */
  put(name: ResourceName, row: CatalogRow): boolean {
    const difference = this.difference(name, row);
    if (difference !== null) this.write(difference);
    return difference !== null;
  }

  /** Compares a row with the stored one, and writes nothing; null if they are equal. */
  difference(name: ResourceName, row: CatalogRow): Difference | null {
    const digests = digestsOfRow(name, row);
    const { list, detail } = digests;
    const stored = this.#isNew ? undefined : this.#of(name).getDigests.get(row.id);
    const isListKept = stored?.list.equals(list) === true;
    const isDetailKept =
      stored !== undefined &&
      (detail === null ? stored.detail === null : stored.detail?.equals(detail) === true);
    if (isListKept && isDetailKept) return null;
    return { name, row, digests, isStored: stored !== undefined, isListKept, isDetailKept };
  }

  /** Puts a row. Since its difference was found, nothing may have been put that has its id. */
  write({ name, row, digests, isStored, isListKept, isDetailKept }: Difference): void {
    if (!isListKept) this.#putListPart(name, row, isStored);
    if (!isDetailKept) this.#putDetailPart(name, row);
    this.#of(name).putDigests.run(row.id, digests.list, digests.detail);
  }

  #putListPart(name: ResourceName, { id, cells, list }: CatalogRow, isStored: boolean): void {
    const { getCells, updateList, slugOwner, slugPlace, freeSlug, forgetList, putCells, putList } =
      this.#of(name);
    // Often only the fragment changes: then no index does.
    if (isStored && getCells.get(id)?.every((cell, at) => cell === cells[at])) {
      updateList.run(list, id);
      return;
    }
    const owner = slugOwner?.get(cells[slugPlace] ?? null);
    if (owner !== undefined && owner !== id) {
      freeSlug?.run(owner);
      // Without its slug that row equals no row: it is written again even if it gets this slug back.
      forgetList.run(owner);
    }
    if (isStored) this.#deleteListPart(name, id);
    putCells.run(id, ...cells);
    putList.run(id, list);
  }

  #putDetailPart(name: ResourceName, { id, added, document }: CatalogRow): void {
    this.#of(name).putAdded?.run(id, added);
    if (hasDocuments(name)) this.#documents.put(name, id, document);
  }

  #deleteListPart(name: ResourceName, id: number): void {
    for (const deletion of this.#of(name).deleteListPart) deletion.run(id);
  }

  /** Deletes a row; false if there was none. */
  delete(name: ResourceName, id: number): boolean {
    const { deleteDigests, deleteAdded } = this.#of(name);
    if (deleteDigests.run(id).changes === 0) return false;
    this.#hasDeleted = true;
    this.#deleteListPart(name, id);
    deleteAdded?.run(id);
    if (hasDocuments(name)) this.#documents.put(name, id, null);
    return true;
  }

  get hasDeleted(): boolean {
    return this.#hasDeleted;
  }

  /** Rows of a part that name one of these owners, by owner, each in order of id. */
  partsOf({ of, by }: Gather<unknown>, owners: readonly number[]): Map<number, GatheredRow[]> {
    // Only now: most rows are in, and inserting is slower with an index.
    this.db.exec(partIndex(of, by));
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

  #prepared<Bound extends unknown[], Found>(sql: string): SqlStatement<Bound, Found> {
    const known = this.#others.get(sql) ?? this.db.prepare(sql);
    this.#others.set(sql, known);
    return known as SqlStatement<Bound, Found>;
  }

  /** Narrow columns of all rows, by id. */
  cellsBy(name: ResourceName, columns: readonly string[]): Map<number, Cell[]> {
    const sql = `SELECT id, ${columns.join(", ")} FROM ${name}`;
    const rows = this.#prepared<[], [number, ...Cell[]]>(sql).raw().all();
    return new Map(rows.map(([id, ...cells]) => [id, cells]));
  }

  count(name: string): number {
    return this.#prepared<[], number>(`SELECT COUNT(*) FROM ${name}`).pluck().get() ?? 0;
  }

  /** Completes the content and returns its digest. Unchanged content keeps its time, so that a new time alone makes no new catalog. */
  finish(meta: Readonly<Record<string, string>>, generatedAt: string): string {
    this.#documents.finish();
    this.#digests = new RecordDigests(this.db);
    const rows = digestOfRows(this.#digests);
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

  /** The digests of all rows, once the content is complete. */
  get digests(): RecordDigests {
    if (this.#digests === null) throw new Error("The catalog is not finished");
    return this.#digests;
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

  /** A text of the catalog's meta; null if it is missing. */
  meta(name: string): string | null {
    const sql = "SELECT value FROM meta WHERE name = ?";
    return this.#prepared<[string], { value: string }>(sql).get(name)?.value ?? null;
  }
}

interface Statements {
  readonly getDigests: SqlStatement<[number], PartDigests>;
  readonly putDigests: SqlStatement<[number, Buffer, Buffer | null]>;
  readonly deleteDigests: SqlStatement<[number]>;
  readonly getCells: SqlStatement<[number], Cell[]>;
  readonly putCells: SqlStatement;
  readonly putList: SqlStatement<[number, Json]>;
  readonly updateList: SqlStatement<[Json, number]>;
  readonly deleteListPart: readonly SqlStatement<[number]>[];
  readonly slugOwner: SqlStatement<[slug: Cell], number> | null;
  readonly freeSlug: SqlStatement<[number]> | null;
  /** Makes a row's list part differ from any other. */
  readonly forgetList: SqlStatement<[number]>;
  /** The index of the slug among the cells. */
  readonly slugPlace: number;
  readonly putAdded: SqlStatement<[number, Json | null]> | null;
  readonly deleteAdded: SqlStatement<[number]> | null;
}

function prepare(db: Sql, { name, columns, detail, slug }: Resource): Statements {
  const names = Object.keys(columns);
  const statement = <Bound extends unknown[], Found = unknown>(sql: string) => db.prepare<Bound, Found>(sql);
  const deletion = (table: string) => statement<[number]>(`DELETE FROM ${table} WHERE id = ?`);
  return {
    getDigests: statement<[number], PartDigests>(`SELECT list, detail FROM ${name}_digest WHERE id = ?`),
    putDigests: statement(`INSERT OR REPLACE INTO ${name}_digest VALUES (?, ?, ?)`),
    deleteDigests: deletion(`${name}_digest`),
    getCells: statement<[number], Cell[]>(`SELECT ${names.join(", ")} FROM ${name} WHERE id = ?`).raw(),
    putCells: statement(`INSERT INTO ${name} VALUES (?, ${names.map(() => "?").join(", ")})`),
    putList: statement(`INSERT INTO ${name}_list VALUES (?, ?)`),
    updateList: statement(`UPDATE ${name}_list SET json = ? WHERE id = ?`),
    deleteListPart: [deletion(name), deletion(`${name}_list`)],
    slugOwner: slug ? statement<[Cell], number>(`SELECT id FROM ${name} WHERE slug = ?`).pluck() : null,
    freeSlug: slug ? statement<[number]>(`UPDATE ${name} SET slug = NULL WHERE id = ?`) : null,
    forgetList: statement(`UPDATE ${name}_digest SET list = x'' WHERE id = ?`),
    slugPlace: names.indexOf("slug"),
    putAdded: detail ? statement(`INSERT OR REPLACE INTO ${name}_added VALUES (?, ?)`) : null,
    deleteAdded: detail ? deletion(`${name}_added`) : null,
  };
}

/** The narrow columns of a row, as SQLite gives them. */
type ColumnsRow = Readonly<Record<string, Cell>> & { readonly id: number };

/** A record as it is put into a catalog, and what is made of it for that, by whoever has the time. */
import { hash } from "node:crypto";
import type { Cell, SearchTexts } from "../api/record.ts";
import type { Json } from "../base/json.ts";
import { spacedWords } from "../search/documents.ts";
import { type ResourceName, resourceNamed } from "./resources.ts";

/** What of a row lists show, and are made by. */
export interface ListedRow {
  readonly id: number;
  /** Narrow columns, by their name. */
  readonly columns: Readonly<Record<string, Cell>>;
  /** The list fragment. */
  readonly list: Json;
}

/** One row of a resource: with what its detail adds to the list fragment, and its texts for the full-text index. */
export interface CatalogRow extends ListedRow {
  readonly added?: Json;
  readonly document?: SearchTexts;
}

/** A document as it stands in the file. */
export interface StoredDocument {
  readonly titleWords: string;
  readonly excerpt: string;
  readonly text: string;
}

/** What of a row lists show, as it stands in the file. */
export interface StoredListed {
  readonly cells: readonly Cell[];
  readonly list: Json;
}

/** What there is of a row beside that. */
export interface StoredRest {
  readonly added: Json | null;
  readonly document: StoredDocument | null;
}

/** A row as it stands in the file. */
export type StoredRow = StoredListed & StoredRest;

/** The words of a document's texts, as the index takes them. */
export interface DocumentWords {
  readonly title: string;
  readonly excerpt: string;
  readonly text: string;
}

/** A row whose columns stand in the order of the table. */
export interface PlainRow extends StoredListed {
  readonly id: number;
  readonly added: Json | null;
  readonly document: SearchTexts | null;
}

/** A row with what takes time to make of it. Data: it goes from thread to thread. */
export interface PreparedRow extends PlainRow {
  readonly digests: RowDigests;
  readonly words: DocumentWords | null;
}

/** SHA-256 of a row's content in two parts, hexadecimal: what often changes alone, and what is long. */
export interface RowDigests {
  readonly listed: string;
  /** Null where there is nothing beside. */
  readonly rest: string | null;
}

/** A detail fragment: `{"id":1}` and what it adds, `{"text":"…"}` → `{"id":1,"text":"…"}` */
export function joinDetail(list: Json, added: Json): Json {
  return `${list.slice(0, -1)},${added.slice(1)}` as Json;
}

/** The same as an expression of SQL, of two others. */
export function joinDetailSql(list: string, added: string): string {
  return `substr(${list}, 1, length(${list}) - 1) || ',' || substr(${added}, 2)`;
}

/** Its bytes: one brace of each goes, and a comma comes. */
export function joinedSizeSql(list: string, added: string): string {
  return `OCTET_LENGTH(${list}) + OCTET_LENGTH(${added}) - 1`;
}

export function digestOfListed(name: ResourceName, id: number, { cells, list }: StoredListed): string {
  return hash("sha256", `${name}\n${id}\n${JSON.stringify(cells)}\n${list}`, "hex");
}

function digestOfRest(name: ResourceName, id: number, { added, document }: StoredRest): string | null {
  if (added === null && document === null) return null;
  const texts =
    document === null ? "" : JSON.stringify([document.titleWords, document.excerpt, document.text]);
  return hash("sha256", `${name} ${id}\n${added ?? ""}\n${texts}`, "hex");
}

export function digestsOfRow(name: ResourceName, id: number, row: StoredRow): RowDigests {
  return { listed: digestOfListed(name, id, row), rest: digestOfRest(name, id, row) };
}

function documentWords({ title, excerpt, text }: SearchTexts): DocumentWords {
  return { title: spacedWords(title), excerpt: spacedWords(excerpt), text: spacedWords(text) };
}

/** The words of a document that stands: its title is stored as such. */
export function storedWords({ titleWords, excerpt, text }: StoredDocument): DocumentWords {
  return { title: titleWords, excerpt: spacedWords(excerpt), text: spacedWords(text) };
}

/** The columns of a row in the order of the table. */
export function cellsOf(name: ResourceName, columns: ListedRow["columns"]): Cell[] {
  return Object.keys(resourceNamed(name).columns).map((column) => columns[column] ?? null);
}

/** The inverse of {@link cellsOf}. */
export function columnsOf(name: ResourceName, cells: readonly Cell[]): ListedRow["columns"] {
  const columns = Object.keys(resourceNamed(name).columns);
  return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? null]));
}

function plainRow(name: ResourceName, { id, columns, list, added, document }: CatalogRow): PlainRow {
  return { id, cells: cellsOf(name, columns), list, added: added ?? null, document: document ?? null };
}

/** The inverse of {@link prepareRow}. */
export function catalogRow(name: ResourceName, { id, cells, list, added, document }: PlainRow): CatalogRow {
  return {
    ...{ id, columns: columnsOf(name, cells), list },
    ...(added === null ? {} : { added }),
    ...(document === null ? {} : { document }),
  };
}

/** What there is of a row beside what lists show, as it is to stand in the file. */
export function storedRest(added: Json | null, document: SearchTexts | null, titleWords: string): StoredRest {
  const stored = document === null ? null : { titleWords, excerpt: document.excerpt, text: document.text };
  return { added, document: stored };
}

export function preparePlain(name: ResourceName, row: PlainRow): PreparedRow {
  const { id, cells, list, added, document } = row;
  const words = document === null ? null : documentWords(document);
  const rest = digestOfRest(name, id, storedRest(added, document, words?.title ?? ""));
  const digests = { listed: digestOfListed(name, id, row), rest };
  return { id, cells, list, added, document, digests, words };
}

export function prepareRow(name: ResourceName, row: CatalogRow): PreparedRow {
  return preparePlain(name, plainRow(name, row));
}

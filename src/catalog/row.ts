/** A record as it is put into a catalog, and the values that are computed for that, mostly in worker threads. */
import { hash } from "node:crypto";
import type { Cell, SearchTexts } from "../api/record.ts";
import type { Json } from "../base/json.ts";
import { textWords, titleWords } from "../search/documents.ts";
import { type ResourceName, resourceNamed } from "./resources.ts";

/** The part of a row that lists show, filter and sort by. */
interface ListRow {
  readonly id: number;
  /** Narrow columns, by name. */
  readonly columns: Readonly<Record<string, Cell>>;
  /** The list fragment. */
  readonly list: Json;
}

/** A row of a resource with its detail part and its search texts. */
export interface CatalogRow extends ListRow {
  readonly added?: Json;
  readonly document?: SearchTexts;
}

/** A document as stored in the file. */
export interface StoredDocument {
  readonly titleWords: string;
  readonly excerpt: string;
  readonly text: string;
}

/** The list part of a row, as stored in the file. */
export interface StoredListPart {
  readonly cells: readonly Cell[];
  readonly list: Json;
}

/** The detail part of a row: everything that lists do not show. */
export interface StoredDetailPart {
  readonly added: Json | null;
  readonly document: StoredDocument | null;
}

/** A row as stored in the file. */
export type StoredRow = StoredListPart & StoredDetailPart;

/** The words of a document's texts, in the index's form. */
export interface DocumentWords {
  readonly title: string;
  readonly excerpt: string;
  readonly text: string;
}

/** A row whose cells are in the order of the table's columns. */
export interface PlainRow extends StoredListPart {
  readonly id: number;
  readonly added: Json | null;
  readonly document: SearchTexts | null;
}

/** A row with everything that is slow to compute. Plain data, so that it can be sent between threads. */
export interface PreparedRow extends PlainRow {
  readonly digests: PartDigests;
  readonly words: DocumentWords | null;
}

/** SHA-256 of a row's two parts, hexadecimal. Separate, because often only the short list part changes. */
export interface PartDigests {
  readonly list: string;
  /** Null if the row has no detail part. */
  readonly detail: string | null;
}

/** A detail fragment: `{"id":1}` and the added `{"text":"…"}` → `{"id":1,"text":"…"}` */
export function joinDetail(list: Json, added: Json): Json {
  return `${list.slice(0, -1)},${added.slice(1)}` as Json;
}

/** {@link joinDetail} as an SQL expression. */
export function joinDetailSql(list: string, added: string): string {
  return `substr(${list}, 1, length(${list}) - 1) || ',' || substr(${added}, 2)`;
}

/** Size of {@link joinDetail}'s result: one brace of each is removed and a comma is added. */
export function joinedSizeSql(list: string, added: string): string {
  return `OCTET_LENGTH(${list}) + OCTET_LENGTH(${added}) - 1`;
}

function listPartDigest(name: ResourceName, id: number, { cells, list }: StoredListPart): string {
  return hash("sha256", `${name}\n${id}\n${JSON.stringify(cells)}\n${list}`, "hex");
}

function detailPartDigest(
  name: ResourceName,
  id: number,
  { added, document }: StoredDetailPart,
): string | null {
  if (added === null && document === null) return null;
  const texts =
    document === null ? "" : JSON.stringify([document.titleWords, document.excerpt, document.text]);
  return hash("sha256", `${name} ${id}\n${added ?? ""}\n${texts}`, "hex");
}

export function digestsOfRow(name: ResourceName, id: number, row: StoredRow): PartDigests {
  return { list: listPartDigest(name, id, row), detail: detailPartDigest(name, id, row) };
}

function documentWords({ title, excerpt, text }: SearchTexts): DocumentWords {
  return { title: titleWords(title), excerpt: textWords(excerpt), text: textWords(text) };
}

/** The words of a stored document: its title is stored as words. */
export function storedWords({ titleWords, excerpt, text }: StoredDocument): DocumentWords {
  return { title: titleWords, excerpt: textWords(excerpt), text: textWords(text) };
}

/** The columns of a row in the order of the table. */
function cellsOf(name: ResourceName, columns: ListRow["columns"]): Cell[] {
  return Object.keys(resourceNamed(name).columns).map((column) => columns[column] ?? null);
}

function plainRow(name: ResourceName, { id, columns, list, added, document }: CatalogRow): PlainRow {
  return { id, cells: cellsOf(name, columns), list, added: added ?? null, document: document ?? null };
}

/** The detail part of a row, as it will be stored in the file. */
export function storedDetailPart(
  added: Json | null,
  document: SearchTexts | null,
  titleWords: string,
): StoredDetailPart {
  const stored = document === null ? null : { titleWords, excerpt: document.excerpt, text: document.text };
  return { added, document: stored };
}

export function preparePlain(name: ResourceName, row: PlainRow): PreparedRow {
  const { id, cells, list, added, document } = row;
  const words = document === null ? null : documentWords(document);
  const detail = detailPartDigest(name, id, storedDetailPart(added, document, words?.title ?? ""));
  const digests = { list: listPartDigest(name, id, row), detail };
  return { id, cells, list, added, document, digests, words };
}

export function prepareRow(name: ResourceName, row: CatalogRow): PreparedRow {
  return preparePlain(name, plainRow(name, row));
}

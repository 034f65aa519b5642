/** A record as it is put into a catalog, and what is made of it for that, by whoever has the time. */
import { hash } from "node:crypto";
import type { Cell, SearchTexts } from "../api/record.ts";
import type { Json } from "../base/json.ts";
import { wordsOf } from "./documents.ts";
import { type ResourceName, resourceNamed } from "./resources.ts";

/** One row of a resource: its id and narrow columns, its fragments, and its texts for the full-text index. */
export interface CatalogRow {
  readonly id: number;
  /** By the column's name. */
  readonly columns: Readonly<Record<string, Cell>>;
  readonly list: Json;
  readonly detail?: Json;
  readonly document?: SearchTexts;
}

/** A document as it stands in the file. */
export interface StoredDocument {
  readonly titleWords: string;
  readonly excerpt: string;
  readonly text: string;
}

/** A row as it stands in the file. */
export interface StoredRow {
  readonly cells: readonly Cell[];
  readonly list: Json;
  readonly detail: Json | null;
  readonly document: StoredDocument | null;
}

/** The words of a document's texts, as the index takes them. */
export interface DocumentWords {
  readonly title: string;
  readonly excerpt: string;
  readonly text: string;
}

/** What takes time to make of a row. Data: it goes from thread to thread. */
export interface PreparedRow {
  /** SHA-256 of its content, hexadecimal. */
  readonly digest: string;
  readonly words: DocumentWords | null;
}

/** What a row's digest is of. */
export function contentOf(
  name: ResourceName,
  id: number,
  { cells, list, detail, document }: StoredRow,
): string {
  const texts =
    document === null ? "" : JSON.stringify([document.titleWords, document.excerpt, document.text]);
  return `${name}\n${id}\n${JSON.stringify(cells)}\n${list}\n${detail ?? ""}\n${texts}`;
}

function wordsIn(text: string): string {
  return wordsOf(text).join(" ");
}

function documentWords({ title, excerpt, text }: SearchTexts): DocumentWords {
  return { title: wordsIn(title), excerpt: wordsIn(excerpt), text: wordsIn(text) };
}

/** The words of a document that stands: its title is stored as such. */
export function storedWords({ titleWords, excerpt, text }: StoredDocument): DocumentWords {
  return { title: titleWords, excerpt: wordsIn(excerpt), text: wordsIn(text) };
}

/** A row as it is to stand in the file. */
export function storedRow(name: ResourceName, row: CatalogRow, words: DocumentWords | null): StoredRow {
  const { columns, list, detail, document } = row;
  return {
    cells: Object.keys(resourceNamed(name).columns).map((column) => columns[column] ?? null),
    list,
    detail: detail ?? null,
    document:
      document === undefined || words === null
        ? null
        : { titleWords: words.title, excerpt: document.excerpt, text: document.text },
  };
}

export function prepareRow(name: ResourceName, row: CatalogRow): PreparedRow {
  const words = row.document === undefined ? null : documentWords(row.document);
  return { digest: digestOfRow(name, row.id, storedRow(name, row, words)), words };
}

export function digestOfRow(name: ResourceName, id: number, row: StoredRow): string {
  return hash("sha256", contentOf(name, id, row), "hex");
}

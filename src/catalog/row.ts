/** A record as a catalog holds it: the same to put it, to read it again, and for its digests. */
import { hash } from "node:crypto";
import type { Cell, SearchTexts } from "../api/record.ts";
import type { Json } from "../base/json.ts";
import { titleWords } from "../search/search-texts.ts";
import type { ResourceName } from "./resources.ts";

export interface CatalogRow {
  readonly id: number;
  /** The narrow columns that lists filter and sort by, in the order of the table. */
  readonly cells: readonly Cell[];
  /** The list fragment. */
  readonly list: Json;
  /** The part that the detail adds to it; null for a record without a detail. */
  readonly added: Json | null;
  /** Null for a record that search does not find. */
  readonly document: StoredDocument | null;
}

/** The texts that search ranks and cuts snippets from. */
export interface StoredDocument {
  readonly titleWords: string;
  readonly excerpt: string;
  readonly text: string;
}

/** Digests of a row's two parts, 16 bytes each. Separate, because often only the short list part changes. */
export interface PartDigests {
  /** Of the narrow columns and the list fragment. */
  readonly list: Buffer;
  /** Of everything that lists do not show; null if that is nothing. */
  readonly detail: Buffer | null;
}

export function storedDocument({ title, excerpt, text }: SearchTexts): StoredDocument {
  return { titleWords: titleWords(title), excerpt, text };
}

/** The first half of a SHA-256: docs/decisions/sets.md says why that is enough for a row. */
function halfDigest(text: string): Buffer {
  return Buffer.from(hash("sha256", text).slice(0, 32), "hex");
}

export function digestsOfRow(
  name: ResourceName,
  { id, cells, list, added, document }: CatalogRow,
): PartDigests {
  const listDigest = halfDigest(`${name}\n${id}\n${JSON.stringify(cells)}\n${list}`);
  if (added === null && document === null) return { list: listDigest, detail: null };
  const texts =
    document === null ? "" : JSON.stringify([document.titleWords, document.excerpt, document.text]);
  return { list: listDigest, detail: halfDigest(`${name} ${id}\n${added ?? ""}\n${texts}`) };
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

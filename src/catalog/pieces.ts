/**
 * The lists of a catalog read by one thread for another: pieces that are taken in a few milliseconds each, because large
 * arrays change hands without being copied.
 */
import type Database from "better-sqlite3";
import { readSearchWords, type SearchWords } from "../search/search-words.ts";
import { FragmentPool, type PackedFragments } from "./fragment-pool.ts";
import { type ResourceName, resourceNamed } from "./resources.ts";
import { type PackedTable, Table } from "./table.ts";

export type Piece =
  | { readonly resource: ResourceName; readonly table: PackedTable }
  | { readonly resource: ResourceName; readonly fragments: PackedFragments }
  | { readonly words: SearchWords };

/** Reads some lists, whose arrays go away with the pieces. */
export function* readPieces(db: Database.Database, names: readonly ResourceName[]): Generator<Piece> {
  for (const resource of names) {
    const table = Table.load(db, resourceNamed(resource));
    table.warm();
    yield { resource, fragments: FragmentPool.load(db, resource, table.ids).pack() };
    yield { resource, table: table.pack() };
  }
}

/** Reads what search knows of words. */
export function* readWordPieces(db: Database.Database): Generator<Piece> {
  yield { words: readSearchWords(db) };
}

/** What a piece need not have copied: the buffers of its arrays. */
export function buffersOf(value: unknown, found: Set<ArrayBuffer> = new Set()): Set<ArrayBuffer> {
  if (typeof value !== "object" || value === null) return found;
  if (ArrayBuffer.isView(value)) {
    // Shared memory is not handed over: both have it.
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
  } else
    for (const part of value instanceof Map ? value.values() : Object.values(value)) buffersOf(part, found);
  return found;
}

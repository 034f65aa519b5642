/**
 * Lists of a catalog read by one thread for another. Arrays are handed over, or are in memory that threads have in common: it
 * takes a few milliseconds.
 */
import type Database from "better-sqlite3";
import { readSearchWords, type SearchWords } from "../search/search-words.ts";
import { FragmentStore, type PackedFragments } from "./fragments.ts";
import { type ResourceName, resourceNamed } from "./resources.ts";
import { type PackedTable, Table } from "./table.ts";

/** What is read of a catalog's file. */
export type Piece =
  | { readonly resource: ResourceName; readonly table: PackedTable }
  | { readonly resource: ResourceName; readonly fragments: PackedFragments }
  | { readonly words: SearchWords };

/** Reads lists, with all that is made of them at their first use, and what search knows of words. */
export function* readPieces(
  db: Database.Database,
  names: readonly ResourceName[],
  words: boolean,
): Generator<Piece> {
  for (const resource of names) {
    const table = Table.load(db, resourceNamed(resource));
    table.warm();
    yield { resource, fragments: FragmentStore.load(db, resource, table.ids).pack() };
    yield { resource, table: table.pack() };
  }
  if (words) yield { words: readSearchWords(db) };
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

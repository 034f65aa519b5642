/**
 * The lists of a catalog read by one thread for another: pieces that are taken in a few milliseconds each, because large
 * arrays change hands without being copied, and values come some at a time.
 */
import type Database from "better-sqlite3";
import type { Cell } from "../api/record.ts";
import type { Column } from "./columns.ts";
import { FragmentPool, type PackedFragments } from "./fragment-pool.ts";
import { type ResourceName, resourceNamed } from "./resources.ts";
import { readSearchWords, type SearchWords } from "./search-words.ts";
import { type PackedTable, Table } from "./table.ts";

export type Piece =
  /** Its columns have no values yet: they follow. */
  | {
      readonly resource: ResourceName;
      readonly table: PackedTable;
      /** Columns whose values are those that the list has already. */
      readonly kept?: readonly string[];
    }
  | { readonly resource: ResourceName; readonly column: string; readonly values: readonly Cell[] }
  | { readonly resource: ResourceName; readonly fragments: PackedFragments }
  | { readonly words: SearchWords };

/** Values of one piece: each is a text to be made in the thread that takes it. */
const PIECE_VALUES = 20_000;

function* tablePieces(
  resource: ResourceName,
  { byName, ...table }: PackedTable,
  kept: readonly string[] = [],
): Generator<Piece> {
  const empty = [...byName].map(([name, { codes }]) => [name, { codes, values: [] }] as const);
  yield { resource, table: { ...table, byName: new Map<string, Column>(empty) }, kept };
  for (const [column, { values }] of byName) {
    if (kept.includes(column)) continue;
    for (let from = 0; from < values.length; from += PIECE_VALUES)
      yield { resource, column, values: values.slice(from, from + PIECE_VALUES) };
  }
}

/** Reads some lists, whose arrays go away with the pieces. */
export function* readPieces(db: Database.Database, names: readonly ResourceName[]): Generator<Piece> {
  for (const resource of names) {
    const table = Table.load(db, resourceNamed(resource));
    table.warm();
    yield { resource, fragments: FragmentPool.load(db, resource, table.ids).pack() };
    yield* tablePieces(resource, table.pack());
  }
}

/** A list that is in memory, for a thread that has the one before it; what it has of the values is not told again. */
export function* listPieces(
  resource: ResourceName,
  table: Table,
  fragments: FragmentPool,
  former: Table | null,
): Generator<Piece> {
  yield { resource, fragments: fragments.pack() };
  const packed = table.pack();
  const before = former?.pack().byName;
  const kept = [...packed.byName].filter(([name, { values }]) => before?.get(name)?.values === values);
  yield* tablePieces(
    resource,
    packed,
    kept.map(([name]) => name),
  );
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

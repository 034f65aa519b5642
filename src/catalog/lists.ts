/**
 * Lists of a catalog read by one thread for another. Arrays are handed over, or are in memory that threads have in common: it
 * takes a few milliseconds.
 */
import Database from "better-sqlite3";
import { readSearchWords, type SearchWords } from "../search/search-words.ts";
import { type WorkerJob, WorkerPool } from "../workers.ts";
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

/** A list of a catalog's file. */
interface ListOrder {
  readonly file: string;
  readonly name: ResourceName;
}

export const READ_LIST: WorkerJob<ListOrder, Piece> = { name: "list" };

/** In a worker: a list with its orders, in shared memory. What making it takes for a while goes with the thread. */
export function readList({ file, name }: ListOrder): Piece {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    const table = Table.load(db, resourceNamed(name));
    table.sort();
    return { resource: name, table: table.pack() };
  } finally {
    db.close();
  }
}

/** Reads lists of a catalog while something else is done: those that a change needs will not be waited for long then. */
export class ListsAhead {
  readonly #worker = new WorkerPool(1);
  readonly #file: string;
  readonly #lists = new Map<ResourceName, Promise<Piece>>();

  constructor(file: string) {
    this.#file = file;
  }

  /** Has a list read, behind those that were wanted before; nothing where it was. */
  want(name: ResourceName): Promise<Piece> {
    const list = this.#lists.get(name) ?? this.#worker.run(READ_LIST, { file: this.#file, name });
    this.#lists.set(name, list);
    return list;
  }

  /** Hands lists over to a catalog of the same file. */
  async give(catalog: { take(piece: Piece): void }, names: Iterable<ResourceName>): Promise<void> {
    for (const name of names) catalog.take(await this.want(name));
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}

/** Lists of a catalog read by one thread for another, in memory that both have in common. */
import Database from "better-sqlite3";
import { type WorkerJob, WorkerPool } from "../workers.ts";
import { type ResourceName, resourceNamed } from "./resources.ts";
import { type PackedTable, Table } from "./table.ts";

/** What is read of a catalog's file. */
export interface Piece {
  readonly resource: ResourceName;
  readonly table: PackedTable;
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

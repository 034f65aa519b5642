/**
 * Lists of a catalog made by a thread beside this one, one after the other: what that takes for a while goes with the
 * thread, and numbers are in memory that threads have in common.
 */
import { ThreadPool } from "../base/thread-pool.ts";
import { startedModule } from "../package.ts";
import type { Catalog } from "./catalog.ts";
import { RESOURCES, type ResourceName } from "./resources.ts";
import type { RowLists } from "./row-lists.ts";
import type { PackedTable } from "./table.ts";

export interface ListsOrder {
  readonly name: ResourceName;
  readonly form: "rows" | "table";
}

export interface ListsAnswer {
  readonly rows?: RowLists;
  readonly table?: PackedTable;
}

/** Whoever starts it ends it. */
export class ListsThread {
  readonly #pool: ThreadPool<ListsOrder, ListsAnswer>;

  /** @param file the catalog's */
  constructor(file: string) {
    this.#pool = new ThreadPool(startedModule("catalog/lists-thread"), 1, { file });
  }

  async #make<Form extends keyof ListsAnswer>(name: ResourceName, form: Form) {
    const made: ListsAnswer = await this.#pool.run({ name, form });
    const list = made[form];
    if (list === undefined) throw new Error(`The thread has made no ${form} of ${name}`);
    return list;
  }

  rows(name: ResourceName): Promise<RowLists> {
    return this.#make(name, "rows");
  }

  table(name: ResourceName): Promise<PackedTable> {
    return this.#make(name, "table");
  }

  /** Whatever it has not made yet is not made. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** What all lists are made of. */
export async function makeRowLists(file: string): Promise<ReadonlyMap<ResourceName, RowLists>> {
  const thread = new ListsThread(file);
  try {
    const made = RESOURCES.map(async ({ name }) => [name, await thread.rows(name)] as const);
    return new Map(await Promise.all(made));
  } finally {
    await thread.close();
  }
}

/** Reads lists of a catalog while something else is done: those that a change needs will not be waited for long then. */
export class ListsAhead {
  readonly #thread: ListsThread;
  readonly #tables = new Map<ResourceName, Promise<PackedTable>>();

  constructor(file: string) {
    this.#thread = new ListsThread(file);
  }

  /** Has a list read, behind those that were wanted before; nothing where it was. */
  want(name: ResourceName): Promise<PackedTable> {
    const table = this.#tables.get(name) ?? this.#thread.table(name);
    // Nobody may ask for it in the end.
    table.catch(() => undefined);
    this.#tables.set(name, table);
    return table;
  }

  /** Hands lists over to a catalog of the same file. */
  async give(catalog: Catalog, names: Iterable<ResourceName>): Promise<void> {
    for (const resource of names) catalog.take({ resource, table: await this.want(resource) });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

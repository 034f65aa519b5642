/** Rows that an extraction of changes is to make although their texts are as they were: records that they name changed. */
import type { RecordDef } from "../api/record.ts";
import { product } from "../api/records/product.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { Cell, Values } from "../api/row.ts";
import type { CatalogWriter } from "../catalog/writer.ts";

/** So many rows change that making the catalog anew is cheaper. */
export class TooMuchChanged extends Error {
  constructor() {
    super("too many rows change for a delta");
  }
}

/** What a row costs of which only the list fragment is changed, of what it costs to make one. */
const RELISTED_COST = 0.25;

/** Records that others embed. */
export const EMBEDDED: ReadonlySet<string> = new Set(
  RECORDS.flatMap(({ embeds }) => embeds.map(({ of }) => of)),
);

/** Records whose rows name others of a record in a column. */
export function gatherersOf(name: string): { record: RecordDef<RecordName>; by: string }[] {
  return RECORDS.flatMap((record) =>
    record.gathers.flatMap(({ of, by }) => (of === name ? [{ record, by }] : [])),
  );
}

const NONE: ReadonlySet<number> = new Set();

export class DueRows {
  readonly #writer: CatalogWriter;
  readonly #limit: number;
  readonly #made = new Map<string, Set<number>>();
  readonly #relisted = new Map<string, Set<number>>();
  #count = 0;

  /** @param limit most rows that may be made, those that changed by themselves counted in */
  constructor(writer: CatalogWriter, limit: number) {
    this.#writer = writer;
    this.#limit = limit;
  }

  /** Rows of a record that are to be made. */
  made(name: string): ReadonlySet<number> {
    return this.#made.get(name) ?? NONE;
  }

  /** Rows of a record of which only what they embed is another. */
  relisted(name: string): ReadonlySet<number> {
    return this.#relisted.get(name) ?? NONE;
  }

  /** Counts rows to be made. @throws TooMuchChanged */
  count(rows: number): void {
    this.#count += rows;
    if (this.#count > this.#limit) throw new TooMuchChanged();
  }

  /** @throws TooMuchChanged */
  make(name: string, ids: Iterable<number>): void {
    this.count(addAll(this.#made, name, ids));
  }

  /** What a changed row changes: those that gather it, before and after. @throws TooMuchChanged */
  makeGatherers(name: RecordName, columns: readonly (Readonly<Record<string, Cell>> | null)[]): void {
    for (const { record, by } of name === product.name ? [] : gatherersOf(name)) {
      const owners = columns.map((each) => each?.[by] ?? null).filter((owner) => typeof owner === "number");
      this.make(record.name, owners);
    }
  }

  /**
   * What a changed row changes of those that embed it: they are made where columns follow from it too, else listed anew.
   * `before`: its shape; null where it was not there, or goes. @throws TooMuchChanged
   */
  makeEmbedders(name: RecordName, id: number, before: Values | null): void {
    const after = this.#writer.shape(name, id);
    for (const { name: embedder, embeds } of RECORDS) {
      for (const { of, inColumns } of embeds) {
        if (of !== name) continue;
        const ids = this.#writer.idsBy(embedder, `${name}_id`, id);
        const isListed =
          before !== null && after !== null && inColumns.every((field) => before[field] === after[field]);
        if (isListed) this.count(addAll(this.#relisted, embedder, ids) * RELISTED_COST);
        else this.make(embedder, ids);
      }
    }
  }
}

/** Adds to the set of a name; how many were not in it. */
function addAll(sets: Map<string, Set<number>>, name: string, ids: Iterable<number>): number {
  const set = sets.get(name) ?? new Set();
  sets.set(name, set);
  const { size } = set;
  for (const id of ids) set.add(id);
  return set.size - size;
}

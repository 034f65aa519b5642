/** The rows of a list, grouped by the values of some filters: each combination that has a result, once. */
import { letGo, uintAt } from "../base/arrays.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { FilterIndex, KeepingValues } from "../catalog/filter-index.ts";
import { allRows } from "../catalog/sorting.ts";
import { type Selection, selectionOf, type Table } from "../catalog/table.ts";
import type { ListFamily } from "./grid.ts";

/** A selection like any other, with the values that select it. */
export interface RowsGroup {
  /** One value for each filter, in their order. */
  readonly values: readonly string[];
  readonly selection: Selection;
}

/** Lists of one length. */
export interface ListCount {
  lists: number;
  /** Of all their records. */
  sizeBytes: number;
}

/** Rows by the values of one filter that keep them: those of one value after those of another. */
interface Split {
  /** Codes of values that keep some, ascending. */
  readonly values: Uint32Array;
  /** Where the rows of each of these values begin, and one more. */
  readonly starts: Uint32Array;
  readonly rows: Uint32Array;
}

/** A filter that groups. */
class Grouping {
  readonly #filter: FilterIndex;
  readonly #keeping: KeepingValues;
  /** Code of the value that equals the parameter's default: with it, the list is the one without that filter. 0: none. */
  readonly #plain: number;
  /** Of each value; all zeros between two splits. */
  readonly #next: Uint32Array;
  /** Codes of values that were met. */
  readonly #met: Uint32Array;
  /** The rows that were split last. */
  #rows = new Uint32Array(0);

  constructor(table: Table, { endpoint }: ListFamily, name: string) {
    const standard = endpoint.params.find((param) => param.name === name)?.default;
    this.#filter = table.filter(name);
    this.#keeping = this.#filter.keepingValues();
    this.#plain = typeof standard === "string" ? this.#filter.codeOf(standard) : 0;
    const count = this.#keeping.starts.length - 1;
    this.#next = new Uint32Array(count);
    this.#met = new Uint32Array(count);
  }

  valueOf(code: number): string {
    return this.#filter.valueOf(code);
  }

  /**
   * The rows of each value stay in their order; where they stand is used again by the next split. Takes as long as there are
   * rows, however many values there are.
   */
  split(rows: Uint32Array): Split {
    const { codes } = this.#filter;
    const { codes: keeping, starts: from } = this.#keeping;
    const next = this.#next;
    const values = this.#count(rows);
    const starts = new Uint32Array(values.length + 1);
    for (let at = 0; at < values.length; at++) {
      const value = uintAt(values, at);
      starts[at + 1] = uintAt(starts, at) + uintAt(next, value);
      next[value] = uintAt(starts, at);
    }
    const count = uintAt(starts, values.length);
    if (this.#rows.length < count) {
      letGo(this.#rows);
      this.#rows = new Uint32Array(count);
    }
    const split = this.#rows.subarray(0, count);
    for (let at = 0; at < rows.length; at++) {
      const row = uintAt(rows, at);
      const code = uintAt(codes, row);
      for (let each = uintAt(from, code); each < uintAt(from, code + 1); each++) {
        const value = uintAt(keeping, each);
        if (value === this.#plain) continue;
        const end = uintAt(next, value);
        split[end] = row;
        next[value] = end + 1;
      }
    }
    for (let at = 0; at < values.length; at++) next[uintAt(values, at)] = 0;
    return { values, starts, rows: split };
  }

  /** Nothing is split by it after that. */
  close(): void {
    letGo(this.#rows);
  }

  /** Counts the rows of each value into `#next`; the codes of those that have some, ascending. */
  #count(rows: Uint32Array): Uint32Array {
    const { codes } = this.#filter;
    const { codes: keeping, starts } = this.#keeping;
    let met = 0;
    for (let at = 0; at < rows.length; at++) {
      const code = uintAt(codes, uintAt(rows, at));
      for (let each = uintAt(starts, code); each < uintAt(starts, code + 1); each++) {
        const value = uintAt(keeping, each);
        if (value === this.#plain) continue;
        const count = uintAt(this.#next, value);
        if (count === 0) this.#met[met++] = value;
        this.#next[value] = count + 1;
      }
    }
    return this.#met.slice(0, met).sort();
  }
}

/** Rows that have the same values of all filters. */
interface RowGroup {
  readonly values: readonly string[];
  readonly rows: Uint32Array;
}

/** Splits rows by one filter after the other, in order of values: at no time more than one of each filter's groups is cut further. */
function* groupRows(
  rows: Uint32Array,
  groupings: readonly Grouping[],
  values: readonly string[] = [],
): Generator<RowGroup> {
  const [grouping, ...others] = groupings;
  if (grouping === undefined) {
    yield { values, rows };
    return;
  }
  const split = grouping.split(rows);
  for (let at = 0; at < split.values.length; at++) {
    const own = split.rows.subarray(uintAt(split.starts, at), uintAt(split.starts, at + 1));
    yield* groupRows(own, others, [...values, grouping.valueOf(uintAt(split.values, at))]);
  }
}

function groupingsOf(table: Table, family: ListFamily): Grouping[] {
  return family.filters.map((name) => new Grouping(table, family, name));
}

/** How many lists of which length a family has, by length. */
export function countGroups(catalog: Catalog, family: ListFamily): Map<number, ListCount> {
  const table = catalog.table(family.resource.name);
  const pool = catalog.fragments(family.resource.name);
  const counts = new Map<number, ListCount>();
  const groupings = groupingsOf(table, family);
  for (const { rows } of groupRows(allRows(table.size), groupings)) {
    const found = counts.get(rows.length) ?? { lists: 0, sizeBytes: 0 };
    found.lists += 1;
    for (let at = 0; at < rows.length; at++) found.sizeBytes += pool.size(uintAt(rows, at));
    counts.set(rows.length, found);
  }
  for (const grouping of groupings) grouping.close();
  return counts;
}

/** The lists of a family in order of their values, rows in the family's order. Each is done with when the next is asked for. */
export function* groupsOf(catalog: Catalog, family: ListFamily): Generator<RowsGroup> {
  const table = catalog.table(family.resource.name);
  const groupings = groupingsOf(table, family);
  // Without a filter all rows are one group, even where there are none: an empty list is an answer too.
  for (const { values, rows } of groupRows(table.rowsInOrder(family.sort), groupings))
    yield { values, selection: selectionOf(rows) };
  for (const grouping of groupings) grouping.close();
}

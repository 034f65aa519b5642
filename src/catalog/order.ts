/** A sort of a list in memory: its rows in order, and each row's place in it. */
import type { SortKey } from "../api/record.ts";
import { uintArray, uintAt } from "../base/arrays.ts";
import { countCodes } from "./column-values.ts";
import type { Column } from "./columns.ts";
import { GONE, type Moves } from "./moves.ts";
import { allRows, sortByCode } from "./sorting.ts";

/** An order as data. */
export interface PackedOrder {
  readonly rows: Uint32Array;
  /** Undefined where they were not made. */
  readonly ranks: Uint32Array | undefined;
}

export class Order {
  readonly rows: Uint32Array;
  #ranks: Uint32Array | undefined;

  constructor(rows: Uint32Array, ranks?: Uint32Array) {
    this.rows = rows;
    this.#ranks = ranks;
  }

  /** Made at their first use. */
  get ranks(): Uint32Array {
    this.#ranks ??= ranksOf(this.rows);
    return this.#ranks;
  }

  pack(): PackedOrder {
    return { rows: this.rows, ranks: this.#ranks };
  }
}

/** A key of a sort with its column. */
export interface OrderKey extends Pick<SortKey, "descending"> {
  readonly column: Column;
}

function ranksOf(rows: Uint32Array): Uint32Array {
  const ranks = uintArray(rows.length);
  for (let rank = 0; rank < rows.length; rank++) ranks[uintAt(rows, rank)] = rank;
  return ranks;
}

/** All rows by the keys, ids descending where those are the same. */
export function makeOrder(size: number, keys: readonly OrderKey[]): Order {
  let rows = allRows(size, true);
  for (const { column, descending } of keys.toReversed()) {
    rows = sortByCode(rows, column.codes, countCodes(column.values), descending);
  }
  return new Order(rows);
}

/** Negative where row `a` stands before row `b`. */
function compareRows(keys: readonly OrderKey[], a: number, b: number): number {
  for (const { column, descending } of keys) {
    const difference = uintAt(column.codes, a) - uintAt(column.codes, b);
    if (difference !== 0) return descending ? -difference : difference;
  }
  return b - a;
}

/** How many of sorted rows stand before a row. */
function countBefore(keys: readonly OrderKey[], rows: Uint32Array, row: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareRows(keys, uintAt(rows, middle), row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows of an order that stay, as they are numbered after a change. */
function keptRows({ rows, ranks }: Order, moves: Moves): Uint32Array {
  const kept = new Uint32Array(rows.length);
  let count = 0;
  if (moves.sameIds) {
    // Whole runs between the rows that are put again.
    let from = 0;
    const gone = moves.before.map((row) => uintAt(ranks, row)).sort();
    for (const end of [...gone, rows.length]) {
      kept.set(rows.subarray(from, end), count);
      count += end - from;
      from = end + 1;
    }
    return kept.subarray(0, count);
  }
  for (let rank = 0; rank < rows.length; rank++) {
    const row = uintAt(moves.rows, uintAt(rows, rank));
    if (row !== GONE) kept[count++] = row;
  }
  return kept.subarray(0, count);
}

/** Ranks where only a span of an order is another: a copy of those before, and the span anew. */
function nextRanks(before: Order, rows: Uint32Array): Uint32Array {
  let from = 0;
  let to = rows.length;
  while (from < to && rows[from] === before.rows[from]) from += 1;
  while (to > from && rows[to - 1] === before.rows[to - 1]) to -= 1;
  const ranks = before.ranks.slice();
  for (let rank = from; rank < to; rank++) ranks[uintAt(rows, rank)] = rank;
  return ranks;
}

/** An order after a change, by keys as they are after it: what stays keeps its order, what is put is merged in. */
export function nextOrder(order: Order, moves: Moves, keys: readonly OrderKey[]): Order {
  const kept = keptRows(order, moves);
  const put = moves.put.slice().sort((a, b) => compareRows(keys, a, b));
  const rows = new Uint32Array(moves.ids.length);
  let from = 0;
  put.forEach((row, i) => {
    const end = countBefore(keys, kept, row);
    rows.set(kept.subarray(from, end), from + i);
    rows[end + i] = row;
    from = end;
  });
  rows.set(kept.subarray(from), from + put.length);
  return new Order(rows, moves.sameIds ? nextRanks(order, rows) : undefined);
}

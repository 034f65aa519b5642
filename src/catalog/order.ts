/** A sort of a list in memory: its rows in order, and each row's place in it. */
import type { SortKey } from "../api/record.ts";
import { uintAt } from "../base/item-at.ts";
import type { Column } from "./columns.ts";
import { GONE, type Moves } from "./moves.ts";
import { allRows, sortByCode } from "./sorting.ts";

export interface Order {
  readonly rows: Uint32Array;
  readonly ranks: Uint32Array;
}

/** A key of a sort with its column. */
export interface OrderKey extends Pick<SortKey, "descending"> {
  readonly column: Column;
}

function orderOf(rows: Uint32Array): Order {
  const ranks = new Uint32Array(rows.length);
  for (let rank = 0; rank < rows.length; rank++) ranks[uintAt(rows, rank)] = rank;
  return { rows, ranks };
}

/** All rows by the keys, ids descending where those are the same. */
export function makeOrder(size: number, keys: readonly OrderKey[]): Order {
  let rows = allRows(size, true);
  for (const { column, descending } of keys.toReversed()) {
    rows = sortByCode(rows, column.codes, column.values.length, descending);
  }
  return orderOf(rows);
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

/** An order after a change, by keys as they are after it: what stays keeps its order, what is put is merged in. */
export function nextOrder({ rows }: Order, moves: Moves, keys: readonly OrderKey[]): Order {
  const moved = new Uint32Array(rows.length);
  let count = 0;
  for (let rank = 0; rank < rows.length; rank++) {
    const row = uintAt(moves.rows, uintAt(rows, rank));
    if (row !== GONE) moved[count++] = row;
  }
  const kept = moved.subarray(0, count);
  const put = moves.put.slice().sort((a, b) => compareRows(keys, a, b));
  const merged = new Uint32Array(moves.ids.length);
  let from = 0;
  put.forEach((row, i) => {
    const end = countBefore(keys, kept, row);
    merged.set(kept.subarray(from, end), from + i);
    merged[end + i] = row;
    from = end;
  });
  merged.set(kept.subarray(from), from + put.length);
  return orderOf(merged);
}

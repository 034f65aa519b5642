/** A sort of a list in memory: its rows in order, and each row's place in it. */
import type { SortKey } from "../api/record.ts";
import { uintAt } from "../base/item-at.ts";
import type { Column } from "./columns.ts";
import { sortByCode } from "./sorting.ts";

export interface Order {
  readonly rows: Uint32Array;
  readonly ranks: Uint32Array;
}

/** A key of a sort with its column. */
export interface OrderKey extends Pick<SortKey, "descending"> {
  readonly column: Column;
}

export function orderOf(rows: Uint32Array): Order {
  const ranks = new Uint32Array(rows.length);
  for (let rank = 0; rank < rows.length; rank++) ranks[uintAt(rows, rank)] = rank;
  return { rows, ranks };
}

/** All rows by the keys, ids descending where those are the same. */
export function makeOrder(size: number, keys: readonly OrderKey[]): Order {
  let rows: Uint32Array = Uint32Array.from({ length: size }, (_, i) => size - 1 - i);
  for (const { column, descending } of keys.toReversed()) {
    rows = sortByCode(rows, column.codes, column.values.length, descending);
  }
  return orderOf(rows);
}

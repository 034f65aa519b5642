/**
 * What all lists of a resource are made of, as data that threads have in common: its rows in their orders, and which values
 * of which filters keep them. Values are bytes, of which whoever names one makes a text.
 */
import { countTexts, type TextBytes, textAt } from "./text-bytes.ts";

/** Which rows the values of a filter keep. A value is known by its place among those that keep some row. */
export interface KeptRows {
  /** Of each row. */
  readonly codes: Uint32Array;
  /** The values that keep rows of each code, one code after the other. */
  readonly places: Uint32Array;
  /** Where those of each code begin in `places`, and one more. */
  readonly starts: Uint32Array;
  /** As the canonical query spells them, ascending by code unit. */
  readonly values: TextBytes;
}

export interface RowLists {
  /** Of the rows, ascending. */
  readonly ids: Float64Array;
  /** By the names of sorts, the default first. */
  readonly orders: ReadonlyMap<string, Uint32Array>;
  /** By parameter. */
  readonly filters: ReadonlyMap<string, KeptRows>;
}

/** The values of a filter. */
export function countValues({ values }: KeptRows): number {
  return countTexts(values);
}

/** The place of a value, or -1. */
export function placeOf({ values }: KeptRows, value: string): number {
  const count = countTexts(values);
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (textAt(values, middle) < value) low = middle + 1;
    else high = middle;
  }
  return low < count && textAt(values, low) === value ? low : -1;
}

/** All rows in the order of a sort value; null: the default. */
export function rowsInOrder({ orders }: RowLists, sort: string | null): Uint32Array {
  const rows = sort === null ? orders.values().next().value : orders.get(sort);
  if (rows === undefined) throw new Error(`There is no order ${sort}`);
  return rows;
}

export function keptRows({ filters }: RowLists, param: string): KeptRows {
  const found = filters.get(param);
  if (found === undefined) throw new Error(`There is no filter ${param}`);
  return found;
}

/**
 * One record's list in memory: a code for each value of its columns, the rows in the order of each sort, and each of these
 * orders grouped by the values of each filter. A query is a loop over the rows of its most selective filter, in the order of
 * its sort. Rows are numbered in order of id, from 0.
 */

import type { Filter } from "../api/record.ts";
import { itemAt, placesIn, uintAt } from "../base/arrays.ts";
import type { Sql } from "../base/sql.ts";
import type { Resource } from "./resources.ts";

/** The conditions of a query on a list. */
export interface Conditions {
  /** Canonical values by parameter; all must hold. */
  readonly equal: readonly (readonly [param: string, value: string])[];
  /** Bounds of the resource's range, both included. */
  readonly min?: number;
  readonly max?: number;
  /** Rows that a search found, best first; only these can be on the list. */
  readonly found?: Uint32Array;
}

export interface RowsPage {
  /** Rows that meet the conditions, on all pages. */
  readonly total: number;
  readonly rows: Uint32Array;
}

export interface RowsGroup {
  /** One value for each filter, in their order. */
  readonly values: readonly string[];
  readonly rows: Uint32Array;
}

interface Column {
  /** The code of each row's value. */
  readonly codes: Uint32Array;
  /**
   * Distinct values in SQLite's order. A value's code is its index plus 1; NULL has the code 0. Empty if the column is only for
   * sorting.
   */
  readonly values: readonly (string | number)[];
  /** How many rows have a lower code: where each code's rows begin once they are grouped. One entry more than codes. */
  readonly starts: Uint32Array;
}

/** A filter by whose values a list is split. */
interface Split extends Pick<Filter, "compare">, Column {
  readonly param: string;
}

/** A condition: a row's code is at least `from` and below `to`. */
interface CodeRange extends Pick<Column, "codes"> {
  readonly from: number;
  readonly to: number;
  /** How many rows have such a code. */
  readonly count: number;
  /** The column whose groups have these rows in order; null if they are not one group. */
  readonly group: string | null;
}

/** A list as plain data: one thread can read it for another. Maps are by the names of columns and sort values. */
export interface ListData {
  /** Ids of the rows, ascending. */
  readonly ids: Float64Array;
  /** The columns that filters and bounds compare. */
  readonly columns: ReadonlyMap<string, Column>;
  readonly orders: ReadonlyMap<string, Uint32Array>;
  /** By sort value and column; made at its first use. */
  readonly groups: Map<string, Uint32Array>;
}

/** Columns that filters and bounds compare. */
function comparedColumns({ filters, range }: Resource): Set<string> {
  const columns = new Set(Object.values(filters).map(({ column }) => column));
  if (range !== null) columns.add(range.column);
  return columns;
}

/** The index of an id in an ascending list, or of the first larger one. */
function placeOf(ids: Float64Array, id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (itemAt(ids, middle) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Reads a column: its codes are in the order of its values. */
function readColumn(db: Sql, table: string, name: string, isCompared: boolean): Column {
  const read = db.prepare<[], string | number | null>(`SELECT ${name} FROM ${table} ORDER BY id`).pluck();
  let isBeyond = false;
  /** Values with provisional numbers from 1, in order of appearance. */
  const numbers = new Map<string | number, number>();
  const codes = Uint32Array.from(read.all(), (value) => {
    if (value === null) return 0;
    const known = numbers.get(value);
    if (known !== undefined) return known;
    isBeyond ||= typeof value === "string" && BEYOND.test(value);
    numbers.set(value, numbers.size + 1);
    return numbers.size;
  });
  const values = [...numbers.keys()].sort(isBeyond ? compareCodePoints : compareCodeUnits);
  const codeOf = new Uint32Array(values.length + 1);
  for (const [at, value] of values.entries()) codeOf[numbers.get(value) ?? 0] = at + 1;
  for (let row = 0; row < codes.length; row++) codes[row] = uintAt(codeOf, uintAt(codes, row));
  const rows = codes.map((_, row) => row);
  return { codes, values: isCompared ? values : [], starts: startsOf(rows, codes, values.length + 1) };
}

/** From the surrogates on, the order of UTF-16 code units differs from that of code points, which SQLite uses for text. */
const BEYOND = /[\ud800-\uffff]/;

function compareCodeUnits(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Compares texts in the order of their UTF-8 bytes. Encoding them for each comparison would take ten times as long. */
function compareCodePoints(a: string | number, b: string | number): number {
  const [left, right] = [String(a), String(b)];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const [unit, other] = [left.charCodeAt(at), right.charCodeAt(at)];
    // Surrogate pairs are above all single units.
    if (unit !== other)
      return isSurrogate(unit) === isSurrogate(other) ? unit - other : isSurrogate(unit) ? 1 : -1;
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xe000;
}

/** Where the rows of each code begin when sorted by code; one entry more than codes. */
function startsOf(rows: Uint32Array, codes: Uint32Array, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  for (let at = 0; at < rows.length; at++) {
    const code = uintAt(codes, uintAt(rows, at));
    starts[code + 1] = uintAt(starts, code + 1) + 1;
  }
  for (let code = 0; code < count; code++) starts[code + 1] = uintAt(starts, code) + uintAt(starts, code + 1);
  return starts;
}

/** Rows by code, keeping the order within a code: a counting sort. `starts` must be of the same rows. */
function sortByCode(rows: Uint32Array, { codes, starts }: Pick<Column, "codes" | "starts">): Uint32Array {
  const sorted = new Uint32Array(rows.length);
  const next = starts.slice();
  for (let at = 0; at < rows.length; at++) {
    const row = uintAt(rows, at);
    const code = uintAt(codes, row);
    const place = uintAt(next, code);
    sorted[place] = row;
    next[code] = place + 1;
  }
  return sorted;
}

/** The rows that have at least a code, in the same order; `count` is their number. */
function rowsFrom(rows: Uint32Array, codes: Uint32Array, code: number, count: number): Uint32Array {
  if (count === rows.length) return rows;
  const kept = new Uint32Array(count);
  let next = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = uintAt(rows, at);
    if (uintAt(codes, row) >= code) kept[next++] = row;
  }
  return kept;
}

/** All rows by the keys of a sort, then by id descending. */
function makeOrder(
  { sorts }: Resource,
  sort: string,
  columns: ReadonlyMap<string, Column>,
  size: number,
): Uint32Array {
  let rows: Uint32Array = new Uint32Array(size).map((_, at) => size - 1 - at);
  for (const { column, descending } of (sorts[sort] ?? []).toReversed()) {
    // Rows with equal values must keep their order: descending is ascending from the other end.
    if (descending) rows.reverse();
    rows = sortByCode(rows, present(columns.get(column), column));
    if (descending) rows.reverse();
  }
  return rows;
}

function present<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`The list has no ${name}`);
  return value;
}

/** The code of the first value that is not less than `wanted`; the number of values plus 1 if all are less. */
function firstFrom(values: Column["values"], wanted: Buffer | number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = itemAt(values, middle);
    const isBelow =
      typeof wanted === "number" ? Number(value) < wanted : Buffer.from(String(value)).compare(wanted) < 0;
    if (isBelow) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}

/** Reads a list from its table. */
function readList(db: Sql, resource: Resource): ListData {
  const { name, sorts } = resource;
  const ids = Float64Array.from(db.prepare<[], number>(`SELECT id FROM ${name} ORDER BY id`).pluck().all());
  const compared = comparedColumns(resource);
  const sorted = Object.values(sorts).flatMap((keys) => keys.map(({ column }) => column));
  const columns = new Map<string, Column>();
  for (const column of new Set([...compared, ...sorted]))
    columns.set(column, readColumn(db, name, column, compared.has(column)));
  const orders = new Map<string, Uint32Array>();
  for (const sort of Object.keys(sorts)) orders.set(sort, makeOrder(resource, sort, columns, ids.length));
  for (const column of columns.keys()) if (!compared.has(column)) columns.delete(column);
  return { ids, columns, orders, groups: new Map() };
}

export class RecordList {
  readonly resource: Resource;
  readonly size: number;
  /** Ids of the rows, ascending. */
  readonly ids: Float64Array;
  readonly #data: ListData;
  /** Scratch memory for the rows that have met all conditions so far. */
  readonly #kept: Uint32Array;

  constructor(resource: Resource, data: ListData) {
    this.resource = resource;
    this.size = data.ids.length;
    this.ids = data.ids;
    this.#data = data;
    this.#kept = new Uint32Array(this.size);
  }

  static read(db: Sql, resource: Resource): RecordList {
    return new RecordList(resource, readList(db, resource));
  }

  /** The list with the groups that were used so far. */
  get data(): ListData {
    return this.#data;
  }

  /** The list with all its groups. */
  whole(): ListData {
    const columns = new Set(Object.values(this.resource.filters).map(({ column }) => column));
    for (const sort of this.#data.orders.keys()) for (const column of columns) this.#grouped(sort, column);
    return this.#data;
  }

  /** All rows in the order of a sort value; null: the default order. */
  rowsInOrder(sort: string | null): Uint32Array {
    const name = sort ?? Object.keys(this.resource.sorts)[0] ?? "";
    return present(this.#data.orders.get(name), name);
  }

  /** The row of an id, or -1. */
  rowOf(id: number): number {
    const row = placeOf(this.ids, id);
    return this.ids[row] === id ? row : -1;
  }

  /** Rows of ids, which are descending and all in the list. */
  rowsOf(ids: Float64Array): Uint32Array {
    return placesIn(this.ids, ids);
  }

  /** Values of a filter's column, in SQLite's order. */
  valuesOf(param: string): string[] {
    return this.#column(this.#filter(param).column).values.map(String);
  }

  /** At most `limit` rows that meet the conditions, from `offset` on, in the order of a sort; null: the search's order, or the default. */
  page(conditions: Conditions, sort: string | null, offset: number, limit: number): RowsPage {
    const tests = this.#tests(conditions);
    const { found } = conditions;
    let rows: Uint32Array;
    if (found === undefined) {
      const [grouped] = tests.filter(({ group }) => group !== null).sort((a, b) => a.count - b.count);
      if (grouped === undefined) rows = this.rowsInOrder(sort);
      else {
        tests.splice(tests.indexOf(grouped), 1);
        const start = uintAt(this.#column(grouped.group ?? "").starts, grouped.from);
        rows = this.#grouped(sort, grouped.group ?? "").subarray(start, start + grouped.count);
      }
    } else if (sort === null) rows = found;
    else {
      const isFound = new Uint32Array(this.size);
      for (const row of found) isFound[row] = 1;
      tests.push({ codes: isFound, from: 1, to: 2, count: found.length, group: null });
      rows = this.rowsInOrder(sort);
    }
    const end = offset + limit;
    let total = rows.length;
    const [only, ...others] = tests.sort((a, b) => a.count - b.count);
    if (only !== undefined && others.length === 0 && total === this.size) {
      // Their number is known without a loop.
      keep(rows, total, only, this.#kept, end);
      total = only.count;
      rows = this.#kept;
    } else
      for (const test of tests) {
        total = keep(rows, total, test, this.#kept, total);
        rows = this.#kept;
      }
    return { total, rows: rows.slice(Math.min(offset, total), Math.min(end, total)) };
  }

  /**
   * The list for each combination of the filters' values that has rows, in order of values, with rows in the order of a sort;
   * null: the default. Without filters it is the whole list, even if empty. A parameter's default value gets no separate list.
   */
  *groups(
    filters: readonly string[],
    sort: string | null,
    isDefault: (param: string, value: string) => boolean,
  ): Generator<RowsGroup> {
    const splits = filters.map((param) => {
      const { column, compare } = this.#filter(param);
      return { param, compare, ...this.#column(column) };
    });
    yield* this.#split({ values: [], rows: this.rowsInOrder(sort) }, splits, isDefault);
  }

  *#split(
    { values, rows }: RowsGroup,
    splits: readonly Split[],
    isDefault: (param: string, value: string) => boolean,
  ): Generator<RowsGroup> {
    const split = splits[values.length];
    if (split === undefined) {
      yield { values, rows };
      return;
    }
    const { param, compare, codes, values: all } = split;
    const starts = rows.length === this.size ? split.starts : startsOf(rows, codes, all.length + 1);
    const sorted = compare === "equals" ? sortByCode(rows, { codes, starts }) : rows;
    for (let code = 1; code <= all.length; code++) {
      const start = uintAt(starts, code);
      const end = compare === "equals" ? uintAt(starts, code + 1) : rows.length;
      const value = String(all[code - 1]);
      if (start === end || isDefault(param, value)) continue;
      const kept =
        compare === "equals" ? sorted.subarray(start, end) : rowsFrom(rows, codes, code, end - start);
      yield* this.#split({ values: [...values, value], rows: kept }, splits, isDefault);
    }
  }

  #filter(param: string): Filter {
    return present(this.resource.filters[param], param);
  }

  #column(name: string): Column {
    return present(this.#data.columns.get(name), name);
  }

  /** Rows in the order of a sort, grouped by a column's codes. */
  #grouped(sort: string | null, name: string): Uint32Array {
    const key = `${sort ?? ""} ${name}`;
    const known = this.#data.groups.get(key);
    if (known !== undefined) return known;
    const grouped = sortByCode(this.rowsInOrder(sort), this.#column(name));
    this.#data.groups.set(key, grouped);
    return grouped;
  }

  #range(name: string, from: number, to: number): CodeRange {
    const { codes, starts } = this.#column(name);
    const isFilter = Object.values(this.resource.filters).some(({ column }) => column === name);
    const count = uintAt(starts, to) - uintAt(starts, from);
    return { codes, from, to, count, group: isFilter && to - from <= 1 ? name : null };
  }

  #tests({ equal, min, max }: Conditions): CodeRange[] {
    const tests = equal.map(([param, value]) => {
      const { column, compare } = this.#filter(param);
      const { values } = this.#column(column);
      const isText = this.resource.columns[column] === "TEXT";
      const from = firstFrom(values, isText ? Buffer.from(value) : Number(value));
      if (compare === "atLeast") return this.#range(column, from, values.length + 1);
      return this.#range(column, from, String(values[from - 1]) === value ? from + 1 : from);
    });
    if (min === undefined && max === undefined) return tests;
    const column = this.resource.range?.column ?? "";
    const { values } = this.#column(column);
    const from = min === undefined ? 1 : firstFrom(values, min);
    let to = max === undefined ? values.length + 1 : firstFrom(values, max);
    if (max !== undefined && values[to - 1] === max) to += 1;
    tests.push(this.#range(column, from, Math.max(from, to)));
    return tests;
  }
}

/** Copies the first `count` rows that meet a condition, at most `max`, to `kept`, which may be the same array. Returns how many it copied. */
function keep(
  rows: Uint32Array,
  count: number,
  { codes, from, to }: CodeRange,
  kept: Uint32Array,
  max: number,
): number {
  let total = 0;
  for (let at = 0; at < count && total < max; at++) {
    const row = uintAt(rows, at);
    const code = uintAt(codes, row);
    // Always copied, and kept only by advancing the count: a branch that is random to the processor costs five times as much. Both
    // differences are negative if the code is in the range.
    kept[total] = row;
    total += ((from - 1 - code) & (code - to)) >>> 31;
  }
  return total;
}

/**
 * One record's list in memory: a code for each value of its columns, and the rows in the order of each sort. The rows that meet a
 * condition are bits, one a row; but if few rows meet it, these are tested one by one. Rows are numbered in order of id, from 0.
 */

import type { Filter, SortKey } from "../api/record.ts";
import { itemAt, placesIn, uintAt } from "../base/arrays.ts";
import { addAll, countIn, firstIn, keepDifference, numbersIn, removeAll } from "../base/bits.ts";
import { memo } from "../base/collections.ts";
import type { Sql } from "../base/sql.ts";
import { idsOf, type Resource } from "./resources.ts";

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

/** Rows by a code for each row: of its value, or of a part of it. */
interface Codes {
  readonly codes: Uint32Array;
  /** How many rows have a lower code: where each code's rows begin once they are grouped. One entry more than codes. */
  readonly starts: Uint32Array;
}

interface Column extends Codes {
  /** Distinct values in SQLite's order. A value's code is its index plus 1; NULL has the code 0. */
  readonly values: readonly (string | number)[];
}

/** A filter by whose values a list is split. */
interface Split extends Pick<Filter, "compare">, Column {
  readonly param: string;
}

/** A condition: a row's code is at least `from` and below `to`. */
interface CodeRange {
  readonly column: string;
  readonly from: number;
  readonly to: number;
  /** The rows that meet it, in the order of the column. */
  readonly rows: Uint32Array;
}

/** A list as plain data: one thread can read it for another. Maps are by the names of columns and sort values. */
export interface ListData {
  /** Ids of the rows, ascending. */
  readonly ids: Float64Array;
  /** The columns that filters and bounds compare. */
  readonly columns: ReadonlyMap<string, Column>;
  readonly orders: ReadonlyMap<string, Uint32Array>;
}

/** A column has at most so many sets of bits, which take twice the memory of its codes. With fewer codes, each has a set. */
const MOST_SETS = 64;

/** At most this part of a list are few rows: to sort them takes less time than to look for them in a sort's order. */
const FEW = 1 / 64;

export class RecordList {
  readonly resource: Resource;
  readonly data: ListData;
  readonly size: number;
  /** Ids of the rows, ascending. */
  readonly ids: Float64Array;
  /** Scratch memory for the rows that have met all conditions so far, and for their bits. */
  readonly #kept: Uint32Array;
  readonly #bits: Uint32Array;
  /** All rows in the order of a column. */
  readonly #sorted = memo((column: string) => {
    const rows = new Uint32Array(this.size).map((_, row) => row);
    return sortByCode(rows, this.#column(column));
  });
  /** Bits of the rows whose code is lower than 0, `every`, twice that, and so on; the last set is of all rows. */
  readonly #lower = memo((column: string) => {
    const { starts } = this.#column(column);
    const every = Math.ceil((starts.length - 1) / MOST_SETS);
    const sets = [new Uint32Array(this.#bits.length)];
    for (let code = 0; code < starts.length - 1; code += every) {
      const bits = itemAt(sets, sets.length - 1).slice();
      addAll(bits, this.#rows(column, code, code + every));
      sets.push(bits);
    }
    return { every, sets };
  });
  /** The place of each row in the order of a sort. */
  readonly #places = memo((sort: string | null) => {
    const places = new Uint32Array(this.size);
    const order = this.rowsInOrder(sort);
    for (let place = 0; place < order.length; place++) places[uintAt(order, place)] = place;
    return places;
  });

  constructor(resource: Resource, data: ListData) {
    this.resource = resource;
    this.data = data;
    this.size = data.ids.length;
    this.ids = data.ids;
    this.#kept = new Uint32Array(this.size);
    this.#bits = new Uint32Array(Math.ceil(this.size / 32));
  }

  static read(db: Sql, resource: Resource): RecordList {
    return new RecordList(resource, readList(db, resource));
  }

  /** At most `limit` rows that meet the conditions, from `offset` on, in the order of a sort; null: the search's order, or the default. */
  page(conditions: Conditions, sort: string | null, offset: number, limit: number): RowsPage {
    const { found } = conditions;
    const end = offset + limit;
    const order = this.rowsInOrder(sort);
    const tests = this.#tests(conditions).sort((a, b) => a.rows.length - b.rows.length);
    let rows = found ?? tests[0]?.rows ?? order;
    if (found !== undefined || rows.length <= FEW * this.size) {
      for (const { column, from, to } of tests)
        rows = keep(rows, this.#column(column).codes, from, to, this.#kept);
    } else if (tests.length > 0) {
      const bits = this.#bits.fill(-1);
      for (const { column, from, to } of tests) {
        const { every, sets } = this.#lower(column);
        const [first, last] = [Math.floor(from / every), Math.ceil(to / every)];
        keepDifference(bits, itemAt(sets, first), itemAt(sets, last));
        removeAll(bits, this.#rows(column, first * every, from));
        removeAll(bits, this.#rows(column, to, last * every));
      }
      const total = tests.length === 1 ? rows.length : countIn(bits);
      if (total > FEW * this.size) {
        const count = offset < total ? Math.min(end, total) : 0;
        return { total, rows: firstIn(order, bits, count, this.#kept).slice(offset) };
      }
      rows = numbersIn(bits, this.#kept);
    }
    const total = rows.length;
    const isInOrder = found === undefined ? tests.length === 0 : sort === null;
    if (isInOrder || offset >= total) return { total, rows: rows.slice(offset, end) };
    const places = pick(this.#places(sort), rows, this.#kept).sort().slice(offset, end);
    return { total, rows: pick(order, places, places) };
  }

  /** All rows in the order of a sort value; null: the default order. */
  rowsInOrder(sort: string | null): Uint32Array {
    const name = sort ?? Object.keys(this.resource.sorts)[0] ?? "";
    return present(this.data.orders.get(name), name);
  }

  /** The row of an id, or -1. */
  rowOf(id: number): number {
    const row = firstPlace(this.size, (place) => itemAt(this.ids, place) < id);
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
        compare === "equals"
          ? sorted.subarray(start, end)
          : keep(rows, codes, code, all.length + 1, new Uint32Array(end - start));
      yield* this.#split({ values: [...values, value], rows: kept }, splits, isDefault);
    }
  }

  #filter(param: string): Filter {
    return present(this.resource.filters[param], param);
  }

  #column(name: string): Column {
    return present(this.data.columns.get(name), name);
  }

  /** The rows whose code is at least `from` and below `to`, in the order of the column. */
  #rows(column: string, from: number, to: number): Uint32Array {
    const { starts } = this.#column(column);
    return this.#sorted(column).subarray(uintAt(starts, from), starts[to]);
  }

  #range(column: string, from: number, to: number): CodeRange {
    return { column, from, to, rows: this.#rows(column, from, to) };
  }

  #tests({ equal, min, max }: Conditions): CodeRange[] {
    const tests = equal.map(([param, value]) => {
      const { column, compare } = this.#filter(param);
      const { values } = this.#column(column);
      const isText = this.resource.columns[column] === "TEXT";
      const from = firstFrom(values, isText ? value : Number(value));
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

/** Copies the rows whose code is at least `from` and below `to` to `kept`, which may be the same array. */
function keep(
  rows: Uint32Array,
  codes: Uint32Array,
  from: number,
  to: number,
  kept: Uint32Array,
): Uint32Array {
  let total = 0;
  for (let at = 0; at < rows.length; at++) {
    const row = uintAt(rows, at);
    const code = uintAt(codes, row);
    // Always copied, and kept only by advancing the count: a branch that is random to the processor costs five times as much. Both
    // differences are negative if the code is in the range.
    kept[total] = row;
    total += ((from - 1 - code) & (code - to)) >>> 31;
  }
  return kept.subarray(0, total);
}

/** Writes the items at some places to `picked`, which may be the same array as `places`. */
function pick(items: Uint32Array, places: Uint32Array, picked: Uint32Array): Uint32Array {
  for (let at = 0; at < places.length; at++) picked[at] = uintAt(items, uintAt(places, at));
  return picked.subarray(0, places.length);
}

/** The first index below `count` that is not below what is sought, or `count`. */
function firstPlace(count: number, isBelow: (place: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The code of the first value that is not less than `wanted`; the number of values plus 1 if all are less. */
function firstFrom(values: Column["values"], wanted: string | number): number {
  const compare = typeof wanted === "number" ? compareCodeUnits : compareCodePoints;
  return firstPlace(values.length, (place) => compare(itemAt(values, place), wanted) < 0) + 1;
}

/** Reads a list from its table. */
function readList(db: Sql, resource: Resource): ListData {
  const { name, sorts } = resource;
  const ids = Float64Array.from(idsOf(db, name));
  const columns = new Map<string, Column>();
  for (const column of comparedColumns(resource)) columns.set(column, readColumn(db, name, column));
  const codesOf = memo((column: string): readonly Codes[] => {
    const known = columns.get(column);
    if (known !== undefined) return [known];
    return resource.columns[column] === "TIME" ? readTimes(db, name, column) : [readColumn(db, name, column)];
  });
  const orders = new Map<string, Uint32Array>();
  for (const [sort, keys] of Object.entries(sorts)) orders.set(sort, makeOrder(keys, codesOf, ids.length));
  return { ids, columns, orders };
}

/** Columns that filters and bounds compare. */
function comparedColumns({ filters, range }: Resource): Set<string> {
  const columns = new Set(Object.values(filters).map(({ column }) => column));
  if (range !== null) columns.add(range.column);
  return columns;
}

/** Reads a column: its codes are in the order of its values. */
function readColumn(db: Sql, table: string, name: string): Column {
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
  return { codes, values, starts: startsOf(rows, codes, values.length + 1) };
}

/** Seconds are sorted by parts of so many values. */
const PART = 2 ** 16;

/**
 * Reads a column of times, of which nearly all differ: the parts of their seconds, the highest first, sort them as their texts would,
 * in a fifth of the time. NULL has the code 0 in each.
 */
function readTimes(db: Sql, table: string, name: string): Codes[] {
  const seconds = db
    .prepare<[], number | null>(`SELECT unixepoch(${name}) FROM ${table} ORDER BY id`)
    .pluck()
    .all();
  const least = seconds.reduce<number>((least, each) => Math.min(least, each ?? least), 0);
  const rows = Uint32Array.from(seconds, (_, row) => row);
  // From year 0 to 9999 there are 2 ** 39 seconds.
  return [PART ** 2, PART, 1].map((size) => {
    const codes = Uint32Array.from(seconds, (each) =>
      each === null ? 0 : (Math.floor((each - least) / size) % PART) + 1,
    );
    return { codes, starts: startsOf(rows, codes, PART + 1) };
  });
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
function sortByCode(rows: Uint32Array, { codes, starts }: Codes): Uint32Array {
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

/** All rows by the keys of a sort, then by id descending. */
function makeOrder(
  keys: readonly SortKey[],
  codesOf: (column: string) => readonly Codes[],
  size: number,
): Uint32Array {
  let rows: Uint32Array = new Uint32Array(size).map((_, at) => size - 1 - at);
  for (const { column, descending } of keys.toReversed()) {
    // Rows with equal values must keep their order: descending is ascending from the other end.
    if (descending) rows.reverse();
    for (const codes of codesOf(column).toReversed()) rows = sortByCode(rows, codes);
    if (descending) rows.reverse();
  }
  return rows;
}

function present<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`The list has no ${name}`);
  return value;
}

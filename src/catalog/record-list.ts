/**
 * One record's list in memory: a code for each value of its columns, the rows in the order of each sort, and each of these
 * orders grouped by the values of each filter. A query is a loop over the rows of its most selective filter, in the order of
 * its sort. Rows are numbered in order of id, from 0.
 */
import type Database from "better-sqlite3";
import type { Filter } from "../api/record.ts";
import { itemAt, placesIn, uintAt } from "../base/arrays.ts";
import type { Steps } from "../base/steps.ts";
import type { Resource } from "./resources.ts";

/** What a query asks of a list. */
export interface Conditions {
  /** Canonical values by parameter; all must hold. */
  readonly equal: readonly (readonly [param: string, value: string])[];
  /** Bounds of the resource's range, both included. */
  readonly min?: number;
  readonly max?: number;
  /** Rows that a search found, best first; the list has no others. */
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
  /** For each row that of its value. */
  readonly codes: Uint32Array;
  /**
   * Distinct values in SQLite's order. A value's code is its place, from 1 on; 0 is the code of NULL. Empty if the column only
   * sorts.
   */
  readonly values: readonly (string | number)[];
  /** How many rows have a lower code: where those of a code begin once they are grouped. One more than codes. */
  readonly starts: Uint32Array;
}

/** A condition: a row's code is at least `from` and below `to`. */
interface CodeRange extends Pick<Column, "codes"> {
  readonly from: number;
  readonly to: number;
  /** How many rows have such a code. */
  readonly count: number;
  /** The column whose groups hold these rows in order; null where they are not one group. */
  readonly group: string | null;
}

/** Rows that are read or sorted in one step: a few milliseconds. */
const STEP_ROWS = 1024;

/** Columns that filters and bounds compare. */
function comparedColumns({ filters, range }: Resource): Set<string> {
  const columns = new Set(Object.values(filters).map(({ column }) => column));
  if (range !== null) columns.add(range.column);
  return columns;
}

function* readIds(db: Database.Database, { name }: Resource): Steps<Float64Array> {
  const count = db.prepare<[], number>(`SELECT COUNT(*) FROM ${name}`).pluck().get() ?? 0;
  const ids = new Float64Array(count);
  const read = db
    .prepare<[number, number], number>(`SELECT id FROM ${name} WHERE id > ? ORDER BY id LIMIT ?`)
    .pluck();
  for (let row = 0; row < count; row += STEP_ROWS) {
    ids.set(read.all(row === 0 ? -Infinity : itemAt(ids, row - 1), STEP_ROWS), row);
    yield;
  }
  return ids;
}

/** The place of an id among ascending ones, or of the first above it. */
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

/** Reads a column: codes by the order of its values. */
function* readColumn(
  db: Database.Database,
  table: string,
  name: string,
  ids: Float64Array,
  isCompared: boolean,
): Steps<Column> {
  const codes = new Uint32Array(ids.length);
  let isBeyond = false;
  /** Values with their numbers in the order in which they came, from 1 on. */
  const numbers = new Map<string | number, number>();
  const read = db
    .prepare<[number, number], string | number | null>(
      `SELECT ${name} FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY id`,
    )
    .pluck();
  for (let start = 0; start < ids.length; start += STEP_ROWS) {
    const end = Math.min(start + STEP_ROWS, ids.length);
    for (const [nth, value] of read.all(itemAt(ids, start), itemAt(ids, end - 1)).entries()) {
      if (value === null) continue;
      let number = numbers.get(value);
      if (number === undefined) {
        number = numbers.size + 1;
        numbers.set(value, number);
        isBeyond ||= typeof value === "string" && BEYOND.test(value);
      }
      codes[start + nth] = number;
    }
    yield;
  }
  const values = yield* sortInSteps([...numbers.keys()], isBeyond ? compareBytes : compareCodeUnits);
  const codeOf = new Uint32Array(values.length + 1);
  for (const [at, value] of values.entries()) {
    codeOf[numbers.get(value) ?? 0] = at + 1;
    if (at % STEP_ROWS === 0) yield;
  }
  for (let row = 0; row < codes.length; row++) codes[row] = uintAt(codeOf, uintAt(codes, row));
  yield;
  return { codes, values: isCompared ? values : [], starts: startsOf(codes, values.length + 1) };
}

/** Code units of which UTF-16's order is not that of code points, which is SQLite's order of texts. */
const BEYOND = /[\ud800-\uffff]/;

function compareCodeUnits(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareBytes(a: string | number, b: string | number): number {
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

/** Sorts some values in a step: runs of them, which are then merged two by two. */
function* sortInSteps<Value>(
  values: readonly Value[],
  compare: (a: Value, b: Value) => number,
): Steps<Value[]> {
  let runs: Value[][] = [];
  for (let at = 0; at < values.length; at += STEP_ROWS) {
    runs.push(values.slice(at, at + STEP_ROWS).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Value[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* mergeInSteps(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeInSteps<Value>(
  left: readonly Value[],
  right: readonly Value[],
  compare: (a: Value, b: Value) => number,
): Steps<Value[]> {
  const merged: Value[] = [];
  let at = 0;
  for (const value of right) {
    for (; at < left.length && compare(itemAt(left, at), value) <= 0; at++) merged.push(itemAt(left, at));
    merged.push(value);
    if (merged.length % STEP_ROWS === 0) yield;
  }
  for (; at < left.length; at++) merged.push(itemAt(left, at));
  return merged;
}

/** Where the rows of each code begin when they are sorted by code, and one more. `codes`: one for each row, in any order. */
function startsOf(codes: Uint32Array, count: number): Uint32Array {
  const starts = new Uint32Array(count + 1);
  for (let at = 0; at < codes.length; at++) {
    const code = uintAt(codes, at);
    starts[code + 1] = uintAt(starts, code + 1) + 1;
  }
  for (let code = 0; code < count; code++) starts[code + 1] = uintAt(starts, code) + uintAt(starts, code + 1);
  return starts;
}

/** Rows by code, those of one code in the order in which they came: a counting sort. `starts`: of these very rows. */
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

/** All rows by the keys of a sort, then by id descending. */
function* makeOrder(
  { sorts }: Resource,
  sort: string,
  columns: ReadonlyMap<string, Column>,
  size: number,
): Steps<Uint32Array> {
  let rows: Uint32Array = new Uint32Array(size).map((_, at) => size - 1 - at);
  for (const { column, descending } of (sorts[sort] ?? []).toReversed()) {
    // Equal rows must stay in their order: descending is ascending from the other end.
    if (descending) rows.reverse();
    rows = sortByCode(rows, present(columns.get(column), column));
    if (descending) rows.reverse();
    yield;
  }
  return rows;
}

function present<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`The list has no ${name}`);
  return value;
}

/** The code of the first value that is not below one, of a column that holds such; one more than codes if all are. */
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

export class RecordList {
  readonly resource: Resource;
  readonly size: number;
  /** Of the rows, ascending. */
  readonly ids: Float64Array;
  /** Those that filters and bounds compare. */
  readonly #columns: ReadonlyMap<string, Column>;
  /** By sort value. */
  readonly #orders: ReadonlyMap<string, Uint32Array>;
  /** By sort value and column; made at first use. */
  readonly #groups = new Map<string, Uint32Array>();
  /** Rows that have met all conditions so far. */
  readonly #kept: Uint32Array;

  private constructor(
    resource: Resource,
    ids: Float64Array,
    columns: ReadonlyMap<string, Column>,
    orders: ReadonlyMap<string, Uint32Array>,
  ) {
    this.resource = resource;
    this.size = ids.length;
    this.ids = ids;
    this.#columns = columns;
    this.#orders = orders;
    this.#kept = new Uint32Array(ids.length);
  }

  /** Reads a list; a step takes a few milliseconds at most. */
  static *load(db: Database.Database, resource: Resource): Steps<RecordList> {
    const ids = yield* readIds(db, resource);
    const compared = comparedColumns(resource);
    const sorted = Object.values(resource.sorts).flatMap((keys) => keys.map(({ column }) => column));
    const columns = new Map<string, Column>();
    for (const name of new Set([...compared, ...sorted]))
      columns.set(name, yield* readColumn(db, resource.name, name, ids, compared.has(name)));
    const orders = new Map<string, Uint32Array>();
    for (const sort of Object.keys(resource.sorts))
      orders.set(sort, yield* makeOrder(resource, sort, columns, ids.length));
    for (const name of columns.keys()) if (!compared.has(name)) columns.delete(name);
    return new RecordList(resource, ids, columns, orders);
  }

  /** Makes all groups now. */
  *group(): Steps<void> {
    const columns = new Set(Object.values(this.resource.filters).map(({ column }) => column));
    for (const sort of this.#orders.keys())
      for (const column of columns) {
        this.#grouped(sort, column);
        yield;
      }
  }

  /** All rows in the order of a sort value; null: the default. */
  rowsInOrder(sort: string | null): Uint32Array {
    const name = sort ?? Object.keys(this.resource.sorts)[0] ?? "";
    return present(this.#orders.get(name), name);
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

  /** At most `limit` rows that meet the conditions, from `offset` on, in the order of a sort; null: a search's, or the default. */
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
      // How many there are is known.
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
   * Each list of a set of filters that has rows, in order of values, rows in the order of a sort; null: the default. Without
   * filters it is the whole list, even if that is empty. A value that is the parameter's default makes no list.
   */
  *groups(
    filters: readonly string[],
    sort: string | null,
    isDefault: (param: string, value: string) => boolean,
  ): Generator<RowsGroup> {
    yield* this.#split({ values: [], rows: this.rowsInOrder(sort) }, filters, isDefault);
  }

  *#split(
    { values, rows }: RowsGroup,
    [param, ...others]: readonly string[],
    isDefault: (param: string, value: string) => boolean,
  ): Generator<RowsGroup> {
    if (param === undefined) {
      yield { values, rows };
      return;
    }
    const { column, compare } = this.#filter(param);
    const { codes, values: all } = this.#column(column);
    const starts = startsOf(
      rows.map((row) => uintAt(codes, row)),
      all.length + 1,
    );
    const sorted = sortByCode(rows, { codes, starts });
    for (let code = 1; code <= all.length; code++) {
      const start = uintAt(starts, code);
      const end = compare === "equals" ? uintAt(starts, code + 1) : rows.length;
      const value = String(all[code - 1]);
      if (start === end || isDefault(param, value)) continue;
      const kept =
        compare === "equals" ? sorted.subarray(start, end) : rows.filter((row) => uintAt(codes, row) >= code);
      yield* this.#split({ values: [...values, value], rows: kept }, others, isDefault);
    }
  }

  #filter(param: string): Filter {
    return present(this.resource.filters[param], param);
  }

  #column(name: string): Column {
    return present(this.#columns.get(name), name);
  }

  /** Rows in the order of a sort, those of each code of a column together. */
  #grouped(sort: string | null, name: string): Uint32Array {
    const key = `${sort ?? ""} ${name}`;
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const grouped = sortByCode(this.rowsInOrder(sort), this.#column(name));
    this.#groups.set(key, grouped);
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

/** Copies those of the first `count` rows that meet a condition, up to `most`, to `kept`, which may be the same array; returns how many it copied. */
function keep(
  rows: Uint32Array,
  count: number,
  { codes, from, to }: CodeRange,
  kept: Uint32Array,
  most: number,
): number {
  let total = 0;
  for (let at = 0; at < count && total < most; at++) {
    const row = uintAt(rows, at);
    const code = uintAt(codes, row);
    // Copied in any case, and kept by the count: a branch that goes either way at random costs five times as much. Both
    // differences are negative if the code is in the range.
    kept[total] = row;
    total += ((from - 1 - code) & (code - to)) >>> 31;
  }
  return total;
}

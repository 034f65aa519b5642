/** One filter in memory: which rows have a value, and whether a row has it. */

import type { Filter } from "../api/record.ts";
import { uintAt } from "../base/arrays.ts";
import { cellAt, codeOf, countCodes } from "./column-values.ts";
import type { Column } from "./columns.ts";
import { allRows, sortByCode, startsOf } from "./sorting.ts";

const NO_ROWS = new Uint32Array(0);

/** Which values keep the rows of each code: a value is known by its code. */
export interface KeepingValues {
  /** Of all codes, one code after the other; ascending for each. */
  readonly codes: Uint32Array;
  /** Where those of each code begin, and one more. */
  readonly starts: Uint32Array;
}

/** The rows of a list by a column's codes. */
export interface RowsByCode {
  /** Ascending where the code is the same. */
  readonly rows: Uint32Array;
  /** Where the rows of each code begin in `rows`, and one more. */
  readonly starts: Uint32Array;
}

function sortRows({ codes, values }: Column): RowsByCode {
  return {
    rows: sortByCode(allRows(codes.length), codes, countCodes(values), false),
    starts: startsOf(codes, countCodes(values)),
  };
}

/** Rows are numbered in order of id, from 0. Values are spelled as the canonical query spells them. */
export class FilterIndex {
  readonly filter: Filter;
  readonly #column: Column;
  #sorted: RowsByCode | undefined;
  readonly #sums = new Map<string, Uint32Array>();
  #present: readonly number[] | undefined;
  /** The value that was asked for last, with its code: loops over rows ask for the same one. */
  #asked: { readonly value: string; readonly code: number } | undefined;

  constructor(filter: Filter, column: Column, sorted?: RowsByCode) {
    this.filter = filter;
    this.#column = column;
    this.#sorted = sorted;
  }

  /** Undefined where it was not made. */
  get sorted(): RowsByCode | undefined {
    return this.#sorted;
  }

  /** Made at its first use. */
  get rowsByCode(): RowsByCode {
    this.#sorted ??= sortRows(this.#column);
    return this.#sorted;
  }

  /** Of each row that of its value; 0 where it has none. */
  get codes(): Uint32Array {
    return this.#column.codes;
  }

  /** Values that some row has, ascending as SQLite orders them. */
  get values(): readonly string[] {
    return this.#presentCodes().map((code) => this.valueOf(code));
  }

  valueOf(code: number): string {
    return String(cellAt(this.#column.values, code));
  }

  /** The codes of values that some row has, ascending. */
  #presentCodes(): readonly number[] {
    if (this.#present !== undefined) return this.#present;
    const { codes, values } = this.#column;
    const isUsed = new Uint8Array(countCodes(values));
    for (let row = 0; row < codes.length; row++) isUsed[uintAt(codes, row)] = 1;
    isUsed[0] = 0;
    this.#present = [...isUsed.keys()].filter((code) => isUsed[code] === 1);
    return this.#present;
  }

  /** Rows that the filter keeps for a value, ascending. */
  rowsOf(value: string): Uint32Array {
    return this.filter.compare === "atLeast" ? this.#atLeast(value) : this.#equal(this.codeOf(value));
  }

  /** How many rows the filter keeps for a value. */
  countOf(value: string): number {
    return this.rowsOf(value).length;
  }

  /** Kept once made: such columns have a handful of values. */
  #atLeast(value: string): Uint32Array {
    const known = this.#sums.get(value);
    if (known !== undefined) return known;
    const bound = Number(value);
    const rows = this.rowsByCode.rows
      .filter((row) => this.#reaches(uintAt(this.#column.codes, row), bound))
      .sort();
    this.#sums.set(value, rows);
    return rows;
  }

  /** True where a code's value is there and at least a bound. */
  #reaches(code: number, bound: number): boolean {
    return code > 0 && Number(cellAt(this.#column.values, code)) >= bound;
  }

  /** The code of a value in its canonical spelling, or 0. */
  codeOf(value: string): number {
    if (this.#asked?.value !== value) this.#asked = { value, code: this.#find(value) };
    return this.#asked.code;
  }

  #find(value: string): number {
    const { values } = this.#column;
    const code = codeOf(values, "numbers" in values ? Number(value) : value);
    return code > 0 && String(cellAt(values, code)) === value ? code : 0;
  }

  #equal(code: number): Uint32Array {
    const { rows, starts } = this.rowsByCode;
    return code === 0 ? NO_ROWS : rows.subarray(starts[code], starts[code + 1]);
  }

  /** Which values keep which rows, for loops over many of them. */
  keepingValues(): KeepingValues {
    const count = countCodes(this.#column.values);
    const starts = new Uint32Array(count + 1);
    const kept: number[] = [];
    for (let code = 1; code < count; code++) {
      if (this.filter.compare === "equals") kept.push(code);
      else kept.push(...this.#presentCodes().filter((bound) => bound <= code));
      starts[code + 1] = kept.length;
    }
    return { codes: Uint32Array.from(kept), starts };
  }

  /** The values that keep a row. */
  valuesOf(row: number): readonly string[] {
    const code = uintAt(this.#column.codes, row);
    if (code === 0) return [];
    return this.filter.compare === "equals"
      ? [this.valueOf(code)]
      : this.values.filter((value) => this.#reaches(code, Number(value)));
  }

  has(row: number, value: string): boolean {
    const code = uintAt(this.#column.codes, row);
    if (this.filter.compare === "atLeast") return this.#reaches(code, Number(value));
    return code > 0 && code === this.codeOf(value);
  }
}

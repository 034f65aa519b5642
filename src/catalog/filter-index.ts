/** One filter in memory: which rows have a value, and whether a row has it. */

import type { Cell, Filter } from "../api/record.ts";
import { itemAt } from "../base/item-at.ts";

const NO_ROWS = new Uint32Array(0);

/** Rows are numbered in order of id, from 0. Values are spelled as the canonical query spells them. */
export class FilterIndex {
  readonly filter: Filter;
  /** Values that some row has, ascending by code unit. */
  readonly values: readonly string[];
  readonly #codes: Map<string, number>;
  /** Where the rows of each value begin in `#rows`. */
  readonly #starts: Uint32Array;
  readonly #rows: Uint32Array;
  readonly #cells: readonly Cell[];
  readonly #sums = new Map<string, Uint32Array>();

  constructor(filter: Filter, cells: readonly Cell[]) {
    this.filter = filter;
    this.#cells = cells;
    const counts = new Map<string, number>();
    for (const cell of cells)
      if (cell !== null) counts.set(String(cell), (counts.get(String(cell)) ?? 0) + 1);
    this.values = [...counts.keys()].sort();
    this.#codes = new Map(this.values.map((value, code) => [value, code]));
    this.#starts = new Uint32Array(this.values.length + 1);
    this.values.forEach((value, code) => {
      this.#starts[code + 1] = itemAt(this.#starts, code) + (counts.get(value) ?? 0);
    });
    this.#rows = this.#group();
  }

  #group(): Uint32Array {
    const next = this.#starts.slice();
    const rows = new Uint32Array(itemAt(this.#starts, this.values.length));
    this.#cells.forEach((cell, row) => {
      const code = cell === null ? undefined : this.#codes.get(String(cell));
      if (code === undefined) return;
      const at = itemAt(next, code);
      rows[at] = row;
      next[code] = at + 1;
    });
    return rows;
  }

  /** Rows that the filter keeps for a value, ascending. */
  rowsOf(value: string): Uint32Array {
    return this.filter.compare === "atLeast" ? this.#atLeast(value) : this.#equal(value);
  }

  /** How many rows the filter keeps for a value. */
  countOf(value: string): number {
    if (this.filter.compare === "atLeast") return this.#atLeast(value).length;
    const code = this.#codes.get(value);
    return code === undefined ? 0 : itemAt(this.#starts, code + 1) - itemAt(this.#starts, code);
  }

  /** Kept once made: such columns have a handful of values. */
  #atLeast(value: string): Uint32Array {
    const known = this.#sums.get(value);
    if (known !== undefined) return known;
    const parts = this.values
      .filter((other) => Number(other) >= Number(value))
      .map((other) => this.#equal(other));
    const rows = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      rows.set(part, at);
      at += part.length;
    }
    this.#sums.set(value, rows.sort());
    return rows;
  }

  #equal(value: string): Uint32Array {
    const code = this.#codes.get(value);
    if (code === undefined) return NO_ROWS;
    return this.#rows.subarray(this.#starts[code], this.#starts[code + 1]);
  }

  /** Calls for each value, by its place in `values`, that keeps the row. */
  forEachValueOf(row: number, visit: (code: number) => void): void {
    const cell = this.#cells[row];
    const own = cell === null ? undefined : this.#codes.get(String(cell));
    if (own === undefined) return;
    if (this.filter.compare === "equals") visit(own);
    else
      this.values.forEach((value, code) => {
        if (Number(value) <= Number(cell)) visit(code);
      });
  }

  has(row: number, value: string): boolean {
    const cell = this.#cells[row];
    if (cell === null || cell === undefined) return false;
    return this.filter.compare === "atLeast" ? Number(cell) >= Number(value) : String(cell) === value;
  }
}

/** The column that bounds narrow (a product's price) in memory: the rows between two bounds, in any order's ranks. */
import { addBit, type Bitset, createBitset } from "./bitset.ts";

/** The sorted rows are cut into this many blocks; a bitset stands for all rows before each. */
const BLOCKS = 64;

export class RangeIndex {
  readonly #values: Float64Array;
  /** Rows by value, ascending. */
  readonly #rows: Uint32Array;
  readonly #sorted: Float64Array;
  /** By order: for each block, the ranks of all rows before it. */
  readonly #before = new Map<string, Bitset[]>();

  constructor(values: Float64Array) {
    this.#values = values;
    this.#rows = Uint32Array.from(values, (_, row) => row).sort(
      (a, b) => (values[a] as number) - (values[b] as number) || a - b,
    );
    this.#sorted = Float64Array.from(this.#rows, (row) => values[row] as number);
  }

  valueAt(row: number): number {
    return this.#values[row] as number;
  }

  /** Rows with `min <= value <= max`, in order of value; either bound may be missing. */
  rowsBetween(min: number | undefined, max: number | undefined): Uint32Array {
    const [from, to] = this.#bounds(min, max);
    return this.#rows.subarray(from, to);
  }

  /** The same rows as ranks of an order: a difference of two blocks, and the rows at its two ends one by one. */
  between(order: string, ranks: Uint32Array, min: number | undefined, max: number | undefined): Bitset {
    const [from, to] = this.#bounds(min, max);
    const blockSize = Math.ceil(this.#rows.length / BLOCKS);
    const first = Math.ceil(from / blockSize);
    const last = Math.floor(to / blockSize);
    const set = createBitset(this.#rows.length);
    if (first >= last) {
      this.#addRows(set, ranks, from, to);
      return set;
    }
    const blocks = this.#blocks(order, ranks, blockSize);
    const low = blocks[first] as Bitset;
    const high = blocks[last] as Bitset;
    for (let i = 0; i < set.length; i++) set[i] = (high[i] as number) & ~(low[i] as number);
    this.#addRows(set, ranks, from, first * blockSize);
    this.#addRows(set, ranks, last * blockSize, to);
    return set;
  }

  #addRows(set: Bitset, ranks: Uint32Array, from: number, to: number): void {
    for (let i = from; i < to; i++) addBit(set, ranks[this.#rows[i] as number] as number);
  }

  #blocks(order: string, ranks: Uint32Array, blockSize: number): Bitset[] {
    const known = this.#before.get(order);
    if (known !== undefined) return known;
    const blocks: Bitset[] = [];
    const running = createBitset(this.#rows.length);
    for (let block = 0; block <= BLOCKS; block++) {
      blocks.push(running.slice());
      this.#addRows(running, ranks, block * blockSize, Math.min((block + 1) * blockSize, this.#rows.length));
    }
    this.#before.set(order, blocks);
    return blocks;
  }

  #bounds(min: number | undefined, max: number | undefined): [from: number, to: number] {
    const from = min === undefined ? 0 : this.#firstAt((value) => value >= min);
    const to = max === undefined ? this.#rows.length : this.#firstAt((value) => value > max);
    return [from, Math.max(from, to)];
  }

  /** Position of the first sorted value that a rising condition holds for. */
  #firstAt(holds: (value: number) => boolean): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(this.#sorted[middle] as number)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

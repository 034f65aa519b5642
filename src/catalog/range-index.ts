/** The column that bounds narrow (a product's price) in memory: the rows between two bounds, in any order's ranks. */
import { addBit, type Bitset, createBitset, intersectDifference, removeBit } from "./bitset.ts";

/** The sorted rows are cut into this many blocks; a bitset stands for all rows before each: rows × 32 bytes an order. */
const BLOCKS = 256;

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

  /** Rows between the bounds. */
  countBetween(min: number | undefined, max: number | undefined): number {
    const [from, to] = this.#bounds(min, max);
    return to - from;
  }

  /**
   * Keeps in `set`, which holds ranks of an order, only rows between the bounds: the difference of two blocks that
   * hold all of them, less the rows at its two ends that lie outside.
   */
  restrict(
    set: Bitset,
    order: string,
    ranks: Uint32Array,
    min: number | undefined,
    max: number | undefined,
  ): void {
    const [from, to] = this.#bounds(min, max);
    const blockSize = Math.ceil(this.#rows.length / BLOCKS);
    const first = Math.floor(from / blockSize);
    const last = Math.ceil(to / blockSize);
    const blocks = this.#blocks(order, ranks, blockSize);
    intersectDifference(set, blocks[last] as Bitset, blocks[first] as Bitset);
    this.#forEachRank(ranks, first * blockSize, from, (rank) => removeBit(set, rank));
    this.#forEachRank(ranks, to, last * blockSize, (rank) => removeBit(set, rank));
  }

  /** Calls with the ranks of the rows at some places of the order by value. */
  #forEachRank(ranks: Uint32Array, from: number, to: number, visit: (rank: number) => void): void {
    const end = Math.min(to, this.#rows.length);
    for (let i = from; i < end; i++) visit(ranks[this.#rows[i] as number] as number);
  }

  /** Made at the first use of an order: a bitset for each block's beginning, and one for the end. */
  #blocks(order: string, ranks: Uint32Array, blockSize: number): Bitset[] {
    const known = this.#before.get(order);
    if (known !== undefined) return known;
    const blocks: Bitset[] = [];
    const running = createBitset(this.#rows.length);
    for (let block = 0; block <= BLOCKS; block++) {
      blocks.push(running.slice());
      this.#forEachRank(ranks, block * blockSize, (block + 1) * blockSize, (rank) => addBit(running, rank));
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

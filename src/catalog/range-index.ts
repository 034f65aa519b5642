/** The column that bounds narrow (a product's price) in memory: the rows between two bounds, in any order's ranks. */
import { itemAt, uintAt } from "../base/arrays.ts";
import { addBit, type Bitset, type Conjunction, createBitset, PageOfBits, wordOf } from "./bitset.ts";
import type { Order } from "./order.ts";

/** The sorted rows are cut into this many blocks; a bitset stands for all rows before each: rows × 32 bytes an order. */
const BLOCKS = 256;

/** Places in the order by value: the first and the one after the last. */
export type Span = readonly [from: number, to: number];

export class RangeIndex {
  readonly #values: Float64Array;
  /** Rows by value, ascending. */
  readonly #rows: Uint32Array;
  readonly #sorted: Float64Array;
  readonly #blockSize: number;
  /** For each order and block, the ranks of all rows before it. */
  readonly #before = new Map<Order, Bitset[]>();

  /** `rows` are all rows, by value, ascending. */
  constructor(values: Float64Array, rows: Uint32Array) {
    this.#values = values;
    this.#rows = rows;
    this.#sorted = Float64Array.from(rows, (row) => itemAt(values, row));
    this.#blockSize = Math.max(1, Math.ceil(rows.length / BLOCKS));
  }

  valueAt(row: number): number {
    return itemAt(this.#values, row);
  }

  /** Where the rows with `min <= value <= max` stand; either bound may be missing. */
  span(min: number | undefined, max: number | undefined): Span {
    const from = min === undefined ? 0 : this.#firstAt((value) => value >= min);
    const to = max === undefined ? this.#rows.length : this.#firstAt((value) => value > max);
    return [from, Math.max(from, to)];
  }

  /** The rows of a span, in order of value. */
  rowsOf([from, to]: Span): Uint32Array {
    return this.#rows.subarray(from, to);
  }

  /**
   * Of the ranks in `set`, those of rows in a span: at most `limit` from the `skip`-th on, ascending. Where the blocks
   * that hold the span and the blocks that it holds agree on a word, its members are counted at once; elsewhere rows
   * are looked at. It ends where the page is full.
   */
  slice(set: Conjunction, order: Order, span: Span, skip: number, limit: number): Uint32Array {
    if (span[0] === span[1]) return new Uint32Array(0);
    const blocks = this.#blocks(order);
    const outer = this.#edges(blocks, Math.floor(span[0] / this.#blockSize), span[1], Math.ceil);
    const inner = this.#edges(blocks, Math.ceil(span[0] / this.#blockSize), span[1], Math.floor);
    const least = itemAt(this.#sorted, span[0]);
    const most = itemAt(this.#sorted, span[1] - 1);
    const page = new PageOfBits(skip, limit);
    for (let i = 0; i < set.length && !page.full; i++) {
      let word = set.wordAt(i) & wordOf(outer.end, i) & ~wordOf(outer.start, i);
      let doubtful = word & ~(wordOf(inner.end, i) & ~wordOf(inner.start, i));
      for (; doubtful !== 0; doubtful &= doubtful - 1) {
        const bit = doubtful & -doubtful;
        const value = itemAt(this.#values, itemAt(order.rows, (i << 5) + 31 - Math.clz32(bit)));
        if (value < least || value > most) word &= ~bit;
      }
      page.take(i, word);
    }
    return page.members;
  }

  /** The sets before a first block and before the block where a span ends, rounded as asked for. */
  #edges(
    blocks: readonly Bitset[],
    first: number,
    to: number,
    round: (block: number) => number,
  ): { start: Bitset; end: Bitset } {
    // A span within one block holds none: then both sets are the same.
    const last = Math.max(first, round(to / this.#blockSize));
    return { start: blocks[first] as Bitset, end: blocks[last] as Bitset };
  }

  /** Made at the first use of an order: a bitset for each block's beginning, and one for the end. */
  #blocks(order: Order): Bitset[] {
    const known = this.#before.get(order);
    if (known !== undefined) return known;
    const blocks: Bitset[] = [];
    const running = createBitset(this.#rows.length);
    for (let block = 0; block <= BLOCKS; block++) {
      blocks.push(running.slice());
      const end = Math.min((block + 1) * this.#blockSize, this.#rows.length);
      for (let i = block * this.#blockSize; i < end; i++) {
        addBit(running, uintAt(order.ranks, uintAt(this.#rows, i)));
      }
    }
    this.#before.set(order, blocks);
    return blocks;
  }

  /** Position of the first sorted value that a rising condition holds for. */
  #firstAt(holds: (value: number) => boolean): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(itemAt(this.#sorted, middle))) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

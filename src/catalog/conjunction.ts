/** What several sets have in common: counted and cut in one pass over their words, and never written down. */
import { countWord, intersection, wordOf } from "./bitset.ts";
import type { RankedBitset } from "./ranked-bitset.ts";

/** Sets that a pass reads side by side. */
const WIDTH = 4;

export class Conjunction {
  /** The set itself where there is but one: its counts are there already. */
  readonly #only: RankedBitset | null;
  readonly #a: Uint32Array;
  readonly #b: Uint32Array;
  readonly #c: Uint32Array;
  readonly #d: Uint32Array;

  /** At least one set, all of one length. */
  constructor(sets: readonly RankedBitset[]) {
    const words = sets.map((set) => set.words);
    if (words.length > WIDTH) words.splice(WIDTH - 1, words.length, intersection(words.slice(WIDTH - 1)));
    const [a, b, c, d] = words as [Uint32Array, Uint32Array?, Uint32Array?, Uint32Array?];
    this.#only = sets.length === 1 ? (sets[0] as RankedBitset) : null;
    this.#a = a;
    this.#b = b ?? a;
    this.#c = c ?? a;
    this.#d = d ?? a;
  }

  /** Number of words. */
  get length(): number {
    return this.#a.length;
  }

  wordAt(i: number): number {
    return wordOf(this.#a, i) & wordOf(this.#b, i) & wordOf(this.#c, i) & wordOf(this.#d, i);
  }

  /** Members from `from` on and below `to`. */
  countBetween(from: number, to: number): number {
    if (this.#only !== null) return this.#only.countBelow(to) - this.#only.countBelow(from);
    if (from >= to) return 0;
    const first = from >>> 5;
    const last = to >>> 5;
    let count = -countWord(this.wordAt(first) & ((1 << (from & 31)) - 1));
    if ((to & 31) !== 0) count += countWord(this.wordAt(last) & ((1 << (to & 31)) - 1));
    const a = this.#a;
    const b = this.#b;
    const c = this.#c;
    const d = this.#d;
    for (let i = first; i < last; i++) {
      count += countWord(wordOf(a, i) & wordOf(b, i) & wordOf(c, i) & wordOf(d, i));
    }
    return count;
  }

  /** Of the members from `from` on, at most `limit` from the `skip`-th on, ascending. */
  slice(from: number, skip: number, limit: number): Uint32Array {
    if (this.#only !== null) return this.#only.slice(this.#only.countBelow(from) + skip, limit);
    const page = new PageOfBits(skip, limit);
    const first = from >>> 5;
    if (first < this.length) page.take(first, this.wordAt(first) & ~((1 << (from & 31)) - 1));
    for (let i = first + 1; i < this.length && !page.full; i++) page.take(i, this.wordAt(i));
    return page.members;
  }
}

/** Takes words one after the other and keeps the members of one page. */
export class PageOfBits {
  readonly #members: Uint32Array;
  #skip: number;
  #found = 0;

  constructor(skip: number, limit: number) {
    this.#skip = skip;
    this.#members = new Uint32Array(limit);
  }

  get full(): boolean {
    return this.#found === this.#members.length;
  }

  get members(): Uint32Array {
    return this.#members.subarray(0, this.#found);
  }

  /** The `i`-th word. */
  take(i: number, bits: number): void {
    if (bits === 0) return;
    const count = countWord(bits);
    if (this.#skip >= count) {
      this.#skip -= count;
      return;
    }
    for (let word = bits; word !== 0 && !this.full; word &= word - 1) {
      if (this.#skip > 0) this.#skip -= 1;
      else this.#members[this.#found++] = (i << 5) + 31 - Math.clz32(word & -word);
    }
  }
}

/** Sets of small whole numbers, a bit each; counted and cut, one or what several have in common. */
import { itemAt } from "../base/arrays.ts";

export type Bitset = Uint32Array;

export function createBitset(size: number): Bitset {
  return new Uint32Array((size + 31) >>> 5);
}

/** All numbers below `size`. */
export function fullBitset(size: number): Bitset {
  const set = createBitset(size).fill(0xffffffff);
  if (size % 32 !== 0) set[set.length - 1] = (1 << (size % 32)) - 1;
  return set;
}

/** A word of a set. For sets alone, so that engines make one fast load of it. @throws RangeError beyond the end */
export function wordOf(set: Bitset, i: number): number {
  const word = set[i];
  if (word === undefined) throw new RangeError(`No word ${i} in a set of ${set.length}`);
  return word;
}

export function addBit(set: Bitset, at: number): void {
  const word = at >>> 5;
  set[word] = wordOf(set, word) | (1 << (at & 31));
}

/** What all the sets have; at least one must be given. Unrolled for up to four: one pass over memory, not several. */
export function intersection(sets: readonly Bitset[]): Bitset {
  const [a, b, c, d] = sets as [Bitset, Bitset?, Bitset?, Bitset?];
  const out = a.slice();
  const { length } = out;
  if (b !== undefined && c !== undefined && d !== undefined) {
    for (let i = 0; i < length; i++) out[i] = wordOf(out, i) & wordOf(b, i) & wordOf(c, i) & wordOf(d, i);
  } else if (b !== undefined && c !== undefined) {
    for (let i = 0; i < length; i++) out[i] = wordOf(out, i) & wordOf(b, i) & wordOf(c, i);
  } else if (b !== undefined) {
    for (let i = 0; i < length; i++) out[i] = wordOf(out, i) & wordOf(b, i);
  }
  for (let at = 4; at < sets.length; at++) {
    const other = sets[at] as Bitset;
    for (let i = 0; i < length; i++) out[i] = wordOf(out, i) & wordOf(other, i);
  }
  return out;
}

/** Bits set in one word (Warren, Hacker's Delight, figure 5-2). */
function countWord(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Words between two counts: 512 members, one cache line. */
const STEP = 16;

/** A bitset that never changes again, with the counts that make "how many before" and "the n-th" cost a few words. */
export class RankedBitset {
  readonly words: Bitset;
  readonly total: number;
  /** Members before each step of words. */
  readonly #before: Uint32Array;

  constructor(words: Bitset) {
    this.words = words;
    this.#before = new Uint32Array(Math.ceil(words.length / STEP));
    let count = 0;
    for (let i = 0; i < words.length; i++) {
      if (i % STEP === 0) this.#before[i / STEP] = count;
      count += countWord(wordOf(words, i));
    }
    this.total = count;
  }

  /** Members below a number. */
  countBelow(end: number): number {
    const word = end >>> 5;
    if (word >= this.words.length) return this.total;
    const step = Math.floor(word / STEP);
    let count = itemAt(this.#before, step);
    for (let i = step * STEP; i < word; i++) count += countWord(wordOf(this.words, i));
    return count + countWord(wordOf(this.words, word) & ((1 << (end & 31)) - 1));
  }

  /** The members from the `skip`-th on, at most `limit` of them, ascending. */
  slice(skip: number, limit: number): Uint32Array {
    const members = new Uint32Array(Math.max(0, Math.min(limit, this.total - skip)));
    if (members.length === 0) return members;
    const step = this.#stepOf(skip);
    let left = skip - itemAt(this.#before, step);
    let found = 0;
    for (let i = step * STEP; found < members.length; i++) {
      let word = wordOf(this.words, i);
      const count = countWord(word);
      if (left >= count) {
        left -= count;
        continue;
      }
      for (; word !== 0 && found < members.length; word &= word - 1) {
        if (left > 0) left -= 1;
        else members[found++] = (i << 5) + 31 - Math.clz32(word & -word);
      }
    }
    return members;
  }

  /** The last step with at most `skip` members before it. */
  #stepOf(skip: number): number {
    let low = 0;
    let high = this.#before.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (itemAt(this.#before, middle) <= skip) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Sets that a pass reads side by side. */
const WIDTH = 4;

/** What several sets have in common: counted and cut in one pass over their words, and never written down. */
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

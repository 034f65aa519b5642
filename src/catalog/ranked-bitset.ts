/** A bitset that never changes again, with the counts that make "how many before" and "the n-th" cost a few words. */
import { itemAt } from "../base/item-at.ts";
import { type Bitset, countWord, wordOf } from "./bitset.ts";

/** Words between two counts: 512 members, one cache line. */
const STEP = 16;

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

/** Sets of small whole numbers, a bit each. */

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
export function countWord(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

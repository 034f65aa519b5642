/** Sets of small whole numbers, a bit each, and the four operations that a filtered, sorted, counted page needs. */

export type Bitset = Uint32Array;

export function createBitset(size: number): Bitset {
  return new Uint32Array((size + 31) >>> 5);
}

export function addBit(set: Bitset, at: number): void {
  const word = at >>> 5;
  set[word] = (set[word] ?? 0) | (1 << (at & 31));
}

export function removeBit(set: Bitset, at: number): void {
  const word = at >>> 5;
  set[word] = (set[word] as number) & ~(1 << (at & 31));
}

/** What all the sets have; at least one must be given. Unrolled for up to four: one pass over memory, not several. */
export function intersection(sets: readonly Bitset[]): Bitset {
  const [a, b, c, d] = sets as [Bitset, Bitset?, Bitset?, Bitset?];
  const out = a.slice();
  const { length } = out;
  if (b !== undefined && c !== undefined && d !== undefined) {
    for (let i = 0; i < length; i++)
      out[i] = (out[i] as number) & (b[i] as number) & (c[i] as number) & (d[i] as number);
  } else if (b !== undefined && c !== undefined) {
    for (let i = 0; i < length; i++) out[i] = (out[i] as number) & (b[i] as number) & (c[i] as number);
  } else if (b !== undefined) {
    for (let i = 0; i < length; i++) out[i] = (out[i] as number) & (b[i] as number);
  }
  for (let at = 4; at < sets.length; at++) {
    const other = sets[at] as Bitset;
    for (let i = 0; i < length; i++) out[i] = (out[i] as number) & (other[i] as number);
  }
  return out;
}

/** Keeps in `set` only what `high` has and `low` has not. */
export function intersectDifference(set: Bitset, high: Bitset, low: Bitset): void {
  for (let i = 0; i < set.length; i++)
    set[i] = (set[i] as number) & (high[i] as number) & ~(low[i] as number);
}

/** Bits set in one word (Warren, Hacker's Delight, figure 5-2). */
function countWord(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function countBits(set: Bitset): number {
  let count = 0;
  for (let i = 0; i < set.length; i++) count += countWord(set[i] as number);
  return count;
}

/** The members from the `skip`-th on, at most `limit` of them, ascending. */
export function sliceBits(set: Bitset, skip: number, limit: number): Uint32Array {
  const members = new Uint32Array(limit);
  let found = 0;
  let left = skip;
  for (let i = 0; i < set.length && found < limit; i++) {
    let word = set[i] as number;
    if (word === 0) continue;
    const count = countWord(word);
    if (left >= count) {
      left -= count;
      continue;
    }
    for (; word !== 0 && found < limit; word &= word - 1) {
      if (left > 0) left -= 1;
      else members[found++] = (i << 5) + 31 - Math.clz32(word & -word);
    }
  }
  return members.subarray(0, found);
}

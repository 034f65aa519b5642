/** Sets of numbers from 0 as bits, 32 in a word: a set of all rows of a large list is small, and two are joined word by word. */

import { uintAt } from "./arrays.ts";

/** Removes what is not in the difference of two sets, of which the second has all of the first. */
export function keepDifference(bits: Uint32Array, less: Uint32Array, more: Uint32Array): void {
  for (let at = 0; at < bits.length; at++)
    bits[at] = uintAt(bits, at) & (uintAt(more, at) ^ uintAt(less, at));
}

export function addAll(bits: Uint32Array, numbers: Uint32Array): void {
  for (let at = 0; at < numbers.length; at++) {
    const number = uintAt(numbers, at);
    bits[number >>> 5] = uintAt(bits, number >>> 5) | (1 << (number & 31));
  }
}

export function removeAll(bits: Uint32Array, numbers: Uint32Array): void {
  for (let at = 0; at < numbers.length; at++) {
    const number = uintAt(numbers, at);
    bits[number >>> 5] = uintAt(bits, number >>> 5) & ~(1 << (number & 31));
  }
}

/** How many numbers a set has: in each word counted by pairs of bits, then fours, then bytes at once. */
export function countIn(bits: Uint32Array): number {
  let total = 0;
  for (let at = 0; at < bits.length; at++) {
    const word = uintAt(bits, at);
    const pairs = word - ((word >>> 1) & 0x55555555);
    const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
    total += Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return total;
}

/** Writes the numbers of a set to `found`, ascending, and returns that part of it. */
export function numbersIn(bits: Uint32Array, found: Uint32Array): Uint32Array {
  let total = 0;
  for (let at = 0; at < bits.length; at++)
    for (let word = uintAt(bits, at); word !== 0; word &= word - 1)
      found[total++] = 32 * at + 31 - Math.clz32(word & -word);
  return found.subarray(0, total);
}

/** Writes the first `count` numbers of `order` that are in a set to `found`, and returns that part of it. There must be as many. */
export function firstIn(
  order: Uint32Array,
  bits: Uint32Array,
  count: number,
  found: Uint32Array,
): Uint32Array {
  for (let at = 0, total = 0; total < count; at++) {
    const number = uintAt(order, at);
    // Written in any case: a branch that is random to the processor costs five times as much.
    found[total] = number;
    total += (uintAt(bits, number >>> 5) >>> (number & 31)) & 1;
  }
  return found.subarray(0, count);
}

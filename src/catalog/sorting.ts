/** Sorting by counting: rows by codes, and texts by their bytes. Linear, and without a comparison of strings. */
import { byteAt, letGo, uintArray, uintAt } from "../base/arrays.ts";
import type { TextBytes } from "./column-values.ts";

/** Where the rows of each code begin when they stand in order of code; one more than codes. */
export function startsOf(codes: Uint32Array, size: number): Uint32Array {
  const starts = uintArray(size + 1);
  for (let row = 0; row < codes.length; row++) {
    const code = uintAt(codes, row);
    starts[code + 1] = uintAt(starts, code + 1) + 1;
  }
  for (let code = 0; code < size; code++) starts[code + 1] = uintAt(starts, code + 1) + uintAt(starts, code);
  return starts;
}

/** The numbers of all rows. */
export function allRows(size: number, descending = false): Uint32Array {
  const rows = uintArray(size);
  for (let i = 0; i < size; i++) rows[i] = descending ? size - 1 - i : i;
  return rows;
}

/** All rows sorted by a number each, `codes`, all below `size`; equals stay as they stand. */
export function sortByCode(
  rows: Uint32Array,
  codes: Uint32Array,
  size: number,
  descending: boolean,
): Uint32Array {
  const next = startsOf(codes, size);
  const sorted = uintArray(rows.length);
  // Descending, places are taken from the end, and rows from the last one.
  for (let i = 0; i < rows.length; i++) {
    const row = uintAt(rows, descending ? rows.length - 1 - i : i);
    const code = uintAt(codes, row);
    const at = uintAt(next, code);
    sorted[descending ? rows.length - 1 - at : at] = row;
    next[code] = at + 1;
  }
  return sorted;
}

/** Groups smaller than this are sorted by comparing. */
const SMALL = 16;

/** By bytes from `depth` on; before it they are the same. */
function compareFrom({ bytes, starts }: TextBytes, a: number, b: number, depth: number): number {
  const endA = uintAt(starts, a + 1);
  const endB = uintAt(starts, b + 1);
  let atA = uintAt(starts, a) + depth;
  let atB = uintAt(starts, b) + depth;
  while (atA < endA && atB < endB && bytes[atA] === bytes[atB]) {
    atA += 1;
    atB += 1;
  }
  if (atA === endA || atB === endB) return endA - atA - (endB - atB);
  return byteAt(bytes, atA) - byteAt(bytes, atB);
}

/** Distinct texts: a number for each row that has one, in the order in which its text first came. */
interface Interned {
  readonly numbers: Uint32Array<ArrayBuffer>;
  /** The first row of each number. */
  readonly firsts: Uint32Array<ArrayBuffer>;
}

/** Finds equal texts by a hash (FNV-1a) of their bytes, in a table with a place for each that is free half the time. */
export function internTexts(texts: TextBytes, rows: Uint32Array): Interned {
  const { bytes, starts } = texts;
  const size = 2 ** Math.ceil(Math.log2(2 * rows.length + 2));
  /** One more than the number that stands there; 0 is free. */
  const slots = new Uint32Array(size);
  const numbers = new Uint32Array(rows.length);
  const firsts = new Uint32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = uintAt(rows, i);
    const end = uintAt(starts, row + 1);
    let hash = 0x811c9dc5;
    for (let at = uintAt(starts, row); at < end; at++) hash = Math.imul(hash ^ byteAt(bytes, at), 0x01000193);
    // The low bits alone would be those of the last bytes.
    let slot = (hash ^ (hash >>> 15)) & (size - 1);
    let found = uintAt(slots, slot);
    while (found > 0 && compareFrom(texts, uintAt(firsts, found - 1), row, 0) !== 0) {
      slot = (slot + 1) & (size - 1);
      found = uintAt(slots, slot);
    }
    if (found === 0) {
      firsts[count++] = row;
      found = count;
      slots[slot] = found;
    }
    numbers[i] = found - 1;
  }
  letGo(slots);
  return { numbers, firsts: firsts.subarray(0, count) };
}

function sortSmall(texts: TextBytes, rows: Uint32Array, from: number, to: number, depth: number): void {
  for (let i = from + 1; i < to; i++) {
    const row = uintAt(rows, i);
    let at = i;
    for (; at > from && compareFrom(texts, uintAt(rows, at - 1), row, depth) > 0; at--) {
      rows[at] = uintAt(rows, at - 1);
    }
    rows[at] = row;
  }
}

/** Sorts rows, in their own place, by their texts' bytes: SQLite's order of texts. A radix sort from the first byte on. */
export function sortByBytes(texts: TextBytes, rows: Uint32Array): void {
  const { bytes, starts } = texts;
  const scratch = new Uint32Array(rows.length);
  /** By byte; 0 stands for a text that ends here. */
  const classes = new Uint32Array(rows.length);
  const ends = new Uint32Array(257);
  const groups: [from: number, to: number, depth: number][] = [[0, rows.length, 0]];
  for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
    const [from, to, depth] = group;
    if (to - from < SMALL) {
      sortSmall(texts, rows, from, to, depth);
      continue;
    }
    ends.fill(0);
    for (let i = from; i < to; i++) {
      const row = uintAt(rows, i);
      const at = uintAt(starts, row) + depth;
      const kind = at < uintAt(starts, row + 1) ? byteAt(bytes, at) + 1 : 0;
      classes[i] = kind;
      ends[kind] = uintAt(ends, kind) + 1;
    }
    const first = uintAt(classes, from);
    if (uintAt(ends, first) === to - from) {
      if (first > 0) groups.push([from, to, depth + 1]);
      continue;
    }
    let end = from;
    for (let kind = 0; kind < ends.length; kind++) {
      const size = uintAt(ends, kind);
      if (size > 1 && kind > 0) groups.push([end, end + size, depth + 1]);
      end += size;
      ends[kind] = end - size;
    }
    for (let i = from; i < to; i++) {
      const kind = uintAt(classes, i);
      const at = uintAt(ends, kind);
      scratch[at] = uintAt(rows, i);
      ends[kind] = at + 1;
    }
    rows.set(scratch.subarray(from, to), from);
  }
  letGo(scratch);
  letGo(classes);
}

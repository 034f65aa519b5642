/**
 * The distinct values of a column, ascending, as data that threads can have in common. A value's code is its place among
 * them, from 1 on; 0 is the code of null.
 */
import type { Cell } from "../api/record.ts";
import { byteArray, byteAt, floatAt, itemAt, uintArray, uintAt } from "../base/arrays.ts";

/** Texts one after the other as UTF-8; each begins where the one before it ends. `["a", "bc"]` → bytes of `abc`, starts 0, 1, 3 */
export interface TextBytes {
  readonly bytes: Uint8Array;
  /** One more than texts. */
  readonly starts: Uint32Array;
}

function countTexts({ starts }: TextBytes): number {
  return starts.length - 1;
}

function textAt({ bytes, starts }: TextBytes, place: number): string {
  const from = uintAt(starts, place);
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, uintAt(starts, place + 1) - from).toString();
}

/** Some of them, in the order of their places. */
export function pickTexts({ bytes, starts }: TextBytes, places: Uint32Array): TextBytes {
  const picked = uintArray(places.length + 1);
  for (let i = 0; i < places.length; i++) {
    const place = uintAt(places, i);
    picked[i + 1] = uintAt(picked, i) + uintAt(starts, place + 1) - uintAt(starts, place);
  }
  const target = byteArray(uintAt(picked, places.length));
  let end = 0;
  for (let i = 0; i < places.length; i++) {
    const last = uintAt(starts, uintAt(places, i) + 1);
    // Most are too short for a call that copies them to be worth it.
    for (let at = uintAt(starts, uintAt(places, i)); at < last; at++) target[end++] = byteAt(bytes, at);
  }
  return { bytes: target, starts: picked };
}

/** With others among them; `ats`: the places before which those go, ascending. */
function insertTexts(
  { bytes, starts }: TextBytes,
  added: readonly Uint8Array[],
  ats: readonly number[],
): TextBytes {
  const count = starts.length - 1;
  const nextStarts = new Uint32Array(count + added.length + 1);
  const next = new Uint8Array(added.reduce((sum, { length }) => sum + length, bytes.length));
  let [from, more] = [0, 0];
  /** Copies those that stand before a place. */
  const copyUntil = (to: number, i: number): void => {
    next.set(bytes.subarray(uintAt(starts, from), uintAt(starts, to)), uintAt(starts, from) + more);
    for (let place = from; place < to; place++) nextStarts[place + i] = uintAt(starts, place) + more;
    from = to;
  };
  added.forEach((text, i) => {
    copyUntil(itemAt(ats, i), i);
    const start = uintAt(starts, from) + more;
    nextStarts[from + i] = start;
    next.set(text, start);
    more += text.length;
  });
  copyUntil(count, added.length);
  nextStarts[count + added.length] = next.length;
  return { bytes: next, starts: nextStarts };
}

/** Numbers, or texts by their bytes, which is SQLite's order of texts. */
export type ColumnValues = { readonly numbers: Float64Array } | { readonly texts: TextBytes };

/** How many codes there are, null's among them. */
export function countCodes(values: ColumnValues): number {
  return 1 + ("numbers" in values ? values.numbers.length : countTexts(values.texts));
}

export function cellAt(values: ColumnValues, code: number): Cell {
  if (code === 0) return null;
  return "numbers" in values ? floatAt(values.numbers, code - 1) : textAt(values.texts, code - 1);
}

function beforeTest(values: ColumnValues, cell: string | number): (place: number) => boolean {
  if ("numbers" in values)
    return (place) => typeof cell === "string" || floatAt(values.numbers, place) < cell;
  if (typeof cell === "number") return () => false;
  const { bytes, starts } = values.texts;
  const [wanted, all] = [Buffer.from(cell), Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)];
  return (place) =>
    all.compare(wanted, 0, wanted.length, uintAt(starts, place), uintAt(starts, place + 1)) < 0;
}

/** The code of the first value that is not before a cell: as many as there are codes where all are. */
export function firstFrom(values: ColumnValues, cell: Cell): number {
  if (cell === null) return 0;
  const isBefore = beforeTest(values, cell);
  let low = 0;
  let high = countCodes(values) - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}

/** The code of a cell; -1 where it is no value. */
export function codeOf(values: ColumnValues, cell: Cell): number {
  const code = firstFrom(values, cell);
  return code < countCodes(values) && cellAt(values, code) === cell ? code : -1;
}

/** The values of some codes, which are ascending and not 0. */
export function pickValues(values: ColumnValues, codes: Uint32Array): ColumnValues {
  if ("texts" in values)
    return {
      texts: pickTexts(
        values.texts,
        codes.map((code) => code - 1),
      ),
    };
  return { numbers: Float64Array.from(codes, (code) => floatAt(values.numbers, code - 1)) };
}

function insertNumbers(
  numbers: Float64Array,
  added: readonly number[],
  ats: readonly number[],
): Float64Array {
  const next = new Float64Array(numbers.length + added.length);
  let from = 0;
  added.forEach((number, i) => {
    const to = itemAt(ats, i);
    next.set(numbers.subarray(from, to), from + i);
    next[to + i] = number;
    from = to;
  });
  next.set(numbers.subarray(from), from + added.length);
  return next;
}

/** Values with those of cells among them, and where each former code stands then; null where all stand as they did. */
export function addValues(
  values: ColumnValues,
  cells: readonly Cell[],
): { readonly values: ColumnValues; readonly codes: Uint32Array | null } {
  const added = [...new Set(cells)].filter((cell) => codeOf(values, cell) < 0);
  if (added.length === 0) return { values, codes: null };
  const firsts = added.map((cell) => firstFrom(values, cell)).sort((a, b) => a - b);
  const codes = new Uint32Array(countCodes(values)).map((_, code) => code);
  for (let code = itemAt(firsts, 0), more = 0; code < codes.length; code++) {
    while (more < firsts.length && itemAt(firsts, more) <= code) more += 1;
    codes[code] = uintAt(codes, code) + more;
  }
  const ats = firsts.map((code) => code - 1);
  if ("numbers" in values) {
    const numbers = added.map(Number).sort((a, b) => a - b);
    return { values: { numbers: insertNumbers(values.numbers, numbers, ats) }, codes };
  }
  const texts = added.map((cell) => Buffer.from(String(cell))).sort(Buffer.compare);
  return { values: { texts: insertTexts(values.texts, texts, ats) }, codes };
}

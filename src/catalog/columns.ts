/**
 * The narrow columns of a list in memory, as codes: a row's code is the place of its value among the column's distinct
 * values, which stand in SQLite's order. So rows are compared, grouped and sorted by small whole numbers.
 */
import type Database from "better-sqlite3";
import type { Cell } from "../api/record.ts";
import { itemAt, uintAt } from "../base/item-at.ts";
import { floatArray, uintArray } from "../base/memory.ts";
import { compareCodePoints } from "../base/text.ts";
import { GONE, type Moves } from "./moves.ts";
import type { Resource } from "./resources.ts";
import { allRows, internTexts, sortByBytes, type TextBytes } from "./sorting.ts";

export interface Column {
  /** For each row the place of its value in `values`. */
  readonly codes: Uint32Array;
  /** Distinct, ascending, some of them perhaps of no row any more: null, always, then numbers or else texts. */
  readonly values: readonly Cell[];
}

/** The ids of a list, ascending, and its columns by name. */
export interface Columns {
  readonly ids: Float64Array;
  readonly byName: ReadonlyMap<string, Column>;
}

/** SQLite's order: NULL, numbers, texts by their UTF-8 bytes. */
function compareCells(a: Cell, b: Cell): number {
  if (typeof a === "string" && typeof b === "string") return compareCodePoints(a, b);
  if (typeof a === "number" && typeof b === "number") return a - b;
  const classOf = (cell: Cell) => (cell === null ? 0 : typeof cell === "number" ? 1 : 2);
  return classOf(a) - classOf(b);
}

/** Place of the first of sorted values that is not before a cell. */
export function firstFrom(values: readonly Cell[], cell: Cell): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareCells(itemAt(values, middle), cell) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Columns that something filters, sorts or bounds by. */
function usedColumns({ filters, sorts, range }: Resource): string[] {
  const names = [
    ...Object.values(filters).map(({ column }) => column),
    ...Object.values(sorts).flatMap((keys) => keys.map(({ column }) => column)),
    ...(range === null ? [] : [range.column]),
  ];
  return [...new Set(names)];
}

/** What is read of a column: its numbers, NaN for none; of texts their lengths, and beside those their bytes. */
interface Scanned {
  readonly numbers: Float64Array;
  readonly bytes: Buffer[];
}

function readIds(db: Database.Database, { name }: Resource): Float64Array {
  const found = db.prepare<[], number>(`SELECT id FROM ${name} ORDER BY id`).pluck().all();
  const ids = floatArray(found.length);
  ids.set(found);
  return ids;
}

/** Rows that SQLite hands over in one call, their texts in one piece: one for each row would cost more than all else. */
const WINDOW = 8192;

/** Reads columns once, window by window. */
function scan(
  db: Database.Database,
  { name: table, columns }: Resource,
  names: readonly string[],
  ids: Float64Array,
): Map<string, Scanned> {
  const found = new Map(
    names.map((name) => [name, { numbers: floatArray(ids.length).fill(Number.NaN), bytes: [] as Buffer[] }]),
  );
  const isText = (name: string): boolean => columns[name] === "TEXT";
  const numeric = names.map((name) => (isText(name) ? `octet_length(${name})` : name));
  const joined = names.filter(isText).map((name) => `CAST(group_concat(${name}, '') AS BLOB) AS ${name}`);
  const rows = `FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY id`;
  const readNumbers = db.prepare<[number, number], Cell[]>(`SELECT ${numeric.join(", ")} ${rows}`).raw();
  const readTexts =
    joined.length === 0
      ? null
      : db.prepare<[number, number], Record<string, Buffer | null>>(
          `SELECT ${joined.join(", ")} FROM (SELECT ${names.join(", ")} ${rows})`,
        );
  const lists = [...found.values()].map(({ numbers }) => numbers);
  for (let start = 0; start < ids.length; start += WINDOW) {
    const window = [itemAt(ids, start), itemAt(ids, Math.min(start + WINDOW, ids.length) - 1)] as const;
    readNumbers.all(...window).forEach((cells, i) => {
      for (let at = 0; at < lists.length; at++) {
        const cell = cells[at];
        // A zero has no sign.
        if (typeof cell === "number") itemAt(lists, at)[start + i] = cell + 0;
      }
    });
    for (const [name, bytes] of Object.entries(readTexts?.get(...window) ?? {})) {
      if (bytes !== null) found.get(name)?.bytes.push(bytes);
    }
  }
  return found;
}

/** NaN is no value. */
function columnOfNumbers(numbers: Float64Array): Column {
  const seen = new Map<number, number>();
  const codes = uintArray(numbers.length);
  for (let row = 0; row < numbers.length; row++) {
    const number = itemAt(numbers, row);
    if (Number.isNaN(number)) continue;
    let code = seen.get(number);
    if (code === undefined) {
      code = seen.size + 1;
      seen.set(number, code);
    }
    codes[row] = code;
  }
  const sorted = Float64Array.from(seen.keys()).sort();
  const places = new Uint32Array(seen.size + 1);
  sorted.forEach((number, place) => {
    places[seen.get(number) ?? 0] = place + 1;
  });
  for (let row = 0; row < codes.length; row++) codes[row] = uintAt(places, uintAt(codes, row));
  return { codes, values: [null, ...sorted] };
}

/** The length of no text is NaN. */
function columnOfTexts(bytes: Buffer, lengths: Float64Array): Column {
  const starts = uintArray(lengths.length + 1);
  const present = uintArray(lengths.length);
  let count = 0;
  for (let row = 0; row < lengths.length; row++) {
    const length = itemAt(lengths, row);
    const missing = Number.isNaN(length);
    starts[row + 1] = uintAt(starts, row) + (missing ? 0 : length);
    if (!missing) present[count++] = row;
  }
  const texts: TextBytes = { bytes, starts };
  const rows = present.subarray(0, count);
  const { numbers, firsts } = internTexts(texts, rows);
  const sorted = firsts.slice();
  sortByBytes(texts, sorted);
  const codes = uintArray(lengths.length);
  sorted.forEach((row, place) => {
    codes[row] = place + 1;
  });
  rows.forEach((row, i) => {
    codes[row] = uintAt(codes, uintAt(firsts, uintAt(numbers, i)));
  });
  const values: Cell[] = [null];
  for (const row of sorted) values.push(bytes.toString("utf8", starts[row], starts[row + 1]));
  return { codes, values };
}

/** Reads a list's ids and columns. */
export function loadColumns(db: Database.Database, resource: Resource): Columns {
  const ids = readIds(db, resource);
  const byName = new Map<string, Column>();
  for (const [name, { numbers, bytes }] of scan(db, resource, usedColumns(resource), ids)) {
    const isText = resource.columns[name] === "TEXT";
    byName.set(name, isText ? columnOfTexts(Buffer.concat(bytes), numbers) : columnOfNumbers(numbers));
  }
  return { ids, byName };
}

/** Values that no row has may be as many as the rows, and this many: then they are dropped. */
const SPARE_VALUES = 1024;

/** A column after a change, with the cells of the records that are put; the same one where it is as it was. */
export function nextColumn(column: Column, moves: Moves, cells: readonly Cell[]): Column {
  const same = (cell: Cell, i: number): boolean => {
    const before = itemAt(moves.before, i);
    return before !== GONE && itemAt(column.values, uintAt(column.codes, before)) === cell;
  };
  if (moves.sameIds && cells.every(same)) return column;
  const { values, places } = addValues(column.values, cells);
  const codes = new Uint32Array(moves.ids.length);
  for (const { from, to, length } of moves.runs) {
    const kept = column.codes.subarray(from, from + length);
    if (places === null) codes.set(kept, to);
    else for (let i = 0; i < length; i++) codes[to + i] = uintAt(places, uintAt(kept, i));
  }
  cells.forEach((cell, i) => {
    codes[itemAt(moves.put, i)] = firstFrom(values, cell);
  });
  return values.length > 2 * codes.length + SPARE_VALUES
    ? withoutSpares({ codes, values })
    : { codes, values };
}

/** Values with those of cells among them, and where each former value stands then; null where all stand as they did. */
function addValues(
  values: readonly Cell[],
  cells: readonly Cell[],
): { values: readonly Cell[]; places: Uint32Array | null } {
  const added = [...new Set(cells)]
    .filter((cell) => values[firstFrom(values, cell)] !== cell)
    .sort(compareCells);
  if (added.length === 0) return { values, places: null };
  const places = allRows(values.length);
  // Merged from the end: what stands before the first new value is copied in one piece.
  const merged = values.concat(added);
  let from = values.length - 1;
  let to = merged.length - 1;
  for (const cell of added.reverse()) {
    for (const first = firstFrom(values, cell); from >= first; from--) {
      merged[to] = itemAt(values, from);
      places[from] = to--;
    }
    merged[to--] = cell;
  }
  return { values: merged, places };
}

function withoutSpares({ codes, values }: Column): Column {
  const places = new Uint32Array(values.length);
  for (const code of codes) places[code] = 1;
  places[0] = 1;
  const kept: Cell[] = [];
  values.forEach((value, code) => {
    if (places[code] === 0) return;
    places[code] = kept.length;
    kept.push(value);
  });
  return { codes: codes.map((code) => uintAt(places, code)), values: kept };
}

/**
 * The narrow columns of a list in memory, as codes: a row's code is the place of its value among the column's distinct
 * values, which stand in SQLite's order. So rows are compared, grouped and sorted by small whole numbers.
 */
import type Database from "better-sqlite3";
import type { Cell } from "../api/record.ts";
import { floatArray, itemAt, letGo, uintArray, uintAt } from "../base/arrays.ts";
import {
  addValues,
  type ColumnValues,
  cellAt,
  countCodes,
  firstFrom,
  pickTexts,
  pickValues,
  type TextBytes,
} from "./column-values.ts";
import { GONE, type Moves } from "./moves.ts";
import type { Resource } from "./resources.ts";
import { internTexts, sortByBytes } from "./sorting.ts";

export interface Column {
  /** For each row that of its value. */
  readonly codes: Uint32Array;
  /** Some of them perhaps of no row any more. */
  readonly values: ColumnValues;
}

/** The ids of a list, ascending, and its columns by name. */
export interface Columns {
  readonly ids: Float64Array;
  readonly byName: ReadonlyMap<string, Column>;
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

/** What is read of a column: its numbers, NaN for none; of texts their lengths and their bytes. */
interface Scanned {
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly bytes: Buffer<ArrayBuffer>[];
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
    names.map((name): [string, Scanned] => [
      name,
      { numbers: new Float64Array(ids.length).fill(Number.NaN), bytes: [] },
    ]),
  );
  const isText = (name: string): boolean => columns[name] === "TEXT";
  const numeric = names.map((name) => (isText(name) ? `octet_length(${name})` : name));
  const joined = names.filter(isText).map((name) => `CAST(group_concat(${name}, '') AS BLOB) AS ${name}`);
  const rows = `FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY id`;
  const readNumbers = db.prepare<[number, number], Cell[]>(`SELECT ${numeric.join(", ")} ${rows}`).raw();
  const readTexts =
    joined.length === 0
      ? null
      : db.prepare<[number, number], Record<string, Buffer<ArrayBuffer> | null>>(
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
  const sorted = floatArray(seen.size);
  sorted.set([...seen.keys()]);
  sorted.sort();
  const places = new Uint32Array(seen.size + 1);
  sorted.forEach((number, place) => {
    places[seen.get(number) ?? 0] = place + 1;
  });
  for (let row = 0; row < codes.length; row++) codes[row] = uintAt(places, uintAt(codes, row));
  return { codes, values: { numbers: sorted } };
}

/** Pieces in one, which takes their place. */
function joinBytes(pieces: readonly Buffer<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const piece of pieces) {
    joined.set(piece, end);
    end += piece.length;
    letGo(piece);
  }
  return joined;
}

/** The length of no text is NaN. */
function columnOfTexts(bytes: Uint8Array, lengths: Float64Array): Column {
  const starts = new Uint32Array(lengths.length + 1);
  const present = new Uint32Array(lengths.length);
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
  const values = { texts: pickTexts(texts, sorted) };
  for (const array of [starts, present, numbers, firsts, sorted]) letGo(array);
  return { codes, values };
}

/** A column of what was read of it, which is let go. */
function columnOf({ numbers, bytes }: Scanned, isText: boolean): Column {
  const joined = joinBytes(bytes);
  const column = isText ? columnOfTexts(joined, numbers) : columnOfNumbers(numbers);
  letGo(joined);
  letGo(numbers);
  return column;
}

/** Reads a list's ids and columns. */
export function loadColumns(db: Database.Database, resource: Resource): Columns {
  const ids = readIds(db, resource);
  const byName = new Map<string, Column>();
  for (const [name, scanned] of scan(db, resource, usedColumns(resource), ids))
    byName.set(name, columnOf(scanned, resource.columns[name] === "TEXT"));
  return { ids, byName };
}

/** Values that no row has may be as many as the rows, and this many: then they are dropped. */
const SPARE_VALUES = 1024;

/** A column after a change, with the cells of the records that are put; the same one where it is as it was. */
export function nextColumn(column: Column, moves: Moves, cells: readonly Cell[]): Column {
  const same = (cell: Cell, i: number): boolean => {
    const before = itemAt(moves.before, i);
    return before !== GONE && cellAt(column.values, uintAt(column.codes, before)) === cell;
  };
  if (moves.sameIds && cells.every(same)) return column;
  const { values, codes: moved } = addValues(column.values, cells);
  const codes = new Uint32Array(moves.ids.length);
  for (const { from, to, length } of moves.runs) {
    const kept = column.codes.subarray(from, from + length);
    if (moved === null) codes.set(kept, to);
    else for (let i = 0; i < length; i++) codes[to + i] = uintAt(moved, uintAt(kept, i));
  }
  cells.forEach((cell, i) => {
    codes[itemAt(moves.put, i)] = firstFrom(values, cell);
  });
  return countCodes(values) > 2 * codes.length + SPARE_VALUES
    ? withoutSpares({ codes, values })
    : { codes, values };
}

function withoutSpares({ codes, values }: Column): Column {
  const places = new Uint32Array(countCodes(values));
  for (const code of codes) places[code] = 1;
  places[0] = 0;
  const kept = Uint32Array.from(places.keys()).filter((code) => places[code] === 1);
  kept.forEach((code, at) => {
    places[code] = at + 1;
  });
  return { codes: codes.map((code) => uintAt(places, code)), values: pickValues(values, kept) };
}

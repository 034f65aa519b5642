/** The list fragments of a resource as bytes, by row: what pages are joined of. */
import type Database from "better-sqlite3";
import { itemAt, uintAt } from "../base/item-at.ts";
import type { Json } from "../base/json.ts";
import type { Moves } from "./moves.ts";
import type { ResourceName } from "./resources.ts";

export interface Fragments {
  /** Bytes of one row's fragment. */
  size(row: number): number;
  /** The fragment of a row, as bytes that must not be written to. */
  at(row: number): Buffer;
  /** Bytes of the rows' fragments joined by commas. */
  joinedSize(rows: Uint32Array): number;
  /** Writes the rows' fragments, joined by commas, into `target` from `at` on; returns where they end. */
  join(rows: Uint32Array, target: Buffer, at: number): number;
  /** The fragments after a change, with those of the records that are put. */
  next(moves: Moves, put: readonly Json[]): Fragments;
  close(): void;
}

const COMMA = 44;

/** Joining, for all who know where a fragment is. */
export abstract class JoinedFragments {
  abstract size(row: number): number;
  /** Writes one fragment into `target` from `at` on; returns its bytes. */
  protected abstract copy(row: number, target: Buffer, at: number): number;

  /** Most have nothing open. */
  close(): void {}

  joinedSize(rows: Uint32Array): number {
    let size = Math.max(0, rows.length - 1);
    for (const row of rows) size += this.size(row);
    return size;
  }

  join(rows: Uint32Array, target: Buffer, at: number): number {
    let end = at;
    for (let i = 0; i < rows.length; i++) {
      if (i > 0) target[end++] = COMMA;
      end += this.copy(uintAt(rows, i), target, end);
    }
    return end;
  }
}

/** Bytes of each row's fragment. Reads no fragment: SQLite knows lengths from the heads of its rows. */
export function readSizes(db: Database.Database, name: ResourceName, count: number): Uint32Array {
  const sizes = new Uint32Array(count);
  const statement = db.prepare<[], number>(`SELECT OCTET_LENGTH(json) FROM ${name}_list ORDER BY id`).pluck();
  let row = 0;
  for (const size of statement.iterate()) sizes[row++] = size;
  if (row !== count) throw new Error(`${name} has ${count} rows, but ${row} fragments`);
  return sizes;
}

/** The fragments of neighbouring rows, one after the other. */
interface FragmentPiece {
  readonly from: number;
  /** The first row after them. */
  readonly to: number;
  /** Memory of its own. */
  readonly bytes: Buffer<ArrayBuffer>;
}

/**
 * Reads all fragments, in pieces of at most so many bytes; a larger fragment is a piece of its own. SQLite joins them: no text
 * is made of each.
 * @param ids of all rows, ascending; `sizes` are the bytes of their fragments
 */
export function* readFragmentPieces(
  db: Database.Database,
  name: ResourceName,
  { ids, sizes }: { readonly ids: Float64Array; readonly sizes: Uint32Array },
  mostBytes: number,
): Generator<FragmentPiece> {
  const joined = db
    .prepare<[number, number], Buffer<ArrayBuffer>>(
      `SELECT CAST(group_concat(json, '') AS BLOB)
      FROM (SELECT json FROM ${name}_list WHERE id BETWEEN ? AND ? ORDER BY id)`,
    )
    .pluck();
  for (let from = 0; from < ids.length; ) {
    let [to, size] = [from, 0];
    do size += uintAt(sizes, to++);
    while (to < ids.length && size + uintAt(sizes, to) <= mostBytes);
    const bytes = joined.get(itemAt(ids, from), itemAt(ids, to - 1));
    if (bytes?.length !== size) throw new Error(`Fragments of ${name} are not as long as they say`);
    yield { from, to, bytes };
    from = to;
  }
}

/** Numbers of rows after a change: those of rows that stay, and one for each that is put. */
export function movedNumbers(numbers: Uint32Array, moves: Moves, put: readonly number[]): Uint32Array {
  const next = new Uint32Array(moves.ids.length);
  for (const { from, to, length } of moves.runs) next.set(numbers.subarray(from, from + length), to);
  put.forEach((number, i) => {
    next[uintAt(moves.put, i)] = number;
  });
  return next;
}

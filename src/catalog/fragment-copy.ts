/**
 * List fragments copied into files of their own, one after the other, for whoever reads nearly all of them in any order: a
 * read is then one call of the system, from any thread, and memory does not grow with the shop.
 */
import { closeSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { itemAt } from "../base/item-at.ts";
import { type Fragments, JoinedFragments } from "./fragments.ts";
import { RESOURCES, type ResourceName } from "./resources.ts";

/** Data: it goes from thread to thread, and its numbers are shared. */
export interface FragmentCopy {
  readonly file: string;
  /** Where the fragment of each row begins; one more than rows, so that the next begins where it ends. */
  readonly starts: Float64Array;
}

export type FragmentCopies = ReadonlyMap<ResourceName, FragmentCopy>;

/** SQLite hands over so many bytes in one piece, and one fragment more. */
const PIECE_BYTES = 4_000_000;

/** Ids of rows that are read in one piece, both included. */
type Piece = readonly [first: number, last: number];

function measure(db: Database.Database, name: ResourceName): { starts: Float64Array; pieces: Piece[] } {
  const count = db.prepare<[], number>(`SELECT COUNT(*) FROM ${name}_list`).pluck().get() ?? 0;
  const starts = new Float64Array(new SharedArrayBuffer(8 * (count + 1)));
  const rows = db
    .prepare<[], [number, number]>(`SELECT id, OCTET_LENGTH(json) FROM ${name}_list ORDER BY id`)
    .raw();
  const pieces: Piece[] = [];
  let [row, end, first, pieceStart] = [0, 0, 0, 0];
  for (const [id, size] of rows.iterate()) {
    if (end === pieceStart) first = id;
    end += size;
    row += 1;
    starts[row] = end;
    if (end - pieceStart < PIECE_BYTES && row < count) continue;
    pieces.push([first, id]);
    pieceStart = end;
  }
  return { starts, pieces };
}

/** Copies all list fragments of a catalog into files in a folder. */
export function copyFragments(catalog: string, folder: string): FragmentCopies {
  mkdirSync(folder, { recursive: true });
  const db = new Database(catalog, { readonly: true, fileMustExist: true });
  try {
    return new Map(RESOURCES.map(({ name }) => [name, copy(db, name, join(folder, name))]));
  } finally {
    db.close();
  }
}

function copy(db: Database.Database, name: ResourceName, file: string): FragmentCopy {
  const { starts, pieces } = measure(db, name);
  const read = db
    .prepare<[number, number], Buffer>(
      `SELECT CAST(group_concat(json, '') AS BLOB) FROM (SELECT json FROM ${name}_list WHERE id BETWEEN ? AND ? ORDER BY id)`,
    )
    .pluck();
  const target = openSync(file, "w");
  try {
    for (const piece of pieces) writeAll(target, read.get(...piece) ?? Buffer.alloc(0));
  } finally {
    closeSync(target);
  }
  return { file, starts };
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

export class CopiedFragments extends JoinedFragments implements Fragments {
  readonly #file: number;
  readonly #starts: Float64Array;

  constructor({ file, starts }: FragmentCopy) {
    super();
    this.#file = openSync(file, "r");
    this.#starts = starts;
  }

  size(row: number): number {
    return itemAt(this.#starts, row + 1) - itemAt(this.#starts, row);
  }

  at(row: number): Buffer {
    const bytes = Buffer.allocUnsafe(this.size(row));
    this.copy(row, bytes, 0);
    return bytes;
  }

  protected copy(row: number, target: Buffer, at: number): number {
    const size = this.size(row);
    const read = readSync(this.#file, target, at, size, itemAt(this.#starts, row));
    if (read !== size) throw new Error(`A fragment of ${size} bytes ends after ${read}`);
    return size;
  }

  next(): never {
    throw new Error("A copy of fragments is of one catalog");
  }

  override close(): void {
    closeSync(this.#file);
  }
}

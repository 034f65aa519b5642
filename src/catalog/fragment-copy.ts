/**
 * List fragments copied out of the catalog, one after the other, for whoever reads nearly all of them in any order: those
 * that stand first into memory that threads have in common, up to a ceiling, and all into files of their own, where a read is
 * one call of the system. Memory does not grow with the shop.
 */
import { closeSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { floatAt } from "../base/item-at.ts";
import { byteArray, floatArray, letGo } from "../base/memory.ts";
import { type Fragments, JoinedFragments, readFragmentPieces } from "./fragments.ts";
import { RESOURCES, type Resource, type ResourceName } from "./resources.ts";

/** Data: it goes from thread to thread, and its numbers are shared. */
export interface FragmentCopy {
  readonly file: string;
  /** Where the fragment of each row begins; one more than rows, so that the next begins where it ends. */
  readonly starts: Float64Array;
  /** What stands at the beginning of the file: whole fragments, in shared memory. */
  readonly head: Uint8Array;
}

export type FragmentCopies = ReadonlyMap<ResourceName, FragmentCopy>;

/** What is in memory, of all resources together. Lists of a small shop ask the system for nothing. */
const HEAD_BYTES = 32 * 2 ** 20;

/** SQLite hands over so many bytes in one piece. */
const PIECE_BYTES = 1_000_000;

/** What the heads of the rows tell of all fragments. */
function measure(db: Database.Database, name: ResourceName) {
  const count = db.prepare<[], number>(`SELECT COUNT(*) FROM ${name}_list`).pluck().get() ?? 0;
  const starts = floatArray(count + 1);
  const [ids, sizes] = [new Float64Array(count), new Uint32Array(count)];
  const rows = db
    .prepare<[], [number, number]>(`SELECT id, OCTET_LENGTH(json) FROM ${name}_list ORDER BY id`)
    .raw();
  let [row, end] = [0, 0];
  for (const [id, size] of rows.iterate()) {
    ids[row] = id;
    sizes[row] = size;
    row += 1;
    end += size;
    starts[row] = end;
  }
  return { ids, sizes, starts };
}

/** Resources whose records stand in the most lists first. */
function inMostLists(): Resource[] {
  const filters = (resource: Resource) => Object.keys(resource.filters).length;
  return RESOURCES.toSorted((a, b) => filters(b) - filters(a));
}

/** Copies all list fragments of a catalog into files in a folder. */
export function copyFragments(catalog: string, folder: string, headBytes = HEAD_BYTES): FragmentCopies {
  mkdirSync(folder, { recursive: true });
  const db = new Database(catalog, { readonly: true, fileMustExist: true });
  const copies = new Map<ResourceName, FragmentCopy>();
  let left = headBytes;
  try {
    for (const { name } of inMostLists()) {
      const made = copy(db, name, join(folder, name), left);
      copies.set(name, made);
      left -= made.head.length;
    }
  } finally {
    db.close();
  }
  return copies;
}

function copy(db: Database.Database, name: ResourceName, file: string, mostHead: number): FragmentCopy {
  const { starts, ...rows } = measure(db, name);
  const head = byteArray(starts.findLast((start) => start <= mostHead) ?? 0);
  const target = openSync(file, "w");
  let end = 0;
  try {
    for (const { bytes } of readFragmentPieces(db, name, rows, PIECE_BYTES)) {
      writeAll(target, bytes);
      if (end < head.length) head.set(bytes.subarray(0, head.length - end), end);
      end += bytes.length;
      letGo(bytes);
    }
  } finally {
    closeSync(target);
  }
  return { file, starts, head };
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

export class CopiedFragments extends JoinedFragments implements Fragments {
  readonly #file: number;
  readonly #starts: Float64Array;
  readonly #head: Buffer;

  constructor({ file, starts, head }: FragmentCopy) {
    super();
    this.#file = openSync(file, "r");
    this.#starts = starts;
    this.#head = Buffer.from(head.buffer, 0, head.length);
  }

  size(row: number): number {
    return floatAt(this.#starts, row + 1) - floatAt(this.#starts, row);
  }

  at(row: number): Buffer {
    const bytes = Buffer.allocUnsafe(this.size(row));
    this.copy(row, bytes, 0);
    return bytes;
  }

  protected copy(row: number, target: Buffer, at: number): number {
    const [start, end] = [floatAt(this.#starts, row), floatAt(this.#starts, row + 1)];
    if (end <= this.#head.length) return this.#head.copy(target, at, start, end);
    const size = end - start;
    const read = readSync(this.#file, target, at, size, start);
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

/** The list fragments of a resource as bytes, by row: what pages are joined of. */
import { closeSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { byteArray, itemAt, letGo, uintArray, uintAt } from "../base/arrays.ts";
import { RESOURCES, type Resource, type ResourceName } from "./resources.ts";

const COMMA = 44;

export abstract class Fragments {
  /** Bytes of one row's fragment. */
  abstract size(row: number): number;
  /** The fragment of a row, as bytes that must not be written to. */
  abstract at(row: number): Buffer;

  /** Writes one fragment into `target` from `at` on; returns its bytes. */
  protected copy(row: number, target: Buffer, at: number): number {
    return this.at(row).copy(target, at);
  }

  /** Bytes of the rows' fragments joined by commas. */
  joinedSize(rows: Uint32Array): number {
    let size = Math.max(0, rows.length - 1);
    for (const row of rows) size += this.size(row);
    return size;
  }

  /** Writes the rows' fragments, joined by commas, into `target` from `at` on; returns where they end. */
  join(rows: Uint32Array, target: Buffer, at: number): number {
    let end = at;
    for (let i = 0; i < rows.length; i++) {
      if (i > 0) target[end++] = COMMA;
      end += this.copy(uintAt(rows, i), target, end);
    }
    return end;
  }

  close(): void {}
}

/** SQLite hands over so many bytes in one piece; a larger fragment is a piece of its own. */
const CHUNK_BYTES = 2 ** 20;

/** Where the fragment of each row is. */
interface Places {
  readonly chunks: Uint32Array;
  readonly offsets: Uint32Array;
  readonly sizes: Uint32Array;
}

/** Fragments as data that threads can have in common, or hand over. */
export interface PackedFragments {
  /** Each in memory, or a place in the file. None ever changes: a changed list shares them with the one before it. */
  readonly chunks: readonly (Uint8Array | number)[];
  readonly file: string | null;
  readonly places: Places;
}

/**
 * All fragments of a list, copied for a render of the whole catalog: some in memory, the others in a file of their own. A page
 * is a few copies, and neither SQLite nor an encoder stands between it and its bytes.
 */
export class FragmentStore extends Fragments {
  readonly #packed: PackedFragments;
  readonly #chunks: readonly (Buffer | number)[];
  readonly #file: number | null;

  constructor(packed: PackedFragments) {
    super();
    this.#packed = packed;
    this.#chunks = packed.chunks.map((chunk) =>
      typeof chunk === "number" ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length),
    );
    this.#file = packed.file === null ? null : openSync(packed.file, "r");
  }

  size(row: number): number {
    return uintAt(this.#packed.places.sizes, row);
  }

  at(row: number): Buffer {
    const { chunks, offsets } = this.#packed.places;
    const chunk = itemAt(this.#chunks, uintAt(chunks, row));
    const [offset, size] = [uintAt(offsets, row), this.size(row)];
    if (typeof chunk !== "number") return chunk.subarray(offset, offset + size);
    const bytes = Buffer.allocUnsafe(size);
    this.copy(row, bytes, 0);
    return bytes;
  }

  protected override copy(row: number, target: Buffer, at: number): number {
    const { chunks, offsets, sizes } = this.#packed.places;
    const chunk = itemAt(this.#chunks, uintAt(chunks, row));
    const [offset, size] = [uintAt(offsets, row), uintAt(sizes, row)];
    if (typeof chunk !== "number") return chunk.copy(target, at, offset, offset + size);
    const read = readSync(this.#file ?? -1, target, at, size, chunk + offset);
    if (read !== size) throw new Error(`A fragment of ${size} bytes ends after ${read}`);
    return size;
  }

  override close(): void {
    if (this.#file !== null) closeSync(this.#file);
  }
}

/** Bytes of each row's fragment. Reads no fragment: SQLite knows lengths from the heads of its rows. */
function readSizes(db: Database.Database, name: ResourceName, count: number): Uint32Array {
  const sizes = uintArray(count);
  const statement = db.prepare<[], number>(`SELECT OCTET_LENGTH(json) FROM ${name}_list ORDER BY id`).pluck();
  let row = 0;
  for (const size of statement.iterate()) sizes[row++] = size;
  if (row !== count) throw new Error(`${name} has ${count} rows, but ${row} fragments`);
  return sizes;
}

/** Reads all fragments of a list, chunk by chunk, each in memory of its own. SQLite joins them: no text is made of each. */
function readChunks(
  db: Database.Database,
  name: ResourceName,
  ids: Float64Array,
  take: (bytes: Buffer<ArrayBuffer>) => void,
): Places {
  const sizes = readSizes(db, name, ids.length);
  const places = { chunks: uintArray(ids.length), offsets: uintArray(ids.length), sizes };
  const joined = db
    .prepare<[number, number], Buffer<ArrayBuffer>>(
      `SELECT CAST(group_concat(json, '') AS BLOB)
      FROM (SELECT json FROM ${name}_list WHERE id BETWEEN ? AND ? ORDER BY id)`,
    )
    .pluck();
  for (let from = 0, chunk = 0; from < ids.length; chunk++) {
    let [to, size] = [from, 0];
    do {
      places.chunks[to] = chunk;
      places.offsets[to] = size;
      size += uintAt(sizes, to++);
    } while (to < ids.length && size + uintAt(sizes, to) <= CHUNK_BYTES);
    const bytes = joined.get(itemAt(ids, from), itemAt(ids, to - 1));
    if (bytes?.length !== size) throw new Error(`Fragments of ${name} are not as long as they say`);
    take(bytes);
    from = to;
  }
  return places;
}

export type FragmentCopies = ReadonlyMap<ResourceName, PackedFragments>;

/** What threads have in memory in common, of all resources together. Lists of a small shop ask the system for nothing. */
const SHARED_BYTES = 32 * 2 ** 20;

/** Resources whose records stand in the most lists first. */
function inMostLists(): Resource[] {
  const filters = (resource: Resource) => Object.keys(resource.filters).length;
  return RESOURCES.toSorted((a, b) => filters(b) - filters(a));
}

/**
 * Copies all list fragments of a catalog for whoever reads nearly all of them in any order: those that come first into memory
 * that threads have in common, the others into files in a folder. Memory does not grow with the shop.
 */
export function copyFragments(catalog: string, folder: string, sharedBytes = SHARED_BYTES): FragmentCopies {
  mkdirSync(folder, { recursive: true });
  const db = new Database(catalog, { readonly: true, fileMustExist: true });
  const copies = new Map<ResourceName, PackedFragments>();
  let left = sharedBytes;
  try {
    for (const { name } of inMostLists()) {
      const file = join(folder, name);
      const target = openSync(file, "w");
      const chunks: (Uint8Array | number)[] = [];
      let end = 0;
      try {
        const ids = db.prepare<[], number>(`SELECT id FROM ${name}_list ORDER BY id`).pluck().all();
        const places = readChunks(db, name, Float64Array.from(ids), (bytes) => {
          if (bytes.length <= left) {
            const shared = byteArray(bytes.length);
            shared.set(bytes);
            chunks.push(shared);
            left -= bytes.length;
          } else {
            chunks.push(end);
            for (let at = 0; at < bytes.length; ) at += writeSync(target, bytes, at);
            end += bytes.length;
          }
          letGo(bytes);
        });
        copies.set(name, { chunks, file, places });
      } finally {
        closeSync(target);
      }
    }
  } finally {
    db.close();
  }
  return copies;
}

/** What is kept of what was read: pages of neighbouring lists have much in common. */
const CACHE_BYTES = 64 * 2 ** 20;

/** Fragments read from the catalog when they are asked for: for whoever needs few of them. */
export class FragmentReader extends Fragments {
  readonly #db: Database.Database;
  readonly #name: ResourceName;
  readonly #ids: Float64Array;
  readonly #read: Database.Statement<[number], Buffer>;
  readonly #known = new Map<number, Buffer>();
  #knownBytes = 0;
  #sizes: Uint32Array | undefined;

  /** `ids` are those of the rows, ascending. */
  constructor(db: Database.Database, name: ResourceName, ids: Float64Array) {
    super();
    this.#db = db;
    this.#name = name;
    this.#ids = ids;
    this.#read = db
      .prepare<[number], Buffer>(`SELECT CAST(json AS BLOB) FROM ${name}_list WHERE id = ?`)
      .pluck();
  }

  size(row: number): number {
    this.#sizes ??= readSizes(this.#db, this.#name, this.#ids.length);
    return uintAt(this.#sizes, row);
  }

  /** Whoever asks for this joins them next: lengths come with the fragments, not from all rows. */
  override joinedSize(rows: Uint32Array): number {
    let size = Math.max(0, rows.length - 1);
    for (const row of rows) size += this.at(row).length;
    return size;
  }

  at(row: number): Buffer {
    const known = this.#known.get(row);
    if (known !== undefined) return known;
    const bytes = this.#read.get(itemAt(this.#ids, row));
    if (bytes === undefined) throw new Error(`${this.#name} ${itemAt(this.#ids, row)} has no fragment`);
    if (this.#knownBytes + bytes.length > CACHE_BYTES) {
      this.#known.clear();
      this.#knownBytes = 0;
    }
    this.#known.set(row, bytes);
    this.#knownBytes += bytes.length;
    return bytes;
  }
}

/** Fragments read from the catalog's file when they are asked for: memory does not grow with the shop. */
import type Database from "better-sqlite3";
import { itemAt, uintAt } from "../base/item-at.ts";
import type { Json } from "../base/json.ts";
import { type Fragments, JoinedFragments, movedNumbers, readSizes } from "./fragments.ts";
import type { Moves } from "./moves.ts";
import type { ResourceName } from "./resources.ts";

/** What is kept of what was read: pages of neighbouring lists have much in common. */
const CACHE_BYTES = 16 * 2 ** 20;

export class FragmentFile extends JoinedFragments implements Fragments {
  readonly #db: Database.Database;
  readonly #name: ResourceName;
  readonly #ids: Float64Array;
  readonly #read: Database.Statement<[number], Buffer>;
  readonly #cache = new Map<number, Buffer>();
  #cachedBytes = 0;
  #sizes: Uint32Array | undefined;

  /** `ids` are those of the rows, ascending. */
  constructor(db: Database.Database, name: ResourceName, ids: Float64Array, sizes?: Uint32Array) {
    super();
    this.#db = db;
    this.#name = name;
    this.#ids = ids;
    this.#sizes = sizes;
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
    const known = this.#cache.get(row);
    if (known !== undefined) return known;
    const id = itemAt(this.#ids, row);
    const bytes = this.#read.get(id);
    if (bytes === undefined) throw new Error(`${this.#name} ${id} has no fragment`);
    this.#keep(row, bytes);
    return bytes;
  }

  protected copy(row: number, target: Buffer, at: number): number {
    return this.at(row).copy(target, at);
  }

  /** What came first goes first. */
  #keep(row: number, bytes: Buffer): void {
    for (const [oldest, { length }] of this.#cache) {
      if (this.#cachedBytes + bytes.length <= CACHE_BYTES) break;
      this.#cache.delete(oldest);
      this.#cachedBytes -= length;
    }
    this.#cache.set(row, bytes);
    this.#cachedBytes += bytes.length;
  }

  /** The file has the change by then: what stood before it is no longer to be read. */
  next(moves: Moves, put: readonly Json[]): FragmentFile {
    const sizes = put.map((json) => Buffer.byteLength(json));
    const moved = this.#sizes && movedNumbers(this.#sizes, moves, sizes);
    return new FragmentFile(this.#db, this.#name, moves.ids, moved);
  }
}

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
  /** What was read last, and what before that: the latter goes as a whole. */
  #recent = new Map<number, Buffer>();
  #older = new Map<number, Buffer>();
  #recentBytes = 0;
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
    const recent = this.#recent.get(row);
    if (recent !== undefined) return recent;
    const bytes = this.#older.get(row) ?? this.#read.get(itemAt(this.#ids, row));
    if (bytes === undefined) throw new Error(`${this.#name} ${itemAt(this.#ids, row)} has no fragment`);
    this.#keep(row, bytes);
    return bytes;
  }

  protected copy(row: number, target: Buffer, at: number): number {
    return this.at(row).copy(target, at);
  }

  #keep(row: number, bytes: Buffer): void {
    if (this.#recentBytes + bytes.length > CACHE_BYTES / 2) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#recentBytes = 0;
    }
    this.#recent.set(row, bytes);
    this.#recentBytes += bytes.length;
  }

  /** The file has the change by then: what stood before it is no longer to be read. */
  next(moves: Moves, put: readonly Json[]): FragmentFile {
    const sizes = put.map((json) => Buffer.byteLength(json));
    const moved = this.#sizes && movedNumbers(this.#sizes, moves, sizes);
    return new FragmentFile(this.#db, this.#name, moves.ids, moved);
  }
}

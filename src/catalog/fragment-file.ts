/** Fragments read from the catalog's file when they are asked for: memory does not grow with the shop. */
import type Database from "better-sqlite3";
import { itemAt, uintAt } from "../base/item-at.ts";
import type { Json } from "../base/json.ts";
import { FragmentPool } from "./fragment-pool.ts";
import { type Fragments, JoinedFragments, movedNumbers, readSizes } from "./fragments.ts";
import type { Moves } from "./moves.ts";
import type { ResourceName } from "./resources.ts";

/** What is kept of what was read: pages of neighbouring lists have much in common. */
const CACHE_BYTES = 16 * 2 ** 20;
/** Once so many were read singly, and so large a share of all, they are read in one go: into so much memory at most. */
const READ_SINGLY = 1000;
const READ_SHARE = 16;
const POOL_BYTES = 128 * 2 ** 20;

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
  readonly #poolBytes: number;
  #readSingly = 0;
  /** The fragments of the first rows, and how many. */
  #pool: FragmentPool | undefined;
  #pooled = 0;

  /**
   * `ids` are those of the rows, ascending.
   * @param known bytes of each row's fragment, where they are known; how much may be read in one go
   */
  constructor(
    db: Database.Database,
    name: ResourceName,
    ids: Float64Array,
    { sizes, poolBytes = POOL_BYTES }: { sizes?: Uint32Array | undefined; poolBytes?: number } = {},
  ) {
    super();
    this.#poolBytes = poolBytes;
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
    for (const row of rows) size += row < this.#pooled ? this.size(row) : this.at(row).length;
    return size;
  }

  override join(rows: Uint32Array, target: Buffer, at: number): number {
    const pool = this.#pool;
    if (pool !== undefined && rows.every((row) => row < this.#pooled)) return pool.join(rows, target, at);
    return super.join(rows, target, at);
  }

  at(row: number): Buffer {
    if (this.#pool !== undefined && row < this.#pooled) return this.#pool.at(row);
    const recent = this.#recent.get(row);
    if (recent !== undefined) return recent;
    const bytes = this.#older.get(row) ?? this.#readOne(row);
    this.#keep(row, bytes);
    return bytes;
  }

  protected copy(row: number, target: Buffer, at: number): number {
    return this.at(row).copy(target, at);
  }

  #readOne(row: number): Buffer {
    const bytes = this.#read.get(itemAt(this.#ids, row));
    if (bytes === undefined) throw new Error(`${this.#name} ${itemAt(this.#ids, row)} has no fragment`);
    this.#readSingly += 1;
    if (this.#readSingly > Math.max(READ_SINGLY, this.#ids.length / READ_SHARE)) this.#fill();
    return bytes;
  }

  /** Reads as many as there is memory for. */
  #fill(): void {
    if (this.#pool !== undefined) return;
    this.#sizes ??= readSizes(this.#db, this.#name, this.#ids.length);
    let count = 0;
    for (let bytes = 0; count < this.#sizes.length; count++) {
      bytes += uintAt(this.#sizes, count);
      if (bytes > this.#poolBytes) break;
    }
    this.#pooled = count;
    const [ids, sizes] = [this.#ids.subarray(0, this.#pooled), this.#sizes.subarray(0, this.#pooled)];
    this.#pool = FragmentPool.load(this.#db, this.#name, ids, sizes);
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
    return new FragmentFile(this.#db, this.#name, moves.ids, { sizes: moved });
  }
}

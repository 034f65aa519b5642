/** Digests of a catalog's records, in order of id as all rows are numbered: what fingerprints of files are made of. */
import { hash } from "node:crypto";
import type Database from "better-sqlite3";
import type { ResourceName } from "./resources.ts";

const DIGEST_BYTES = 16;

/** Digests of one record's rows. */
export class RowDigests {
  readonly #list: Buffer;
  readonly #detail: Buffer;

  constructor(list: Buffer, detail: Buffer) {
    this.#list = list;
    this.#detail = detail;
  }

  /** Of what lists show of a row. */
  list(row: number): Buffer {
    return this.#list.subarray(row * DIGEST_BYTES, (row + 1) * DIGEST_BYTES);
  }

  /** Of what its detail adds. */
  detail(row: number): Buffer {
    return this.#detail.subarray(row * DIGEST_BYTES, (row + 1) * DIGEST_BYTES);
  }

  /** Those of what lists show of some rows, one after the other. */
  joined(rows: Uint32Array): Buffer {
    const joined = Buffer.allocUnsafe(rows.length * DIGEST_BYTES);
    let end = 0;
    for (const row of rows) {
      this.#list.copy(joined, end, row * DIGEST_BYTES, (row + 1) * DIGEST_BYTES);
      end += DIGEST_BYTES;
    }
    return joined;
  }

  /** One of all rows and all their parts. */
  get whole(): string {
    return hash("sha256", Buffer.concat([this.#list, this.#detail]), "hex");
  }
}

/** Reads the digests of a record's rows when they are asked for. */
export class RecordDigests {
  readonly #db: Database.Database;
  readonly #known = new Map<ResourceName, RowDigests>();

  constructor(db: Database.Database) {
    this.#db = db;
  }

  of(name: ResourceName): RowDigests {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const count = this.#db.prepare<[], number>(`SELECT COUNT(*) FROM ${name}_digest`).pluck().get() ?? 0;
    const list = Buffer.alloc(count * DIGEST_BYTES);
    const detail = Buffer.alloc(count * DIGEST_BYTES);
    const rows = this.#db
      .prepare<[], [Buffer, Buffer | null]>(`SELECT list, detail FROM ${name}_digest ORDER BY id`)
      .raw();
    let end = 0;
    for (const [ofList, ofDetail] of rows.iterate()) {
      ofList.copy(list, end);
      ofDetail?.copy(detail, end);
      end += DIGEST_BYTES;
    }
    const read = new RowDigests(list, detail);
    this.#known.set(name, read);
    return read;
  }
}

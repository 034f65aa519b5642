/** Digests of a catalog's records, in order of id as all rows are numbered: what fingerprints of files are made of. */
import { hash } from "node:crypto";
import type Database from "better-sqlite3";
import type { ResourceName } from "./resources.ts";

const DIGEST_BYTES = 16;
/** Stands for the digest of a record whose detail adds nothing. */
const NO_DETAIL = "0".repeat(2 * DIGEST_BYTES);

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
    // One text of all: a buffer for each digest would take longer than all else.
    const joined = this.#db
      .prepare<[], [list: string | null, detail: string | null]>(
        `SELECT group_concat(hex(list), ''), group_concat(iif(detail IS NULL, '${NO_DETAIL}', hex(detail)), '')
         FROM (SELECT list, detail FROM ${name}_digest ORDER BY id)`,
      )
      .raw()
      .get();
    const [list, detail] = (joined ?? []).map((text) => Buffer.from(text ?? "", "hex"));
    const read = new RowDigests(list ?? Buffer.alloc(0), detail ?? Buffer.alloc(0));
    this.#known.set(name, read);
    return read;
  }
}

/** Digests of a catalog's records, in order of id, as rows are numbered: the fingerprints of files are made of them. */

import { hash } from "node:crypto";
import type { Sql } from "../base/sql.ts";
import type { ResourceName } from "./resources.ts";

const DIGEST_BYTES = 16;
/** In place of a digest, for a record whose detail adds nothing. */
const NO_DETAIL = "0".repeat(2 * DIGEST_BYTES);

/** Digests of the rows of one record. */
export class RowDigests {
  readonly #list: Buffer;
  readonly #detail: Buffer;

  constructor(list: Buffer, detail: Buffer) {
    this.#list = list;
    this.#detail = detail;
  }

  /** The digest of a row's list part. */
  list(row: number): Buffer {
    return this.#list.subarray(row * DIGEST_BYTES, (row + 1) * DIGEST_BYTES);
  }

  /** The digest of a row's detail part. */
  detail(row: number): Buffer {
    return this.#detail.subarray(row * DIGEST_BYTES, (row + 1) * DIGEST_BYTES);
  }

  /** The list parts' digests of some rows, joined. */
  joined(rows: Uint32Array): Buffer {
    const joined = Buffer.allocUnsafe(rows.length * DIGEST_BYTES);
    let end = 0;
    for (const row of rows) {
      this.#list.copy(joined, end, row * DIGEST_BYTES, (row + 1) * DIGEST_BYTES);
      end += DIGEST_BYTES;
    }
    return joined;
  }

  /** One digest of all rows and both their parts. */
  get whole(): string {
    return hash("sha256", Buffer.concat([this.#list, this.#detail]), "hex");
  }
}

/** Reads the digests of a record's rows at their first use. */
export class RecordDigests {
  readonly #db: Sql;
  readonly #known = new Map<ResourceName, RowDigests>();

  constructor(db: Sql) {
    this.#db = db;
  }

  of(name: ResourceName): RowDigests {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    // One text of all digests: a buffer for each would take longer than everything else.
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

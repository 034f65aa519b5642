/** Digests of a catalog's records, in order of id, as rows are numbered: the fingerprints of files are made of them. */

import { hash } from "node:crypto";
import type { Sql } from "../base/sql.ts";
import type { ResourceName } from "./resources.ts";

const DIGEST_BYTES = 16;
/**
 * Digests are read as texts of so many: a buffer for each would take longer than everything else, and a Durable Object allows no text
 * of more than 2 MB, which 65,000 have.
 */
const DIGESTS_A_TEXT = 16_384;
/** In place of a digest, for a record whose detail adds nothing. */
const NO_DETAIL = "0".repeat(2 * DIGEST_BYTES);

/** Digests of the rows of one record. */
export class RowDigests {
  readonly #list: Buffer;
  readonly #detail: Buffer;
  #whole: string | undefined;

  constructor(list: Buffer, detail: Buffer) {
    this.#list = list;
    this.#detail = detail;
  }

  /** How many rows there are. */
  get size(): number {
    return this.#list.length / DIGEST_BYTES;
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

  /** One digest of some neighbouring rows and both their parts, from `from` up to but not including `end`. */
  digestOf(from: number, end: number): string {
    const of = (digests: Buffer) => digests.subarray(from * DIGEST_BYTES, end * DIGEST_BYTES);
    return hash("sha256", Buffer.concat([of(this.#list), of(this.#detail)]), "hex");
  }

  /** One digest of all rows and both their parts. */
  get whole(): string {
    this.#whole ??= this.digestOf(0, this.size);
    return this.#whole;
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
    const some = this.#db
      .prepare<[number], [list: string | null, detail: string | null, last: number | null]>(
        `SELECT group_concat(hex(list), ''), group_concat(iif(detail IS NULL, '${NO_DETAIL}', hex(detail)), ''), max(id)
         FROM (SELECT id, list, detail FROM ${name}_digest WHERE id > ? ORDER BY id LIMIT ${DIGESTS_A_TEXT})`,
      )
      .raw();
    const lists: Buffer[] = [];
    const details: Buffer[] = [];
    let last: number | null = Number.MIN_SAFE_INTEGER;
    while (last !== null) {
      const found: [list: string | null, detail: string | null, last: number | null] | undefined =
        some.get(last);
      const [list, detail] = found ?? [];
      lists.push(Buffer.from(list ?? "", "hex"));
      details.push(Buffer.from(detail ?? "", "hex"));
      last = found?.[2] ?? null;
    }
    const read = new RowDigests(Buffer.concat(lists), Buffer.concat(details));
    this.#known.set(name, read);
    return read;
  }
}

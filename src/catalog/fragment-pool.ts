/**
 * All list fragments of a resource in one piece of memory, in order of id: a page is then a few copies, and neither
 * SQLite nor an encoder stands between a query and its bytes. Costs the fragments' size, about 1 KB a product.
 */

import type Database from "better-sqlite3";
import { itemAt } from "../base/item-at.ts";
import type { ResourceName } from "./resources.ts";

const COMMA = 44;

export class FragmentPool {
  readonly #bytes: Buffer;
  /** Where the fragment of each row begins; one more than rows, so that the next begins where it ends. */
  readonly #starts: Float64Array;

  constructor(db: Database.Database, name: ResourceName, size: number) {
    const total = db
      .prepare<[], number>(`SELECT COALESCE(SUM(OCTET_LENGTH(json)), 0) FROM ${name}_list`)
      .pluck()
      .get();
    this.#bytes = Buffer.allocUnsafeSlow(total ?? 0);
    this.#starts = new Float64Array(size + 1);
    const statement = db.prepare<[], string>(`SELECT json FROM ${name}_list ORDER BY id`).pluck();
    let row = 0;
    let end = 0;
    for (const json of statement.iterate()) {
      end += this.#bytes.write(json, end, "utf8");
      row += 1;
      this.#starts[row] = end;
    }
  }

  /** Bytes of one row's fragment. */
  size(row: number): number {
    return itemAt(this.#starts, row + 1) - itemAt(this.#starts, row);
  }

  /** The fragment of a row, as bytes that must not be written to. */
  at(row: number): Buffer {
    return this.#bytes.subarray(itemAt(this.#starts, row), itemAt(this.#starts, row + 1));
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
      const row = itemAt(rows, i);
      const from = itemAt(this.#starts, row);
      const to = itemAt(this.#starts, row + 1);
      this.#bytes.copy(target, end, from, to);
      end += to - from;
    }
    return end;
  }
}

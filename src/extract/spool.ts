/** Rows that are read before it is their turn to be made, in a file: the store is asked for them once, and memory does not hold them. */
import { appendFileSync, closeSync, openSync, readSync, rmSync } from "node:fs";
import { Lines } from "../base/lines.ts";
import type { RowText, StoreValue } from "./store.ts";

/** A row that was read, with its place among those of its file, from 1. */
export interface ReadRow extends RowText {
  readonly ordinal: number;
}

/** What stands in the file of a batch, on a line before those of its texts. */
type Heads = readonly (readonly [id: StoreValue, ordinal: number, owner: StoreValue])[];

const PIECE_BYTES = 1 << 20;

export class RowSpool {
  readonly #file: string;
  #rows = 0;

  /** @param file what stands there is replaced */
  constructor(file: string) {
    this.#file = file;
    rmSync(file, { force: true });
  }

  get rows(): number {
    return this.#rows;
  }

  /** Of the values extra a row's text only the first is kept: whose it is. */
  add(rows: readonly ReadRow[]): void {
    if (rows.length === 0) return;
    const heads: Heads = rows.map(({ id, ordinal, extra }) => [id, ordinal, extra[0] ?? null]);
    // A line break between values of JSON says nothing, and within one there is none.
    const texts = rows.map(({ text }) => (text.includes("\n") ? text.replaceAll("\n", " ") : text));
    appendFileSync(this.#file, `${[JSON.stringify(heads), ...texts].join("\n")}\n`);
    this.#rows += rows.length;
  }

  /** All rows, once, in the batches that they were added in. */
  *batches(): Generator<readonly ReadRow[]> {
    if (this.#rows === 0) return;
    const lines = this.#lines();
    for (const line of lines) {
      const heads = JSON.parse(line) as Heads;
      yield heads.map(([id, ordinal, owner]) => {
        const text: string = lines.next().value ?? "";
        return { id, ordinal, text, extra: [owner] };
      });
    }
  }

  *#lines(): Generator<string, undefined> {
    const lines = new Lines(Number.POSITIVE_INFINITY);
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    const file = openSync(this.#file, "r");
    try {
      for (let length = readSync(file, piece); length > 0; length = readSync(file, piece))
        yield* lines.take(piece.subarray(0, length));
    } finally {
      closeSync(file);
      rmSync(this.#file);
    }
  }
}

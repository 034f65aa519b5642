/** Texts in one piece of memory: it goes from thread to thread as a whole, and the collector of garbage has nothing to do with it. */
import { letGo } from "../base/arrays.ts";

/** Enough for most batches. Memory that nothing is written to takes none. */
const FIRST_BYTES = 1 << 20;
const LENGTH_BYTES = 4;
/** Stands for the length of a text that is not there. */
const ABSENT = 2 ** 32 - 1;
/** Bytes of UTF-8 that a code unit takes at most. */
const MOST_BYTES_OF_UNIT = 3;

/** Texts one after the other, each behind its length. */
export class Texts {
  #bytes: Buffer<ArrayBuffer>;
  #end = 0;
  #next = 0;

  /** Begins empty, or with what {@link bytes} gave. */
  constructor(bytes?: Uint8Array<ArrayBuffer>) {
    this.#bytes =
      bytes === undefined
        ? Buffer.allocUnsafeSlow(FIRST_BYTES)
        : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#end = bytes?.length ?? 0;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#end);
  }

  /** Adds a text and gives its place. */
  add(text: string | null): number {
    const place = this.#end;
    const start = place + LENGTH_BYTES;
    this.#reserve(start + (text?.length ?? 0) * MOST_BYTES_OF_UNIT);
    const length = text === null ? 0 : this.#bytes.write(text, start);
    this.#bytes.writeUInt32LE(text === null ? ABSENT : length, place);
    this.#end = start + length;
    return place;
  }

  #reserve(needed: number): void {
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#end);
    this.free();
    this.#bytes = larger;
  }

  /** The text at a place; {@link next} goes on behind it. */
  at(place: number): string | null {
    const start = place + LENGTH_BYTES;
    const length = this.#bytes.readUInt32LE(place);
    this.#next = start + (length === ABSENT ? 0 : length);
    return length === ABSENT ? null : this.#bytes.toString("utf8", start, this.#next);
  }

  /** Gives the memory back: nothing can be added or read any more. */
  free(): void {
    letGo(this.#bytes);
  }

  /** Texts in their order, from the first. */
  nextOrNull(): string | null {
    return this.at(this.#next);
  }

  next(): string {
    return this.nextOrNull() ?? "";
  }
}

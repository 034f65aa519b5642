/** Texts in one piece of memory, which moves between threads as a whole and costs the garbage collector nothing. */
import { freeMemory } from "../base/arrays.ts";

/** Enough for most batches. Untouched memory costs nothing. */
const FIRST_BYTES = 1 << 20;
const LENGTH_BYTES = 4;
/** In place of a length, for null. */
const ABSENT = 2 ** 32 - 1;
/** The most bytes that a UTF-16 code unit takes in UTF-8. */
const MAX_BYTES_PER_UNIT = 3;

/** Texts one after the other, each preceded by its length. */
export class Texts {
  #bytes: Buffer<ArrayBuffer>;
  #end = 0;
  #next = 0;

  /** Begins empty, or with another's {@link bytes}. */
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

  /** Adds a text and returns its place. */
  add(text: string | null): number {
    const place = this.#end;
    const start = place + LENGTH_BYTES;
    this.#reserve(start + (text?.length ?? 0) * MAX_BYTES_PER_UNIT);
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

  /** The text at a place; {@link next} continues after it. */
  at(place: number): string | null {
    const start = place + LENGTH_BYTES;
    const length = this.#bytes.readUInt32LE(place);
    this.#next = start + (length === ABSENT ? 0 : length);
    return length === ABSENT ? null : this.#bytes.toString("utf8", start, this.#next);
  }

  /** Frees the memory: nothing can be added or read any more. */
  free(): void {
    freeMemory(this.#bytes);
  }

  /** Texts in order, from the first. */
  nextOrNull(): string | null {
    return this.at(this.#next);
  }

  next(): string {
    return this.nextOrNull() ?? "";
  }
}

/** The bytes of large files. */
import { gzipSync } from "node:zlib";
import { freeMemory } from "../../base/arrays.ts";

/** Most bytes that one UTF-16 unit takes in UTF-8. */
const LETTER_BYTES = 3;

/** A long text in UTF-8, encoded line by line: encoding a joined text takes twenty times as long, and twice the memory. */
export class LongText {
  #memory = Buffer.allocUnsafeSlow(1 << 16);
  #end = 0;

  /** Adds whole characters: a character must not be split between two calls. */
  add(text: string): void {
    const most = this.#end + text.length * LETTER_BYTES;
    if (most > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(most, 2 * this.#memory.length));
      this.#memory.copy(larger, 0, 0, this.#end);
      freeMemory(this.#memory);
      this.#memory = larger;
    }
    this.#end += this.#memory.write(text, this.#end);
  }

  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#end);
  }
}

/** The operating system in the gzip header: always Unix, so that the bytes are the same on every system. */
const SYSTEM = 3;

/** One of zlib's nine: a tenth more bytes than the default, in two thirds of the time. */
const LEVEL = 4;

/** Gives the same bytes on every system, because the header names no particular one. */
export function gzip(bytes: Buffer): Buffer {
  const zipped = gzipSync(bytes, { level: LEVEL });
  zipped[9] = SYSTEM;
  return zipped;
}

/** Writes large files in pieces, so that memory does not grow with the shop. The bytes depend only on what is added. */
import { gzipSync } from "node:zlib";
import type { TakePiece } from "../../base/part-file.ts";

const PIECE_BYTES = 1 << 19;
/** Most bytes that one UTF-16 unit takes in UTF-8. */
const LETTER_BYTES = 3;

/** Text of a file, added line by line. Each line is encoded at once: encoding a joined text takes twenty times as long. */
export class TextPieces {
  readonly #take: TakePiece;
  readonly #bytes = Buffer.allocUnsafeSlow(PIECE_BYTES);
  #end = 0;

  constructor(take: TakePiece, head = "") {
    this.#take = take;
    this.add(head);
  }

  /** Adds whole characters: a character must not be split between two calls. */
  add(text: string): void {
    const most = text.length * LETTER_BYTES;
    if (most > PIECE_BYTES - this.#end) this.finish();
    if (most > PIECE_BYTES) this.#take(Buffer.from(text));
    else this.#end += this.#bytes.write(text, this.#end);
  }

  finish(): void {
    if (this.#end > 0) this.#take(this.#bytes.subarray(0, this.#end));
    this.#end = 0;
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

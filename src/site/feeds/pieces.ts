/** Large files, made in pieces, so that memory does not grow with the shop. Their bytes follow from what is added alone. */
import { gzipSync } from "node:zlib";
import type { TakePiece } from "../../base/part-file.ts";

const PIECE_BYTES = 1 << 19;
/** UTF-16's unit in UTF-8, at most. */
const LETTER_BYTES = 3;

/** Text that is added line by line, for a file. Bytes are made of each line at once: of a joined text that takes twenty times as long. */
export class TextPieces {
  readonly #take: TakePiece;
  readonly #bytes = Buffer.allocUnsafeSlow(PIECE_BYTES);
  #end = 0;

  constructor(take: TakePiece, head = "") {
    this.#take = take;
    this.add(head);
  }

  /** Adds whole characters: one is never cut in two. */
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

/** Unix: the system's own would be another on each. */
const SYSTEM = 3;

/** Of zlib's nine: a tenth more bytes than its default, in two thirds of the time. */
const LEVEL = 4;

/** The same bytes on every system: one would else be named in them. */
export function gzip(bytes: Buffer): Buffer {
  const zipped = gzipSync(bytes, { level: LEVEL });
  zipped[9] = SYSTEM;
  return zipped;
}

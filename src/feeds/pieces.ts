/** Large files, made in pieces, so that memory does not grow with the shop. Their bytes follow from what is added alone. */
import { constants, crc32, deflateRawSync, gzipSync } from "node:zlib";
import type { OpenFile, TakePiece } from "../base/part-file.ts";

/** Takes large files. */
export interface FileOpener {
  open(key: string): OpenFile;
}

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

/** RFC 1952: what it is, deflate, no flags, no time, no level. */
const GZIP_HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, SYSTEM);

/**
 * A file that is compressed on its way, as one member of gzip: each piece becomes blocks of their own, which end at a whole
 * byte (as pigz does it). Several members would do for gunzip, but not for browsers.
 */
function compressed(file: OpenFile): OpenFile {
  let [sum, size] = [0, 0];
  file.add(GZIP_HEAD);
  return {
    add(bytes) {
      file.add(deflateRawSync(bytes, { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH }));
      sum = crc32(bytes, sum);
      size += bytes.length;
    },
    put() {
      const tail = Buffer.alloc(8);
      tail.writeUInt32LE(sum, 0);
      tail.writeUInt32LE(size % 2 ** 32, 4);
      file.add(Buffer.concat([deflateRawSync(""), tail]));
      return file.put();
    },
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

/** Runs work that makes files. One whose key ends in `.gz` is compressed; one that is not put by the end is none. */
export function withFiles<Result>(
  opener: FileOpener,
  work: (open: (key: string) => OpenFile) => Result,
): Result {
  const opened: OpenFile[] = [];
  const open = (key: string) => {
    const file = opener.open(key);
    opened.push(file);
    return key.endsWith(".gz") ? compressed(file) : file;
  };
  try {
    return work(open);
  } finally {
    for (const file of opened) file[Symbol.dispose]();
  }
}

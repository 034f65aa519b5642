/** Large files, made in pieces, so that memory does not grow with the shop. Their bytes follow from what is added alone. */
import { constants, crc32, deflateRawSync, gzipSync } from "node:zlib";
import type { OpenFile, TakePiece } from "../base/part-file.ts";

/** Takes large files. */
export interface FileOpener {
  open(key: string): OpenFile;
}

/** Text is passed on as bytes once there is so much of it. */
const PIECE_LETTERS = 1 << 18;

/** Text that is added line by line, for a file. */
export class TextPieces {
  readonly #take: TakePiece;
  #text: string;

  constructor(take: TakePiece, head = "") {
    this.#take = take;
    this.#text = head;
  }

  /** Adds whole characters: one is never cut in two. */
  add(text: string): void {
    this.#text += text;
    if (this.#text.length > PIECE_LETTERS) this.finish();
  }

  finish(): void {
    if (this.#text !== "") this.#take(Buffer.from(this.#text));
    this.#text = "";
  }
}

/** Unix: the system's own would be another on each. */
const SYSTEM = 3;

/** The same bytes on every system: one would else be named in them. */
export function gzip(bytes: Buffer): Buffer {
  const zipped = gzipSync(bytes);
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
      file.add(deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }));
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

/**
 * The write-ahead log of an SQLite database and its index, read beside SQLite (sqlite.org/fileformat2.html, 4;
 * sqlite.org/walformat.html). Which commits a reader sees says the index: a commit stands in the log before it counts.
 */
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { itemAt } from "../../base/item-at.ts";
import { holdFile } from "./held-file.ts";

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const INDEX_HEADER_WORDS = 12;

/** A log that is open. What it holds of an older round, before its last restart, has other salts. */
export interface Wal {
  readonly descriptor: number;
  readonly pageSize: number;
  /** 16 hexadecimal digits, chosen anew at each restart. */
  readonly salts: string;
}

export interface Frame {
  readonly page: number;
  /** Of the page's content in the log. */
  readonly offset: number;
  /** Frames of the log with this one, salts and checksum of all: "" where no transaction ends with this frame. */
  readonly commit: string;
}

/** What the index said at a moment. */
export interface WalIndex {
  /** Frames of the log that readers see. */
  readonly frames: number;
  readonly salts: string;
  /** As {@link Frame.commit}; "" where no frame counts. */
  readonly commit: string;
  /** All of it: equal means that nothing was committed between two looks. */
  readonly bytes: Buffer;
}

/** What the log's header says now; null where it is empty. */
export function headerOf(descriptor: number): { salts: string; pageSize: number } | null {
  const header = Buffer.alloc(WAL_HEADER_BYTES);
  if (readSync(descriptor, header, 0, WAL_HEADER_BYTES, 0) < WAL_HEADER_BYTES) return null;
  return { salts: header.toString("hex", 16, 24), pageSize: header.readUInt32BE(8) };
}

/** Calls with the log while it is open, or with null where there is none. SQLite has no locks on it: it may be closed. */
export function withWal<Result>(path: string, use: (wal: Wal | null) => Result): Result {
  if (!existsSync(path)) return use(null);
  const descriptor = openSync(path, "r");
  try {
    const header = headerOf(descriptor);
    return use(header === null ? null : { descriptor, ...header });
  } finally {
    closeSync(descriptor);
  }
}

/** Frames of the log's present round, in the order in which they were written. */
export function* framesOf({ descriptor, pageSize, salts }: Wal): Generator<Frame> {
  const header = Buffer.alloc(FRAME_HEADER_BYTES);
  let offset = WAL_HEADER_BYTES;
  for (let frames = 1; ; frames++) {
    const read = readSync(descriptor, header, 0, FRAME_HEADER_BYTES, offset);
    if (read < FRAME_HEADER_BYTES || header.toString("hex", 8, 16) !== salts) return;
    offset += FRAME_HEADER_BYTES;
    const commits = header.readUInt32BE(4) !== 0;
    const commit = commits ? `${frames} ${salts} ${header.toString("hex", 16, 24)}` : "";
    yield { page: header.readUInt32BE(0), offset, commit };
    offset += pageSize;
  }
}

/** Null where there is no index, or nobody has filled it yet: who opens the database next does, from the log. */
export function readWalIndex(path: string): WalIndex | null {
  const file = holdFile(path);
  if (file === null) return null;
  // In the machine's own byte order, but for the salts.
  const words = new Uint32Array(INDEX_HEADER_WORDS);
  const bytes = Buffer.from(words.buffer);
  if (readSync(file.descriptor, bytes, 0, bytes.length, 0) < bytes.length || bytes[12] !== 1) return null;
  const frames = itemAt(words, 4);
  const salts = bytes.toString("hex", 32, 40);
  const checksum = [itemAt(words, 6), itemAt(words, 7)].map((word) => word.toString(16).padStart(8, "0"));
  return { frames, salts, commit: frames === 0 ? "" : `${frames} ${salts} ${checksum.join("")}`, bytes };
}

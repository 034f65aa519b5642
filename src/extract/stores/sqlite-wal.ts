/**
 * The last commit in the write-ahead log of an SQLite database, and the last that readers see, read beside SQLite
 * (sqlite.org/fileformat2.html, 4; sqlite.org/walformat.html). A commit stands in the log before its index counts it.
 * Texts: frames of the log with it, the log's salts, and its checksum; "" where there is none.
 */
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { itemAt } from "../../base/item-at.ts";
import { holdFile } from "./held-file.ts";

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const INDEX_HEADER_WORDS = 12;

/** Frames of an older round, before the log was last begun anew, have other salts than its header. */
export function lastCommitWritten(wal: string): string {
  if (!existsSync(wal)) return "";
  // SQLite has no locks on the log: it may be closed.
  const log = openSync(wal, "r");
  try {
    const header = Buffer.alloc(WAL_HEADER_BYTES);
    if (readSync(log, header, 0, WAL_HEADER_BYTES, 0) < WAL_HEADER_BYTES) return "";
    const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(8);
    const salts = header.toString("hex", 16, 24);
    const frame = Buffer.alloc(FRAME_HEADER_BYTES);
    let commit = "";
    for (let frames = 1; ; frames++) {
      const read = readSync(log, frame, 0, FRAME_HEADER_BYTES, WAL_HEADER_BYTES + (frames - 1) * frameBytes);
      if (read < FRAME_HEADER_BYTES || frame.toString("hex", 8, 16) !== salts) return commit;
      if (frame.readUInt32BE(4) !== 0) commit = `${frames} ${salts} ${frame.toString("hex", 16, 24)}`;
    }
  } finally {
    closeSync(log);
  }
}

/** Null where there is no index, or nobody has filled it yet: who opens the database next does, from the log. */
export function lastCommitSeen(walIndex: string): string | null {
  const file = holdFile(walIndex);
  if (file === null) return null;
  // In the machine's own byte order, but for the salts.
  const words = new Uint32Array(INDEX_HEADER_WORDS);
  const bytes = Buffer.from(words.buffer);
  if (readSync(file.descriptor, bytes, 0, bytes.length, 0) < bytes.length || bytes[12] !== 1) return null;
  const frames = itemAt(words, 4);
  const checksum = [itemAt(words, 6), itemAt(words, 7)].map((word) => word.toString(16).padStart(8, "0"));
  return frames === 0 ? "" : `${frames} ${bytes.toString("hex", 32, 40)} ${checksum.join("")}`;
}

/**
 * Texts that show in a fraction of a millisecond whether a store was written to, without opening SQLite: a connection that is
 * kept open keeps the shop's own last one from clearing its log away, and then who copies the file alone misses commits.
 */
import {
  type BigIntStats,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { itemAt } from "../base/arrays.ts";
import { systemCodeOf } from "../base/error.ts";

/** Coarser clocks of file systems than this are not known: FAT's is the coarsest. */
const YOUNG_NANOSECONDS = 2_000_000_000n;

const HEADER_BYTES = 100;
const JOURNAL_MAGIC = "d9d505f920a163d7";

/**
 * Equal to an earlier stamp of the file: nothing was committed between the two. Null where that cannot be known: the file
 * was written less than two seconds ago, and could be again within one tick of its clock; a transaction that is under way
 * or was cut off; no file that can be read. What was read from the store has a stamp only if it is the same before and after.
 */
export function stampOf(file: string): string | null {
  return ofFile(file, readStamp) ?? null;
}

/**
 * For who looks many times a second: another text than before wherever something was committed since, or another file was
 * put in the place. Null while a transaction is being written. It may move where nothing changed; it says nothing of what a
 * reader of that moment sees, as {@link stampOf} does.
 */
export function quickStampOf(file: string): string | null {
  // Where there is no file that can be read, its coming is a change.
  const glance = ofFile(file, readGlance);
  return glance === undefined ? "none" : glance;
}

/** Beside the file that a link leads to. Undefined for one that may not be read, or is gone meanwhile: whoever opens the store says so. */
function ofFile<Result>(file: string, read: (main: string) => Result): Result | undefined {
  try {
    return read(realpathSync.native(file));
  } catch (error) {
    if (systemCodeOf(error) === "") throw error;
    return undefined;
  }
}

function readStamp(path: string): string | null {
  const main = holdFile(path);
  if (main === null || isYoung(main) || hasHotJournal(path)) return null;
  const state = mainState(main);
  if (state === null) return null;
  // One that is in the log and not yet seen may be missing in what was read. No times: opening the log as root changes its
  // owner, and so its times.
  const written = lastCommitWritten(path);
  return [...state, written, lastCommitSeen(path) ?? written].join(",");
}

/** Of the log only what its index says of the last commit: the log itself takes longer to read the longer it is. */
function readGlance(path: string): string | null | undefined {
  const main = holdFile(path);
  if (main === null) return undefined;
  if (hasHotJournal(path)) return null;
  return [...(mainState(main) ?? []), lastCommitSeen(path) ?? ""].join(",");
}

function mainState({ descriptor, stats: { dev, ino, size, mtimeNs, ctimeNs } }: HeldFile): unknown[] | null {
  const header = readBytes(descriptor, HEADER_BYTES);
  if (header === null) return null;
  // The kind of journal, the change counter, and the counter again with which the size in the header was written.
  const counters = [header.subarray(18, 20), header.subarray(24, 28), header.subarray(92, 96)];
  return [dev, ino, size, mtimeNs, ctimeNs, ...counters.map((bytes) => bytes.toString("hex"))];
}

function isYoung({ stats: { mtimeNs, ctimeNs } }: HeldFile): boolean {
  const now = BigInt(Date.now()) * 1_000_000n;
  return now - mtimeNs < YOUNG_NANOSECONDS || now - ctimeNs < YOUNG_NANOSECONDS;
}

/** Null where there are fewer. */
function readBytes(descriptor: number, bytes: number, place = 0): Buffer | null {
  const found = Buffer.alloc(bytes);
  return readSync(descriptor, found, 0, bytes, place) < bytes ? null : found;
}

/** Reads a file on which SQLite has no locks: it may be closed. */
function reading<Result>(path: string, read: (descriptor: number) => Result, otherwise: Result): Result {
  if (!existsSync(path)) return otherwise;
  const descriptor = openSync(path, "r");
  try {
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A journal that a transaction under way, or one that was cut off, has begun. */
function hasHotJournal(main: string): boolean {
  const isHot = (journal: number) => readBytes(journal, 8)?.toString("hex") === JOURNAL_MAGIC;
  return reading(`${main}-journal`, isHot, false);
}

// The last commit in the write-ahead log, and the last that readers see (sqlite.org/fileformat2.html, 4; walformat.html). A
// commit stands in the log before its index counts it. Texts: frames of the log with it, its salts, its checksum; "" for none.

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const INDEX_HEADER_WORDS = 12;

/** Frames of an older round, before the log was last begun anew, have other salts than its header. */
function lastCommitWritten(main: string): string {
  const read = (log: number) => {
    const header = readBytes(log, WAL_HEADER_BYTES);
    if (header === null) return "";
    const frameBytes = FRAME_HEADER_BYTES + header.readUInt32BE(8);
    const salts = header.toString("hex", 16, 24);
    let commit = "";
    for (let frames = 1; ; frames++) {
      const frame = readBytes(log, FRAME_HEADER_BYTES, WAL_HEADER_BYTES + (frames - 1) * frameBytes);
      if (frame === null || frame.toString("hex", 8, 16) !== salts) return commit;
      if (frame.readUInt32BE(4) !== 0) commit = `${frames} ${salts} ${frame.toString("hex", 16, 24)}`;
    }
  };
  return reading(`${main}-wal`, read, "");
}

/** Null where there is no index, or nobody has filled it yet: who opens the database next does, from the log. */
function lastCommitSeen(main: string): string | null {
  const file = holdFile(`${main}-shm`);
  if (file === null) return null;
  // In the machine's own byte order, but for the salts.
  const words = new Uint32Array(INDEX_HEADER_WORDS);
  const bytes = Buffer.from(words.buffer);
  if (readSync(file.descriptor, bytes, 0, bytes.length, 0) < bytes.length || bytes[12] !== 1) return null;
  const frames = itemAt(words, 4);
  const checksum = [itemAt(words, 6), itemAt(words, 7)].map((word) => word.toString(16).padStart(8, "0"));
  return frames === 0 ? "" : `${frames} ${bytes.toString("hex", 32, 40)} ${checksum.join("")}`;
}

interface HeldFile {
  /** Not to be closed by who gets it. */
  readonly descriptor: number;
  /** Of the moment in which the file was asked for. */
  readonly stats: BigIntStats;
}

/**
 * Files that SQLite locks, by path. Closing any descriptor of a file ends all locks that this process has on it, SQLite's own
 * included (sqlite.org/howtocorrupt.html, 2.2), so none is closed while its path names that file. Locks are the process's:
 * so is this.
 */
const HELD = new Map<string, number>();

/** The file that stands at the path now; null where there is none that can be read. */
function holdFile(path: string): HeldFile | null {
  const there = statSync(path, { bigint: true, throwIfNoEntry: false });
  const held = HELD.get(path);
  if (held !== undefined) {
    const stats = fstatSync(held, { bigint: true });
    if (stats.dev === there?.dev && stats.ino === there.ino) return { descriptor: held, stats };
    HELD.delete(path);
    closeSync(held);
  }
  // Opening a pipe would wait for its writer.
  if (there?.isFile() !== true) return null;
  try {
    const descriptor = openSync(path, "r");
    HELD.set(path, descriptor);
    return { descriptor, stats: fstatSync(descriptor, { bigint: true }) };
  } catch {
    return null;
  }
}

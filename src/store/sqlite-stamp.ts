/**
 * Stamps that show in a fraction of a millisecond whether a store was written to, without opening SQLite: a connection that is
 * kept open keeps the shop's last one from clearing the log, and a copy of the main file alone would then miss commits.
 */

import { type BigIntStats, closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { itemAt } from "../base/arrays.ts";
import { CLOCK } from "../base/clock.ts";
import { systemCodeOf } from "../base/error.ts";

/** The coarsest known clock of a file system is FAT's, with two seconds. */
const YOUNG_NANOSECONDS = 2_000_000_000n;

const HEADER_BYTES = 100;
const JOURNAL_MAGIC = "d9d505f920a163d7";

/**
 * If it equals an earlier stamp of the file, nothing was committed between the two. Null if that cannot be known: the file was
 * written less than two seconds ago, so it may be written again within one tick of its clock; a transaction is running or was
 * cut off; the file cannot be read. Rows that were read from the store have a stamp only if it is the same before and after.
 */
export function stampOf(file: string): string | null {
  return ofFile(file, readStamp) ?? null;
}

/**
 * A cheaper stamp for checks many times a second. It differs from the one before if something was committed since, or another
 * file was put in its place. Null while a transaction is being written. It may differ without a change, and unlike
 * {@link stampOf} it does not identify what a reader sees at that moment.
 */
export function quickStampOf(file: string): string | null {
  // If no file can be read now, its appearance is a change.
  const glance = ofFile(file, readGlance);
  return glance === undefined ? "none" : glance;
}

/** Follows a link, because the log is beside the target. Undefined if the file may not be read or is missing: opening the store reports that. */
function ofFile<Result>(file: string, read: (main: string) => Result): Result | undefined {
  try {
    return read(realpathSync.native(file));
  } catch (error) {
    if (systemCodeOf(error) === "") throw error;
    return undefined;
  }
}

function readStamp(path: string): string | null {
  const main = openFile(path);
  if (main === null || isYoung(main) || hasHotJournal(path)) return null;
  const state = mainState(main);
  if (state === null) return null;
  // A commit that is in the log and not yet visible may be missing in the rows that were read. No file times of the log: opening
  // it as root changes its owner, and with it its times.
  const written = lastCommitWritten(path);
  return [...state, written, lastCommitSeen(path) ?? written].join(",");
}

/** Reads only the log's index for the last commit: reading the log itself takes longer the longer it is. */
function readGlance(path: string): string | null | undefined {
  const main = openFile(path);
  if (main === null) return undefined;
  if (hasHotJournal(path)) return null;
  return [...(mainState(main) ?? []), lastCommitSeen(path) ?? ""].join(",");
}

function mainState({ descriptor, stats: { dev, ino, size, mtimeNs, ctimeNs } }: OpenFile): unknown[] | null {
  const header = readBytes(descriptor, HEADER_BYTES);
  if (header === null) return null;
  // The kind of journal, the change counter, and the counter's value when the size in the header was written.
  const counters = [header.subarray(18, 20), header.subarray(24, 28), header.subarray(92, 96)];
  return [dev, ino, size, mtimeNs, ctimeNs, ...counters.map((bytes) => bytes.toString("hex"))];
}

function isYoung({ stats: { mtimeNs, ctimeNs } }: OpenFile): boolean {
  const now = BigInt(CLOCK.now().getTime()) * 1_000_000n;
  return now - mtimeNs < YOUNG_NANOSECONDS || now - ctimeNs < YOUNG_NANOSECONDS;
}

/** Null if the file has fewer bytes. */
function readBytes(descriptor: number, bytes: number, place = 0): Buffer | null {
  const found = Buffer.alloc(bytes);
  return readSync(descriptor, found, 0, bytes, place) < bytes ? null : found;
}

/** Reads a file on which SQLite has no locks, so it may be closed. */
function reading<Result>(path: string, read: (descriptor: number) => Result, otherwise: Result): Result {
  // Opening a pipe would wait for its writer.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return otherwise;
  const descriptor = openSync(path, "r");
  try {
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The journal of a transaction that is running, or that was cut off. */
function hasHotJournal(main: string): boolean {
  const isHot = (journal: number) => readBytes(journal, 8)?.toString("hex") === JOURNAL_MAGIC;
  return reading(`${main}-journal`, isHot, false);
}

// The last commit in the write-ahead log, and the last that readers see (sqlite.org/fileformat2.html, 4; walformat.html). A
// commit is in the log before its index counts it. As text: its number of frames, salts and checksum; "" without a commit.

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const INDEX_HEADER_WORDS = 12;

/** Frames from before the log's last restart have other salts than its header. */
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

/** Null if there is no index, or it is not filled yet: the next connection fills it from the log. */
function lastCommitSeen(main: string): string | null {
  const file = openFile(`${main}-shm`);
  if (file === null) return null;
  // In the machine's byte order, except the salts.
  const words = new Uint32Array(INDEX_HEADER_WORDS);
  const bytes = Buffer.from(words.buffer);
  if (readSync(file.descriptor, bytes, 0, bytes.length, 0) < bytes.length || bytes[12] !== 1) return null;
  const frames = itemAt(words, 4);
  const checksum = [itemAt(words, 6), itemAt(words, 7)].map((word) => word.toString(16).padStart(8, "0"));
  return frames === 0 ? "" : `${frames} ${bytes.toString("hex", 32, 40)} ${checksum.join("")}`;
}

interface OpenFile {
  /** Must not be closed by the caller. */
  readonly descriptor: number;
  /** As they were when the file was requested. */
  readonly stats: BigIntStats;
}

/**
 * Open descriptors of files that SQLite locks, by path. Closing any descriptor of a file releases all locks that this process
 * has on it, SQLite's own included (sqlite.org/howtocorrupt.html, 2.2), so none is closed while its path names that file. Locks
 * belong to the process, so this map is global.
 */
const OPEN_FILES = new Map<string, number>();

/**
 * Closes the descriptors whose path names another file now, or none. Not only those of the path that is asked for: behind a link that
 * goes to each night's copy of a store, every copy has another path, and an open descriptor keeps the room of a removed one on disk.
 */
function closeUnnamed(): void {
  for (const [path, descriptor] of OPEN_FILES) {
    if (isNamed(path, descriptor)) continue;
    OPEN_FILES.delete(path);
    closeSync(descriptor);
  }
}

function isNamed(path: string, descriptor: number): boolean {
  const { dev, ino } = fstatSync(descriptor, { bigint: true });
  try {
    const there = statSync(path, { bigint: true, throwIfNoEntry: false });
    return dev === there?.dev && ino === there.ino;
  } catch {
    // Its folder is closed to this user: it may still name that file.
    return true;
  }
}

/** The file at the path now; null if none can be read. */
function openFile(path: string): OpenFile | null {
  closeUnnamed();
  let descriptor = OPEN_FILES.get(path);
  if (descriptor === undefined) {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return null;
    try {
      descriptor = openSync(path, "r");
    } catch {
      // Gone or forbidden: without a stamp every row is read, and that reports it.
      return null;
    }
    OPEN_FILES.set(path, descriptor);
  }
  return { descriptor, stats: fstatSync(descriptor, { bigint: true }) };
}

/**
 * Texts that tell in a fraction of a millisecond whether a store was written to, without opening SQLite: a connection that is
 * kept open keeps the shop's own last one from clearing its log away, and then who copies the file alone misses commits.
 */
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { systemCodeOf } from "../../base/error.ts";
import { type HeldFile, holdFile } from "./held-file.ts";
import { type SqliteFiles, sqliteFilesOf } from "./sqlite-files.ts";
import { lastCommitSeen, lastCommitWritten } from "./sqlite-wal.ts";

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
  return ofFiles(file, readStamp) ?? null;
}

/**
 * For who looks many times a second: another text than before wherever something was committed since, or another file was
 * put in the place. Null while a transaction is being written. It may move where nothing changed; it says nothing of what a
 * reader of that moment sees, as {@link stampOf} does.
 */
export function glanceAt(file: string): string | null {
  // Where there is no file that can be read, its coming is a change.
  const glance = ofFiles(file, readGlance);
  return glance === undefined ? "none" : glance;
}

/** Undefined for a file that may not be read, or is gone meanwhile: whoever opens the store says so. */
function ofFiles<Result>(file: string, read: (files: SqliteFiles) => Result): Result | undefined {
  try {
    return read(sqliteFilesOf(file));
  } catch (error) {
    if (systemCodeOf(error) === "") throw error;
    return undefined;
  }
}

function readStamp(files: SqliteFiles): string | null {
  const main = holdFile(files.main);
  if (main === null || isYoung(main) || hasHotJournal(files.journal)) return null;
  const state = mainState(main);
  return state === null ? null : [...state, ...walState(files)].join(",");
}

/** Of the log only what its index says of the last commit: the log itself takes longer to read the longer it is. */
function readGlance(files: SqliteFiles): string | null | undefined {
  const main = holdFile(files.main);
  if (main === null) return undefined;
  if (hasHotJournal(files.journal)) return null;
  return [...(mainState(main) ?? []), lastCommitSeen(files.walIndex) ?? ""].join(",");
}

function mainState({ descriptor, stats: { dev, ino, size, mtimeNs, ctimeNs } }: HeldFile): unknown[] | null {
  const header = Buffer.alloc(HEADER_BYTES);
  if (readSync(descriptor, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return null;
  // The kind of journal, the change counter, and the counter again with which the size in the header was written.
  const counters = [header.subarray(18, 20), header.subarray(24, 28), header.subarray(92, 96)];
  return [dev, ino, size, mtimeNs, ctimeNs, ...counters.map((bytes) => bytes.toString("hex"))];
}

function isYoung({ stats: { mtimeNs, ctimeNs } }: HeldFile): boolean {
  const now = BigInt(Date.now()) * 1_000_000n;
  return now - mtimeNs < YOUNG_NANOSECONDS || now - ctimeNs < YOUNG_NANOSECONDS;
}

/**
 * The last commit in the log, and the last that readers see: one that is in the log and not yet seen may be missing in what
 * was read. No times: opening the log as root changes its owner, and so its times.
 */
function walState({ wal, walIndex }: SqliteFiles): string[] {
  const written = lastCommitWritten(wal);
  return [written, lastCommitSeen(walIndex) ?? written];
}

/** A journal that a transaction under way, or one that was cut off, has begun. */
function hasHotJournal(path: string): boolean {
  if (!existsSync(path)) return false;
  const journal = openSync(path, "r");
  try {
    const magic = Buffer.alloc(8);
    readSync(journal, magic, 0, magic.length, 0);
    return magic.toString("hex") === JOURNAL_MAGIC;
  } finally {
    closeSync(journal);
  }
}

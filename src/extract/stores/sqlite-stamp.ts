/**
 * Texts that tell in a fraction of a millisecond whether a store was written to, without opening SQLite: a connection that is
 * kept open keeps the shop's own last one from clearing its log away, and then who copies the file alone misses commits.
 */
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { systemCodeOf } from "../../base/error.ts";
import { type HeldFile, holdFile } from "./held-file.ts";
import { type SqliteFiles, sqliteFilesOf } from "./sqlite-files.ts";
import { framesOf, readWalIndex, withWal } from "./sqlite-wal.ts";

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

/** A file system whose clock is coarser than this shows times without these digits. */
const FINE_NANOSECONDS = 1_000_000n;
/** Fine clocks tick at least as often. */
const TICK_NANOSECONDS = 20_000_000n;

/**
 * Of a store that keeps no log, what {@link stateOf} is equal to as long as no byte of its file is written. Null where that
 * cannot be known: it was written within one tick of its clock, which may be a coarse one; a transaction is under way.
 */
export function restingState(file: string): string | null {
  const state = ofFiles(file, (files) => {
    const main = holdFile(files.main);
    if (main === null || hasHotJournal(files.journal)) return null;
    const { mtimeNs, ctimeNs } = main.stats;
    const isFine = [mtimeNs, ctimeNs].every((time) => time % FINE_NANOSECONDS !== 0n);
    return isFine && !isYounger(main, TICK_NANOSECONDS) ? stateOf(main) : null;
  });
  return state ?? null;
}

/** What the times, the size and the header of the main file are; null where it keeps a log. */
export function stateOf(main: HeldFile): string | null {
  const state = mainState(main);
  // The versions that write and read it: 1 of a rollback journal, 2 of a log.
  return state?.includes("0101") ? state.join(",") : null;
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
  if (main === null || isYounger(main, YOUNG_NANOSECONDS) || hasHotJournal(files.journal)) return null;
  const state = mainState(main);
  return state === null ? null : [...state, ...walState(files)].join(",");
}

/** Of the log only what its index says of the last commit: the log itself takes longer to read the longer it is. */
function readGlance(files: SqliteFiles): string | null | undefined {
  const main = holdFile(files.main);
  if (main === null) return undefined;
  if (hasHotJournal(files.journal)) return null;
  return [...(mainState(main) ?? []), readWalIndex(files.walIndex)?.commit ?? ""].join(",");
}

function mainState({ descriptor, stats: { dev, ino, size, mtimeNs, ctimeNs } }: HeldFile): unknown[] | null {
  const header = Buffer.alloc(HEADER_BYTES);
  if (readSync(descriptor, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return null;
  // The kind of journal, the change counter, and the counter again with which the size in the header was written.
  const counters = [header.subarray(18, 20), header.subarray(24, 28), header.subarray(92, 96)];
  return [dev, ino, size, mtimeNs, ctimeNs, ...counters.map((bytes) => bytes.toString("hex"))];
}

function isYounger({ stats: { mtimeNs, ctimeNs } }: HeldFile, nanoseconds: bigint): boolean {
  const now = BigInt(Date.now()) * 1_000_000n;
  return now - mtimeNs < nanoseconds || now - ctimeNs < nanoseconds;
}

/**
 * The last commit in the log, and the last that readers see: one that is in the log and not yet seen may be missing in what
 * was read. No times: opening the log as root changes its owner, and so its times.
 */
function walState({ wal, walIndex }: SqliteFiles): string[] {
  const written = withWal(wal, (open) => {
    let commit = "";
    if (open === null) return commit;
    for (const frame of framesOf(open)) commit = frame.commit || commit;
    return commit;
  });
  return [written, readWalIndex(walIndex)?.commit ?? written];
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

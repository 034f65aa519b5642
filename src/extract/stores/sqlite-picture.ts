/**
 * The pages of the picture that one read transaction of SQLite has of its store: the main file, with the frames of the log
 * that the transaction sees laid over it. While the transaction lasts, nobody can change them.
 */
import { readSync } from "node:fs";
import type Database from "better-sqlite3";
import { beginReading } from "../../base/read-transaction.ts";
import { type HeldFile, holdFile, isSameFile } from "./held-file.ts";
import type { SqliteFiles } from "./sqlite-files.ts";
import { framesOf, headerOf, readWalIndex, type Wal, type WalIndex, withWal } from "./sqlite-wal.ts";

/** How often to begin again where a commit comes in between. */
const TRIES = 20;

export interface Picture {
  readonly files: SqliteFiles;
  readonly main: HeldFile;
  readonly pageSize: number;
  readonly pages: number;
  /** The log as the transaction sees it; null where it sees none. */
  readonly wal: WalIndex | null;
}

/**
 * Begins the connection's read transaction; null where its pages cannot be told for certain.
 * @param opened the main file as it was before the connection was opened: it must be the one that the connection reads
 */
export function beginPicture(
  db: Database.Database,
  files: SqliteFiles,
  opened: HeldFile | null,
): Picture | null {
  beginReading(db);
  let wal: WalIndex | null = null;
  if (db.pragma("journal_mode", { simple: true }) === "wal") {
    wal = beginBetweenCommits(db, files);
    if (wal === null) return null;
  }
  const main = holdFile(files.main);
  if (main === null || opened === null || !isSameFile(main.stats, opened.stats)) return null;
  const pageSize = Number(db.pragma("page_size", { simple: true }));
  return { files, main, pageSize, pages: Number(db.pragma("page_count", { simple: true })), wal };
}

/** Which commits the transaction sees, SQLite does not tell: those of the index, where it is the same before and after. */
function beginBetweenCommits(db: Database.Database, { walIndex }: SqliteFiles): WalIndex | null {
  for (let tries = 0; tries < TRIES; tries++) {
    db.exec("ROLLBACK");
    const before = readWalIndex(walIndex);
    beginReading(db);
    const after = readWalIndex(walIndex);
    if (before !== null && after?.bytes.equals(before.bytes)) return after;
  }
  return null;
}

/** True where nothing was committed since: a transaction on the same file that began before this is asked sees the same. */
export function isStillThere(picture: Picture): boolean {
  const { files, main, wal } = picture;
  if (wal === null) return isMainUntouched(picture);
  const there = holdFile(files.main);
  const isHere = there !== null && isSameFile(there.stats, main.stats);
  return isHere && readWalIndex(files.walIndex)?.bytes.equals(wal.bytes) === true;
}

/** Where the pages of a picture stand: data, by which any thread of the process can read them. */
export interface PageSource {
  /** Descriptors of the main file and of the log, or -1. */
  readonly main: number;
  readonly log: number;
  /** Where in the log the pages are that stand there. */
  readonly offsets: ReadonlyMap<number, number>;
  readonly pageSize: number;
  readonly pages: number;
}

/** Reads so many pages from a page on, counted from 1, one after the other into `target`; false where one cannot be read. */
export function readPages(
  { main, log, offsets, pageSize }: PageSource,
  first: number,
  count: number,
  target: Buffer,
): boolean {
  const read = readSync(main, target, 0, count * pageSize, (first - 1) * pageSize);
  for (let at = 0; at < count; at++) {
    const start = at * pageSize;
    const offset = offsets.get(first + at);
    const there = offset === undefined ? read - start : readSync(log, target, start, pageSize, offset);
    if (there < pageSize) return false;
  }
  return true;
}

/** As {@link readPages}, of one source. */
export type ReadPages = (first: number, count: number, target: Buffer) => boolean;

export type UsePages<Result> = (read: ReadPages, source: PageSource) => Result | null;

/**
 * What `use` makes of the pages; null where one cannot be read for certain. May be called twice: then what it made at first
 * does not count.
 * @param isUntouched for who asks that later, in another thread
 */
export function withPages<Result>(
  picture: Picture,
  use: UsePages<Result>,
  isUntouched = isMainUntouched,
): Result | null {
  const { files, wal } = picture;
  const made =
    wal === null || wal.frames === 0
      ? "in main"
      : withWal(files.wal, (log) => useWithLog(picture, wal, log, use));
  if (made !== "in main") return made;
  const ofMain = usePages(picture, new Map(), -1, use);
  // SQLite writes none of it now; who copies another file over it does.
  return isUntouched(picture) ? ofMain : null;
}

/**
 * "in main" where the log was begun anew since the transaction began. That is done only when nobody needs the log: all that
 * the transaction sees stands in the main file then, which is not written before it ends.
 */
function useWithLog<Result>(
  picture: Picture,
  wal: WalIndex,
  log: Wal | null,
  use: UsePages<Result>,
): Result | "in main" | null {
  if (log === null) return "in main";
  const offsets = new Map<number, number>();
  let last = "";
  let frames = 0;
  for (const { page, offset, commit } of framesOf(log)) {
    offsets.set(page, offset);
    last = commit;
    if (++frames === wal.frames) break;
  }
  const made = last === wal.commit ? usePages(picture, offsets, log.descriptor, use) : null;
  // The header is the first that is written anew.
  return headerOf(log.descriptor)?.salts === wal.salts ? made : "in main";
}

/** True where nobody has written to the main file since the picture began. */
export function isMainUntouched({ files, main }: Picture): boolean {
  const there = holdFile(files.main)?.stats;
  return (
    there !== undefined &&
    isSameFile(there, main.stats) &&
    there.size === main.stats.size &&
    there.mtimeNs === main.stats.mtimeNs &&
    there.ctimeNs === main.stats.ctimeNs
  );
}

function usePages<Result>(
  { main, pageSize, pages }: Picture,
  offsets: ReadonlyMap<number, number>,
  log: number,
  use: UsePages<Result>,
): Result | null {
  // What the store says of its size is believed as far as there are pages.
  if (pages > Number(main.stats.size) / pageSize + offsets.size) return null;
  const source: PageSource = { main: main.descriptor, log, offsets, pageSize, pages };
  return use((first, count, target) => readPages(source, first, count, target), source);
}

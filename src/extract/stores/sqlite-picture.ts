/**
 * The pages of the picture that one read transaction of SQLite has of its store: the main file, with the frames of the log
 * that the transaction sees laid over it. While the transaction lasts, nobody can change them.
 */
import { hash } from "node:crypto";
import { readSync } from "node:fs";
import type Database from "better-sqlite3";
import { type HeldFile, holdFile, isSameFile } from "./held-file.ts";
import type { SqliteFiles } from "./sqlite-files.ts";
import { framesOf, headerOf, readWalIndex, type Wal, type WalIndex, withWal } from "./sqlite-wal.ts";

/** Of a page: half of its SHA-256. */
export const DIGEST_BYTES = 16;

/** How often to begin again where a commit comes in between. */
const TRIES = 20;

/** Read at once: what the processor's cache holds while it is digested. */
const CHUNK_BYTES = 262_144;

/** Parts of the first page that any commit changes: the counter, the size, the free list, and who wrote them last. */
const COUNTERS: readonly (readonly [from: number, to: number])[] = [
  [24, 40],
  [92, 100],
];

export interface Picture {
  readonly files: SqliteFiles;
  readonly main: HeldFile;
  readonly pageSize: number;
  readonly pages: number;
  /** The log as the transaction sees it; null where it sees none. */
  readonly wal: WalIndex | null;
}

function begin(db: Database.Database): void {
  db.exec("BEGIN");
  // Only now the transaction has its picture.
  db.prepare("SELECT COUNT(*) FROM sqlite_schema").get();
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
  begin(db);
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
    begin(db);
    const after = readWalIndex(walIndex);
    if (before !== null && after?.bytes.equals(before.bytes)) return after;
  }
  return null;
}

/** A digest of {@link DIGEST_BYTES} for each page, from the first; null where one cannot be read for certain. */
export function digestsOf(picture: Picture): Buffer | null {
  const { files, main, wal } = picture;
  const digests =
    wal === null || wal.frames === 0
      ? "in main"
      : withWal(files.wal, (log) => digestWithLog(picture, wal, log));
  if (digests !== "in main") return digests;
  const ofMain = digestPages(picture, new Map(), main.descriptor);
  // SQLite writes none of it now; who copies another file over it does.
  return isUntouched(files.main, main) ? ofMain : null;
}

/**
 * "in main" where the log was begun anew since the transaction began. That is done only when nobody needs the log: all that
 * the transaction sees stands in the main file then, which is not written before it ends.
 */
function digestWithLog(picture: Picture, wal: WalIndex, log: Wal | null): Buffer | "in main" | null {
  if (log === null) return "in main";
  const offsets = new Map<number, number>();
  let last = "";
  let frames = 0;
  for (const { page, offset, commit } of framesOf(log)) {
    offsets.set(page, offset);
    last = commit;
    if (++frames === wal.frames) break;
  }
  const digests = last === wal.commit ? digestPages(picture, offsets, log.descriptor) : null;
  // The header is the first that is written anew.
  return headerOf(log.descriptor)?.salts === wal.salts ? digests : "in main";
}

function isUntouched(path: string, main: HeldFile): boolean {
  const there = holdFile(path)?.stats;
  return (
    there !== undefined &&
    isSameFile(there, main.stats) &&
    there.size === main.stats.size &&
    there.mtimeNs === main.stats.mtimeNs &&
    there.ctimeNs === main.stats.ctimeNs
  );
}

function digestPages(
  { main, pageSize, pages }: Picture,
  offsets: ReadonlyMap<number, number>,
  log: number,
): Buffer | null {
  // What the store says of its size is believed as far as there are pages.
  if (pages > Number(main.stats.size) / pageSize + offsets.size) return null;
  const digests = Buffer.alloc(pages * DIGEST_BYTES);
  const chunk = Buffer.allocUnsafeSlow(Math.ceil(CHUNK_BYTES / pageSize) * pageSize);
  for (let done = 0; done < pages; done += chunk.length / pageSize) {
    const read = readSync(main.descriptor, chunk, 0, chunk.length, done * pageSize);
    const end = Math.min(pages, done + chunk.length / pageSize);
    for (let at = done; at < end; at++) {
      const start = (at - done) * pageSize;
      const page = chunk.subarray(start, start + pageSize);
      const offset = offsets.get(at + 1);
      const there = offset === undefined ? read - start : readSync(log, page, 0, pageSize, offset);
      if (there < pageSize) return null;
      if (at === 0) for (const [from, to] of COUNTERS) page.fill(0, from, to);
      digests.write(hash("sha256", page, "binary"), at * DIGEST_BYTES, DIGEST_BYTES, "binary");
    }
  }
  return digests;
}

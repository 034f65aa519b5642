/** A copy of a catalog that nobody else writes to, in a folder of its own, and its lists read in threads. */
import { constants, type Dirent, lstatSync, statSync } from "node:fs";
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { VitrineError } from "../base/error.ts";
import { type Catalog, openCatalog } from "../catalog/catalog.ts";
import type { Piece } from "../catalog/pieces.ts";
import { RESOURCES, type ResourceName } from "../catalog/resources.ts";
import { lockOut } from "../snapshot/lock.ts";
import { startThread, takeParts } from "./thread.ts";

export interface Copy {
  readonly file: string;
  remove(): Promise<void>;
}

/** What tells one file from its successor, and a file from itself once it was written to; "" where there is none. */
export function fingerprint(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino} ${found.mtimeNs} ${found.ctimeNs} ${found.size}`;
}

const PREFIX = "vitrine-catalog-";
const LOCK = "lock";

/** Folders of copies are ours where we own them: in a common folder others could make some by that name. */
function isOurs(path: string): boolean {
  return process.getuid === undefined || lstatSync(path).uid === process.getuid();
}

/** Removes the copies of processes that ended without doing so: their locks ended with them. */
async function removeForgotten(folder: string): Promise<void> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) {
    const room = join(folder, entry.name);
    const lock = join(room, LOCK);
    try {
      if (!entry.isDirectory() || !entry.name.startsWith(PREFIX) || !isOurs(room)) continue;
      // One without a lock is just being made.
      if (lstatSync(lock, { throwIfNoEntry: false })?.isFile() !== true) continue;
      lockOut(lock)();
      await rm(room, { recursive: true, force: true });
    } catch {
      // In use; or others removed it first.
    }
  }
}

async function makeRoom(folder: string): Promise<{ room: string; remove(): Promise<void> }> {
  await removeForgotten(folder);
  const room = await mkdtemp(join(folder, PREFIX));
  const unlock = lockOut(join(room, LOCK));
  return {
    room,
    async remove() {
      await rm(room, { recursive: true, force: true });
      unlock();
    },
  };
}

/** With a write-ahead log, a delta is applied while others read. Losing the copy loses nothing: no disk is waited for. */
function useLog(file: string): void {
  const db = new Database(file);
  try {
    db.pragma("synchronous = OFF");
    db.pragma("journal_mode = WAL");
  } finally {
    db.close();
  }
}

/** Copies a catalog into a new folder in `folder`, fast where the file system shares blocks. */
export async function makeCopy(file: string, folder: string): Promise<Copy> {
  const before = fingerprint(file);
  const { room, remove } = await makeRoom(folder);
  const copy = join(room, "catalog.sqlite");
  try {
    await copyFile(file, copy, constants.COPYFILE_FICLONE);
    if (before === "" || fingerprint(file) !== before) throw new Error("it changed while it was read");
    useLog(copy);
    return { file: copy, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Lists that take about as long to read as all the others. */
const FIRST_HALF: readonly ResourceName[] = ["review", "release", "faq"];
const SECOND_HALF = RESOURCES.map(({ name }) => name).filter((name) => !FIRST_HALF.includes(name));

/** How a copy is opened. */
export interface OpenOptions {
  /** False where it was checked before. */
  readonly isChecked: boolean;
  /** True where requests are answered meanwhile: they go first. */
  readonly isBeside: boolean;
  /** True where other threads are to have it in common. */
  readonly isShared: boolean;
  readonly signal: AbortSignal;
}

/** Opens a copy with all its lists in memory. @throws where it is damaged */
export async function openLists(file: string, options: OpenOptions): Promise<Catalog> {
  const { isChecked, isBeside, isShared, signal } = options;
  const one = new AbortController();
  const both = AbortSignal.any([signal, one.signal]);
  const catalog = openCatalog(file);
  const read = (names: readonly ResourceName[], words: boolean) =>
    takeParts<Piece>(
      startThread({ task: "read", file, isBeside, names, words, isShared }, both),
      catalog.take,
    );
  const check = () => takeParts(startThread({ task: "check", file, isBeside }, both), () => {});
  try {
    await Promise.all([read(SECOND_HALF, true), read(FIRST_HALF, false), ...(isChecked ? [] : [check()])]);
    return catalog;
  } catch (error) {
    one.abort();
    catalog.close();
    throw error;
  }
}

/** What is said where a catalog cannot be used. */
export function unusable(file: string, why: string, cause?: unknown): VitrineError {
  return new VitrineError("catalog_unreadable", `The catalog ${file} cannot be used: ${why}.`, { cause });
}

/** A copy of a catalog that nobody else writes to, in a folder of its own, and its lists read in threads. */
import { constants, statSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { VitrineError } from "../base/error.ts";
import { temporaryFolder } from "../base/temporary-folder.ts";
import { type Catalog, openCatalog } from "../catalog/catalog.ts";
import type { Piece } from "../catalog/lists.ts";
import { RESOURCES, type ResourceName } from "../catalog/resources.ts";
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
  const temporary = await temporaryFolder(folder);
  const remove = async () => temporary[Symbol.asyncDispose]();
  const copy = join(temporary.path, "catalog.sqlite");
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
  readonly signal: AbortSignal;
}

/** Opens a copy with all its lists in memory. @throws where it is damaged */
export async function openLists(file: string, options: OpenOptions): Promise<Catalog> {
  const { isChecked, isBeside, signal } = options;
  const one = new AbortController();
  const both = AbortSignal.any([signal, one.signal]);
  const catalog = openCatalog(file);
  const read = (names: readonly ResourceName[], words: boolean) =>
    takeParts<Piece>(startThread({ task: "read", file, isBeside, names, words }, both), catalog.take);
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

/**
 * Files and folders of ours: their modes, whatever the process's umask is; their times; and that a file is one. Answers are readable
 * by everybody, because a web server runs as another user; everything that is not published is readable by this user only.
 */
import { chmodSync, lstatSync, mkdirSync, readFileSync, rmdirSync, statSync, utimesSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { systemCodeOf } from "./error.ts";

export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;
export const OPEN_FOLDER = 0o755;
export const OPEN_FILE = 0o644;

/**
 * Makes a folder and its missing parents; existing ones are left as they are. Returns the first that it made. Node's `recursive` says
 * ENOENT of a read-only file system, and never ends where the system says ENOENT, as in /proc and in an automounter's folder.
 * @throws what the system says
 */
export function makeFolder(path: string, mode?: number): string | undefined {
  const missing: string[] = [];
  let found = resolve(path);
  for (; lstatSync(found, { throwIfNoEntry: false }) === undefined; found = dirname(found))
    missing.push(found);
  // Says what else is in the folder's place.
  if (missing.length === 0 && !isFolder(found)) mkdirSync(found);
  for (const folder of missing.toReversed()) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Another process may make it at the same time.
      if (systemCodeOf(error) !== "EEXIST" || !isFolder(folder)) throw error;
    }
  }
  return missing.at(-1);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Makes a folder that everybody may read, and its missing parents; existing folders are left as they are. */
export function makeOpenFolder(path: string): void {
  const first = makeFolder(path);
  if (first === undefined) return;
  for (let made = resolve(path); made.length >= first.length; made = dirname(made))
    chmodSync(made, OPEN_FOLDER);
}

/** Makes a folder that only this user may read. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, PRIVATE_FOLDER);
  chmodSync(path, PRIVATE_FOLDER);
}

/** Deletes the folders of a key below a root, innermost first, up to one that still holds something. Returns the deleted ones. */
export function removeEmptyFolders(root: string, key: string): string[] {
  const removed: string[] = [];
  for (let folder = dirname(key); folder !== "."; folder = dirname(folder)) {
    try {
      rmdirSync(join(root, folder));
    } catch {
      break; // Not empty, or gone already; and an empty folder that cannot be deleted harms nothing.
    }
    removed.push(join(root, folder));
  }
  return removed;
}

/** The code of the error: something else is in the file's place. */
export const NOT_FILE = "NOT_FILE";

/** Opening a pipe waits for its other end, which may never come. Does nothing for a folder, which the system refuses by itself. @throws NOT_FILE for a pipe, a socket or a device */
export function refusePipe(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile() || found.isDirectory()) return;
  const kind = found.isFIFO() ? "a pipe" : found.isSocket() ? "a socket" : "a device";
  throw Object.assign(new Error(`${path} is ${kind}, not a file`), { code: NOT_FILE, path });
}

/** A file's bytes. @throws NOT_FILE, and what the system says */
export function readPlainFile(path: string): Buffer {
  refusePipe(path);
  return readFileSync(path);
}

/**
 * Makes a file at least a second newer than the one that it will replace. nginx makes a file's ETag from its size and its
 * time in whole seconds: of two versions in one second, clients of the first would get a 304 for the second.
 */
export function keepTimesApart(draft: string, target: string): void {
  const old = statSync(target, { throwIfNoEntry: false });
  if (old === undefined) return;
  const next = statSync(draft);
  const oldSeconds = Math.floor(old.mtimeMs / 1000);
  if (Math.floor(next.mtimeMs / 1000) <= oldSeconds) utimesSync(draft, next.atime, oldSeconds + 1);
}

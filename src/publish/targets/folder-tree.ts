/**
 * Trees of a release's files. A tree has some hundred thousand small ones: each is handled at once, which takes a tenth of what
 * trips to other threads do, and timers get their turn in between.
 */
import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { systemCodeOf } from "../../base/error.ts";
import type { Progress } from "../bucket.ts";

/** What is not there: nothing at the path, or a file where a folder would have to be. */
const MISSING: readonly string[] = ["ENOENT", "ENOTDIR"];

/** Work goes on for so long between two turns of timers. */
const TURN_MILLISECONDS = 5;
let began = performance.now();
let turn: Promise<void> | undefined;

/** Waited for after each file: by all who work side by side, or one would go on while the others wait. */
export async function handled(): Promise<void> {
  if (turn === undefined && performance.now() - began < TURN_MILLISECONDS) return;
  turn ??= nextTurn().then(() => {
    began = performance.now();
    turn = undefined;
  });
  await turn;
}

/** Undefined where a file is not there. */
function ifThere<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (MISSING.includes(systemCodeOf(error))) return undefined;
    throw error;
  }
}

/** File systems without hard links get a copy. */
function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

/** Does what makes a file, and its folder before it where there is none. */
function makingFolder(file: string, work: () => void): void {
  if (ifThere(() => work() ?? true) !== undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  work();
}

/** Puts a file in place in one step, in a folder that is made where there is none; what was there is left as it is elsewhere. */
export function replaceNow(draft: string, target: string, write: (draft: string) => void): void {
  try {
    makingFolder(draft, () => write(draft));
    makingFolder(target, () => renameSync(draft, target));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Removes a file, and the folders below `root` that it leaves empty. */
export function removeNow(root: string, file: string): void {
  ifThere(() => unlinkSync(file));
  for (let folder = dirname(file); folder.length > root.length; folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      return; // Not empty, or gone already.
    }
  }
}

/** Makes a tree with hard links to the files of another. */
export async function linkTree(from: string, to: string, progress?: Progress): Promise<void> {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkTree(source, target, progress);
    else linkOrCopy(source, target);
    progress?.();
    await handled();
  }
}

/** Removes a tree, where there is one. */
export async function removeTree(folder: string, progress?: Progress): Promise<void> {
  const entries = ifThere(() => readdirSync(folder, { withFileTypes: true }));
  if (entries === undefined) return;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeTree(path, progress);
    else unlinkSync(path);
    progress?.();
    await handled();
  }
  rmdirSync(folder);
}

/** Renames a tree; false where there is none. */
export function moveTree(from: string, to: string): boolean {
  return ifThere(() => renameSync(from, to) ?? true) ?? false;
}

/** Makes keys of a tree what they are in another one. */
export async function takeOver(
  { root, to, draft }: { readonly root: string; readonly to: string; readonly draft: string },
  from: string,
  keys: readonly string[],
  progress?: Progress,
): Promise<void> {
  for (const key of keys) {
    const [source, target] = [join(from, key), join(to, key)];
    if (ifThere(() => lstatSync(source)) === undefined) removeNow(root, target);
    else replaceNow(draft, target, () => linkOrCopy(source, draft));
    progress?.();
    await handled();
  }
}

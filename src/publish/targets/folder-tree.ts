/**
 * Trees of a release's files. A tree has some hundred thousand small ones: each is handled at once, which takes a tenth of what
 * trips to other threads do, and timers get their turn in between.
 */
import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { systemCodeOf } from "../../base/error.ts";
import type { Progress } from "../bucket.ts";
import { type Folder, ifThere, type Place, strange } from "./confined.ts";

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

/** The folder of a path below the root, which is "". Nothing is made of `.` and `..`: whoever opens a folder refuses them. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The name of a path in its folder. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** File systems without hard links get a copy. Nothing may stand at the target. */
function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target, constants.COPYFILE_EXCL);
  }
}

/** Puts a file in place in one step, in a folder that is made where there is none; what was there is left as it is elsewhere. */
export function replaceNow(place: Place, draft: string, path: string, write: (draft: string) => void): void {
  place.within(folderOf(draft), true, (drafts) => {
    const at = drafts.at(nameOf(draft));
    try {
      try {
        write(at);
      } catch (error) {
        // What others put there is not written to.
        if (systemCodeOf(error) !== "EEXIST") throw error;
        rmSync(at);
        write(at);
      }
      place.within(folderOf(path), true, (folder) => renameSync(at, folder.at(nameOf(path))));
    } catch (error) {
      rmSync(at, { force: true });
      throw error;
    }
  });
}

/** Removes a file, and the folders above it that it leaves empty. */
export function removeNow(place: Place, path: string): void {
  place.within(folderOf(path), false, (folder) => ifThere(() => unlinkSync(folder.at(nameOf(path)))));
  for (let empty = folderOf(path); empty !== ""; empty = folderOf(empty)) {
    try {
      place.within(folderOf(empty), false, (folder) => rmdirSync(folder.at(nameOf(empty))));
      place.forget(empty);
    } catch {
      return; // Not empty, or gone already.
    }
  }
}

async function linkFolder(from: Folder, to: Folder, progress?: Progress): Promise<void> {
  for (const entry of from.entries()) {
    if (entry.isDirectory()) await linkChild(from, to, entry.name, progress);
    else if (entry.isFile()) linkOrCopy(from.at(entry.name), to.at(entry.name));
    else throw strange(join(from.path, entry.name));
    progress?.();
    await handled();
  }
}

async function linkChild(from: Folder, to: Folder, name: string, progress?: Progress): Promise<void> {
  const source = from.child(name);
  if (source === null) return;
  try {
    const target = to.make(name);
    try {
      await linkFolder(source, target, progress);
    } finally {
      target.close();
    }
  } finally {
    source.close();
  }
}

/** Makes a tree with hard links to the files of another. @throws where that is not there */
export async function linkTree(place: Place, from: string, to: string, progress?: Progress): Promise<void> {
  const linked = place.within(from, false, (source) =>
    place.within(to, true, (target) => linkFolder(source, target, progress)),
  );
  if (linked === undefined) throw Object.assign(new Error(`there is no ${from}`), { code: "ENOENT" });
  await linked;
}

async function removeIn(parent: Folder, name: string, progress?: Progress): Promise<void> {
  const found = ifThere(() => lstatSync(parent.at(name)));
  if (found === undefined) return;
  const folder = found.isDirectory() ? parent.child(name) : null;
  if (folder === null) {
    ifThere(() => unlinkSync(parent.at(name)));
    return;
  }
  try {
    for (const entry of folder.entries()) {
      if (entry.isDirectory()) await removeIn(folder, entry.name, progress);
      else unlinkSync(folder.at(entry.name));
      progress?.();
      await handled();
    }
  } finally {
    folder.close();
  }
  rmdirSync(parent.at(name));
}

/** Removes a tree, where there is one. */
export async function removeTree(place: Place, path: string, progress?: Progress): Promise<void> {
  place.forget(path);
  await place.within(folderOf(path), false, (parent) => removeIn(parent, nameOf(path), progress));
}

/** Renames a tree; false where there is none. */
export function moveTree(place: Place, from: string, to: string): boolean {
  place.forget(from);
  place.forget(to);
  const moved = place.within(folderOf(from), false, (source) => {
    const path = source.at(nameOf(from));
    if (ifThere(() => lstatSync(path)) === undefined) return false;
    place.within(folderOf(to), true, (target) => renameSync(path, target.at(nameOf(to))));
    return true;
  });
  return moved ?? false;
}

/** Makes keys of a tree what they are in another one. */
export async function takeOver(
  place: Place,
  { to, draft }: { readonly to: string; readonly draft: string },
  from: string,
  keys: readonly string[],
  progress?: Progress,
): Promise<void> {
  for (const key of keys) {
    const [source, target] = [`${from}/${key}`, `${to}/${key}`];
    const found = place.within(folderOf(source), false, (folder) => {
      const path = folder.at(nameOf(source));
      const info = ifThere(() => lstatSync(path));
      if (info === undefined) return false;
      if (!info.isFile()) throw strange(join(place.root, source));
      replaceNow(place, draft, target, (at) => linkOrCopy(path, at));
      return true;
    });
    if (found !== true) removeNow(place, target);
    progress?.();
    await handled();
  }
}

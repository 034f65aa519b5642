/**
 * A directory that a web server serves: releases whole under `releases/`, hard links for what did not change, and
 * `current`, a link that is swapped in one step. Beside the tree that is served there is another one of which the next release
 * is made: the one before, where it is known in what the two differ, or a spare one. So an update costs what changed, and
 * nobody walks a whole release. Control objects stand in `.vitrine/`, beside what is served.
 */
import { hash } from "node:crypto";
import {
  chmodSync,
  constants,
  copyFileSync,
  createWriteStream,
  linkSync,
  lstatSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { chmod, copyFile, type FileHandle, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { contentTypeOf } from "../../base/content-type.ts";
import { messageOf, systemCodeOf, VitrineError } from "../../base/error.ts";
import { OPEN_FILE, PRIVATE_FILE, PRIVATE_FOLDER } from "../../base/modes.ts";
import { lockOut, whenFree } from "../../site/out.ts";
import {
  type Bucket,
  CONTROL,
  type Condition,
  MOST_OBJECT_BYTES,
  type PresentRelease,
  type StoredObject,
  tooLong,
  type UploadSource,
  type WriteOutcome,
} from "../bucket.ts";
import { STANDARD_RETRIES } from "../calls.ts";
import { baseName, ConfinedFolder, type Folder, folderOf, ifThere, strange } from "./confined.ts";

const CURRENT = "current";
const RELEASES = "releases";
const CONTROLS = CONTROL.slice(0, -1);
/** Here stands a copy of the present release that nobody is served from: the next one is made of it. */
const SPARE = `${CONTROL}spare`;
const LOCK = "lock.sqlite";
const LOCK_SECONDS = 10;

function etagOf(body: Buffer): string {
  return `"${hash("sha256", body, "hex").slice(0, 32)}"`;
}

/** Files of a tree whose path begins so; one that cannot be entered or is none has nothing below it. */
async function* filesBelow(
  root: string,
  folder: string,
  beginning: string,
  isLeftOut: (path: string) => boolean,
  path = "",
): AsyncGenerator<string> {
  const read = explained(root, async () => {
    try {
      return await readdir(join(folder, path), { withFileTypes: true });
    } catch (error) {
      if (["ENOENT", "ENOTDIR"].includes(systemCodeOf(error))) return [];
      throw error;
    }
  });
  for (const entry of await read()) {
    const below = path === "" ? entry.name : `${path}/${entry.name}`;
    if (!entry.isDirectory()) {
      if (below.startsWith(beginning) && !isLeftOut(below)) yield below;
    } else if ((below.startsWith(beginning) || beginning.startsWith(`${below}/`)) && !isLeftOut(`${below}/`))
      yield* filesBelow(root, folder, beginning, isLeftOut, below);
  }
}

interface Paths {
  readonly place: ConfinedFolder;
  /** Path of a key for writing: in the release that is being made. */
  forWriting(key: string): string;
  /** Path of a key for reading: in the release that is served; null where none is. */
  forReading(key: string): string | null;
}

/** A pipe would keep whoever opens it waiting, and a link leads elsewhere. */
const READING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a file that is one; null where there is none. */
async function openHandle(place: ConfinedFolder, path: string | null): Promise<FileHandle | null> {
  if (path === null) return null;
  using folder = place.open(folderOf(path), false);
  if (folder === null) return null;
  let handle: FileHandle;
  try {
    handle = await open(folder.at(baseName(path)), READING);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCodeOf(error))) return null;
    if (["ELOOP", "EMLINK", "ENXIO"].includes(systemCodeOf(error))) throw strange(join(place.root, path));
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw strange(join(place.root, path));
}

function urlOf(root: string): string {
  return pathToFileURL(root).href;
}

async function readStored(place: ConfinedFolder, path: string | null): Promise<StoredObject | null> {
  await using handle = await openHandle(place, path);
  if (handle === null || path === null) return null;
  const { size, mtimeMs } = await handle.stat();
  if (size > MOST_OBJECT_BYTES) throw tooLong(urlOf(place.root), path, MOST_OBJECT_BYTES);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, 0);
  const body = buffer.subarray(0, bytesRead);
  return { body, etag: etagOf(body), ageSeconds: (Date.now() - mtimeMs) / 1000 };
}

async function readInto(
  place: ConfinedFolder,
  path: string | null,
  file: string,
  mostBytes: number,
): Promise<boolean> {
  await using handle = await openHandle(place, path);
  if (handle === null || path === null) return false;
  const { size } = await handle.stat();
  if (size > mostBytes) throw tooLong(urlOf(place.root), path, mostBytes);
  const source = handle.createReadStream({ end: Math.max(0, size - 1), autoClose: false });
  await pipeline(source, createWriteStream(file));
  return true;
}

let drafts = 0;

/** A path for a file that is not in place yet. */
function nextDraft(): string {
  drafts += 1;
  return `${CONTROL}draft-${process.pid}-${drafts}`;
}

/** Answers are for everybody, what Vitrine keeps for itself is not. */
function modeOf(path: string): number {
  return path.startsWith(CONTROL) ? PRIVATE_FILE : OPEN_FILE;
}

/** Puts a large file in place in one step, or one that must be on the disk. */
async function replaceFile(
  place: ConfinedFolder,
  path: string,
  write: (draft: string) => Promise<void>,
): Promise<void> {
  using drafts = place.open(CONTROLS, true);
  using folder = place.open(folderOf(path), true);
  if (drafts === null || folder === null) throw strange(join(place.root, path));
  const draft = drafts.at(baseName(nextDraft()));
  try {
    await rm(draft, { force: true });
    await write(draft);
    await chmod(draft, modeOf(path));
    await rename(draft, folder.at(baseName(path)));
  } finally {
    await rm(draft, { force: true });
  }
}

async function putFile(place: ConfinedFolder, path: string, source: UploadSource): Promise<void> {
  if (!Buffer.isBuffer(source))
    return replaceFile(place, path, (draft) => copyFile(source.file, draft, constants.COPYFILE_EXCL));
  replaceNow(place, nextDraft(), path, (draft) => {
    writeFileSync(draft, source, { flag: "wx" });
    chmodSync(draft, modeOf(path));
  });
  return place.afterFile();
}

function lockedError(root: string, cause: unknown): VitrineError {
  return new VitrineError(
    "publisher_busy",
    `Another publisher holds ${join(root, CONTROL, LOCK)} and does not let go. Nothing was written; publish again.`,
    { cause },
  );
}

function tryLock(place: ConfinedFolder): Disposable {
  // It stays open as long as the lock, whose path leads through it.
  const folder = place.open(CONTROLS, true);
  if (folder === null) throw strange(join(place.root, CONTROL));
  try {
    // Older versions made it open; another user's folder stays as it is.
    folder.setMode(PRIVATE_FOLDER);
  } catch (error) {
    if (systemCodeOf(error) !== "EPERM") throw error;
  }
  try {
    const lock = folder.at(LOCK);
    if (ifThere(() => lstatSync(lock))?.isFile() === false) throw strange(join(place.root, CONTROL, LOCK));
    const unlock = lockOut(lock);
    return {
      [Symbol.dispose]() {
        unlock();
        folder[Symbol.dispose]();
      },
    };
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

/** The lock is SQLite's own and ends with its process; it is held for one comparison and one rename. */
async function lockDirectory(place: ConfinedFolder): Promise<Disposable> {
  try {
    return await whenFree(() => tryLock(place), { seconds: LOCK_SECONDS });
  } catch (error) {
    const isBusy = error instanceof VitrineError && error.code === "out_busy";
    throw isBusy ? lockedError(place.root, error) : error;
  }
}

async function putIf(
  place: ConfinedFolder,
  path: string,
  body: Buffer,
  condition: Condition,
): Promise<WriteOutcome> {
  using _lock = await lockDirectory(place);
  const found = await readStored(place, path);
  const holds = "ifMatch" in condition ? found?.etag === condition.ifMatch : found === null;
  if (!holds) return { kind: "refused" };
  await replaceFile(place, path, (draft) => writeFile(draft, body, { flag: "wx", flush: true }));
  return { kind: "written", etag: etagOf(body) };
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
function replaceNow(
  place: ConfinedFolder,
  draft: string,
  path: string,
  write: (draft: string) => void,
): void {
  place.within(folderOf(draft), true, (drafts) => {
    const at = drafts.at(baseName(draft));
    try {
      try {
        write(at);
      } catch (error) {
        // What others put there is not written to.
        if (systemCodeOf(error) !== "EEXIST") throw error;
        rmSync(at);
        write(at);
      }
      place.within(folderOf(path), true, (folder) => renameSync(at, folder.at(baseName(path))));
    } catch (error) {
      rmSync(at, { force: true });
      throw error;
    }
  });
}

/** Removes a file, and the folders above it that it leaves empty. */
function removeNow(place: ConfinedFolder, path: string): void {
  place.within(folderOf(path), false, (folder) => ifThere(() => unlinkSync(folder.at(baseName(path)))));
  for (let empty = folderOf(path); empty !== ""; empty = folderOf(empty)) {
    try {
      place.within(folderOf(empty), false, (folder) => rmdirSync(folder.at(baseName(empty))));
      place.forget(empty);
    } catch {
      return; // Not empty, or gone already.
    }
  }
}

async function linkFolder(place: ConfinedFolder, from: Folder, to: Folder): Promise<void> {
  for (const entry of from.entries()) {
    if (entry.isDirectory()) {
      using source = from.child(entry.name);
      using target = source && to.make(entry.name);
      if (source !== null && target !== null) await linkFolder(place, source, target);
    } else if (entry.isFile()) linkOrCopy(from.at(entry.name), to.at(entry.name));
    else throw strange(join(from.path, entry.name));
    await place.afterFile();
  }
}

/** Makes a tree with hard links to the files of another. @throws where that is not there */
async function linkTree(place: ConfinedFolder, from: string, to: string): Promise<void> {
  using source = place.open(from, false);
  if (source === null) throw Object.assign(new Error(`there is no ${from}`), { code: "ENOENT" });
  using target = place.open(to, true);
  if (target !== null) await linkFolder(place, source, target);
}

async function removeIn(place: ConfinedFolder, parent: Folder, name: string): Promise<void> {
  const found = ifThere(() => lstatSync(parent.at(name)));
  if (found === undefined) return;
  {
    using folder = found.isDirectory() ? parent.child(name) : null;
    if (folder === null) {
      ifThere(() => unlinkSync(parent.at(name)));
      return;
    }
    for (const entry of folder.entries()) {
      if (entry.isDirectory()) await removeIn(place, folder, entry.name);
      else unlinkSync(folder.at(entry.name));
      await place.afterFile();
    }
  }
  rmdirSync(parent.at(name));
}

/** Removes a tree, where there is one. */
async function removeTree(place: ConfinedFolder, path: string): Promise<void> {
  place.forget(path);
  using parent = place.open(folderOf(path), false);
  if (parent !== null) await removeIn(place, parent, baseName(path));
}

/** Renames a tree; false where there is none. */
function moveTree(place: ConfinedFolder, from: string, to: string): boolean {
  place.forget(from);
  place.forget(to);
  const moved = place.within(folderOf(from), false, (source) => {
    const path = source.at(baseName(from));
    if (ifThere(() => lstatSync(path)) === undefined) return false;
    place.within(folderOf(to), true, (target) => renameSync(path, target.at(baseName(to))));
    return true;
  });
  return moved ?? false;
}

/** Makes keys of a tree what they are in another one. */
async function applyDeltaToTree(
  place: ConfinedFolder,
  { to, draft }: { readonly to: string; readonly draft: string },
  from: string,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    const [source, target] = [`${from}/${key}`, `${to}/${key}`];
    const found = place.within(folderOf(source), false, (folder) => {
      const path = folder.at(baseName(source));
      const info = ifThere(() => lstatSync(path));
      if (info === undefined) return false;
      if (!info.isFile()) throw strange(join(place.root, source));
      replaceNow(place, draft, target, (at) => linkOrCopy(path, at));
      return true;
    });
    if (found !== true) removeNow(place, target);
    await place.afterFile();
  }
}

/** Adds the path to every failure of the file system. */
function explained<Args extends unknown[], Result>(
  root: string,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return (...args) =>
    work(...args).catch((error: unknown) => {
      if (error instanceof VitrineError) throw error;
      const code = systemCodeOf(error);
      if (code === "") throw error;
      if (code === "SQLITE_NOTADB" || code === "SQLITE_CORRUPT") throw strange(join(root, CONTROL, LOCK));
      // The call's path may be that of a handle, which says nothing to people.
      const reason = messageOf(error).replace(/\/proc\/self\/fd\/\d+/g, "…");
      throw new VitrineError(
        "remote_failed",
        `Cannot publish to ${root}: ${reason}. Mend it and publish again.`,
        { cause: error },
      );
    });
}

function filesOf(paths: Paths): Pick<Bucket, "get" | "head" | "getFile" | "put" | "putIf" | "delete"> {
  const { place, forReading, forWriting } = paths;
  const { root } = place;
  return {
    get: explained(root, (key) => readStored(place, forReading(key))),
    head: explained(root, async (key) => {
      await using handle = await openHandle(place, forReading(key));
      if (handle === null) return null;
      const { size } = await handle.stat();
      return { sizeBytes: size, contentType: contentTypeOf(key) ?? "", cacheControl: "", metadata: {} };
    }),
    put: explained(root, (key, source) => putFile(place, forWriting(key), source)),
    putIf: explained(root, (key, body, _headers, condition) =>
      putIf(place, forWriting(key), body, condition),
    ),
    getFile: explained(root, (key, file, mostBytes) => readInto(place, forReading(key), file, mostBytes)),
    delete: explained(root, async (keys) => {
      for (const key of keys) {
        removeNow(place, forWriting(key));
        await place.afterFile();
      }
    }),
  };
}

/**
 * The tree of a release that is begun: the spare one of the present release, or the one before it, in which their differences
 * are made up for, or else a new one.
 */
async function beginTree(place: ConfinedFolder, to: string, present: PresentRelease | null): Promise<void> {
  if (present === null) {
    place.within(to, true, () => undefined);
    return;
  }
  const { id, since } = present;
  if (moveTree(place, `${SPARE}/${id}`, to)) return;
  const from = releaseFolder(place, id);
  if (since === null || !moveTree(place, releaseFolder(place, since.id), to))
    return linkTree(place, from, to);
  await applyDeltaToTree(place, { to, draft: nextDraft() }, from, since.keys);
}

/** Paths of what stands in a folder, but for some names; none where there is no such folder. */
function othersIn(place: ConfinedFolder, path: string, kept: readonly string[]): string[] {
  const names = place.within(path, false, (folder) => folder.entries().map(({ name }) => name)) ?? [];
  return names.filter((name) => !kept.includes(name)).map((name) => `${path}/${name}`);
}

/** True for what {@link sweep} removes whatever release is live: spare trees and drafts. */
function isSwept(path: string): boolean {
  return [`${SPARE}/`, `${CONTROL}draft-`].some((beginning) => path.startsWith(beginning));
}

/** Trees of other releases, trees and files that were being made, and control objects of others than the parts. */
async function sweep(place: ConfinedFolder, release: string, parts: readonly string[]): Promise<void> {
  const trees = [
    ...othersIn(place, RELEASES, [release]),
    ...othersIn(place, `${CONTROL}releases`, parts),
    SPARE,
  ];
  for (const tree of trees) await removeTree(place, tree);
  // Whoever asks for the lock makes a draft of it meanwhile.
  using _lock = await lockDirectory(place);
  const isDraft = (path: string) => baseName(path).startsWith("draft-");
  for (const draft of othersIn(place, CONTROLS, []).filter(isDraft)) await removeTree(place, draft);
}

/** Makes a spare tree of a release. */
async function prepareSpare(place: ConfinedFolder, id: string): Promise<void> {
  const spare = `${SPARE}/${id}`;
  if (place.within(spare, false, () => true) === true) return;
  const draft = `${SPARE}/draft`;
  await removeTree(place, draft);
  await linkTree(place, releaseFolder(place, id), draft);
  moveTree(place, draft, spare);
}

/** The folder of a release. @throws VitrineError remote_invalid where it would be another one */
function releaseFolder(place: ConfinedFolder, id: string): string {
  if (/^[0-9A-Za-z-]+$/.test(id)) return `${RELEASES}/${id}`;
  throw strange(join(place.root, RELEASES, id));
}

/** What `current` leads to, as Vitrine writes it; null where it leads nowhere, or somebody else's folder stands there. */
function currentRelease(place: ConfinedFolder): string | null {
  const path = join(place.root, CURRENT);
  const target = ifThere(() => (lstatSync(path).isSymbolicLink() ? readlinkSync(path) : "")) ?? "";
  return /^releases\/[0-9A-Za-z-]+$/.test(target) ? target : null;
}

/** Shows a release to readers: one link is swapped. */
function swap(place: ConfinedFolder, target: string): void {
  place.within("", true, (root) => {
    place.within(CONTROLS, true, (control) => {
      const current = root.at(CURRENT);
      // A folder of somebody else's, adopted: it is put aside, for a link cannot replace it.
      if (ifThere(() => lstatSync(current))?.isDirectory()) moveTree(place, CURRENT, `${CONTROL}adopted`);
      if (currentRelease(place) === target) return;
      const draft = control.at(`current-${process.pid}`);
      rmSync(draft, { force: true });
      symlinkSync(target, draft);
      renameSync(draft, current);
    });
  });
}

/** `handled` is called after each file. */
export function openDirectory(root: string, afterFile?: () => void): Bucket {
  const place = new ConfinedFolder(root, afterFile);
  let release = CURRENT;
  const paths: Paths = {
    place,
    forWriting: (key) => (key.startsWith(CONTROL) ? key : `${writable()}/${key}`),
    forReading(key) {
      if (key.startsWith(CONTROL)) return key;
      const current = currentRelease(place);
      return current === null ? null : `${current}/${key}`;
    },
  };
  /** Who deletes without having begun a release means the one that is served. */
  const writable = () => (release === CURRENT ? (currentRelease(place) ?? CURRENT) : release);
  return {
    url: urlOf(root),
    service: "directory",
    ...filesOf(paths),
    list: (beginning) =>
      filesBelow(root, beginning.startsWith(CONTROL) ? root : join(root, CURRENT), beginning, isSwept),
    folders: {
      begin: explained(root, async (next, present) => {
        release = releaseFolder(place, next);
        await removeTree(place, release);
        await beginTree(place, release, present);
        // Of another release than the present one: a publish that was cut off had taken its place.
        await removeTree(place, SPARE);
      }),
      expose: explained(root, async (next) => {
        release = releaseFolder(place, next);
        swap(place, release);
      }),
      prepare: explained(root, (id) => prepareSpare(place, id)),
      forget: explained(root, async (ids) => {
        for (const id of ids) await removeTree(place, releaseFolder(place, id));
      }),
      sweep: explained(root, (id, parts) => sweep(place, id, parts)),
    },
    concurrency: 8,
    retries: STANDARD_RETRIES,
    movedAt: () => place.movedAt,
    [Symbol.dispose]: () => place.forget(),
  };
}

/**
 * A directory that a web server serves: releases whole under `releases/`, hard links for what did not change, and
 * `current`, a link that is swapped in one step. Beside the tree that is served there is another one of which the next release
 * is made: the one before, where it is known in what the two differ, or a spare one. So an update costs what changed, and
 * nobody walks a whole release. Control objects stand in `.vitrine/`, beside what is served.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import {
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf, systemCodeOf, VitrineError } from "../../base/error.ts";
import { lockOut } from "../../snapshot/lock.ts";
import {
  type Bucket,
  CONTROL,
  type Condition,
  type PresentRelease,
  type Progress,
  type Source,
  type StoredObject,
  type WriteOutcome,
} from "../bucket.ts";
import { contentTypeOf } from "../headers.ts";
import { pause, STANDARD_RETRIES } from "../retry.ts";
import { handled, linkTree, moveTree, removeNow, removeTree, replaceNow, takeOver } from "./folder-tree.ts";

const CURRENT = "current";
const RELEASES = "releases";
/** Here stands a copy of the present release that nobody is served from: the next one is made of it. */
const SPARE = `${CONTROL}spare`;
const LOCK_TRIES = 200;
const LOCK_PAUSE = { baseMilliseconds: 10, maxMilliseconds: 100 };

/** Null where a file is not there. */
async function orNull<Result>(work: Promise<Result>): Promise<Result | null> {
  try {
    return await work;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCodeOf(error))) return null;
    throw error;
  }
}

function etagOf(body: Buffer): string {
  return `"${createHash("sha256").update(body).digest("hex").slice(0, 32)}"`;
}

/** Files of a tree, by their path below it; one that cannot be entered or is none has nothing below it. */
async function* filesBelow(root: string, folder: string, path = ""): AsyncGenerator<string> {
  const read = explained(root, () => orNull(readdir(join(folder, path), { withFileTypes: true })));
  for (const entry of (await read()) ?? []) {
    const below = path === "" ? entry.name : `${path}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(root, folder, below);
    else yield below;
  }
}

interface Paths {
  readonly root: string;
  /** Path of a key for writing: in the release that is being made. */
  forWriting(key: string): string;
  /** Path of a key for reading: in the release that is served. */
  forReading(key: string): string;
}

async function readStored(file: string): Promise<StoredObject | null> {
  const body = await orNull(readFile(file));
  const info = body === null ? null : await orNull(stat(file));
  if (body === null || info === null) return null;
  return { body, etag: etagOf(body), ageSeconds: (Date.now() - info.mtimeMs) / 1000 };
}

let drafts = 0;

/** A path for a file that is not in place yet. */
function nextDraft(root: string): string {
  drafts += 1;
  return join(root, CONTROL, `draft-${process.pid}-${drafts}`);
}

/** Puts a large file in place in one step, or one that must be on the disk. */
async function replaceFile(
  root: string,
  file: string,
  write: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = nextDraft(root);
  await mkdir(dirname(draft), { recursive: true });
  await mkdir(dirname(file), { recursive: true });
  try {
    await write(draft);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

async function putFile(root: string, file: string, source: Source): Promise<void> {
  if (!Buffer.isBuffer(source)) return replaceFile(root, file, (draft) => copyFile(source.file, draft));
  replaceNow(nextDraft(root), file, (draft) => writeFileSync(draft, source));
  return handled();
}

function lockedError(root: string, cause: unknown): VitrineError {
  return new VitrineError(
    "publisher_busy",
    `Another publisher holds ${join(root, CONTROL, "lock.sqlite")} and does not let go. Nothing was written; publish again.`,
    { cause },
  );
}

/** The lock is SQLite's own and ends with its process; it is held for one comparison and one rename. */
async function lockDirectory(root: string): Promise<() => void> {
  await mkdir(join(root, CONTROL), { recursive: true });
  for (let attempt = 0; ; attempt++) {
    try {
      return lockOut(join(root, CONTROL, "lock.sqlite"));
    } catch (error) {
      const busy = error instanceof VitrineError && error.code === "out_busy";
      if (!busy) throw error;
      if (attempt + 1 >= LOCK_TRIES) throw lockedError(root, error);
      await pause(LOCK_PAUSE, attempt);
    }
  }
}

async function putIf(root: string, file: string, body: Buffer, condition: Condition): Promise<WriteOutcome> {
  const unlock = await lockDirectory(root);
  try {
    const found = await readStored(file);
    const holds = "ifMatch" in condition ? found?.etag === condition.ifMatch : found === null;
    if (!holds) return { kind: "refused" };
    await replaceFile(root, file, (draft) => writeFile(draft, body, { flush: true }));
    return { kind: "written", etag: etagOf(body) };
  } finally {
    unlock();
  }
}

/** Every failure of the file system, told with its place. */
function explained<Args extends unknown[], Result>(
  root: string,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return (...args) =>
    work(...args).catch((error: unknown) => {
      if (error instanceof VitrineError || systemCodeOf(error) === "") throw error;
      throw new VitrineError(
        "remote_failed",
        `Cannot publish to ${root}: ${messageOf(error)}. Mend it and publish again.`,
        {
          cause: error,
        },
      );
    });
}

function filesOf(paths: Paths): Pick<Bucket, "get" | "head" | "getFile" | "put" | "putIf" | "delete"> {
  const { root } = paths;
  return {
    get: explained(root, (key) => readStored(paths.forReading(key))),
    head: explained(root, async (key) => {
      const info = await orNull(stat(paths.forReading(key)));
      if (info === null) return null;
      return {
        sizeBytes: info.size,
        contentType: contentTypeOf(key) ?? "",
        cacheControl: "",
        metadata: {},
      };
    }),
    put: explained(root, (key, source) => putFile(root, paths.forWriting(key), source)),
    putIf: explained(root, (key, body, _headers, condition) =>
      putIf(root, paths.forWriting(key), body, condition),
    ),
    getFile: explained(
      root,
      async (key, file) => (await orNull(copyFile(paths.forReading(key), file))) !== null,
    ),
    delete: explained(root, async (keys) => {
      for (const key of keys) {
        removeNow(root, paths.forWriting(key));
        await handled();
      }
    }),
  };
}

/**
 * The tree of a release that is begun: the spare one of the present release, or the one before it, in which their differences
 * are made up for, or else a new one.
 */
async function beginTree(
  root: string,
  to: string,
  present: PresentRelease | null,
  progress?: Progress,
): Promise<void> {
  mkdirSync(join(root, CONTROL), { recursive: true });
  mkdirSync(dirname(to), { recursive: true });
  if (present === null) {
    mkdirSync(to, { recursive: true });
    return;
  }
  const { id, since } = present;
  if (moveTree(join(root, SPARE, id), to)) return;
  const from = join(root, RELEASES, id);
  if (since === null || !moveTree(join(root, RELEASES, since.id), to)) return linkTree(from, to, progress);
  await takeOver({ root, to, draft: nextDraft(root) }, from, since.keys, progress);
}

/** Names of what stands in a folder; none where there is no such folder. */
async function namesIn(folder: string): Promise<string[]> {
  return (await orNull(readdir(folder))) ?? [];
}

/** Trees of other releases, trees and files that were being made, and control objects of others than the parts. */
async function sweep(
  root: string,
  release: string,
  parts: readonly string[],
  progress?: Progress,
): Promise<void> {
  const control = join(root, CONTROL);
  const others = async (folder: string, kept: readonly string[]) =>
    (await namesIn(folder)).filter((name) => !kept.includes(name)).map((name) => join(folder, name));
  const trees = [
    ...(await others(join(root, RELEASES), [release])),
    ...(await others(join(control, "releases"), parts)),
    join(root, SPARE),
  ];
  for (const tree of trees) await removeTree(tree, progress);
  // Whoever asks for the lock makes a draft of it meanwhile.
  const unlock = await lockDirectory(root);
  try {
    const drafts = (await namesIn(control)).filter((name) => name.startsWith("draft-"));
    for (const name of drafts) await rm(join(control, name), { force: true });
  } finally {
    unlock();
  }
}

/** Makes a spare tree of a release. */
async function prepareSpare(root: string, id: string, progress?: Progress): Promise<void> {
  const spare = join(root, SPARE, id);
  if (existsSync(spare)) return;
  const draft = join(root, SPARE, "draft");
  await removeTree(draft, progress);
  await linkTree(join(root, RELEASES, id), draft, progress);
  moveTree(draft, spare);
}

export function openDirectory(root: string): Bucket {
  let release = CURRENT;
  const paths: Paths = {
    root,
    forWriting: (key) => (key.startsWith(CONTROL) ? join(root, key) : join(root, release, key)),
    forReading: (key) => (key.startsWith(CONTROL) ? join(root, key) : join(root, CURRENT, key)),
  };
  const swap = async (target: string) => {
    // A folder of somebody else's, adopted: it is put aside, for a link cannot replace it.
    if ((await orNull(lstat(join(root, CURRENT))))?.isDirectory())
      await rename(join(root, CURRENT), join(root, CONTROL, "adopted"));
    if ((await orNull(readlink(join(root, CURRENT)))) === target) return;
    const draft = join(root, CONTROL, `current-${process.pid}`);
    await rm(draft, { force: true });
    await symlink(target, draft);
    await rename(draft, join(root, CURRENT));
  };
  return {
    url: pathToFileURL(root).href,
    service: "directory",
    ...filesOf(paths),
    // The link is replaced, and with it all that it led to.
    inTheWay: () => filesBelow(root, join(root, CURRENT)),
    folders: {
      begin: explained(root, async (next, present, progress) => {
        release = join(RELEASES, next);
        await removeTree(join(root, release), progress);
        await beginTree(root, join(root, release), present, progress);
        // Of another release than the present one: a publish that was cut off had taken its place.
        await removeTree(join(root, SPARE), progress);
      }),
      expose: explained(root, async (next) => {
        release = join(RELEASES, next);
        await swap(release);
      }),
      prepare: explained(root, (id, progress) => prepareSpare(root, id, progress)),
      forget: explained(root, async (ids, progress) => {
        for (const id of ids) await removeTree(join(root, RELEASES, id), progress);
      }),
      sweep: explained(root, (id, parts, progress) => sweep(root, id, parts, progress)),
    },
    concurrency: { now: 8 },
    retries: STANDARD_RETRIES,
  };
}

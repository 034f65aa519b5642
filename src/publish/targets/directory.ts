/**
 * A directory that a web server serves: releases whole under `releases/`, hard links for what did not change, and
 * `current`, a link that is swapped in one step. The folder before the present one becomes the next where it is known in
 * what the two differ: then nobody walks a whole release. Control objects stand in `.vitrine/`, beside what is served.
 */
import { createHash } from "node:crypto";
import {
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  unlink,
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
  type Progress,
  type StoredObject,
  type WriteOutcome,
} from "../bucket.ts";
import { contentTypeOf } from "../headers.ts";
import { pause, STANDARD_RETRIES } from "../retry.ts";

const CURRENT = "current";
const RELEASES = "releases";
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

/** Links a tree file by file; file systems without hard links get copies. */
async function linkTree(from: string, to: string, progress?: Progress): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkTree(source, target, progress);
    else await link(source, target).catch(() => copyFile(source, target));
    progress?.();
  }
}

/** Makes keys of a release's folder what they are in another one. False where the folder is not there any more. */
async function moveAlong(
  root: string,
  [from, to]: readonly [string, string],
  present: string,
  keys: readonly string[],
): Promise<boolean> {
  if ((await orNull(rename(from, to).then(() => true))) === null) return false;
  for (const key of keys) {
    const [source, target] = [join(present, key), join(to, key)];
    if ((await orNull(lstat(source))) === null) await removeFile(root, target);
    else await replaceFile(root, target, (draft) => link(source, draft).catch(() => copyFile(source, draft)));
  }
  return true;
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

/** Puts a file in place in one step; what was there, perhaps shared with an older release, is left as it is. */
async function replaceFile(
  root: string,
  file: string,
  write: (draft: string) => Promise<void>,
): Promise<void> {
  drafts += 1;
  const draft = join(root, CONTROL, `draft-${process.pid}-${drafts}`);
  await mkdir(dirname(draft), { recursive: true });
  await mkdir(dirname(file), { recursive: true });
  try {
    await write(draft);
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
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

async function removeFile(root: string, file: string): Promise<void> {
  await orNull(unlink(file));
  for (let folder = dirname(file); folder.length > root.length; folder = dirname(folder)) {
    if (
      await rmdir(folder).then(
        () => false,
        () => true,
      )
    )
      return;
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
    put: explained(root, (key, source) =>
      replaceFile(root, paths.forWriting(key), (draft) =>
        Buffer.isBuffer(source) ? writeFile(draft, source) : copyFile(source.file, draft),
      ),
    ),
    putIf: explained(root, (key, body, _headers, condition) =>
      putIf(root, paths.forWriting(key), body, condition),
    ),
    getFile: explained(
      root,
      async (key, file) => (await orNull(copyFile(paths.forReading(key), file))) !== null,
    ),
    delete: explained(root, async (keys) => {
      for (const key of keys) await removeFile(root, paths.forWriting(key));
    }),
  };
}

export function openDirectory(root: string): Bucket {
  const releases = join(root, RELEASES);
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
        await rm(join(root, release), { recursive: true, force: true });
        if (present === null) {
          await mkdir(join(root, release), { recursive: true });
          return;
        }
        const { id, since } = present;
        const [from, to] = [join(releases, id), join(root, release)];
        const isMoved =
          since !== null && (await moveAlong(root, [join(releases, since.id), to], from, since.keys));
        if (!isMoved) await linkTree(from, to, progress);
      }),
      expose: explained(root, async (next) => {
        release = join(RELEASES, next);
        await swap(release);
      }),
      forget: explained(root, async (ids) => {
        for (const id of ids) await rm(join(releases, id), { recursive: true, force: true });
      }),
    },
    concurrency: { now: 8 },
    retries: STANDARD_RETRIES,
  };
}

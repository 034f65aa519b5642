/**
 * A folder as a bucket: keys are files directly below it; `.vitrine/` is readable by its owner only. A write makes a draft in
 * `.vitrine/`, syncs it to the disk and renames it into its place: no reader sees half a file, and no power failure leaves one.
 * The web server sets the headers. Only this user and root may be able to write below the folder (`trusted-folder.ts`).
 */

import { hash, randomUUID } from "node:crypto";
import {
  chmodSync,
  constants,
  existsSync,
  fsync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { type FileHandle, open, readdir, rm, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { forEachAtOnce } from "../../base/at-once.ts";
import { CLOCK } from "../../base/clock.ts";
import { contentTypeOf } from "../../base/content-type.ts";
import { messageOf, systemCodeOf, VitrineError } from "../../base/error.ts";
import {
  keepTimesApart,
  makeOpenFolder,
  OPEN_FILE,
  OPEN_FOLDER,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  removeEmptyFolders,
} from "../../base/files.ts";
import { whenFree } from "../../base/when-free.ts";
import { takeExclusive } from "../../site/out.ts";
import { type Bucket, CONTROL, DRAFTS, MOST_OBJECT_BYTES, type StoredObject, tooLong } from "../bucket.ts";
import { STANDARD_RETRIES } from "../calls.ts";
import { refuseIfReachedByOthers, refuseIfShared } from "./trusted-folder.ts";

export function openDirectory(root: string): Bucket {
  const url = pathToFileURL(root).href;
  /** Folders whose names changed and may not be on the disk yet. */
  const changed = new Set<string>();
  /** True once the folder exists and no other user can have put anything into it. */
  let isTrusted = false;
  let isReady = false;

  function enter(): void {
    if (isTrusted) return;
    refuseIfReachedByOthers(root);
    isTrusted = existsSync(root);
  }

  function enterToWrite(): void {
    enter();
    if (isReady) return;
    makeOpenFolder(root);
    enter();
    removeOldDrafts(root);
    isReady = true;
  }

  /** Makes the folders of a key. Refuses a link in the place of a folder. */
  function makeFolders(key: string): void {
    const mode = key.startsWith(CONTROL) ? PRIVATE_FOLDER : OPEN_FOLDER;
    for (const folder of foldersOf(root, key)) {
      const found = lstatSync(folder, { throwIfNoEntry: false });
      if (found === undefined) {
        // Another publisher may make it at the same time.
        mkdirSync(folder, { recursive: true, mode });
        chmodSync(folder, mode);
        changed.add(dirname(folder));
      } else if (!found.isDirectory()) throw strange(folder);
      else {
        refuseIfShared(folder, found, root);
        if (mode === PRIVATE_FOLDER && (found.mode & ~mode & 0o777) !== 0) chmodSync(folder, mode);
      }
    }
  }

  async function put(key: string, body: Buffer): Promise<void> {
    const path = pathOf(root, key);
    enterToWrite();
    const draftKey = `${DRAFTS}${randomUUID()}`;
    makeFolders(draftKey);
    const draft = join(root, draftKey);
    const isControl = key.startsWith(CONTROL);
    try {
      await writeDraft(draft, body, isControl ? PRIVATE_FILE : OPEN_FILE);
      // Just before the rename, so that no deletion removes a folder that is still empty.
      makeFolders(key);
      // The file time of a control object is its age.
      if (!isControl) keepTimesApart(draft, path);
      renameSync(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
    changed.add(dirname(path));
  }

  async function get(key: string): Promise<StoredObject | null> {
    return readOpen(pathOf(root, key), async (handle) => {
      const { size, mtimeMs } = await handle.stat();
      if (size > MOST_OBJECT_BYTES) throw tooLong(url, key, MOST_OBJECT_BYTES);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, 0);
      const body = buffer.subarray(0, bytesRead);
      const ageSeconds = (CLOCK.now().getTime() - mtimeMs) / 1000;
      return { body, headers: null, etag: etagOf(body), ageSeconds };
    });
  }

  /** Removes a file and the folders that become empty. */
  async function remove(key: string): Promise<void> {
    const path = pathOf(root, key);
    const folders = foldersOf(root, key);
    // Behind a link in the place of a folder is nothing of ours.
    if (folders.some((folder) => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true))
      return;
    await unlink(path).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    changed.add(dirname(path));
    for (const folder of removeEmptyFolders(root, key)) {
      changed.delete(folder);
      changed.add(dirname(folder));
    }
  }

  /** Syncs all folders changed so far, so that puts and deletions survive a power failure. */
  async function settle(): Promise<void> {
    const folders = [...changed];
    changed.clear();
    await forEachAtOnce(folders, CONCURRENCY, syncFolder);
  }

  const explained =
    <Args extends unknown[], Result>(purpose: Purpose, work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      try {
        enter();
        return await work(...args);
      } catch (error) {
        throw explain(root, purpose, error);
      }
    };

  return {
    url,
    service: "directory",
    concurrency: CONCURRENCY,
    retries: STANDARD_RETRIES,
    get: explained(READ, get),
    head: explained(READ, (key) =>
      readOpen(pathOf(root, key), async (handle) => {
        const { size } = await handle.stat();
        const contentType = contentTypeOf(key) ?? "";
        return { sizeBytes: size, contentType, contentEncoding: "", cacheControl: "", metadata: {} };
      }),
    ),
    put: explained(WRITE, (key, body) => put(key, body)),
    putIf: explained(WRITE, async (key, body, _headers, condition) => {
      enterToWrite();
      makeFolders(LOCK_KEY);
      // A new pointer or a released lock means that everything before it is done.
      await settle();
      const unlock = await lockFolder(root);
      try {
        const found = await get(key);
        const holds = "ifMatch" in condition ? found?.etag === condition.ifMatch : found === null;
        if (!holds) return { kind: "refused" };
        await put(key, body);
        await settle();
        return { kind: "written", etag: etagOf(body) };
      } finally {
        unlock();
      }
    }),
    delete: explained(WRITE, async (keys) => {
      await settle();
      for (const key of keys) await remove(key);
    }),
    async *list(beginning) {
      try {
        enter();
        yield* keysBelow(root, beginning);
      } catch (error) {
        throw explain(root, READ, error);
      }
    },
    now: () => CLOCK.now().getTime(),
    [Symbol.dispose]: () => undefined,
  };
}

function removeOldDrafts(root: string): void {
  const folder = join(root, CONTROL.slice(0, -1));
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  for (const name of readdirSync(folder)) {
    if (!`${CONTROL}${name}`.startsWith(DRAFTS)) continue;
    const draft = join(folder, name);
    const found = lstatSync(draft, { throwIfNoEntry: false });
    if (found !== undefined && CLOCK.now().getTime() - found.mtimeMs > DRAFT_MILLISECONDS)
      rmSync(draft, { force: true });
  }
}

/** Folders between the root and a key's file, outermost first. */
function foldersOf(root: string, key: string): string[] {
  const names = key.split("/").slice(0, -1);
  return names.map((_, at) => join(root, ...names.slice(0, at + 1)));
}

function strange(path: string): VitrineError {
  return new VitrineError(
    "remote_invalid",
    `${path} is a link, or neither a file nor a folder. Vitrine never puts one there, and it could lead anywhere. ` +
      "Nothing was changed. Remove it and publish again.",
  );
}

/** @throws VitrineError remote_invalid if a key would lead out of the folder */
function pathOf(root: string, key: string): string {
  const isPlain = (name: string) => name !== "" && name !== "." && name !== ".." && !/[\\\0]/.test(name);
  if (key.split("/").every(isPlain)) return join(root, key);
  throw strange(`${root}/${key}`);
}

/** By number: the handles that Yarn's Plug'n'Play gives in place of Node's cannot sync, and `using` does not close them. */
const syncToDisk = promisify(fsync);

/** Writes a draft and syncs it, so that it survives a power failure. */
async function writeDraft(draft: string, body: Buffer, mode: number): Promise<void> {
  const handle = await open(draft, "wx", mode);
  try {
    await handle.writeFile(body);
    // Independent of the process's umask.
    await handle.chmod(mode);
    await syncToDisk(handle.fd);
  } finally {
    await handle.close();
  }
}

/** Reads what is at a path; null if nothing is there. */
async function readOpen<Result>(
  path: string,
  read: (handle: FileHandle) => Promise<Result>,
): Promise<Result | null> {
  let handle: FileHandle;
  try {
    handle = await open(path, READING);
  } catch (error) {
    if (isMissing(error)) return null;
    if (["ELOOP", "EMLINK", "ENXIO"].includes(systemCodeOf(error))) throw strange(path);
    throw error;
  }
  try {
    if (!(await handle.stat()).isFile()) throw strange(path);
    return await read(handle);
  } finally {
    await handle.close();
  }
}

const LOCK_KEY = `${CONTROL}lock.sqlite`;
const LOCK_SECONDS = 10;
const MOST_PAUSE_MILLISECONDS = 50;
/** A draft lasts a moment: an older one is left over from a killed process. */
const DRAFT_MILLISECONDS = 60 * 60 * 1000;
const CONCURRENCY = 8;

/** Opening must neither wait, as for a pipe, nor follow a link. */
const READING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Codes for a missing file: nothing is at the path, or a folder above it is a file. */
const MISSING: readonly string[] = ["ENOENT", "ENOTDIR"];

function isMissing(error: unknown): boolean {
  return MISSING.includes(systemCodeOf(error));
}

function etagOf(body: Buffer): string {
  return `"${hash("sha256", body, "hex").slice(0, 32)}"`;
}

/** Syncs a folder, so that the names in it survive a power failure. */
async function syncFolder(path: string): Promise<void> {
  let handle: FileHandle;
  try {
    handle = await open(path);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  try {
    await syncToDisk(handle.fd);
  } catch (error) {
    // Some file systems cannot sync a folder.
    if (!["EINVAL", "EPERM", "EISDIR", "EBADF", "ENOTSUP"].includes(systemCodeOf(error))) throw error;
  } finally {
    await handle.close();
  }
}

interface Purpose {
  readonly doing: string;
  readonly hint: string;
}

const WRITE: Purpose = {
  doing: "publish to",
  hint: "df -h and df -i show the room on its disk, in bytes and files, findmnt -T how it is mounted, ls -ld who may write there",
};
const READ: Purpose = { doing: "read", hint: "ls -l shows whose a file is and who may read it" };

/** A failure of the file system, with the folder's name. */
function explain(root: string, { doing, hint }: Purpose, error: unknown): unknown {
  if (error instanceof VitrineError || systemCodeOf(error) === "") return error;
  const message = `Cannot ${doing} ${root}: ${messageOf(error)}. Fix that and try again.`;
  return new VitrineError("remote_failed", message, { cause: error, hint });
}

/** SQLite's own lock, which ends with the process; held during one comparison and one rename. */
async function lockFolder(root: string): Promise<() => void> {
  const file = join(root, LOCK_KEY);
  try {
    return await whenFree(
      () => {
        if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) throw strange(file);
        const unlock = takeExclusive(file);
        if (unlock !== null) return unlock;
        throw new VitrineError("out_busy", `${file} is locked by another publisher.`);
      },
      { waitSeconds: LOCK_SECONDS },
      MOST_PAUSE_MILLISECONDS,
    );
  } catch (error) {
    if (["SQLITE_NOTADB", "SQLITE_CORRUPT"].includes(systemCodeOf(error))) throw strange(file);
    if (!(error instanceof VitrineError && error.code === "out_busy")) throw error;
    throw new VitrineError(
      "publisher_busy",
      `Another publisher has locked ${file} for over ${LOCK_SECONDS} s.`,
      {
        cause: error,
      },
    );
  }
}

/** Keys that begin with `beginning`; a missing folder has no keys. */
async function* keysBelow(root: string, beginning: string, folder = ""): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    const key = `${folder}${entry.name}`;
    if (entry.isDirectory()) {
      const below = `${key}/`;
      if (below.startsWith(beginning) || beginning.startsWith(below))
        yield* keysBelow(root, beginning, below);
    } else if (key.startsWith(beginning) && key !== LOCK_KEY) yield key;
  }
}

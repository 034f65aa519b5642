/**
 * Folders that are gone once their work is done. Those of processes that were killed are removed by whoever makes the next one
 * beside them. In a folder for everybody, like /tmp, anybody may make some of such a name: ours are told by more than that.
 */
import { type Dirent, lstatSync, rmSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXCLUSIVE, takeLock } from "./file-lock.ts";

export interface TemporaryFolder extends Disposable, AsyncDisposable {
  readonly path: string;
}

const PREFIX = "vitrine-tmp-";
/** As `mkdtemp` makes it of the prefix. */
const NAME = new RegExp(`^${PREFIX}[A-Za-z0-9]{6}$`);
/** Held for as long as the folder is in use, and no longer than its process lives. */
const LOCK = ".vitrine-lock";

/** A folder that this user made for himself alone, with a file in it by which it is known to be in use or forgotten. */
function isOurs(path: string): boolean {
  const { uid, mode } = lstatSync(path);
  if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o077) !== 0)) return false;
  // One without a lock is just being made.
  return lstatSync(join(path, LOCK), { throwIfNoEntry: false })?.isFile() === true;
}

/** Removes what processes left that ended without doing so: their locks ended with them. */
export async function removeForgotten(parent: string): Promise<void> {
  const entries: Dirent[] = await readdir(parent, { withFileTypes: true });
  for (const entry of entries) {
    const path = join(parent, entry.name);
    try {
      if (!entry.isDirectory() || !NAME.test(entry.name) || !isOurs(path)) continue;
      const unlock = takeLock(join(path, LOCK), EXCLUSIVE);
      if (unlock === null) continue;
      unlock();
      await rm(path, { recursive: true, force: true });
    } catch {
      // Others removed it first, or its lock is none.
    }
  }
}

/** Makes a folder in `parent`, after removing those that were forgotten there. */
export async function temporaryFolder(parent: string = tmpdir()): Promise<TemporaryFolder> {
  // Where others' names cannot be read, a folder may still be made.
  await removeForgotten(parent).catch(() => undefined);
  const path = await mkdtemp(join(parent, PREFIX));
  const gone = { recursive: true, force: true };
  try {
    const unlock = takeLock(join(path, LOCK), EXCLUSIVE) ?? (() => undefined);
    return {
      path,
      [Symbol.dispose]() {
        rmSync(path, gone);
        unlock();
      },
      async [Symbol.asyncDispose]() {
        await rm(path, gone);
        unlock();
      },
    };
  } catch (error) {
    await rm(path, gone);
    throw error;
  }
}

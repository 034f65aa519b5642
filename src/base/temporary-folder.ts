/**
 * Folders that are gone once their work is done. Those of processes that were killed are removed by whoever makes the next one
 * beside them. In a folder for everybody, like /tmp, anybody may make some of such a name: ours are recognised by more than that.
 */
import { type Dirent, existsSync, lstatSync, rmSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXCLUSIVE, takeLock } from "./sqlite.ts";
import { explainWriteFailure } from "./write-failure.ts";

export interface TemporaryFolder extends Disposable, AsyncDisposable {
  readonly path: string;
}

const PREFIX = "vitrine-tmp-";
/** As `mkdtemp` makes it of the prefix. */
const NAME = new RegExp(`^${PREFIX}[A-Za-z0-9]{6}$`);
/** Held for as long as the folder is in use, and no longer than its process lives. */
const LOCK = ".vitrine-lock";
const GONE = { recursive: true, force: true } as const;

/** A folder that this user made for himself alone, with a file in it by which it is known to be in use or forgotten. */
function isOurs(path: string): boolean {
  const { uid, mode } = lstatSync(path);
  if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o077) !== 0)) return false;
  // One without a lock is just being made.
  return lstatSync(join(path, LOCK), { throwIfNoEntry: false })?.isFile() === true;
}

/** Removes what processes left that ended without doing so: their locks ended with them. */
async function removeForgotten(parent: string): Promise<void> {
  const entries: Dirent[] = await readdir(parent, { withFileTypes: true });
  for (const entry of entries) {
    const path = join(parent, entry.name);
    try {
      if (!entry.isDirectory() || !NAME.test(entry.name) || !isOurs(path)) continue;
      // Its owner may be removing it right now: nothing is made in it.
      const unlock = takeLock(join(path, LOCK), EXCLUSIVE, { fileMustExist: true });
      if (unlock === null) continue;
      try {
        await rm(path, GONE);
      } finally {
        unlock();
      }
    } catch {
      // Others removed it first, or its lock is none.
    }
  }
}

/** Makes a folder in `parent`, after removing those that were forgotten there. @throws VitrineError write_failed */
export async function temporaryFolder(parent: string = tmpdir()): Promise<TemporaryFolder> {
  // Where others' names cannot be read, a folder may still be made.
  await removeForgotten(parent).catch(() => undefined);
  for (;;) {
    const path = await mkdtemp(join(parent, PREFIX)).catch((error: unknown) => {
      throw explainWriteFailure(error, parent);
    });
    const lock = join(path, LOCK);
    let unlock: (() => void) | null = null;
    try {
      unlock = takeLock(lock, EXCLUSIVE);
    } catch (error) {
      await rm(path, GONE);
      throw error;
    }
    // Another that looked between the making of the lock and its taking held it for forgotten, and removes the folder.
    if (unlock !== null && existsSync(lock)) return asDisposable(path, unlock);
    unlock?.();
  }
}

function asDisposable(path: string, unlock: () => void): TemporaryFolder {
  return {
    path,
    [Symbol.dispose]() {
      rmSync(path, GONE);
      unlock();
    },
    async [Symbol.asyncDispose]() {
      await rm(path, GONE);
      unlock();
    },
  };
}

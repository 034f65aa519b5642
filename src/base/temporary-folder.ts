/**
 * Folders that are deleted once their work is done. Those of killed processes are removed when the next one is made beside
 * them. In a shared folder like /tmp other users may make folders of such a name: isOurs() checks more than the name.
 */
import { type Dirent, existsSync, lstatSync, rmSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { VitrineError } from "./error.ts";
import { EXCLUSIVE, takeLock } from "./sqlite.ts";
import { explainWriteFailure } from "./write-failure.ts";

export interface TemporaryFolder extends Disposable, AsyncDisposable {
  readonly path: string;
}

const PREFIX = "vitrine-tmp-";
/** As `mkdtemp` makes it from the prefix. */
const NAME = new RegExp(`^${PREFIX}[A-Za-z0-9]{6}$`);
/** Locked while the folder is in use; the lock ends with its process. */
const LOCK = ".vitrine-lock";
const REMOVE_ALL = { recursive: true, force: true } as const;

/** True for a folder that this user made, that only this user may read, and that has the lock file. */
function isOurs(path: string): boolean {
  const { uid, mode } = lstatSync(path);
  if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o077) !== 0)) return false;
  // A folder without a lock file is just being made.
  return lstatSync(join(path, LOCK), { throwIfNoEntry: false })?.isFile() === true;
}

/** Removes the folders of processes that ended without doing so: their locks ended with them. */
async function removeForgotten(parent: string): Promise<void> {
  const entries: Dirent[] = await readdir(parent, { withFileTypes: true });
  for (const entry of entries) {
    const path = join(parent, entry.name);
    try {
      if (!entry.isDirectory() || !NAME.test(entry.name) || !isOurs(path)) continue;
      // Its owner may be removing it right now: make no file in it.
      const unlock = takeLock(join(path, LOCK), EXCLUSIVE, { fileMustExist: true });
      if (unlock === null) continue;
      try {
        await rm(path, REMOVE_ALL);
      } finally {
        unlock();
      }
    } catch {
      // Another process removed it first, or its lock file is not a database.
    }
  }
}

/** Makes a folder in `parent`, after removing abandoned ones there. @throws VitrineError write_failed */
export async function temporaryFolder(parent: string = tmpdir()): Promise<TemporaryFolder> {
  // A folder may be made even where listing the others is forbidden.
  await removeForgotten(parent).catch(() => undefined);
  for (;;) {
    const path = await mkdtemp(join(parent, PREFIX)).catch((error: unknown) => {
      throw withHint(explainWriteFailure(error, parent), parent);
    });
    const lock = join(path, LOCK);
    let unlock: (() => void) | null = null;
    try {
      unlock = takeLock(lock, EXCLUSIVE);
    } catch (error) {
      await rm(path, REMOVE_ALL);
      throw error;
    }
    // Another process may have looked after the lock file was made and before it was locked: it then removes the folder.
    if (unlock !== null && existsSync(lock)) return asDisposable(path, unlock);
    unlock?.();
  }
}

/** Runs work that writes into a temporary folder: if its disk is full, the error names the folder that has it. */
export async function writingInto<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const parent = dirname(path);
    throw error instanceof VitrineError ? error : withHint(explainWriteFailure(error, parent), parent);
  }
}

/** Only the system's own folder is not one that the user has named. */
function withHint(error: unknown, parent: string): unknown {
  if (!(error instanceof VitrineError) || parent !== tmpdir()) return error;
  const hint = "TMPDIR names the folder of temporary files; without it, it is /tmp";
  return new VitrineError(error.code, error.message, { cause: error.cause, hint });
}

function asDisposable(path: string, unlock: () => void): TemporaryFolder {
  return {
    path,
    [Symbol.dispose]() {
      rmSync(path, REMOVE_ALL);
      unlock();
    },
    async [Symbol.asyncDispose]() {
      await rm(path, REMOVE_ALL);
      unlock();
    },
  };
}

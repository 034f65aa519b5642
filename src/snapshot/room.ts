/** A folder of a process's own, beside those of others. Who ends without removing it has it removed by the next. */
import { type Dirent, lstatSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { lockOut } from "./lock.ts";

export interface Room {
  readonly path: string;
  remove(): Promise<void>;
}

const LOCK = "lock";

/** In a common folder others could make some by such a name: ours are those that we own. */
function isOurs(path: string): boolean {
  return process.getuid === undefined || lstatSync(path).uid === process.getuid();
}

/** Removes the rooms of processes that ended without doing so: their locks ended with them. */
export async function removeForgotten(folder: string, prefix: string): Promise<void> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const lock = join(path, LOCK);
    try {
      if (!entry.isDirectory() || !entry.name.startsWith(prefix) || !isOurs(path)) continue;
      // One without a lock is just being made.
      if (lstatSync(lock, { throwIfNoEntry: false })?.isFile() !== true) continue;
      lockOut(lock)();
      await rm(path, { recursive: true, force: true });
    } catch {
      // In use; or others removed it first.
    }
  }
}

/** Makes one, after removing those that were forgotten. */
export async function makeRoom(folder: string, prefix: string): Promise<Room> {
  await removeForgotten(folder, prefix);
  const path = await mkdtemp(join(folder, prefix));
  const clear = () => rm(path, { recursive: true, force: true });
  try {
    const unlock = lockOut(join(path, LOCK));
    return { path, remove: () => clear().finally(unlock) };
  } catch (error) {
    await clear();
    throw error;
  }
}

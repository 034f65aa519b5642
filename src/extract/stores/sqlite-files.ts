/** The files of an SQLite database, where SQLite itself looks for them: beside the file that a link leads to. */
import { realpathSync } from "node:fs";

export interface SqliteFiles {
  readonly main: string;
  readonly wal: string;
  /** The index of the WAL, shared memory: it says which commits readers see. */
  readonly walIndex: string;
  readonly journal: string;
}

/** @throws where there is no such file */
export function sqliteFilesOf(file: string): SqliteFiles {
  const main = realpathSync.native(file);
  return { main, wal: `${main}-wal`, walIndex: `${main}-shm`, journal: `${main}-journal` };
}

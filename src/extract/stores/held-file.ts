/**
 * Files that SQLite locks, opened to be read beside it. Closing any descriptor of a file ends all locks that this process
 * has on it, SQLite's own included (sqlite.org/howtocorrupt.html, 2.2): so none is closed while its path names that file.
 */
import { type BigIntStats, closeSync, fstatSync, openSync, statSync } from "node:fs";

export interface HeldFile {
  /** Not to be closed by who gets it. */
  readonly descriptor: number;
  /** Of the moment in which the file was asked for. */
  readonly stats: BigIntStats;
}

const DESCRIPTORS = new Map<string, number>();

function isSameFile(one: BigIntStats, other: BigIntStats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

/** The file that stands at the path now; null where there is none that can be read. */
export function holdFile(path: string): HeldFile | null {
  const there = statSync(path, { bigint: true, throwIfNoEntry: false });
  const held = DESCRIPTORS.get(path);
  if (held !== undefined) {
    const stats = fstatSync(held, { bigint: true });
    if (there !== undefined && isSameFile(stats, there)) return { descriptor: held, stats };
    DESCRIPTORS.delete(path);
    closeSync(held);
  }
  // Opening a pipe would wait for its writer.
  if (there?.isFile() !== true) return null;
  try {
    const descriptor = openSync(path, "r");
    DESCRIPTORS.set(path, descriptor);
    return { descriptor, stats: fstatSync(descriptor, { bigint: true }) };
  } catch {
    return null;
  }
}

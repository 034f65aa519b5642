/** A process that dies at its n-th write to the disk: everything after that fails, until it is started again. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import Database from "better-sqlite3";

const WRITES = [
  ...["writeFileSync", "appendFileSync", "writeSync", "renameSync", "linkSync"],
  ...["mkdirSync", "rmSync", "rmdirSync", "utimesSync"],
] as const;

class Death extends Error {}

export interface Dying {
  /** Writes that were made, or tried. */
  readonly writes: number;
  restore(): void;
}

/**
 * Does each write to the disk by `guard`, which gets the call's arguments, too, and may do it or not. Transactions count as one write, at their commit. Returns what
 * undoes it.
 */
export function guardWrites(guard: (write: () => unknown, given: readonly unknown[]) => unknown): () => void {
  const originals = new Map<string, unknown>();
  const changed = fs as unknown as Record<string, (...given: unknown[]) => unknown>;
  for (const name of WRITES) {
    const write = changed[name] as (...given: unknown[]) => unknown;
    originals.set(name, write);
    changed[name] = (...given) => guard(() => write(...given), given);
  }
  syncBuiltinESMExports();
  const { exec } = Database.prototype;
  Database.prototype.exec = function (this: Database.Database, sql: string) {
    const write = () => exec.call(this, sql);
    return (sql === "COMMIT" ? guard(write, [sql]) : write()) as typeof this;
  };
  return () => {
    for (const [name, original] of originals) changed[name] = original as () => unknown;
    syncBuiltinESMExports();
    Database.prototype.exec = exec;
  };
}

/**
 * Lets the n-th write (from 1) be the last; 0: none is done. The state right before a write is the one behind the write before it,
 * because everything fails after the death.
 */
export function dieBehind(last: number): Dying {
  let writes = 0;
  const restore = guardWrites((write) => {
    writes += 1;
    if (writes > last) throw new Death();
    const result = write();
    if (writes === last) throw new Death();
    return result;
  });
  return {
    get writes() {
      return writes;
    },
    restore,
  };
}

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
 * Lets the n-th write (from 1) be the last: it is done where `persists`, else it is not. Transactions count as one write,
 * at their commit.
 */
export function dieAt(last: number, persists: boolean): Dying {
  const originals = new Map<string, unknown>();
  const changed = fs as unknown as Record<string, (...given: unknown[]) => unknown>;
  let writes = 0;
  const guard =
    (write: (...given: unknown[]) => unknown) =>
    (...given: unknown[]): unknown => {
      writes += 1;
      if (writes > last || (writes === last && !persists)) throw new Death();
      const result = write(...given);
      if (writes === last) throw new Death();
      return result;
    };
  for (const name of WRITES) {
    originals.set(name, changed[name]);
    changed[name] = guard(changed[name] as () => unknown);
  }
  syncBuiltinESMExports();
  const { exec } = Database.prototype;
  Database.prototype.exec = function (this: Database.Database, sql: string) {
    return (
      sql === "COMMIT" ? guard(() => exec.call(this, sql)) : () => exec.call(this, sql)
    )() as typeof this;
  };
  return {
    get writes() {
      return writes;
    },
    restore() {
      for (const [name, original] of originals) changed[name] = original as () => unknown;
      syncBuiltinESMExports();
      Database.prototype.exec = exec;
    },
  };
}

/** File times, which web servers make ETags of. */
import { statSync, utimesSync } from "node:fs";

/**
 * Makes a file at least a second newer than the one that it will replace. nginx makes a file's ETag from its size and its
 * time in whole seconds: of two versions in one second, clients of the first would get a 304 for the second.
 */
export function keepTimesApart(draft: string, target: string): void {
  const old = statSync(target, { throwIfNoEntry: false });
  if (old === undefined) return;
  const next = statSync(draft);
  const oldSeconds = Math.floor(old.mtimeMs / 1000);
  if (Math.floor(next.mtimeMs / 1000) <= oldSeconds) utimesSync(draft, next.atime, oldSeconds + 1);
}

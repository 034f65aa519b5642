/** Times of files, as a web server shows them to its clients. */
import { statSync, utimesSync } from "node:fs";

/**
 * Makes a file at least a second younger than the one that it will replace. nginx makes a file's ETag of its size and its
 * time in whole seconds: two versions of one second could else send the second one's clients away with a 304.
 */
export function keepTimesApart(draft: string, target: string): void {
  const old = statSync(target, { throwIfNoEntry: false });
  if (old === undefined) return;
  const next = statSync(draft);
  const oldSeconds = Math.floor(old.mtimeMs / 1000);
  if (Math.floor(next.mtimeMs / 1000) <= oldSeconds) utimesSync(draft, next.atime, oldSeconds + 1);
}

/** Refuses to delete much at once, as after a store was emptied by mistake. The same rule for a folder and a bucket. Pure. */
import { AUTO } from "../api/config.ts";
import { VitrineError } from "../base/error.ts";
import { formatCount } from "../base/log.ts";
import { MOST_DELETIONS, MOST_SHARE } from "./shrink-limits.ts";

export interface Shrink {
  /** The operation that would delete, as the message names it. */
  readonly what: "Building" | "Publishing";
  readonly liveFiles: number;
  readonly files: number;
  /** Number of deletions, not counting {@link countDeepPages}. */
  readonly deletions: number;
  /** Number of deletions that the user allowed. */
  readonly allowed: number;
}

/**
 * Deletions that prove nothing about the store: `grid.pages` may leave all deep pages to the fallback at once. If records vanish, their
 * details and the first pages of their lists vanish, too.
 */
export function countDeepPages(keys: Iterable<string>): number {
  let count = 0;
  for (const key of keys) if (Number(/\/page=(\d+)\.json$/.exec(key)?.[1] ?? 1) > AUTO.pages) count += 1;
  return count;
}

/** The command that shows more about such a refusal. */
const HINTS: Readonly<Record<Shrink["what"], string>> = {
  Building: "vitrine doctor checks the store and the SQL files",
  Publishing: "vitrine diff LIVE NEXT lists the files that would be deleted",
};

/** @throws VitrineError guard_refused */
export function guardShrink({ what, liveFiles, files, deletions, allowed }: Shrink): void {
  const numbers = `${formatCount(deletions)} of ${formatCount(liveFiles)} files`;
  if (files === 0) {
    throw new VitrineError(
      "guard_refused",
      `The snapshot is empty: ${what.toLowerCase()} it would take everything offline. Nothing was written. Build again.`,
    );
  }
  const share = liveFiles === 0 ? 0 : deletions / liveFiles;
  if ((deletions <= MOST_DELETIONS && share <= MOST_SHARE) || deletions <= allowed) return;
  throw new VitrineError(
    "guard_refused",
    `${what} would delete ${numbers} (${(share * 100).toFixed(0)} %): more than ${formatCount(MOST_DELETIONS)} files ` +
      `or ${MOST_SHARE * 100} % at once is refused. Nothing was written. If this is intended, add --allow-shrink ${deletions}.`,
    { hint: HINTS[what] },
  );
}

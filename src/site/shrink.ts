/** Refuses to take much away at once: it looks like a store emptied by mistake. The same for a folder and a bucket. Pure. */
import { AUTO } from "../api/config.ts";
import { VitrineError } from "../base/error.ts";
import { formatCount } from "../base/log.ts";

/** More than either needs --allow-shrink. */
const MOST_DELETIONS = 1000;
const MOST_SHARE = 0.2;

export interface Shrink {
  /** What would delete, as a person says it: `Publishing` */
  readonly what: "Building" | "Publishing";
  readonly liveFiles: number;
  readonly files: number;
  /** Without {@link countDeepPages}. */
  readonly deletions: number;
  /** Deletions that the user allowed by number. */
  readonly allowed: number;
}

/**
 * Deletions that say nothing of a store: `grid.pages` leaves all deep pages to the fallback at once, and where records vanish, so do
 * their details and their lists' first pages.
 */
export function countDeepPages(keys: Iterable<string>): number {
  let count = 0;
  for (const key of keys) if (Number(/\/page=(\d+)\.json$/.exec(key)?.[1] ?? 1) > AUTO.pages) count += 1;
  return count;
}

/** @throws VitrineError guard_refused */
export function guardShrink({ what, liveFiles, files, deletions, allowed }: Shrink): void {
  const numbers = `${formatCount(deletions)} of ${formatCount(liveFiles)} live files`;
  if (files === 0) {
    throw new VitrineError(
      "guard_refused",
      `The snapshot is empty: ${what.toLowerCase()} it would take everything off line. Nothing was written; build again.`,
    );
  }
  const share = liveFiles === 0 ? 0 : deletions / liveFiles;
  if ((deletions <= MOST_DELETIONS && share <= MOST_SHARE) || deletions <= allowed) return;
  throw new VitrineError(
    "guard_refused",
    `${what} would delete ${numbers} (${(share * 100).toFixed(0)} %): more than ${formatCount(MOST_DELETIONS)} files ` +
      `or ${MOST_SHARE * 100} % at once is refused. Nothing was written. If it is meant, say so with --allow-shrink ${deletions}.`,
  );
}

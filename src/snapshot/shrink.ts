/** Refuses to take much away at once: it looks like a store emptied by mistake. The same for a folder and a bucket. Pure. */
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
  readonly deletions: number;
  /** Deletions that the user allowed by number. */
  readonly allowed: number;
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

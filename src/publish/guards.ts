/** Refusals before any write: what looks like an accident is not published. Pure. */
import { VitrineError } from "../base/error.ts";
import { formatCount } from "../base/log.ts";

/** More than either needs --allow-shrink. */
const MOST_DELETIONS = 1000;
const MOST_SHARE = 0.2;

export interface Shrink {
  readonly liveFiles: number;
  readonly files: number;
  readonly deletions: number;
  /** Deletions that the user allowed by number. */
  readonly allowed: number;
}

/** @throws VitrineError guard_refused */
export function guardShrink({ liveFiles, files, deletions, allowed }: Shrink): void {
  const numbers = `${formatCount(deletions)} of ${formatCount(liveFiles)} live files`;
  if (files === 0) {
    throw new VitrineError(
      "guard_refused",
      "The snapshot is empty: publishing it would take everything off line. Nothing was written; build again.",
    );
  }
  const share = liveFiles === 0 ? 0 : deletions / liveFiles;
  if ((deletions <= MOST_DELETIONS && share <= MOST_SHARE) || deletions <= allowed) return;
  throw new VitrineError(
    "guard_refused",
    `Publishing would delete ${numbers} (${(share * 100).toFixed(0)} %): more than ${formatCount(MOST_DELETIONS)} files ` +
      `or ${MOST_SHARE * 100} % at once is refused. Nothing was written. If it is meant, say so with --allow-shrink ${deletions}.`,
  );
}

/** @throws VitrineError guard_refused */
export function guardProblems(problems: readonly string[]): void {
  if (problems.length === 0) return;
  const shown = problems.slice(0, 5).map((problem) => `\n  ${problem}`);
  throw new VitrineError(
    "guard_refused",
    `The snapshot does not pass vitrine check, ${formatCount(problems.length)} things are wrong:${shown.join("")}\n` +
      "Nothing was written. Build again, then publish.",
  );
}

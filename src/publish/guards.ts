/** Refusals before any write: what looks like an accident is not published. Pure. */
import { VitrineError } from "../base/error.ts";
import { formatCount } from "../base/log.ts";

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

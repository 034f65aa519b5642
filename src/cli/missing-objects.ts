/** Describes the objects that a place has lost. */
import type { ObjectsCount } from "../publish/lost-objects.ts";

/** At most this many are listed. */
const MOST_NAMED = 5;

/** Says what is missing and what to do; null if nothing is missing. */
export function describeMissing({ missing, releases, isLive }: ObjectsCount, url: string): string | null {
  if (missing === 0) return null;
  const objects = missing === 1 ? "1 object is missing" : `${missing} objects are missing`;
  const repair = `vitrine publish --to ${url} --repair`;
  const older = releases.slice(isLive ? 1 : 0);
  const named = older.slice(0, MOST_NAMED).join(", ");
  const more = older.length > MOST_NAMED ? `, and ${older.length - MOST_NAMED} more` : "";
  const cannotGoBack = older.length === 0 ? "" : ` No rollback can reach ${named}${more}.`;
  if (isLive) {
    return (
      `${objects} in ${url} that the live release needs: a fallback that starts now cannot fetch it.${cannotGoBack} ` +
      `Run ${repair}: it puts back what the live release needs, and drops older releases that stay incomplete.`
    );
  }
  return (
    `${objects} in ${url} that only older releases need.${cannotGoBack} Restore them from the bucket's versions, ` +
    `or run ${repair}: it drops these releases.`
  );
}

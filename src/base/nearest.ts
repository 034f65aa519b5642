/** "Did you mean": the one rule for how near a name must be to be suggested. */
import { closest, distance } from "fastest-levenshtein";

/** The known name that is most like a wrong one, or null if none is near. */
export function nearestName(wrong: string, known: readonly string[]): string | null {
  if (known.length === 0) return null;
  const nearest = closest(wrong, known);
  return distance(wrong, nearest) <= Math.max(2, nearest.length / 3) ? nearest : null;
}

/** The end of a message about a wrong name: `Did you mean review?`, or all known names. */
export function didYouMean(wrong: string, known: readonly string[], show = (name: string) => name): string {
  const near = nearestName(wrong, known);
  return near === null ? `Known are ${known.map(show).join(", ")}.` : `Did you mean ${show(near)}?`;
}

/** "Did you mean": the one rule for how near a name must be to be suggested. */
import { closest, distance } from "fastest-levenshtein";

/** The known name that is most like a wrong one, or null if none is near. */
export function nearestName(wrong: string, known: readonly string[]): string | null {
  if (known.length === 0) return null;
  const nearest = closest(wrong, known);
  return distance(wrong, nearest) <= Math.max(2, nearest.length / 2) ? nearest : null;
}

/**
 * "Did you mean": the one rule for how near a name must be to be suggested, and the distance of two words. An edit adds, drops or
 * replaces a letter, or swaps two neighbours (optimal string alignment).
 */
import { itemAt } from "./arrays.ts";

/** The known name that is most like a wrong one, or null if none is near. */
export function nearestName(wrong: string, known: readonly string[]): string | null {
  let nearest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const most = Math.max(2, name.length / 3);
    // Each letter that one has more is an edit: a long text from outside costs nothing.
    const edits = Math.abs(name.length - wrong.length) > most ? least : editsBetween(wrong, name);
    if (edits >= least || edits > most) continue;
    nearest = name;
    least = edits;
  }
  return nearest;
}

/** The end of a message about a wrong name: `Did you mean review?`, or all known names. */
export function didYouMean(wrong: string, known: readonly string[], show = (name: string) => name): string {
  const near = nearestName(wrong, known);
  return near === null ? `Known are ${known.map(show).join(", ")}.` : `Did you mean ${show(near)}?`;
}

function editsBetween(word: string, candidate: string): number {
  const rows = [firstRow(word)];
  for (let depth = 0; depth < candidate.length; depth++) addRow(rows, depth, word, candidate, 0);
  return itemAt(itemAt(rows, candidate.length), word.length);
}

/** The distance table's row of the empty beginning. More than 255 edits count as 255. */
export function firstRow(word: string): Uint8Array {
  return Uint8Array.from({ length: word.length + 1 }, (_, i) => Math.min(255, i));
}

/** Fills the row of the candidate's letter at `depth`; false if no longer beginning can be near enough. */
export function addRow(
  rows: Uint8Array[],
  depth: number,
  word: string,
  candidate: string,
  maxEdits: number,
): boolean {
  const above = itemAt(rows, depth);
  const twoAbove = rows[depth - 1];
  const row = rows[depth + 1] ?? new Uint8Array(word.length + 1);
  rows[depth + 1] = row;
  const letter = candidate.charCodeAt(depth);
  const letterBefore = depth > 0 ? candidate.charCodeAt(depth - 1) : -1;
  row[0] = Math.min(255, depth + 1);
  let least = row[0];
  for (let i = 1; i <= word.length; i++) {
    const same = word.charCodeAt(i - 1) === letter;
    let edits = Math.min(itemAt(above, i) + 1, itemAt(row, i - 1) + 1, itemAt(above, i - 1) + (same ? 0 : 1));
    const swapped = i > 1 && word.charCodeAt(i - 2) === letter && word.charCodeAt(i - 1) === letterBefore;
    if (swapped && twoAbove !== undefined) edits = Math.min(edits, itemAt(twoAbove, i - 2) + 1);
    row[i] = Math.min(255, edits);
    least = Math.min(least, edits);
  }
  return least <= maxEdits;
}

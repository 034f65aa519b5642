/** Which texts are keys of files in `site/`: whatever a remote names is checked with this before anything is put or deleted. */
import { queryOfKey, targetKey, targetOf } from "./key.ts";

/** Of any key. */
const MOST_LETTERS = 900;

/** True for a key that this version could have made: an answer's, a page's or a widget's. */
export function isSiteKey(text: string): boolean {
  if (text.length > MOST_LETTERS) return false;
  const query = queryOfKey(text);
  return targetKey(query === null ? `/${text}` : targetOf(query)) === text;
}

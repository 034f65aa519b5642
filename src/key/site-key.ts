/** Recognises keys of files in `site/`. Every key that a remote names is checked with this before anything is put or deleted. */
import { queryOfKey, targetKey, targetOf } from "./key.ts";

/** The longest possible key. */
const MAX_KEY_LENGTH = 900;

/** True for a key that this version could have made: an answer's, a page's or a widget's. */
export function isSiteKey(text: string): boolean {
  if (text.length > MAX_KEY_LENGTH) return false;
  const query = queryOfKey(text);
  return targetKey(query === null ? `/${text}` : targetOf(query)) === text;
}

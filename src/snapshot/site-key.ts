/** Which texts are keys: asked of every key that a remote names, before anything is read, put or deleted there. */
import { isHostFile } from "../hosts/hosts.ts";
import { queryOfKey, targetKey, targetOf } from "../key/key.ts";

/** Of any key: what `src/key` allows. */
const MOST_LETTERS = 900;

/** True for a key that this version could have made: an answer's, a page's, a widget's, or a file of a host. */
export function isSiteKey(text: string): boolean {
  if (text.length > MOST_LETTERS) return false;
  if (isHostFile(text)) return true;
  const query = queryOfKey(text);
  return targetKey(query === null ? `/${text}` : targetOf(query)) === text;
}

/** The content type of a key, for all that serve or publish one; scripts/edge/bundle.ts gives the Worker its table from here. */
import { extname } from "node:path";
import { contentType } from "mime-types";

/** JSON, a line for each record: in wide use, and not registered yet. */
const JSON_LINES = "application/jsonl; charset=utf-8";

/** By the key's extension; null where that says nothing. `contentType` takes a path with slashes for a type itself. */
export function contentTypeOf(key: string): string | null {
  const extension = extname(key);
  return extension === ".jsonl" ? JSON_LINES : contentType(extension) || null;
}

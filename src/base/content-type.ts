/** The content type of a key, for all that serve or publish one; scripts/edge/bundle.ts gives the Worker its table from here. */
import { extname } from "node:path";
import { contentType } from "mime-types";

/** By the key's extension; null where that says nothing. `contentType` takes a path with slashes for a type itself. */
export function contentTypeOf(key: string): string | null {
  return contentType(extname(key)) || null;
}

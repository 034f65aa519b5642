/** The content type of a key, for all code that serves or publishes one; scripts/edge/bundle.ts makes the Worker's table from it. */
import { extname } from "node:path";
import { contentType } from "mime-types";

/** By the key's extension; null if that is unknown. Only the extension is passed on: `contentType` takes a path with slashes for a type. */
export function contentTypeOf(key: string): string | null {
  return contentType(extname(key)) || null;
}

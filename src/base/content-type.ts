/** The content type of a key, for all that serve or publish one; scripts/edge/bundle.ts gives the Worker its table from here. */
import { extname } from "node:path";
import { contentType } from "mime-types";

/** Those that the package does not know: JSON, a line for each record, is in wide use and not registered yet. */
const TYPES: Readonly<Record<string, string>> = {
  ".jsonl": "application/jsonl; charset=utf-8",
  ".parquet": "application/vnd.apache.parquet",
};

/** By the key's extension; null where that says nothing. `contentType` takes a path with slashes for a type itself. */
export function contentTypeOf(key: string): string | null {
  const extension = extname(key);
  return TYPES[extension] ?? (contentType(extension) || null);
}

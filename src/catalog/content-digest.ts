/** The digest of a catalog's content. */
import { hash } from "node:crypto";
import type { RecordDigests } from "./record-digests.ts";
import { RESOURCES } from "./resources.ts";

/** The content digest of a catalog, from the digest of its rows and its meta. */
export function digestOfContent(rows: string, meta: readonly (readonly [string, string])[]): string {
  return hash("sha256", JSON.stringify([rows, meta]));
}

/**
 * One digest of all rows of a catalog, whatever the order in which they were put. Only digests of digests in a fixed order are that:
 * docs/decisions/sets.md says why no sum is.
 */
export function digestOfRows(digests: Pick<RecordDigests, "of">): string {
  return hash("sha256", RESOURCES.map(({ name }) => `${name} ${digests.of(name).whole}\n`).join(""));
}

/** The meta that is part of a catalog's digest: everything except digests and the time it was made. */
export function contentMeta(meta: Iterable<readonly [string, string]>): (readonly [string, string])[] {
  return [...meta]
    .filter(([name]) => !["digest", "generated_at", "files"].includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

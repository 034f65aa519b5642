/** The first publish to a place: what stands there in the way is somebody else's, and is not replaced without a word. */
import { VitrineError } from "../base/error.ts";
import type { Manifest } from "../snapshot/manifest.ts";
import type { Bucket } from "./bucket.ts";
import { readState } from "./state.ts";

/** So many are named. */
const NAMED = 10;

/** First parts of keys: `api/`, and whole keys that have no folder. */
function rootsOf(manifest: Manifest): string[] {
  const roots = new Set<string>();
  for (const { key } of manifest.entries()) roots.add(key.slice(0, key.indexOf("/") + 1) || key);
  return [...roots];
}

/** Refuses where foreign objects would be replaced. @throws VitrineError guard_refused */
export async function guardForeign(bucket: Bucket, manifest: Manifest): Promise<void> {
  const found: string[] = [];
  const ours = { roots: rootsOf(manifest), has: (key: string) => manifest.get(key) !== undefined };
  for await (const key of bucket.inTheWay(ours)) {
    found.push(key);
    if (found.length > NAMED) break;
  }
  if (found.length === 0) return;
  // Another publisher's first release, begun since we looked, is not foreign: its lock tells the rest.
  const { live, journal } = await readState(bucket, () => false);
  if (live !== null || journal !== null) return;
  const more = found.length > NAMED ? "\n  and more" : "";
  throw new VitrineError(
    "guard_refused",
    `Nothing was ever published to ${bucket.url}, but objects of others stand where this would put its own:` +
      `${found
        .slice(0, NAMED)
        .map((key) => `\n  ${key}`)
        .join("")}${more}\n` +
      "Nothing was written. Publish to another prefix, or say with --adopt that they may be replaced.",
  );
}

/** Refusals before any write: what looks like an accident, or would replace what others put there, is not published. */

import { VitrineError } from "../base/error.ts";
import { itemAt } from "../base/item-at.ts";
import { openCatalog } from "../catalog/catalog.ts";
import type { Manifest } from "../snapshot/manifest.ts";
import { countDeepPages, guardShrink } from "../snapshot/shrink.ts";
import type { Bucket } from "./bucket.ts";
import type { Changes } from "./changes.ts";
import type { Publication, Snapshot } from "./ports.ts";
import { readState } from "./state.ts";

/** So many of others' objects are named. */
const NAMED = 10;

/** First parts of keys: `api/`, and whole keys that have no folder. */
function rootsOf(manifest: Manifest): string[] {
  const roots = new Set<string>();
  for (const { key } of manifest.entries()) roots.add(key.slice(0, key.indexOf("/") + 1) || key);
  return [...roots];
}

/** At a first publish, objects of others that would be replaced. */
async function guardForeign(bucket: Bucket, manifest: Manifest): Promise<void> {
  const found: string[] = [];
  const ours = { roots: rootsOf(manifest), has: (key: string) => manifest.get(key) !== undefined };
  for await (const key of bucket.inTheWay?.(ours) ?? []) {
    found.push(key);
    if (found.length > NAMED) break;
  }
  if (found.length === 0) return;
  // Another publisher's first release, begun since we looked, is not foreign: its lock tells the rest.
  const { live, journal } = await readState(bucket, () => false);
  if (live !== null || journal !== null) return;
  const named = found.slice(0, NAMED).map((key) => `\n  ${key}`);
  const more = found.length > NAMED ? "\n  and more" : "";
  throw new VitrineError(
    "guard_refused",
    `Nothing was ever published to ${bucket.url}, but objects of others stand where this would put its own:` +
      `${named.join("")}${more}\n` +
      "Nothing was written. Publish to another prefix, or say with --adopt that they may be replaced.",
  );
}

/** The rest of a snapshot is looked at by vitrine check; what is put, while it is read. */
function guardCatalog({ layout, manifest }: Snapshot): void {
  const catalog = openCatalog(layout.catalog);
  catalog.close();
  if (catalog.digest === manifest.meta["catalog_digest"]) return;
  throw new VitrineError(
    "guard_refused",
    `${layout.catalog} is not the catalog that the snapshot was made of. Nothing was written. Build again, then publish.`,
  );
}

/** @throws VitrineError guard_refused */
export async function guardPublication(
  { snapshot, options, ports, state }: Publication,
  changes: Changes,
): Promise<void> {
  if (state.live === null && state.journal === null && !options.adopt)
    await guardForeign(ports.bucket, snapshot.manifest);
  guardShrink({
    what: "Publishing",
    liveFiles: state.live === null ? 0 : itemAt(state.live.pointer.releases, 0).files,
    files: snapshot.manifest.totals().files,
    deletions: Math.max(0, changes.counts.deleted - countDeepPages(changes.deletions())),
    allowed: options.allowShrink,
  });
  guardCatalog(snapshot);
}

/** What differs from the live release, whatever that is: by a merge of both manifests. It makes a new base. */
import { join } from "node:path";
import { type ChangeCounts, type Changes, type Collector, collectChanges } from "./changes.ts";
import { type Change, compareManifests, keysWithout } from "./compare.ts";
import { createHeaderMaker } from "./headers.ts";
import type { Publication } from "./ports.ts";
import { createReleaseManifest } from "./release-manifest.ts";
import { fetchLiveEntries, fetchTouched } from "./state.ts";

type Counts = { -readonly [Name in Exclude<keyof ChangeCounts, "putBytes">]: number };

/** Takes changes in order of key, and makes the next release's manifest of them. */
async function takeAll(changes: AsyncIterable<Change>, into: Collector, file: string): Promise<Counts> {
  const counts: Counts = { new: 0, changed: 0, headers: 0, uncertain: 0, deleted: 0, kept: 0 };
  const manifest = createReleaseManifest(file);
  for await (const change of changes) {
    counts[change.kind] += 1;
    if (change.kind === "deleted") {
      into.delete(change.key);
      continue;
    }
    await manifest.add(change.entry);
    if (change.kind !== "kept") into.put(change.entry, change.kind === "new" || change.kind === "uncertain");
  }
  await manifest.finish();
  return counts;
}

/** Compares with the live release, and with whatever a publish that was cut off may have touched. */
export async function changesByManifests(
  { snapshot, ports, state }: Publication,
  folder: string,
): Promise<Changes> {
  const { bucket } = ports;
  const { manifest } = snapshot;
  const released = await fetchLiveEntries(bucket, state.live, folder);
  const left = state.journal?.journal ?? null;
  const uncertain = new Set(left?.keys ?? []);
  const touched = left === null ? [] : await fetchTouched(bucket, left, folder);
  const differences = compareManifests({
    local: manifest.entries(),
    released: released(),
    headersOf: createHeaderMaker(snapshot.config).digestOf,
    isUncertain: left?.keys === null ? () => true : (key) => uncertain.has(key),
  });
  async function* present() {
    yield* manifest.entries();
  }
  return collectChanges(async (into) => {
    const file = join(into.folder, "manifest.tsv.gz");
    const counts = await takeAll(differences, into, file);
    // Keys that a publish which was cut off may have put.
    for await (const key of keysWithout(touched, present)) into.delete(key);
    return { counts, form: { kind: "base", file } };
  });
}

/** What differs from the live release, whatever that is: by a merge of both manifests. It makes a new base. */
import { join } from "node:path";
import { type ChangeCounts, type Changes, type Collector, collectChanges } from "./changes.ts";
import { type Change, compareManifests, keysWithout } from "./compare.ts";
import { createHeaderMaker, headerPolicy } from "./headers.ts";
import { lacksLive } from "./lost-parts.ts";
import type { Publication } from "./ports.ts";
import { createReleaseManifest, type ReleasedEntry } from "./release-manifest.ts";
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

/**
 * What is live: where the bucket has lost what says it, a snapshot of the same content does; else nothing, and everything is
 * put.
 */
async function findReleased(
  publication: Publication,
  folder: string,
): Promise<() => AsyncGenerator<ReleasedEntry>> {
  const { snapshot, ports, state, options } = publication;
  const live = state.live?.pointer;
  const { manifest, config } = snapshot;
  const isSame = live?.content === manifest.meta["content"] && live?.headerPolicy === headerPolicy(config);
  // What goes at once need not be what it should be.
  const isUnread = lacksLive(publication) || (options.alone === true && isSame);
  if (!isUnread) return fetchLiveEntries(ports.bucket, state.live, folder);
  const headers = createHeaderMaker(config);
  return async function* () {
    if (!isSame) return;
    for (const entry of manifest.entries()) yield { ...entry, headers: headers.digestOf(entry.key) };
  };
}

/** Compares with the live release, and with whatever a publish that was cut off may have touched. */
export async function changesByManifests(publication: Publication, folder: string): Promise<Changes> {
  const { snapshot, ports, state } = publication;
  const { bucket } = ports;
  const { manifest } = snapshot;
  const released = await findReleased(publication, folder);
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

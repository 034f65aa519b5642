/** What stands in a bucket: the live release, and what an earlier publish left behind. */
import { VitrineError } from "../base/error.ts";
import { itemAt } from "../base/item-at.ts";
import { type Bucket, JOURNAL_KEY, manifestKey, POINTER_KEY } from "./bucket.ts";
import type { KeyRuns } from "./compare.ts";
import { type Journal, type Part, type Pointer, parseJournal, parsePointer } from "./documents.ts";
import { fetchManifest } from "./fetch-release.ts";
import { chainOf } from "./parts.ts";
import type { ReleasedEntry } from "./release-manifest.ts";

export interface FoundPointer {
  readonly pointer: Pointer;
  readonly etag: string;
}

export interface FoundJournal {
  readonly journal: Journal;
  readonly etag: string;
  /** Its holder is at work, as far as anybody can tell. */
  readonly alive: boolean;
}

export interface State {
  readonly live: FoundPointer | null;
  readonly journal: FoundJournal | null;
}

export async function readPointer(bucket: Bucket): Promise<FoundPointer | null> {
  const found = await bucket.get(POINTER_KEY);
  return found === null
    ? null
    : { pointer: parsePointer(found.body, `${bucket.url}/${POINTER_KEY}`), etag: found.etag };
}

/** Two requests, however large the release. */
export async function readState(bucket: Bucket, isGone: (journal: Journal) => boolean): Promise<State> {
  const [live, found] = await Promise.all([readPointer(bucket), bucket.get(JOURNAL_KEY)]);
  if (found === null) return { live, journal: null };
  const journal = parseJournal(found.body, `${bucket.url}/${JOURNAL_KEY}`);
  // A time that is far ahead is no reason to wait for it.
  const alive = Math.abs(found.ageSeconds) < journal.leaseSeconds && !isGone(journal);
  return { live, journal: { journal, etag: found.etag, alive } };
}

/** The live release, and the etag of its pointer. @throws VitrineError usage where nothing was published */
export async function readFoundLive(bucket: Bucket): Promise<FoundPointer> {
  const live = await readPointer(bucket);
  if (live !== null) return live;
  throw new VitrineError(
    "usage",
    `Nothing was published to ${bucket.url} yet. Run vitrine publish --to it first.`,
  );
}

/** The live release. @throws VitrineError usage where nothing was published */
export async function readLive(bucket: Bucket): Promise<Pointer> {
  return (await readFoundLive(bucket)).pointer;
}

async function* nothing(): AsyncGenerator<ReleasedEntry> {}

/** The live release's entries; none before the first. @throws VitrineError remote_failed where its manifest is gone */
export async function fetchLiveEntries(
  bucket: Bucket,
  live: FoundPointer | null,
  folder: string,
): Promise<() => AsyncGenerator<ReleasedEntry>> {
  if (live === null) return nothing;
  const chain = chainOf(live.pointer.parts, live.pointer.release);
  const entries = await fetchManifest(bucket, chain, folder);
  if (entries !== null) return entries;
  throw new VitrineError(
    "remote_failed",
    `${bucket.url}/${manifestKey(itemAt(chain, 0).id)} is missing, and with it what is live. Somebody deleted it: publish to an ` +
      "empty prefix, or restore it from the bucket's versions.",
  );
}

/** What a publish that was cut off may have touched: from its journal, and from manifests where those keys are too many. */
export async function fetchTouched(bucket: Bucket, journal: Journal, folder: string): Promise<KeyRuns> {
  const { keys, fromParts, attempted } = journal;
  if (keys !== null) {
    return [
      async function* () {
        yield* keys;
      },
    ];
  }
  const runs: (() => AsyncIterable<string>)[] = [];
  const tried = attempted.map((id): Part[] => [{ id, kind: "base", sizeBytes: 0 }]);
  for (const chain of [...(fromParts.length === 0 ? [] : [fromParts]), ...tried]) {
    const entries = await fetchManifest(bucket, chain, folder);
    // No manifest: that attempt died before its first put.
    if (entries === null) continue;
    runs.push(async function* () {
      for await (const { key } of entries()) yield key;
    });
  }
  return runs;
}

/** What stands in a bucket: the live release, and what an earlier publish left behind. */
import { join } from "node:path";
import { VitrineError } from "../base/error.ts";
import { type Bucket, JOURNAL_KEY, manifestKey, POINTER_KEY } from "./bucket.ts";
import { type Journal, type Pointer, parsePointer } from "./documents.ts";
import { type FoundJournal, readFoundJournal } from "./lease.ts";
import { type ReleasedEntry, readReleaseManifest } from "./release-manifest.ts";

export interface FoundPointer {
  readonly pointer: Pointer;
  readonly etag: string;
}

export interface State {
  readonly live: FoundPointer | null;
  readonly journal: FoundJournal | null;
}

export async function readPointer(bucket: Bucket): Promise<FoundPointer | null> {
  const found = await bucket.get(POINTER_KEY);
  return found === null ? null : { pointer: parsePointer(found.body), etag: found.etag };
}

/** Two requests, however large the release. */
export async function readState(bucket: Bucket, isGone: (journal: Journal) => boolean): Promise<State> {
  const [live, journal] = await Promise.all([readPointer(bucket), bucket.get(JOURNAL_KEY)]);
  return { live, journal: readFoundJournal(journal, isGone) };
}

/** The live release. @throws VitrineError usage where nothing was published */
export async function readLive(bucket: Bucket): Promise<Pointer> {
  const live = await readPointer(bucket);
  if (live !== null) return live.pointer;
  throw new VitrineError(
    "usage",
    `Nothing was published to ${bucket.url} yet. Run vitrine publish --to it first.`,
  );
}

async function* nothing(): AsyncGenerator<ReleasedEntry> {}

/**
 * Fetches a release's manifest to a folder; the function then reads it, as often as wanted. Null where there is none.
 */
export async function fetchManifest(
  bucket: Bucket,
  release: string,
  folder: string,
): Promise<(() => AsyncGenerator<ReleasedEntry>) | null> {
  const file = join(folder, `${release}.tsv.gz`);
  return (await bucket.getFile(manifestKey(release), file)) ? () => readReleaseManifest(file) : null;
}

/** The live release's entries; none before the first. @throws VitrineError remote_failed where its manifest is gone */
export async function fetchLiveEntries(
  bucket: Bucket,
  live: FoundPointer | null,
  folder: string,
): Promise<() => AsyncGenerator<ReleasedEntry>> {
  if (live === null) return nothing;
  const { release } = live.pointer;
  const entries = await fetchManifest(bucket, release, folder);
  if (entries !== null) return entries;
  throw new VitrineError(
    "remote_failed",
    `${bucket.url}/${manifestKey(release)} is missing, so nobody knows what is live. Somebody deleted it: publish to an ` +
      "empty prefix, or restore it from the bucket's versions.",
  );
}

/** The live release of a bucket, for followers. */
import { VitrineError } from "../base/error.ts";
import { MAX_CONTENT_BYTES } from "../release/objects.ts";
import { MAX_INDEX_BYTES, type ReleaseIndex } from "../release/release-index.ts";
import type { FoundRelease, ReleaseSource } from "../release/source.ts";
import type { PlaceReader } from "./bucket.ts";
import { readPointer, refuseNewer } from "./documents.ts";
import { fetchNeeded, readIndex } from "./fetch-release.ts";

/** @param mostBytes of an object's content, if the follower has less memory than others */
export function releaseSource(
  bucket: PlaceReader,
  pollMilliseconds = 5000,
  mostBytes: number = MAX_CONTENT_BYTES,
): ReleaseSource {
  let found: FoundRelease | null = null;
  let refused: { readonly index: string; readonly error: unknown } | null = null;
  return {
    pollMilliseconds,
    async find() {
      const current = await readPointer(bucket);
      // Not a usage error, unlike for commands that work on releases: a follower may start before the first publish.
      if (current === null)
        throw new VitrineError(
          "remote_failed",
          `Nothing was published to ${bucket.url} yet. Run vitrine publish --to it.`,
        );
      const { pointer, etag } = current;
      // A proxy may remove the ETag; each publish has a unique attempt, too.
      const version = etag === "" ? pointer.attempt : etag;
      if (found?.version === version) return found;
      const [live] = pointer.releases;
      if (live === undefined) throw new Error("The pointer names no release");
      refuseNewer(live, bucket.url);
      // An index that was refused never becomes valid: do not fetch it at every poll. A missing or damaged object may be restored.
      if (refused?.index === live.index) throw refused.error;
      const content = await fetchNeeded(bucket, live.index, Math.min(mostBytes, MAX_INDEX_BYTES));
      let index: ReleaseIndex;
      try {
        index = readIndex(bucket, live.index, content);
      } catch (error) {
        refused = { index: live.index, error };
        throw error;
      }
      const { catalog, lists } = index;
      found = {
        id: live.id,
        version,
        name: `release ${live.id}`,
        catalog,
        lists,
        async read(resource, partition) {
          const name = lists[resource][partition] ?? null;
          return name === null ? Buffer.alloc(0) : await fetchNeeded(bucket, name, mostBytes);
        },
      };
      return found;
    },
  };
}

/** The live release of a bucket, for followers. */
import { VitrineError } from "../base/error.ts";
import { MOST_INDEX_BYTES, type ReleaseIndex } from "../release/release-index.ts";
import type { FoundRelease, ReleaseSource } from "../release/source.ts";
import type { Bucket } from "./bucket.ts";
import { readPointer, refuseNewer } from "./documents.ts";
import { fetchNeeded, readIndex } from "./fetch-release.ts";

export function releaseSource(bucket: Bucket, pollMilliseconds = 5000): ReleaseSource {
  let found: FoundRelease | null = null;
  let refused: { readonly index: string; readonly error: unknown } | null = null;
  return {
    pollMilliseconds,
    async find() {
      const current = await readPointer(bucket);
      // A follower may be there first: no usage error, unlike for a command that works on releases.
      if (current === null)
        throw new VitrineError(
          "remote_failed",
          `Nothing was published to ${bucket.url} yet. Run vitrine publish --to it.`,
        );
      const { pointer, etag } = current;
      // A proxy may take the ETag away: each publish is an attempt of its own, too.
      const version = etag === "" ? pointer.attempt : etag;
      if (found?.version === version) return found;
      const [live] = pointer.releases;
      if (live === undefined) throw new Error("The pointer names no release");
      refuseNewer(live, bucket.url);
      // Content that has this name is wrong for ever: it is not fetched at every look. Other content may have come by accident.
      if (refused?.index === live.index) throw refused.error;
      const content = await fetchNeeded(bucket, live.index, MOST_INDEX_BYTES);
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
          return name === null ? Buffer.alloc(0) : await fetchNeeded(bucket, name);
        },
      };
      return found;
    },
  };
}

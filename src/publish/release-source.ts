/** The live release of a bucket, as a source of catalogs: its deltas where they lead on from one, else all of it. */
import type { Bucket } from "./bucket.ts";
import { readFoundLive, refuseNewer } from "./documents.ts";
import { fetchCatalog, fetchDeltas } from "./fetch-release.ts";
import { releaseCatalog } from "./releases.ts";

/** What a fallback polls; its type is that of serve/catalog-source.ts. */
export function releaseSource(bucket: Bucket, pollMilliseconds = 5000) {
  return {
    pollMilliseconds,
    async find() {
      const { pointer, etag } = await readFoundLive(bucket);
      refuseNewer(pointer.releases[0], bucket.url);
      const named = releaseCatalog(pointer, pointer.release);
      return {
        id: pointer.release,
        version: etag,
        name: `release ${pointer.release}`,
        digest: named.digest,
        async deltasSince({ id }: { readonly id: string }, folder: string): Promise<string[] | null> {
          const at = named.chain.findIndex((part) => part.id === id);
          if (at < 0) return null;
          const deltas = await fetchDeltas(bucket, named.chain.slice(at), folder);
          return deltas.map(({ file }) => file);
        },
        fetchTo: (file: string) => fetchCatalog(bucket, named, file),
      };
    },
  };
}

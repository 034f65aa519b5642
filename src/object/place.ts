/** A place in R2, as followers read it. Nothing in it is trusted: its readers check names, digests and schemas. */
import { messageOf, VitrineError } from "../base/error.ts";
import { type PlaceReader, tooLong } from "../publish/bucket.ts";
import { MOST_BYTES } from "./bounds.ts";
import type { R2 } from "./platform.ts";

export function placeIn(bucket: R2): PlaceReader {
  const url = "r2:SITE";
  return {
    url,
    async get(key) {
      try {
        const object = await bucket.get(key);
        if (object === null) return null;
        if (object.size > MOST_BYTES) throw tooLong(url, key, MOST_BYTES);
        return { body: Buffer.from(await object.arrayBuffer()), etag: object.etag };
      } catch (error) {
        if (error instanceof VitrineError) throw error;
        throw new VitrineError("remote_failed", `${url}/${key} cannot be read: ${messageOf(error)}.`, {
          cause: error,
        });
      }
    },
  };
}

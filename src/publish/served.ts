/** What a bucket or a public address really serves, against a release's manifest. */
import { hash } from "node:crypto";
import pMap from "p-map";
import { etagOf } from "../catalog/envelope.ts";
import { isStamped } from "../contract/validator.ts";
import { queryOfKey, targetOf } from "../key/key.ts";
import type { Bucket, ObjectHead } from "./bucket.ts";
import type { ReleasedEntry } from "./release-manifest.ts";

/** An object as it is served; null where it is not. */
interface Served {
  readonly body: Buffer;
  readonly head: ObjectHead | null;
}
export type Reader = (key: string) => Promise<Served | null>;

export interface Expectation {
  readonly entry: Pick<ReleasedEntry, "key" | "digest" | "etag">;
  /** Content type that it must have; null where nothing says. */
  readonly contentType: string | null;
}

export function readBucket(bucket: Bucket): Reader {
  return async (key) => {
    const found = await bucket.get(key);
    return found === null ? null : { body: found.body, head: await bucket.head(key) };
  };
}

/** Reads as a client does: at the request's own address, past no cache. */
export function readPublic(origin: string): Reader {
  return async (key) => {
    const query = queryOfKey(key);
    const answer = await fetch(origin + (query === null ? `/${key}` : targetOf(query)), {
      signal: AbortSignal.timeout(20_000),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (!answer.ok) return null;
    const head = {
      contentType: answer.headers.get("content-type") ?? "",
      cacheControl: answer.headers.get("cache-control") ?? "",
      metadata: {},
      sizeBytes: body.length,
    };
    return { body, head };
  };
}

/** What is wrong with one object, or null. The fallback may have answered: then only `generated_at` differs. */
function compareServed({ entry, contentType }: Expectation, served: Served | null): string | null {
  if (served === null) return `${entry.key}: is not served`;
  const { body, head } = served;
  const same =
    hash("sha256", body, "hex") === entry.digest ||
    etagOf({ bytes: body, stamped: isStamped(entry.key) }) === entry.etag;
  if (!same) return `${entry.key}: other bytes are served than the release's`;
  if (contentType === null || head === null || head.contentType === contentType) return null;
  return `${entry.key}: its content type is ${head.contentType || "missing"}, not ${contentType}`;
}

/** Problems of all expectations, in no order. */
export async function checkServed(
  expectations: AsyncIterable<Expectation> | Iterable<Expectation>,
  read: Reader,
  progress: (done: number) => void,
): Promise<{ readonly key: string; readonly problem: string }[]> {
  let done = 0;
  const problems: { key: string; problem: string }[] = [];
  await pMap(
    expectations,
    async (expectation) => {
      const { key } = expectation.entry;
      const problem = await read(key).then(
        (served) => compareServed(expectation, served),
        (error: unknown) => `${key}: ${error instanceof Error ? error.message : String(error)}`,
      );
      if (problem !== null) problems.push({ key, problem });
      done += 1;
      progress(done);
    },
    { concurrency: 16 },
  );
  return problems;
}

/** Every n-th of a list, `size` in all: the same list gives the same sample. */
export function sampleOf<Item>(items: readonly Item[], size: number): Item[] {
  if (items.length <= size) return [...items];
  return Array.from({ length: size }, (_, at) => items[Math.floor((at * items.length) / size)] as Item);
}

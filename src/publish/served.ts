/** What a bucket or a public address really serves, against a release's manifest. */
import { hash } from "node:crypto";
import pMap from "p-map";
import { isStamped } from "../api/validator.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { etagOf } from "../catalog/envelope.ts";
import { queryOfKey, targetOf } from "../key/key.ts";
import type { Bucket, ObjectHead } from "./bucket.ts";
import { type Deadline, withDeadline } from "./deadline.ts";
import type { ReleasedEntry } from "./release-manifest.ts";
import { type RetryPolicy, withRetries } from "./retry.ts";

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

const PUBLIC_RETRIES: RetryPolicy = {
  attempts: 3,
  baseMilliseconds: 200,
  maxMilliseconds: 2000,
  callMilliseconds: 20_000,
  budgetMilliseconds: 30_000,
};
/** No answer of ours is nearly as long. */
const MOST_BODY_BYTES = 64 * 1024 * 1024;

async function fetchWhole(url: string, { signal, moved }: Deadline) {
  const answer = await fetch(url, { signal });
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of answer.body ?? []) {
    sizeBytes += piece.length;
    if (sizeBytes > MOST_BODY_BYTES) throw new Error(`${url} does not end`);
    moved(piece.length);
    pieces.push(piece);
  }
  return { answer, body: Buffer.concat(pieces) };
}

/** Reads as a client does: at the request's own address, past no cache. */
export function readPublic(origin: string, change: Partial<RetryPolicy> = {}): Reader {
  const retries = { ...PUBLIC_RETRIES, ...change };
  return async (key) => {
    const query = queryOfKey(key);
    const url = origin + (query === null ? `/${key}` : targetOf(query));
    const { answer, body } = await withRetries(
      retries,
      () => true,
      () => withDeadline(retries.callMilliseconds, (deadline) => fetchWhole(url, deadline)),
    );
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

const CONCURRENCY = 16;

/**
 * Problems of all expectations, in no order.
 * @throws VitrineError remote_failed where nothing answers any more: to ask for the rest would take hours
 */
export async function checkServed(
  expectations: AsyncIterable<Expectation> | Iterable<Expectation>,
  read: Reader,
  progress: (done: number) => void,
): Promise<{ readonly key: string; readonly problem: string }[]> {
  let done = 0;
  let silent = 0;
  const problems: { key: string; problem: string }[] = [];
  await pMap(
    expectations,
    async (expectation) => {
      const { key } = expectation.entry;
      const problem = await read(key).then(
        (served) => {
          silent = 0;
          return compareServed(expectation, served);
        },
        (error: unknown) => {
          silent += 1;
          if (silent >= CONCURRENCY) throw goneError(key, error);
          return `${key}: ${messageOf(error)}`;
        },
      );
      if (problem !== null) problems.push({ key, problem });
      done += 1;
      progress(done);
    },
    { concurrency: CONCURRENCY },
  );
  return problems;
}

function goneError(key: string, cause: unknown): VitrineError {
  return new VitrineError(
    "remote_failed",
    `Nothing answers any more: ${CONCURRENCY} requests in a row failed, the last for ${key}: ${messageOf(cause)}. ` +
      "Look whether the address is right and reachable, and check again.",
    { cause },
  );
}

/** Every n-th of a list, `size` in all: the same list gives the same sample. */
export function sampleOf<Item>(items: readonly Item[], size: number): Item[] {
  if (items.length <= size) return [...items];
  return Array.from({ length: size }, (_, at) => items[Math.floor((at * items.length) / size)] as Item);
}

/**
 * Compare-and-set whose outcome is certain. A refusal may be the response to a repeated request whose first try went
 * through, and a 500 or a lost response says nothing: in both cases what stands there now is read.
 */
import { messageOf, VitrineError } from "../base/error.ts";
import type { Bucket, Condition, ConditionStyle, ObjectHeaders, StoredObject } from "./bucket.ts";
import { createAttempts } from "./retry.ts";

/** What the writer believes to stand there: the etag of what it read, or null for nothing. */
type Expected = string | null;

export type Outcome =
  | { readonly won: true; readonly etag: string }
  /** Somebody else's object stands there; null where it was deleted. */
  | { readonly won: false; readonly found: StoredObject | null };

/** `"abc"` → what the store takes in If-Match. */
function conditionOn(expected: Expected, style: ConditionStyle): Condition {
  if (expected === null) return { ifNoneMatch: "*" };
  return { ifMatch: style === "unquoted" ? expected.replaceAll('"', "") : expected };
}

export interface CompareAndSet {
  readonly key: string;
  /** Must be unique to the attempt: it is how the writer knows its own. */
  readonly body: Buffer;
  readonly headers: ObjectHeaders;
  readonly expected: Expected;
  readonly style: ConditionStyle;
}

/** Writes if nobody else did. @throws VitrineError remote_failed where the store does not let it be found out */
export async function compareAndSet(bucket: Bucket, write: CompareAndSet): Promise<Outcome> {
  const { key, body, headers, expected, style } = write;
  if (style === "none") {
    await bucket.put(key, body, headers);
    return { won: true, etag: (await bucket.get(key))?.etag ?? "" };
  }
  let cause: unknown;
  const attempts = createAttempts(bucket.retries);
  do {
    const outcome = await bucket.putIf(key, body, headers, conditionOn(expected, style));
    if (outcome.kind === "written") return { won: true, etag: outcome.etag };
    const found = await bucket.get(key);
    if (found?.body.equals(body)) return { won: true, etag: found.etag };
    if ((found?.etag ?? null) !== expected) return { won: false, found };
    // Nothing moved: a conflict with a write that failed, or a request that never arrived.
    if (outcome.kind === "unknown") cause = outcome.cause;
  } while (await attempts.again());
  const reason =
    cause === undefined
      ? "the store refuses a condition that holds. Was versioning of the bucket turned on or off? Some stores (Ceph) keep " +
        "no conditions then: use a bucket that never had it, or --single-publisher."
      : `${messageOf(cause)}. Publish again later; what was begun is then finished.`;
  throw new VitrineError("remote_failed", `${bucket.url}/${key} cannot be written: ${reason}`, { cause });
}

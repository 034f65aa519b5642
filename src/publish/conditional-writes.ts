/**
 * Conditional writes: compare-and-set with a certain outcome, and a probe whether a service honours conditions at all. A refusal may
 * be the response to a repeated request whose first try succeeded, and a 500 or a lost response proves nothing: in both cases the
 * object is read back.
 */
import { messageOf, VitrineError } from "../base/error.ts";
import { createAttempts } from "../base/retries.ts";
import {
  type Bucket,
  CONTROL,
  CONTROL_HEADERS,
  type Condition,
  type ConditionStyle,
  type ObjectHeaders,
  type StoredObject,
} from "./bucket.ts";

/** What the writer expects at the key: the etag that it read, or null for no object. */
type Expected = string | null;

export type Outcome =
  | { readonly won: true; readonly etag: string }
  /** Another writer's object is there; null if the object was deleted. */
  | { readonly won: false; readonly found: StoredObject | null };

/** `"abc"` → what the service takes in If-Match. */
function conditionOn(expected: Expected, style: ConditionStyle): Condition {
  if (expected === null) return { ifNoneMatch: "*" };
  return { ifMatch: style === "unquoted" ? expected.replaceAll('"', "") : expected };
}

export interface CompareAndSet {
  readonly key: string;
  /** Must be unique to the attempt, so that the writer recognises its own write. */
  readonly body: Buffer;
  readonly headers: ObjectHeaders;
  readonly expected: Expected;
  readonly style: ConditionStyle;
}

/** Writes if no other writer did. @throws VitrineError remote_failed if the outcome cannot be determined */
export async function compareAndSet(bucket: Bucket, write: CompareAndSet): Promise<Outcome> {
  const { key, body, headers, expected, style } = write;
  if (style === "none") {
    await bucket.put(key, body, headers);
    return { won: true, etag: "" };
  }
  if (expected === "") throw unversioned(bucket, key);
  let cause: unknown;
  const attempts = createAttempts(bucket.retries);
  do {
    const outcome = await bucket.putIf(key, body, headers, conditionOn(expected, style));
    if (outcome.kind === "written") return { won: true, etag: outcome.etag };
    const found = await bucket.get(key);
    if (found?.body.equals(body)) return { won: true, etag: found.etag };
    if ((found?.etag ?? null) !== expected) return { won: false, found };
    // Unchanged: a conflict with a write that failed, or a request that never arrived.
    if (outcome.kind === "unknown") cause = outcome.cause;
  } while (await attempts.again());
  // The bucket's own error already says what it means and what to do.
  if (cause instanceof VitrineError) throw cause;
  const reason =
    cause === undefined
      ? "the service refuses a condition that holds. Was versioning of the bucket turned on or off? Some services (Ceph) honour " +
        "no conditions then: use a bucket that never had it, or --single-publisher."
      : messageOf(cause);
  throw new VitrineError("remote_failed", `${bucket.url}/${key} cannot be written: ${reason}.`, { cause });
}

const STRANGER = "0123456789abcdef0123456789abcdef";

/**
 * Some services accept any condition and ignore it. Tries each kind on a scratch key, including those that must be refused, and
 * whether a deleted key can be created again.
 * @throws VitrineError conditions_ignored
 */
export async function probeConditions(bucket: Bucket, attempt: string): Promise<ConditionStyle> {
  const key = `${CONTROL}probe-${attempt}`;
  try {
    const style = await probeKey(bucket, key, attempt);
    await bucket.delete([key]);
    return style;
  } catch (error) {
    // Report the first error; deleting the scratch key is best effort.
    await bucket.delete([key]).catch(() => undefined);
    throw error;
  }
}

async function probeKey(bucket: Bucket, key: string, attempt: string): Promise<ConditionStyle> {
  let round = 0;
  let versioned = false;
  /**
   * True: written; false: refused. Asks again after an inconclusive response if nothing was written: a 503 or a lost response says
   * nothing about conditions. A service that goes on answering 409 means a refusal.
   */
  const writes = async (condition: Condition): Promise<boolean> => {
    round += 1;
    const body = Buffer.from(`${attempt} ${round}\n`);
    const attempts = createAttempts(bucket.retries);
    for (;;) {
      const outcome = await bucket.putIf(key, body, CONTROL_HEADERS, condition);
      if (outcome.kind === "written") {
        versioned ||= outcome.versioned === true;
        return true;
      }
      if ((await bucket.get(key))?.body.equals(body)) return true;
      if (outcome.kind === "refused") return false;
      if (await attempts.again()) continue;
      if (outcome.kind === "conflict") return false;
      throw outcome.cause;
    }
  };
  const findStyle = async (): Promise<ConditionStyle> => {
    if (await writes({ ifMatch: `"${STRANGER}"` })) throw ignored(bucket, "If-Match", versioned);
    const etag = (await bucket.get(key))?.etag ?? "";
    if (etag === "") throw unversioned(bucket, key);
    if (await writes({ ifMatch: etag })) return "quoted";
    if ((await writes({ ifMatch: etag.replaceAll('"', "") })) && !(await writes({ ifMatch: STRANGER })))
      return "unquoted";
    throw refuses(bucket, "If-Match", versioned);
  };
  if (!(await writes({ ifNoneMatch: "*" }))) throw refuses(bucket, "If-None-Match", versioned);
  if (await writes({ ifNoneMatch: "*" })) throw ignored(bucket, "If-None-Match", versioned);
  const style = await findStyle();
  await bucket.delete([key]);
  if (!(await writes({ ifNoneMatch: "*" }))) throw keepsMarkers(bucket);
  return style;
}

const WAYS_OUT = "promise with --single-publisher that no one else publishes there.";

/** Without an ETag the write cannot say which version it replaces. */
function unversioned(bucket: Bucket, key: string): VitrineError {
  return new VitrineError(
    "conditions_ignored",
    `${bucket.url}/${key} comes without an ETag: two publishers at once could overwrite each other. A proxy may remove it from ` +
      `responses: ask the service itself, or ${WAYS_OUT}`,
  );
}

function ignored(bucket: Bucket, condition: string, versioned: boolean): VitrineError {
  return unusable(bucket, `ignores ${condition}`, versioned);
}

function refuses(bucket: Bucket, condition: string, versioned: boolean): VitrineError {
  return unusable(bucket, `refuses ${condition} where it holds`, versioned);
}

function unusable({ url }: Bucket, does: string, versioned: boolean): VitrineError {
  const service = versioned
    ? "The bucket has versioning on, and some services (Ceph) then do this. Use a bucket that never had it"
    : "Use a service with conditional writes";
  return new VitrineError(
    "conditions_ignored",
    `${url} ${does}: two publishers at once could overwrite each other. ${service}, or ${WAYS_OUT}`,
  );
}

function keepsMarkers(bucket: Bucket): VitrineError {
  return new VitrineError(
    "conditions_ignored",
    `${bucket.url} treats a deleted object as an existing one: If-None-Match is refused after a deletion. Versioning was on once ` +
      `and is suspended, and some services (Ceph) then do this. Use a bucket that never had it, or ${WAYS_OUT}`,
  );
}

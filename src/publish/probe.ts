/** Finds out whether a store keeps conditions, before anything depends on it: some take any and look at none. */
import { VitrineError } from "../base/error.ts";
import { type Bucket, CONTROL, CONTROL_HEADERS, type Condition, type ConditionStyle } from "./bucket.ts";
import type { Publication } from "./ports.ts";
import { createAttempts } from "./retry.ts";

const STRANGER = "0123456789abcdef0123456789abcdef";

/**
 * Tries each condition on a scratch key, those that must be refused included, and whether a deleted key can be made again.
 * @throws VitrineError conditions_ignored
 */
export async function probeConditions(bucket: Bucket, attempt: string): Promise<ConditionStyle> {
  const key = `${CONTROL}probe-${attempt}`;
  try {
    const style = await probeKey(bucket, key, attempt);
    await bucket.delete([key]);
    return style;
  } catch (error) {
    // What went wrong first is the reason; the scratch key is cleared away where that is possible.
    await bucket.delete([key]).catch(() => undefined);
    throw error;
  }
}

async function probeKey(bucket: Bucket, key: string, attempt: string): Promise<ConditionStyle> {
  let round = 0;
  let versioned = false;
  /** True: written; false: refused. A response that says nothing, while nothing was written, is asked for again. */
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
      if (outcome.kind === "refused" || !(await attempts.again())) return false;
    }
  };
  const findStyle = async (): Promise<ConditionStyle> => {
    if (await writes({ ifMatch: `"${STRANGER}"` })) throw ignored(bucket, "If-Match", versioned);
    const etag = (await bucket.get(key))?.etag ?? "";
    if (await writes({ ifMatch: etag })) return "quoted";
    if ((await writes({ ifMatch: etag.replaceAll('"', "") })) && !(await writes({ ifMatch: STRANGER })))
      return "unquoted";
    throw ignored(bucket, "If-Match", versioned);
  };
  const creates = await writes({ ifNoneMatch: "*" });
  if (!creates || (await writes({ ifNoneMatch: "*" }))) throw ignored(bucket, "If-None-Match", versioned);
  const style = await findStyle();
  await bucket.delete([key]);
  if (!(await writes({ ifNoneMatch: "*" }))) throw keepsMarkers(bucket);
  return style;
}

const WAYS_OUT = "promise with --single-publisher that nobody else publishes there.";

function ignored(bucket: Bucket, condition: string, versioned: boolean): VitrineError {
  const store = versioned
    ? "The bucket has versioning on, and there some stores (Ceph) keep no conditions. Use a bucket that never had it"
    : "Use a store with conditional writes";
  return new VitrineError(
    "conditions_ignored",
    `${bucket.url} does not keep ${condition}: two publishers at once could not be told apart. ${store}, or ${WAYS_OUT}`,
  );
}

function keepsMarkers(bucket: Bucket): VitrineError {
  return new VitrineError(
    "conditions_ignored",
    `${bucket.url} takes a deleted object for one that stands: If-None-Match is refused after a deletion. Versioning was on ` +
      `once and is suspended, and there some stores (Ceph) do so. Use a bucket that never had it, or ${WAYS_OUT}`,
  );
}

/** How conditions are written there: as the live release remembers, else as a probe finds. */
export async function chooseStyle(
  { options, ports, state }: Publication,
  attempt: string,
): Promise<ConditionStyle> {
  if (options.singlePublisher) return "none";
  const known = state.live?.pointer;
  if (known !== undefined && known.service === ports.bucket.service && known.conditions !== "none")
    return known.conditions;
  return probeConditions(ports.bucket, attempt);
}

/** Finds out whether a store keeps conditions, before anything depends on it: some take any and look at none. */
import { VitrineError } from "../base/error.ts";
import { type Bucket, CONTROL, CONTROL_HEADERS, type Condition, type ConditionStyle } from "./bucket.ts";
import { createAttempts } from "./retry.ts";

const STRANGER = "0123456789abcdef0123456789abcdef";

/**
 * Tries each condition on a scratch key, those that must be refused included.
 * @throws VitrineError conditions_ignored
 */
export async function probeConditions(bucket: Bucket, attempt: string): Promise<ConditionStyle> {
  const key = `${CONTROL}probe-${attempt}`;
  let round = 0;
  /** True: written; false: refused. An answer that says nothing, while nothing was written, is asked for again. */
  const writes = async (condition: Condition): Promise<boolean> => {
    round += 1;
    const body = Buffer.from(`${attempt} ${round}\n`);
    const attempts = createAttempts(bucket.retries);
    for (;;) {
      const outcome = await bucket.putIf(key, body, CONTROL_HEADERS, condition);
      if (outcome.kind === "written") return true;
      if ((await bucket.get(key))?.body.equals(body)) return true;
      if (outcome.kind === "refused" || !(await attempts.again())) return false;
    }
  };
  try {
    const creates = await writes({ ifNoneMatch: "*" });
    if (!creates || (await writes({ ifNoneMatch: "*" }))) throw ignored(bucket, "If-None-Match");
    if (await writes({ ifMatch: `"${STRANGER}"` })) throw ignored(bucket, "If-Match");
    const etag = (await bucket.get(key))?.etag ?? "";
    if (await writes({ ifMatch: etag })) return "quoted";
    if ((await writes({ ifMatch: etag.replaceAll('"', "") })) && !(await writes({ ifMatch: STRANGER })))
      return "unquoted";
    throw ignored(bucket, "If-Match");
  } finally {
    await bucket.delete([key]);
  }
}

function ignored(bucket: Bucket, condition: string): VitrineError {
  return new VitrineError(
    "conditions_ignored",
    `${bucket.url} does not keep ${condition}: two publishers at once could not be told apart. Use a store with ` +
      "conditional writes, or promise with --single-publisher that nobody else publishes there.",
  );
}

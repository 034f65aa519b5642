/** What the commands that speak to a bucket share: flags, the bucket, and the ports of a publish. */
import type { Log } from "../base/log.ts";
import type { PlaceOptions, PublishOptions } from "../pipeline/publish.ts";
import type { Bucket } from "../publish/bucket.ts";
import { DEFAULTS, OPTION_NAMES, parseKeep } from "../publish/options.ts";
import { JSON_FLAG, SHRINK_FLAG, WAIT_FLAG } from "./inputs.ts";
import { byDefault, type Flag, type Flags, flag, text, whole } from "./options.ts";

/** How a store is reached. */
export const STORE_FLAGS = {
  endpoint: text("<url>", "address of an S3 store that is not AWS"),
  region: text("<name>", "the store's region (else as the AWS SDK finds it)"),
  concurrency: byDefault(whole("<number>", "most requests at once", 1), DEFAULTS.concurrency),
  timeout: byDefault(
    whole("<seconds>", "how long one request may go without a response", 1),
    DEFAULTS.timeoutSeconds,
  ),
};

/** A bucket or folder. */
const TARGET_FLAGS = {
  to: {
    ...text("<place>", "where releases stand: s3://BUCKET/PREFIX or file:///FOLDER"),
    isRequired: true,
  } as Flag<string>,
  ...STORE_FLAGS,
};
export type TargetFlags = Flags<Omit<typeof TARGET_FLAGS, "endpoint" | "region">> &
  Partial<Flags<Pick<typeof TARGET_FLAGS, "endpoint" | "region">>>;

export const PURGE_FLAG = {
  purge: {
    takes: "<cdn>",
    help: "cloudfront:ID, cloudflare:ZONE, fastly:SERVICE or webhook:URL; repeatable",
    parse: (place, all) => [...all, place],
    initial: DEFAULTS.purge,
  } satisfies Flag<readonly string[]> as Flag<readonly string[]>,
};

/** Of whoever takes a publisher's lock. */
export const LOCK_FLAGS = {
  singlePublisher: flag("go without conditional writes: nobody else ever publishes there"),
  lease: byDefault(
    whole("<seconds>", "how long the lock of a publisher that died stands", 5, 86_400),
    DEFAULTS.leaseSeconds,
  ),
  ...WAIT_FLAG,
};

const keep = byDefault(
  text(
    "<time>",
    "how long releases can be gone back to, in days or hours (7d, 12h): of the last hour one a minute, of the day one an " +
      "hour, before that one a day, and the ten newest in any case; or how many releases (10), the live one included",
  ),
  String(DEFAULTS.keep),
);

/** How a release is made live, wherever that is. */
export const RELEASE_FLAGS = {
  ...PURGE_FLAG,
  verify: byDefault(
    whole("<number>", "then ask the public address for so many of the changed answers", 0),
    DEFAULTS.verify,
  ),
  adopt: flag("at a first publish, replace objects of others that stand at its keys"),
  keep: {
    ...keep,
    parse: (value: string) => {
      parseKeep(value);
      return value;
    },
  },
  ...LOCK_FLAGS,
};

/** Of the commands that make a release live. */
export const PUBLISH_FLAGS = {
  ...TARGET_FLAGS,
  ...SHRINK_FLAG,
  ...RELEASE_FLAGS,
  dryRun: flag("say what would be put, deleted and purged; write nothing"),
  ...JSON_FLAG,
};

/** Of the commands that publish what was built here. */
export const LOCAL_FLAG = {
  allowLocal: flag("publish to a bucket also what is built for an address of this machine or network"),
};

export type PublishFlags = Flags<typeof TARGET_FLAGS & typeof RELEASE_FLAGS & typeof SHRINK_FLAG> &
  Partial<Flags<typeof LOCAL_FLAG & Record<"dryRun" | "repair" | "resume", Flag<true | undefined>>>>;

/** The place and the way to it, as the library takes them. */
export function placeOf({ to, endpoint, region, concurrency, timeout }: TargetFlags): PlaceOptions {
  return { to, endpoint, region, concurrency, timeoutSeconds: timeout };
}

export function publishOptions(flags: PublishFlags, log: Log): PublishOptions {
  const locks = { leaseSeconds: flags.lease, waitSeconds: flags.wait };
  const named: Record<string, unknown> = { ...flags, ...placeOf(flags), ...locks, log };
  const known = Object.entries(named).filter(([name]) => OPTION_NAMES.includes(name as keyof PublishOptions));
  return Object.fromEntries(known) as unknown as PublishOptions;
}

/** Opens a place; it must be closed. */
export async function openBucket(flags: TargetFlags): Promise<Bucket> {
  const face = await import("../pipeline/publish.ts");
  return face.openPlace(placeOf(flags));
}

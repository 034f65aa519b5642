/** Shared by the commands that read or publish a place: their flags, the place, and the options of a publish. */
import { messageOf, VitrineError } from "../base/error.ts";
import type { Log } from "../base/log.ts";
import { CONFIG_FILE, completePlace, readConfigIfAny } from "../config/inputs.ts";
import type { PlaceSettings } from "../config/load.ts";
import type { PlaceOptions, PublishOptions } from "../pipeline/publish.ts";
import type { Bucket } from "../publish/bucket.ts";
import { DEFAULTS, OPTION_NAMES, parseKeep } from "../publish/options.ts";
import { CONFIG_FLAG, JSON_FLAG, SHRINK_FLAG, WAIT_FLAG } from "./inputs.ts";
import { byDefault, type Flag, type Flags, flag, rare, text, whole } from "./options.ts";
import { terminalLog } from "./terminal.ts";

/** How a service that speaks S3 is reached. */
export const SERVICE_FLAGS = {
  endpoint: text("<url>", "address of an S3 service that is not AWS (else `endpoint` of the configuration)"),
  region: text("<name>", "region of the S3 service (else `region` of the configuration)"),
  concurrency: rare(byDefault(whole("<number>", "most requests at once", 1), DEFAULTS.concurrency)),
  timeout: rare(
    byDefault(whole("<seconds>", "longest time without a response to a request", 1), DEFAULTS.timeoutSeconds),
  ),
};

export const PLACE = "s3://BUCKET/PREFIX or file:///FOLDER";

/** The place that is published to. */
export const TO_FLAG = {
  to: text("<place>", `where the snapshot is published: ${PLACE} (else \`to\` of the configuration)`),
};

const TARGET_FLAGS = { ...TO_FLAG, ...CONFIG_FLAG, ...SERVICE_FLAGS };
export type TargetFlags = Partial<Flags<typeof TARGET_FLAGS>>;

export const PURGE_FLAG = {
  purge: {
    takes: "<cdn>",
    help: "cloudfront:ID, cloudflare:ZONE, fastly:SERVICE or webhook:URL; repeatable; the word none purges no CDN (else `purge` of the configuration)",
    parse: (place, all = []) => (place === "none" ? [] : [...all, place]),
  } satisfies Flag<readonly string[] | undefined> as Flag<readonly string[] | undefined>,
};

/** For commands that take the lock of a publisher. */
export const LOCK_FLAGS = {
  singlePublisher: rare(flag("publish without conditional writes: nothing else may ever publish there")),
  lease: rare(
    byDefault(
      whole("<seconds>", "how long the lock of a publisher that died is respected", 5, 86_400),
      DEFAULTS.leaseSeconds,
    ),
  ),
  ...WAIT_FLAG,
};

const keep = text(
  "<time>",
  `how long to keep releases, like 7d or 12h, or how many, like 10 (else \`keep\` of the configuration, else ${DEFAULTS.keep})`,
);

/** For commands whose publish may be a place's first one. */
export const FIRST_FLAG = {
  adopt: rare(flag("at a first publish, replace files of others that have the same names")),
};

/** How a release is made live. */
export const RELEASE_FLAGS = {
  ...PURGE_FLAG,
  verify: whole(
    "<number>",
    "then ask `baseUrl` for so many changed answers (else `verify` of the configuration)",
    0,
  ),
  keep: {
    ...keep,
    parse: (value: string) => {
      parseKeep(value);
      return value;
    },
  },
  ...LOCK_FLAGS,
};

/** For commands that make a release live. */
export const PUBLISH_FLAGS = {
  ...TARGET_FLAGS,
  ...SHRINK_FLAG,
  ...RELEASE_FLAGS,
  dryRun: flag("show what would be uploaded, deleted and purged; write nothing"),
  ...JSON_FLAG,
};

/** For commands that publish a snapshot that was built here. */
export const LOCAL_FLAGS = {
  allowOlder: rare(flag("publish even if the live release's snapshot was read from the store later")),
  allowLocal: rare(flag("publish to a bucket even if the addresses are of this machine or network")),
};

/** For commands that publish a snapshot without building it. */
export const EMPTY_FLAG = { force: flag("publish the snapshot even if it has no product") };

export type PublishFlags = TargetFlags &
  Flags<typeof RELEASE_FLAGS & typeof SHRINK_FLAG> &
  Partial<
    Flags<
      typeof FIRST_FLAG &
        typeof LOCAL_FLAGS &
        typeof EMPTY_FLAG &
        Record<"dryRun" | "repair" | "resume", Flag<true | undefined>>
    >
  >;

/**
 * The configuration's place. A broken configuration must not stop a command that names its place, like a rollback at night, unless
 * the command also needs other settings.
 */
async function configuredPlace(
  flags: PlaceSettings & { readonly config?: string | undefined },
  needsMore: boolean,
): Promise<PlaceSettings | undefined> {
  try {
    return (await readConfigIfAny(flags.config))?.place;
  } catch (error) {
    if (needsMore || flags.to === undefined || flags.config !== undefined) throw error;
    terminalLog(false).warn(`the configuration is not used, only the flags: ${messageOf(error)}`);
    return undefined;
  }
}

/** Flags of a command, completed by the configuration: `to`, and for that place `endpoint`, `region`, `purge`, `keep`, `verify`. */
export async function withPlace<Given extends PlaceSettings & { readonly config?: string | undefined }>(
  flags: Given,
  needsMore = false,
): Promise<Given & PlaceSettings> {
  return completePlace(flags, await configuredPlace(flags, needsMore));
}

/** @throws VitrineError usage if neither the flags nor the configuration name the place */
export async function requirePlace<Given extends PlaceSettings & { readonly config?: string | undefined }>(
  flags: Given,
  needsMore = false,
): Promise<Given & PlaceSettings & { readonly to: string }> {
  const complete = await withPlace(flags, needsMore);
  const { to } = complete;
  if (to !== undefined) return { ...complete, to };
  throw new VitrineError(
    "usage",
    `Where is it published? Name the place with --to, ${PLACE}, or as "to" in ${CONFIG_FILE}.`,
  );
}

/** The place and the way to it, as the library takes them. */
export function placeOf<To extends string | undefined>({
  to,
  endpoint,
  region,
  concurrency,
  timeout,
}: TargetFlags & { readonly to: To }): Omit<PlaceOptions, "to"> & { readonly to: To } {
  return { to, endpoint, region, concurrency, timeoutSeconds: timeout };
}

export function publishOptions(flags: PublishFlags & { readonly to: string }, log: Log): PublishOptions {
  const locks = { leaseSeconds: flags.lease, waitSeconds: flags.wait };
  const named: Record<string, unknown> = { ...flags, ...placeOf(flags), ...locks, log };
  const known = Object.entries(named).filter(([name]) => OPTION_NAMES.includes(name as keyof PublishOptions));
  return Object.fromEntries(known) as unknown as PublishOptions;
}

/** Opens a place; it must be closed. */
export async function openNamedBucket(flags: TargetFlags & { readonly to: string }): Promise<Bucket> {
  const face = await import("../pipeline/publish.ts");
  return face.openPlace(placeOf(flags));
}

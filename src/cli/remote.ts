/** What the commands that speak to a bucket share: options, the bucket, and the ports of a publish. */
import type { Command } from "commander";
import type { Log } from "../base/log.ts";
import type { Bucket } from "../publish/bucket.ts";
import { DEFAULTS, parseKeep } from "../publish/options.ts";
import type { PlaceOptions, PublishOptions } from "../publish-snapshot.ts";
import { addShrinkOption, wholeNumber } from "./inputs.ts";

export interface TargetFlags {
  readonly to: string;
  readonly endpoint?: string;
  readonly region?: string;
  readonly concurrency: number;
  /** Seconds. */
  readonly timeout: number;
}

export interface PublishFlags extends TargetFlags {
  readonly dryRun?: true;
  readonly allowShrink: number;
  readonly purge: readonly string[];
  readonly verify: number;
  readonly singlePublisher?: true;
  readonly adopt?: true;
  readonly allowLocal?: true;
  readonly keep: string;
  readonly lease: number;
  readonly repair?: true;
  readonly resume?: true;
  readonly json?: true;
}

/** Options that name a bucket or directory. */
export function addTargetOptions(command: Command): Command {
  return addStoreOptions(
    command.requiredOption("--to <place>", "where releases stand: s3://BUCKET/PREFIX or file:///FOLDER"),
  );
}

/** Options that say how a store is reached. */
export function addStoreOptions(command: Command): Command {
  return command
    .option("--endpoint <url>", "address of an S3 store that is not AWS")
    .option("--region <name>", "the store's region (else as the AWS SDK finds it)")
    .option("--concurrency <number>", "most requests at once", wholeNumber(1), DEFAULTS.concurrency)
    .option(
      "--timeout <seconds>",
      "how long one request may go without a response",
      wholeNumber(1),
      DEFAULTS.timeoutSeconds,
    );
}

/** Options of the commands that make a release live. */
export function addPublishOptions(command: Command): Command {
  return addReleaseOptions(addShrinkOption(addTargetOptions(command)))
    .option("--dry-run", "say what would be put, deleted and purged; write nothing")
    .option("--json", "print the result as JSON");
}

/** Of the commands that publish what was built here. */
export function addLocalOption(command: Command): Command {
  return command.option(
    "--allow-local",
    "publish to a bucket also what is built for an address of this machine or network",
  );
}

function checkedKeep(text: string): string {
  parseKeep(text);
  return text;
}

export function addPurgeOption(command: Command): Command {
  const collect = (text: string, all: string[]) => [...all, text];
  return command.option(
    "--purge <cdn>",
    "cloudfront:ID, cloudflare:ZONE, fastly:SERVICE or webhook:URL; repeatable",
    collect,
    [],
  );
}

/** How a release is made live, wherever that is. */
export function addReleaseOptions(command: Command): Command {
  return addPurgeOption(command)
    .option(
      "--verify <number>",
      "then ask the public address for so many of the changed answers",
      wholeNumber(0),
      DEFAULTS.verify,
    )
    .option("--adopt", "at a first publish, replace objects of others that stand at its keys")
    .option("--single-publisher", "go without conditional writes: nobody else ever publishes there")
    .option(
      "--keep <number or time>",
      "releases that can be gone back to: how many, the live one included, or how long, like 7d: of the last hour one a " +
        "minute, before that one an hour, and the ten newest",
      checkedKeep,
      String(DEFAULTS.keep),
    )
    .option(
      "--lease <seconds>",
      "how long the lock of a publisher that died stands",
      wholeNumber(5, 86_400),
      DEFAULTS.leaseSeconds,
    );
}

/** The place and the way to it, as the library takes them. */
export function placeOf({ to, endpoint, region, concurrency, timeout }: TargetFlags): PlaceOptions {
  return { to, endpoint, region, concurrency, timeoutSeconds: timeout };
}

export function publishOptions(flags: PublishFlags, log: Log): PublishOptions {
  const {
    dryRun,
    allowShrink,
    allowLocal,
    adopt,
    singlePublisher,
    keep,
    lease,
    purge,
    verify,
    repair,
    resume,
  } = flags;
  return {
    ...placeOf(flags),
    ...{
      dryRun,
      allowShrink,
      allowLocal,
      adopt,
      singlePublisher,
      keep,
      leaseSeconds: lease,
      purge,
      verify,
      repair,
      resume,
      log,
    },
  };
}

/** Opens a place; it must be closed. */
export async function openPlace(flags: TargetFlags): Promise<Bucket> {
  const face = await import("../publish-snapshot.ts");
  return face.openPlace(placeOf(flags));
}

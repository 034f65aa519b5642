/** What the commands that speak to a bucket share: options, the bucket, and the ports of a publish. */
import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import type { PublicConfig } from "../api/config.ts";
import { API_PATH } from "../api/endpoints.ts";
import type { Log } from "../base/log.ts";
import type { Bucket } from "../publish/bucket.ts";
import type { PublishOptions, PublishPorts, Snapshot } from "../publish/ports.ts";
import type { VerifiedReport } from "../publish/verify-public.ts";
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
  readonly keep: number;
  readonly lease: number;
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
    .option("--concurrency <number>", "most requests at once", wholeNumber(1), 64)
    .option("--timeout <seconds>", "how long one request may go without a response", wholeNumber(1), 20);
}

/** Options of the commands that make a release live. */
export function addPublishOptions(command: Command): Command {
  const collect = (text: string, all: string[]) => [...all, text];
  return addShrinkOption(addTargetOptions(command))
    .option("--dry-run", "say what would be put, deleted and purged; write nothing")
    .option(
      "--purge <cdn>",
      "cloudfront:ID, cloudflare:ZONE, fastly:SERVICE or webhook:URL; repeatable",
      collect,
      [],
    )
    .option(
      "--verify <number>",
      "then ask the public address for so many of the changed answers",
      wholeNumber(0),
      0,
    )
    .option("--adopt", "at a first publish, replace objects of others that stand at its keys")
    .option("--single-publisher", "go without conditional writes: nobody else ever publishes there")
    .option("--keep <number>", "releases that can be gone back to, the live one included", wholeNumber(1), 10)
    .option("--lease <seconds>", "how long the lock of a publisher that died stands", wholeNumber(5), 60)
    .option("--json", "print the result as JSON");
}

/** Opens a place; it must be closed. */
export async function openPlace(to: string, flags: Omit<TargetFlags, "to">): Promise<Bucket> {
  // The SDK would print three paragraphs about Node's version before each result.
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
  const { openTarget } = await import("../publish/targets/open.ts");
  return openTarget(to, { ...flags, callMilliseconds: flags.timeout * 1000 });
}

/** `https://shop.example/api/v1` → `https://shop.example`: where keys are asked for. */
function originOf(config: PublicConfig): string {
  return config.baseUrl.slice(0, -API_PATH.length);
}

/** More than the longest wait for one response, a CDN's own wish to wait included. */
const STALL_SECONDS = 300;

export function publishOptions(flags: PublishFlags): PublishOptions {
  return {
    dryRun: flags.dryRun === true,
    allowShrink: flags.allowShrink,
    adopt: flags.adopt === true,
    singlePublisher: flags.singlePublisher === true,
    keep: flags.keep,
    leaseSeconds: flags.lease,
    stallSeconds: STALL_SECONDS,
    purge: flags.purge,
  };
}

async function publishPorts(bucket: Bucket, config: PublicConfig, log: Log): Promise<PublishPorts> {
  const [{ openCdn }, { isHolderGone, thisHolder }] = await Promise.all([
    import("../publish/purge/open.ts"),
    import("../publish/holder.ts"),
  ]);
  return {
    bucket,
    cdn: (spec) => openCdn(spec, { origin: originOf(config), env: process.env }),
    log,
    now: () => new Date(),
    newAttempt: randomUUID,
    holder: thisHolder(),
    isGone: isHolderGone,
  };
}

/** Publishes, and verifies where that was asked for. */
export async function publishTo(
  bucket: Bucket,
  snapshot: Snapshot,
  options: PublishOptions,
  { verify, timeout }: Pick<PublishFlags, "verify" | "timeout">,
  log: Log,
): Promise<VerifiedReport> {
  const [{ publishAndVerify }, { readPublic }] = await Promise.all([
    import("../publish/verify-public.ts"),
    import("../publish/served.ts"),
  ]);
  const read = readPublic(originOf(snapshot.config), { callMilliseconds: timeout * 1000 });
  const ports = await publishPorts(bucket, snapshot.config, log);
  return publishAndVerify(snapshot, options, ports, { read, size: verify });
}

/** A snapshot made live, for scripts: what stands in an output folder, at a bucket or directory. */
import { randomUUID } from "node:crypto";
import type { PublicConfig } from "./api/config.ts";
import { API_PATH } from "./api/endpoints.ts";
import { VitrineError } from "./base/error.ts";
import { type LogOption, SILENT } from "./base/log.ts";
import { findOut } from "./config/inputs.ts";
import { TOOL_VERSION } from "./package.ts";
import type { Bucket } from "./publish/bucket.ts";
import { isHolderGone, thisHolder } from "./publish/holder.ts";
import { parseKeep } from "./publish/keep.ts";
import { guardAddresses } from "./publish/local-address.ts";
import type * as publisher from "./publish/ports.ts";
import { isUnchanged } from "./publish/publish.ts";
import { readPublic } from "./publish/served.ts";
import { lockSnapshot, openSnapshot } from "./publish/snapshot.ts";
import { readFoundLive } from "./publish/state.ts";
import { openTarget } from "./publish/targets/open.ts";
import { type RepairReport, repairLive } from "./publish/upkeep.ts";
import { publishAndVerify, type VerifiedReport } from "./publish/verify-public.ts";
import type { OutLayout } from "./snapshot/layout.ts";
import { MOST_LEASE_SECONDS } from "./snapshot/schemas.ts";

/** A place that is published to. Credentials come from the environment, as for the command. */
export interface PlaceOptions {
  /** Where releases stand: `s3://BUCKET/PREFIX` or `file:///FOLDER`. */
  readonly to: string;
  /** Address of an S3 store that is not AWS. */
  readonly endpoint?: string | undefined;
  /** The store's region. Default: as the AWS SDK finds it. */
  readonly region?: string | undefined;
  /** Most requests at once. Default: 64. */
  readonly concurrency?: number | undefined;
  /** How long one request may go without a response. Default: 20. */
  readonly timeoutSeconds?: number | undefined;
}

/** Credentials of CDNs come from the environment, too. */
export interface PublishOptions extends LogOption, PlaceOptions {
  /** Folder of the snapshot. Default: `out` of the configuration, else `out`. */
  readonly out?: string | undefined;
  /** The configuration that names `out`. Default: `vitrine.config.json`, where there is one. */
  readonly configFile?: string | undefined;
  /** Says what would be put, deleted and purged; writes nothing. Default: false. */
  readonly dryRun?: boolean | undefined;
  /** So many files may be deleted, however many that is of all. Default: 0. */
  readonly allowShrink?: number | undefined;
  /** Where to purge: `cloudfront:ID`, `cloudflare:ZONE`, `fastly:SERVICE`, `webhook:URL`. Default: nowhere. */
  readonly purge?: readonly string[] | undefined;
  /** Asks the public address for so many of the changed files afterwards. Default: 0. */
  readonly verify?: number | undefined;
  /** At a first publish, replaces objects of others that stand at its keys. Default: false. */
  readonly adopt?: boolean | undefined;
  /** Publishes a snapshot for an address of this machine or network to a bucket, too. Default: false. */
  readonly allowLocal?: boolean | undefined;
  /** Goes without conditional writes: nobody else ever publishes there. Default: false. */
  readonly singlePublisher?: boolean | undefined;
  /** Releases that can be gone back to: how many, the live one included, or how long, like `7d`. Default: 10. */
  readonly keep?: number | string | undefined;
  /** How long the lock of a publisher that died stands, up to a day. Default: 60. */
  readonly leaseSeconds?: number | undefined;
  /** Goes live though a rollback holds the release that is. Default: false. */
  readonly resume?: boolean | undefined;
  /** Also reads all that stands there, and puts back what is missing or another one. Default: false. */
  readonly repair?: boolean | undefined;
  /** Ends the publish once it is aborted: nothing more is written, and the lock is given back. */
  readonly signal?: AbortSignal | undefined;
}

export interface PublishReport extends Omit<VerifiedReport, "changedKeys"> {
  /** What was looked at and put back, where that was asked for. */
  readonly repaired: RepairReport | null;
  /** The place, as it is known by. */
  readonly to: string;
}

/** More than the longest wait for one response, a CDN's own wish to wait included. */
const STALL_SECONDS = 300;

export async function portsOf(
  bucket: Bucket,
  origin: string,
  { log = SILENT, signal }: Pick<PublishOptions, "log" | "signal">,
): Promise<publisher.PublishPorts> {
  const { openCdn } = await import("./publish/purge/open.ts");
  return {
    bucket,
    cdn: (spec) => openCdn(spec, { origin, env: process.env }),
    log,
    now: () => new Date(),
    newAttempt: randomUUID,
    holder: thisHolder(),
    isGone: isHolderGone,
    signal,
  };
}

/** `https://shop.example/api/v1` → `https://shop.example`: where keys are asked for. */
export function originOf({ baseUrl }: PublicConfig): string {
  return baseUrl.slice(0, -API_PATH.length);
}

/** The options that steer one publish, with their defaults. */
export function rulesOf(options: PublishOptions): publisher.PublishOptions {
  return {
    dryRun: options.dryRun ?? false,
    allowShrink: options.allowShrink ?? 0,
    adopt: options.adopt ?? false,
    singlePublisher: options.singlePublisher ?? false,
    keep: parseKeep(String(options.keep ?? 10)),
    leaseSeconds: Math.min(options.leaseSeconds ?? 60, MOST_LEASE_SECONDS),
    stallSeconds: STALL_SECONDS,
    purge: options.purge ?? [],
    repair: options.repair ?? false,
    resume: options.resume ?? false,
  };
}

/** Publishes a snapshot to an open place, and verifies where that is asked for. */
export async function publishTo(
  bucket: Bucket,
  snapshot: publisher.Snapshot,
  rules: publisher.PublishOptions,
  options: Pick<PublishOptions, "verify" | "timeoutSeconds" | "log" | "signal">,
): Promise<VerifiedReport> {
  const { verify = 0, timeoutSeconds = 20 } = options;
  const origin = originOf(snapshot.config);
  const read = readPublic(origin, { callMilliseconds: timeoutSeconds * 1000 });
  const ports = await portsOf(bucket, origin, options);
  return publishAndVerify(snapshot, rules, ports, { read, size: verify });
}

/** Opens the place that is published to; it must be closed. */
export function openPlace({
  to,
  endpoint,
  region,
  concurrency = 64,
  timeoutSeconds = 20,
}: PlaceOptions): Promise<Bucket> {
  return openTarget(to, { endpoint, region, concurrency, callMilliseconds: timeoutSeconds * 1000 });
}

/** Works on an open place, and closes it. */
export async function withPlace<Result>(
  options: PlaceOptions,
  work: (bucket: Bucket) => Promise<Result>,
): Promise<Result> {
  const bucket = await openPlace(options);
  try {
    return await work(bucket);
  } finally {
    bucket.close?.();
  }
}

/** Works on the snapshot of an output folder; no build may replace it meanwhile. */
export async function withSnapshot<Result>(
  layout: OutLayout,
  work: (snapshot: publisher.Snapshot) => Promise<Result>,
): Promise<Result> {
  const unlock = lockSnapshot(layout);
  try {
    const snapshot = openSnapshot(layout, TOOL_VERSION);
    try {
      return await work(snapshot);
    } finally {
      snapshot.manifest.close();
    }
  } finally {
    unlock();
  }
}

async function publishSnapshot(
  bucket: Bucket,
  snapshot: publisher.Snapshot,
  rules: publisher.PublishOptions,
  options: PublishOptions,
): Promise<PublishReport> {
  const { changedKeys, ...report } = await publishTo(bucket, snapshot, rules, options);
  const done = { ...report, to: bucket.url, repaired: null };
  if (rules.repair !== true || rules.dryRun) return done;
  const ports = await portsOf(bucket, originOf(snapshot.config), options);
  return { ...done, repaired: await repairLive(snapshot, rules, ports, { purgeAll: false }) };
}

/**
 * Publishes what stands in an output folder; no build may replace it meanwhile. What an earlier publish left undone is
 * finished first.
 * @throws VitrineError
 */
export async function publish(options: PublishOptions): Promise<PublishReport> {
  const layout = await findOut(options.out, options.configFile);
  return withSnapshot(layout, (snapshot) => {
    if (options.allowLocal !== true) guardAddresses(snapshot.config, options.to);
    return withPlace(options, (bucket) => publishSnapshot(bucket, snapshot, rulesOf(options), options));
  });
}

/**
 * Puts back what a place has lost of its live release, which must be what stands in the output folder: nothing else goes live,
 * and no release is let go that can still be read.
 * @throws VitrineError usage where something else is live
 */
export async function repairPlace(options: PublishOptions): Promise<PublishReport> {
  const layout = await findOut(options.out, options.configFile);
  return withSnapshot(layout, (snapshot) =>
    withPlace(options, async (bucket) => {
      if (!isUnchanged({ live: await readFoundLive(bucket), journal: null }, snapshot)) {
        throw new VitrineError(
          "usage",
          `${layout.site} is not what is live in ${bucket.url}, so nothing here can be put back there. ` +
            "vitrine publish --repair makes it live and puts back what is missing.",
        );
      }
      const rules = { ...rulesOf(options), repair: true, keep: Number.POSITIVE_INFINITY };
      return publishSnapshot(bucket, snapshot, rules, options);
    }),
  );
}

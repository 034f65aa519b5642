/** A snapshot made live, for scripts: what stands in an output folder, at a bucket or directory. */
import { randomUUID } from "node:crypto";
import type { PublicConfig } from "./api/config.ts";
import { API_PATH } from "./api/endpoints.ts";
import { type LogOption, SILENT } from "./base/log.ts";
import { findOut } from "./config/inputs.ts";
import { TOOL_VERSION } from "./package.ts";
import type { Bucket } from "./publish/bucket.ts";
import { isHolderGone, thisHolder } from "./publish/holder.ts";
import { guardAddresses } from "./publish/local-address.ts";
import type * as publisher from "./publish/ports.ts";
import { readPublic } from "./publish/served.ts";
import { lockSnapshot, openSnapshot } from "./publish/snapshot.ts";
import { openTarget } from "./publish/targets/open.ts";
import { publishAndVerify, type VerifiedReport } from "./publish/verify-public.ts";
import type { OutLayout } from "./snapshot/layout.ts";

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
  /** Releases that can be gone back to, the live one included. Default: 10. */
  readonly keep?: number | undefined;
  /** How long the lock of a publisher that died stands. Default: 60. */
  readonly leaseSeconds?: number | undefined;
  /** Ends the publish once it is aborted: nothing more is written, and the lock is given back. */
  readonly signal?: AbortSignal | undefined;
}

export interface PublishReport extends Omit<VerifiedReport, "changedKeys"> {
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
    keep: options.keep ?? 10,
    leaseSeconds: options.leaseSeconds ?? 60,
    stallSeconds: STALL_SECONDS,
    purge: options.purge ?? [],
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

/**
 * Publishes what stands in an output folder; no build may replace it meanwhile. What an earlier publish left undone is
 * finished first.
 * @throws VitrineError
 */
export async function publish(options: PublishOptions): Promise<PublishReport> {
  const layout = await findOut(options.out, options.configFile);
  return withSnapshot(layout, (snapshot) => {
    if (options.allowLocal !== true) guardAddresses(snapshot.config, options.to);
    return withPlace(options, async (bucket) => {
      const { changedKeys, ...report } = await publishTo(bucket, snapshot, rulesOf(options), options);
      return { ...report, to: bucket.url };
    });
  });
}

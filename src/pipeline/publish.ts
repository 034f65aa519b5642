/** A snapshot made live, for scripts: what stands in an output folder, at a bucket or folder. */
import { messageOf, VitrineError } from "../base/error.ts";
import { SILENT } from "../base/log.ts";
import { findOut, refuseUnknown } from "../config/inputs.ts";
import { TOOL_VERSION } from "../package.ts";
import { guardAddresses } from "../publish/addresses.ts";
import type { Bucket } from "../publish/bucket.ts";
import { openBucket } from "../publish/buckets/open.ts";
import { readFoundLive } from "../publish/documents.ts";
import { isUnchanged } from "../publish/guards.ts";
import { isHolderGone, thisHolder } from "../publish/lease.ts";
import { lookAtObjects, type ObjectsLook } from "../publish/lost-objects.ts";
import {
  OPTION_NAMES,
  originOf,
  type PlaceOptions,
  type Published,
  type PublishOptions,
  type PublishPorts,
  type PublishRules,
  rulesOf,
  type Snapshot,
  withDefaults,
} from "../publish/options.ts";
import { publish as publishTo } from "../publish/publish.ts";
import { openCdn } from "../publish/purge.ts";
import { type RepairReport, repairLive } from "../publish/repair.ts";
import { lockSnapshot, openSnapshot } from "../publish/snapshot.ts";

export type { PlaceOptions, PublishOptions } from "../publish/options.ts";

export interface PublishReport extends Published {
  /** What was looked at and put back, where that was asked for. */
  readonly repaired: RepairReport | null;
  /** The place, as it is known by. */
  readonly to: string;
}

/** Opens the place that is published to. */
export function openPlace(options: PlaceOptions): Promise<Bucket> {
  const { to, concurrency, timeoutSeconds, endpoint, region } = withDefaults(options);
  return openBucket(to, { endpoint, region, concurrency, callMilliseconds: timeoutSeconds * 1000 });
}

/** What a publish to an open place works through; CDNs are asked to forget addresses of the snapshot's own. */
export function portsOf(
  bucket: Bucket,
  { config }: Pick<Snapshot, "config">,
  { log = SILENT, signal }: Pick<PublishOptions, "log" | "signal">,
): PublishPorts {
  return {
    bucket,
    cdn: (spec) => openCdn(spec, { origin: originOf(config), env: process.env }),
    log,
    now: () => new Date(),
    holder: thisHolder(),
    isGone: isHolderGone,
    signal,
  };
}

async function publishAndRepair(
  snapshot: Snapshot,
  rules: PublishRules,
  ports: PublishPorts,
): Promise<PublishReport> {
  const published = { ...(await publishTo(snapshot, rules, ports)), to: ports.bucket.url };
  if (!rules.repair || rules.dryRun) return { ...published, repaired: null };
  return { ...published, repaired: await repairLive(snapshot, rules, ports, { purgesAll: false }) };
}

/**
 * Publishes what stands in an output folder; no build may replace it meanwhile. What an earlier publish left undone is
 * finished first.
 * @throws VitrineError
 */
export async function publish(options: PublishOptions): Promise<PublishReport> {
  refuseUnknown(options, OPTION_NAMES);
  const layout = await findOut(options.out, options.configFile);
  using _lock = await lockSnapshot(layout, options);
  using snapshot = openSnapshot(layout, TOOL_VERSION);
  if (options.allowLocal !== true) guardAddresses(snapshot.config, options.to);
  using bucket = await openPlace(options);
  return await publishAndRepair(snapshot, rulesOf(options), portsOf(bucket, snapshot, options));
}

/**
 * Puts back what a place has lost of its live release, which must be what stands in the output folder: nothing else goes live,
 * and no release is let go that can still be read.
 * @throws VitrineError usage where something else is live
 */
export async function repairPlace(options: PublishOptions): Promise<PublishReport> {
  const layout = await findOut(options.out, options.configFile);
  using _lock = await lockSnapshot(layout, options);
  using snapshot = openSnapshot(layout, TOOL_VERSION);
  using bucket = await openPlace(options);
  if (!isUnchanged({ live: await readFoundLive(bucket), journal: null }, snapshot)) {
    throw new VitrineError(
      "usage",
      `${layout.site} is not what is live in ${bucket.url}, so nothing here can be put back there. ` +
        "vitrine publish --repair makes it live and puts back what is missing.",
    );
  }
  const rules = { ...rulesOf(options), repair: true, keep: Number.POSITIVE_INFINITY };
  return await publishAndRepair(snapshot, rules, portsOf(bucket, snapshot, options));
}

/**
 * Whether a place still has all objects of its kept releases, as an hourly look found (`src/publish/lost-objects.ts`). Null if
 * that is not known: what fails is reported to the log, and ends nothing.
 */
export async function lookAtPlace(options: PublishOptions): Promise<ObjectsLook | null> {
  const { log = SILENT } = options;
  try {
    const layout = await findOut(options.out, options.configFile);
    using bucket = await openPlace(options);
    return await lookAtObjects(bucket, layout, new Date());
  } catch (error) {
    log.info(`could not look whether ${options.to} still has all objects: ${messageOf(error)}`);
    return null;
  }
}

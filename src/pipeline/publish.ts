/** Publishes the snapshot in an output folder to a bucket or folder, for scripts and the command line. */

import { statSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { PublicConfig } from "../api/config.ts";
import { rootAddress } from "../api/target.ts";
import { CLOCK } from "../base/clock.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { SILENT } from "../base/log.ts";
import { CONFIG_FILE, findOut, outLayout, readConfigIfAny, refuseUnknown } from "../config/inputs.ts";
import type { Bucket } from "../publish/bucket.ts";
import { openBucket } from "../publish/buckets/open.ts";
import { readFoundLive, readPointer } from "../publish/documents.ts";
import { isUnchanged } from "../publish/guards.ts";
import { isHolderGone, thisHolder, untilFree, uptimeSeconds } from "../publish/lease.ts";
import { countObjects, type ObjectsCount } from "../publish/lost-objects.ts";
import {
  type CommandPorts,
  createSeen,
  OPTION_NAMES,
  type PlaceOptions,
  type Published,
  type PublishOptions,
  type PublishPorts,
  type PublishRules,
  rulesOf,
  type Seen,
  type Snapshot,
  withDefaults,
} from "../publish/options.ts";
import { publish } from "../publish/publish.ts";
import { openCdn } from "../publish/purge.ts";
import { checkBucket } from "../publish/served.ts";
import type { OutLayout } from "../site/layout.ts";
import { lockOut } from "../site/out.ts";
import { openBuilt } from "./built.ts";
import { guardFolder, guardStore } from "./own-folders.ts";
import { enforce, guardAddresses, objectToEmptySnapshot } from "./policies.ts";

export type { PlaceOptions, PublishOptions } from "../publish/options.ts";

export interface PublishReport extends Published {
  /** The bucket's address. */
  readonly to: string;
}

/** Opens the place that is published to. */
export function openPlace(options: PlaceOptions): Promise<Bucket> {
  const { to, concurrency, timeoutSeconds, endpoint, region } = withDefaults(options);
  return openBucket(to, { endpoint, region, concurrency, callMilliseconds: timeoutSeconds * 1000 });
}

/** The ports of a publish to an open place; CDNs purge addresses of the snapshot's origin. */
export function portsOf(
  bucket: Bucket,
  { config }: Pick<Snapshot, "config">,
  { log = SILENT, signal, changing }: Pick<PublishOptions, "log" | "signal"> & CommandPorts,
): PublishPorts {
  return {
    bucket,
    cdn: (spec) => openCdn(spec, { origin: rootAddress(config.baseUrl), env: process.env }),
    log,
    clock: CLOCK,
    uptimeSeconds,
    holder: thisHolder(),
    isGone: isHolderGone,
    signal,
    changing,
  };
}

/** Reads a published place without locks: builds and publishes continue, and only wrong or newer objects are read again later. */
async function seeAll(bucket: Bucket, { log = SILENT }: Pick<PublishOptions, "log">): Promise<Seen> {
  const seen = createSeen();
  const progress = (done: number, of: number) =>
    log.progress(() => ({ what: "checking", done, of, unit: "files" }));
  if ((await readPointer(bucket)) !== null) await checkBucket(bucket, { sample: 0, progress, seen });
  return seen;
}

/** A setting that was changed after the build has no effect on what is published. */
function warnIfOlder(
  built: PublicConfig,
  configured: PublicConfig,
  { configFile = CONFIG_FILE, log = SILENT }: Pick<PublishOptions, "configFile" | "log">,
): void {
  const names = [...new Set([...Object.keys(built), ...Object.keys(configured)])] as (keyof PublicConfig)[];
  const other = names.filter((name) => !isDeepStrictEqual(built[name], configured[name]));
  if (other.length > 0)
    log.warn(
      `the snapshot was built with another ${other.join(", ")} than ${configFile} now has: run vitrine build, then publish`,
    );
}

/** Refuses to make a snapshot live that should not be. @throws VitrineError guard_refused */
export function guardSnapshot(
  snapshot: Snapshot,
  { log = SILENT, ...options }: Pick<PublishOptions, "to" | "allowLocal" | "force" | "log">,
): void {
  guardAddresses(snapshot.config, options);
  guardFolder(snapshot, options);
  if (!snapshot.hasProducts) enforce(objectToEmptySnapshot(snapshot), options, log);
}

/**
 * Publishes the snapshot in an output folder; no build may replace it meanwhile. First finishes what an earlier publish left
 * undone.
 * @throws VitrineError
 */
export async function publishFolder(
  options: PublishOptions,
  { changing }: CommandPorts = {},
): Promise<PublishReport> {
  refuseUnknown(options, OPTION_NAMES);
  const read = await readConfigIfAny(options.configFile);
  guardStore(read?.store, options.to);
  const configured = options.out === undefined ? read : null;
  const layout = outLayout(options.out ?? configured?.out);
  const rules = rulesOf(options);
  using bucket = await openPlace(options);
  const seen = rules.repair ? await seeAll(bucket, options) : undefined;
  using _lock = await lockOut(layout, "shared", options);
  using snapshot = openBuilt(layout);
  if (configured !== null) warnIfOlder(snapshot.config, configured.config, options);
  guardSnapshot(snapshot, options);
  const published = await publish(
    snapshot,
    { ...rules, seen },
    portsOf(bucket, snapshot, { ...options, changing }),
  );
  return { ...published, to: bucket.url };
}

/** A snapshot younger than this is probably about to be published by the `watch` or script that built it. */
const JUST_BUILT_SECONDS = 30;

/**
 * Puts back what a place has lost of its live release, which must be the snapshot in the output folder. Nothing else goes live, and
 * no readable release is dropped.
 * @throws VitrineError usage if something else is live
 */
export async function repairPlace(options: PublishOptions): Promise<PublishReport> {
  const layout = await findOut(options.out, options.configFile);
  using bucket = await openPlace(options);
  const seen = await seeAll(bucket, options);
  using _lock = await lockOut(layout, "shared", options);
  using snapshot = openBuilt(layout);
  const rules = { ...rulesOf(options), repair: true, onlyLive: true, keep: Number.POSITIVE_INFINITY, seen };
  const ports = portsOf(bucket, snapshot, options);
  await untilLive(layout, snapshot, rules, ports);
  return { ...(await publish(snapshot, rules, ports)), to: bucket.url };
}

/** Waits until a snapshot that was just built is live. If it is not live in time, the repair reports that. */
function untilLive(
  layout: OutLayout,
  snapshot: Snapshot,
  rules: PublishRules,
  ports: PublishPorts,
): Promise<void> {
  // Without its sign, because the clock may have been set back since.
  const builtSeconds = Math.abs(CLOCK.now().getTime() - statSync(layout.manifest).mtimeMs) / 1000;
  const waitSeconds = Math.max(0, Math.min(rules.waitSeconds, Math.ceil(JUST_BUILT_SECONDS - builtSeconds)));
  return untilFree({ ...rules, waitSeconds }, ports, async () => {
    if (isUnchanged({ live: await readFoundLive(ports.bucket), journal: null }, snapshot)) return;
    throw new VitrineError("publisher_busy", `${layout.site} was just built, and is not live yet.`);
  }).catch((error: unknown) => {
    if (!(error instanceof VitrineError && error.code === "publisher_busy")) throw error;
  });
}

/**
 * Whether a place still has all objects of its kept releases, as an hourly look found (`src/publish/lost-objects.ts`). Null if
 * unknown: errors are logged and not thrown.
 */
export async function countObjectsAt(options: PublishOptions): Promise<ObjectsCount | null> {
  const { log = SILENT } = options;
  try {
    const layout = await findOut(options.out, options.configFile);
    using bucket = await openPlace(options);
    return await countObjects(bucket, layout, CLOCK.now(), log);
  } catch (error) {
    log.warn(`could not check whether ${options.to} still has all objects: ${messageOf(error)}`);
    return null;
  }
}

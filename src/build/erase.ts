/**
 * What the shop has withdrawn, taken out of all that Vitrine keeps of former times: in an output folder, and at a place that
 * is published to. It only forgets: what is present must be without it already.
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { VitrineError } from "../base/error.ts";
import { SILENT } from "../base/log.ts";
import { temporaryFolder } from "../base/temporary-folder.ts";
import { findInCatalog, isBroughtBy, nameOfSought, type Sought } from "../catalog/sought.ts";
import { proveCatalog } from "../catalog/verify.ts";
import type { BuildInputs } from "../config/inputs.ts";
import { queryOfKey } from "../key/key.ts";
import { TOOL_VERSION } from "../package.ts";
import { type Bucket, readingObject } from "../publish/bucket.ts";
import { digestInId, type Pointer, type ReleasePart, readLive } from "../publish/documents.ts";
import { fetchPart } from "../publish/fetch-release.ts";
import {
  type PlaceOptions,
  type PublishOptions,
  type PublishPorts,
  rulesOf,
  type Snapshot,
} from "../publish/options.ts";
import { publish } from "../publish/publish.ts";
import type { PurgePlan } from "../publish/purge.ts";
import { lockSnapshot, openSnapshot } from "../publish/snapshot.ts";
import { repairLive } from "../publish/upkeep.ts";
import { openDelta, rowsOf } from "../snapshot/delta.ts";
import { layoutOf, type OutLayout } from "../snapshot/layout.ts";
import { withOut } from "../snapshot/out.ts";
import { verifySnapshot } from "../snapshot/verify.ts";
import { deltaFiles } from "../snapshot/writer.ts";
import { extractTemporarily } from "./plan.ts";
import { openPlace, portsOf } from "./publish.ts";

type EraseRules = Pick<
  PublishOptions,
  "dryRun" | "allowShrink" | "purge" | "singlePublisher" | "leaseSeconds" | "log" | "signal"
>;

export interface EraseOptions extends Omit<PlaceOptions, "to">, EraseRules {
  readonly sought: Sought;
  /** The store, which must show it no more, and the folder of its snapshot. */
  readonly inputs: BuildInputs;
  /** A place that the snapshot is published to; none where it is served from its folder. */
  readonly to?: string | undefined;
}

/** What became of an output folder. */
interface LocalReport {
  /** Deltas that are gone. */
  readonly deltas: number;
  /** Answers that belonged to no snapshot, and are gone. */
  readonly deleted: readonly string[];
  /** Files of others between the answers: they may hold it. */
  readonly others: readonly string[];
}

/** What became of a place. */
interface RemoteReport {
  readonly to: string;
  /** The live release, the only one. */
  readonly release: string;
  /** Releases that are gone: all but the live one, where something of what any is made of had it. */
  readonly dropped: readonly string[];
  /** What had it: `the catalog of release 00000012-…`. */
  readonly heldBy: readonly string[];
  /** Answers that were read; and of them those that were others than the live release's and are put again. */
  readonly files: number;
  readonly putBack: readonly string[];
  /** Objects that belonged to no release, and are gone. */
  readonly deleted: readonly string[];
  readonly purges: readonly PurgePlan[];
}

export interface EraseReport {
  readonly erased: string;
  readonly dryRun: boolean;
  readonly out: string;
  readonly local: LocalReport;
  readonly remote: RemoteReport | null;
  /** Where it may still stand, out of reach: a sentence each. */
  readonly mayStillHold: readonly string[];
}

function refuse(sought: Sought, where: string, found: readonly string[], what: string): void {
  if (found.length === 0) return;
  const places = "text" in sought ? ` (${found.join(", ")})` : "";
  throw new VitrineError(
    "guard_refused",
    `${where} still shows ${nameOfSought(sought)}${places}: ${what} Nothing was erased.`,
  );
}

/** @throws VitrineError guard_refused */
function refuseIfShown(sought: Sought, { catalog }: Pick<OutLayout, "catalog">): void {
  const next = "The store shows it no more: run vitrine build, then this again.";
  refuse(sought, catalog, findInCatalog(catalog, sought), next);
}

/** SQLite's own way of leaving nothing in a file but what its tables hold. */
function rewrite(file: string): void {
  const db = new Database(file, { fileMustExist: true });
  try {
    db.exec("VACUUM");
  } finally {
    db.close();
  }
}

/** What the store shows now, read as a build reads it. */
async function refuseIfInStore(sought: Sought, inputs: BuildInputs, layout: OutLayout): Promise<void> {
  await extractTemporarily(inputs, layout.nextCatalog);
  const next = "withdraw it there, or hide it from the SQL files, run vitrine build, then this again.";
  refuse(sought, "The store", findInCatalog(layout.nextCatalog, sought), next);
}

async function eraseLocally({ sought, inputs, dryRun, log = SILENT }: EraseOptions): Promise<LocalReport> {
  return withOut(inputs.out, async (layout) => {
    if (!existsSync(layout.manifest)) {
      throw new VitrineError(
        "snapshot_unreadable",
        `There is no snapshot in ${inputs.out}. Run vitrine build, or name its folder with --out.`,
      );
    }
    log.progress(() => "reading the store");
    await refuseIfInStore(sought, inputs, layout);
    refuseIfShown(sought, layout);
    const { problems, strays } = await verifySnapshot(layout, (done, of) =>
      log.progress(() => ({ what: "checking", done, of, unit: "files" })),
    );
    if (problems.length > strays.length) {
      throw new VitrineError(
        "check_failed",
        `The files in ${layout.site} are not what the manifest says, so they may hold it: vitrine check names them. Delete ` +
          "manifest.sqlite and site/ in that folder and build again, then run this again. Nothing was erased.",
      );
    }
    const deleted = strays.filter((key) => queryOfKey(key) !== null);
    const report = {
      deltas: deltaFiles(layout).length,
      deleted,
      others: strays.filter((key) => !deleted.includes(key)),
    };
    if (dryRun === true) return report;
    for (const key of deleted) rmSync(join(layout.site, key), { force: true });
    rmSync(layout.deltas, { recursive: true, force: true });
    for (const file of [layout.catalog, layout.manifest]) rewrite(file);
    return report;
  });
}

/** True where a part brings it, or is not what its name says. */
function brings({ id, kind }: ReleasePart, file: string, sought: Sought): boolean {
  if (kind === "base")
    return !proveCatalog(file).startsWith(digestInId(id)) || findInCatalog(file, sought).length > 0;
  const isBrought = isBroughtBy(sought);
  for (const row of rowsOf(openDelta(file))) if (isBrought(row)) return true;
  return false;
}

/** True where a part of a release brings it, or is one that this version cannot read. */
async function holds(bucket: Bucket, part: ReleasePart, sought: Sought, folder: string): Promise<boolean> {
  try {
    const file = await fetchPart(bucket, part, folder);
    if (file === null) return false;
    try {
      return readingObject(part.id, () => brings(part, file, sought));
    } finally {
      rmSync(file, { force: true });
    }
  } catch (error) {
    if (error instanceof VitrineError && error.code === "remote_invalid") return true;
    throw error;
  }
}

async function findHolders(
  bucket: Bucket,
  { parts }: Pointer,
  { sought, log = SILENT }: EraseOptions,
): Promise<string[]> {
  await using folder = await temporaryFolder();
  const holders: string[] = [];
  for (const [at, part] of parts.entries()) {
    log.progress(() => ({ what: "reading", done: at, of: parts.length, unit: "parts of releases" }));
    if (!(await holds(bucket, part, sought, folder.path))) continue;
    holders.push(`the ${part.kind === "base" ? "catalog" : "delta"} of release ${part.id}`);
  }
  return holders;
}

/** What a hold means here: to erase is to make what is built the only release, and nobody has said that it may go live. */
function explainHold(
  error: unknown,
  place: string,
  { sought, inputs }: EraseOptions,
  heldBy: string[],
): unknown {
  if (!(error instanceof VitrineError && error.code === "release_held")) return error;
  const stands = heldBy.length === 0 ? "" : ` It stands in ${heldBy.join(", ")}.`;
  return new VitrineError(
    "release_held",
    `${nameOfSought(sought)} is erased in ${inputs.out}, and not at ${place}.${stands} To erase it there makes what is built the only release: ` +
      `${error.message} Then run this again.`,
    { cause: error },
  );
}

/**
 * Where anything that a kept release is made of has it, the present snapshot becomes the only release, as a base. In any case
 * every answer of the place is then compared with the snapshot's, what belongs to no release goes, and CDNs forget everything.
 */
export async function eraseAt(
  ports: PublishPorts,
  snapshot: Snapshot,
  options: EraseOptions,
): Promise<RemoteReport> {
  const { bucket } = ports;
  refuseIfShown(options.sought, snapshot.layout);
  const heldBy = await findHolders(bucket, await readLive(bucket), options);
  const rules = { ...rulesOf(options), alone: heldBy.length > 0, repair: true };
  const { release, dropped } = await publish(snapshot, { ...rules, purge: [] }, ports).catch(
    (error: unknown) => {
      throw explainHold(error, bucket.url, options, heldBy);
    },
  );
  const report = { to: bucket.url, release: release ?? "", dropped, heldBy };
  if (options.dryRun === true) return { ...report, files: 0, putBack: [], deleted: [], purges: [] };
  return { ...report, ...(await repairLive(snapshot, rules, ports, { purgeAll: true })) };
}

async function eraseRemotely(options: EraseOptions & PlaceOptions): Promise<RemoteReport> {
  const layout = layoutOf(options.inputs.out);
  using _lock = await lockSnapshot(layout, options);
  using snapshot = openSnapshot(layout, TOOL_VERSION);
  using bucket = await openPlace(options);
  return await eraseAt(portsOf(bucket, snapshot, options), snapshot, options);
}

/** Empties nginx's cache, in the folder that it was started with (`-p`): it asks the fallback again then. */
export const EMPTY_NGINX = "find cache -type f -delete";

/** Where it may stand, and what of that is done there. */
function mayStillHold({ inputs, to, purge = [] }: EraseOptions): string[] {
  const { maxAgeSeconds, sharedMaxAgeSeconds, staleIfErrorSeconds } = inputs.config.cache;
  const stale = `for up to ${sharedMaxAgeSeconds} s, and ${staleIfErrorSeconds} s more while nothing answers behind it`;
  return [
    ...(to === undefined
      ? ["every place that this snapshot is published to: run this again for each, with --to"]
      : []),
    ...(purge.length === 0 ? [`a CDN, ${stale}: name it with --purge, or empty it yourself`] : []),
    `nginx's copies of the fallback's answers, ${stale}: on each server, in the folder that nginx was started with (-p, else ` +
      `what nginx -V calls its prefix), run: ${EMPTY_NGINX}`,
    `browsers and other clients, for up to ${maxAgeSeconds} s, and whoever copied it`,
    "a fallback that is not running: it takes the new catalog when it starts; or delete what is in its --cache",
    "former deployments of a static host, which keeps each at an address of its own: delete them there",
    "other machines that build or copy the folder: run vitrine build and this there",
    "older versions of objects where the bucket keeps versions, and backups of the store, the folder and the bucket",
  ];
}

/**
 * Erases what the store shows no more. It can be ended at any moment and run again.
 * @throws VitrineError guard_refused where the store or the snapshot still shows it; release_held where a rollback holds what is live
 */
export async function erase(options: EraseOptions): Promise<EraseReport> {
  const { sought, inputs, to, dryRun = false } = options;
  const local = await eraseLocally(options);
  const remote = to === undefined ? null : await eraseRemotely({ ...options, to });
  const report = { erased: nameOfSought(sought), dryRun, out: inputs.out, local, remote };
  return { ...report, mayStillHold: mayStillHold(options) };
}

/**
 * Erases a record or text that the shop has withdrawn from everything that Vitrine keeps of the past: in an output folder and at a
 * place that is published to. The current snapshot must already be without it.
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { itemAt } from "../base/arrays.ts";
import { VitrineError } from "../base/error.ts";
import { readPlainFile } from "../base/files.ts";
import { parseShallowJson } from "../base/json.ts";
import { SILENT } from "../base/log.ts";
import { openSqlite } from "../base/sqlite.ts";
import type { ResourceName } from "../catalog/resources.ts";
import {
  findInCatalog,
  nameOfSought,
  recordFinder,
  type Sought,
  textsOfRecord,
  textsUnknownTo,
} from "../catalog/sought.ts";
import type { BuildInputs } from "../config/inputs.ts";
import { queryOfKey } from "../key/key.ts";
import type { Bucket } from "../publish/bucket.ts";
import { type Pointer, readLive } from "../publish/documents.ts";
import { fetchObject, findIndex } from "../publish/fetch-release.ts";
import {
  createSeen,
  type PlaceOptions,
  type PublishOptions,
  type PublishPorts,
  type PublishRules,
  rulesOf,
  type Snapshot,
} from "../publish/options.ts";
import { publish } from "../publish/publish.ts";
import type { PurgePlan } from "../publish/purge.ts";
import type { Partitions, ReleaseIndex } from "../release/release-index.ts";
import { layoutOf, type OutLayout } from "../site/layout.ts";
import { lockOut, withOut } from "../site/out.ts";
import { verifySnapshot } from "../site/verify.ts";
import { openBuilt } from "./built.ts";
import { extractTemporarily } from "./plan.ts";
import { guardAddresses } from "./policies.ts";
import { guardSnapshot, openPlace, portsOf } from "./publish.ts";
import {
  createSearch,
  createSiteSearch,
  type SearchReport,
  searchPlace,
  searchSite,
} from "./search-files.ts";

type EraseRules = Pick<
  PublishOptions,
  | "allowLocal"
  | "force"
  | "dryRun"
  | "allowShrink"
  | "purge"
  | "keep"
  | "singlePublisher"
  | "leaseSeconds"
  | "waitSeconds"
  | "log"
  | "signal"
>;

export interface EraseOptions extends Omit<PlaceOptions, "to">, EraseRules {
  readonly sought: Sought;
  /** The store, which must no longer show it, and the folder of its snapshot. */
  readonly inputs: BuildInputs;
  /** The place that the snapshot is published to; undefined if it is served from its folder. */
  readonly to?: string | undefined;
}

/** What was done in an output folder. */
interface LocalReport {
  /** Answers that belonged to no snapshot and were deleted. */
  readonly deleted: readonly string[];
  /** Files of others among the answers; they were searched. */
  readonly others: readonly string[];
  /** Files that could not be searched. */
  readonly unread: readonly string[];
}

/** What was done at a place. */
interface RemoteReport {
  readonly to: string;
  /** The live release, now the only one. */
  readonly release: string;
  /** Deleted releases: all but the live one, if one of them had it. */
  readonly dropped: readonly string[];
  /** Where it was found: `the catalog of release 00000012-…`. */
  readonly heldBy: readonly string[];
  /** Number of answers that were compared; `putBack` were different from the live release's and were put again. */
  readonly files: number;
  readonly putBack: readonly string[];
  /** Objects that belonged to no release and were deleted. */
  readonly deleted: readonly string[];
  /** Objects of others; they were searched. */
  readonly others: readonly string[];
  /** Objects that could not be searched. */
  readonly unread: readonly string[];
  readonly purges: readonly PurgePlan[];
}

export interface EraseReport {
  readonly erased: string;
  readonly dryRun: boolean;
  readonly out: string;
  readonly local: LocalReport;
  readonly remote: RemoteReport | null;
  /** Where it may still be, out of Vitrine's reach: one sentence each. */
  readonly mayStillHold: readonly string[];
}

/**
 * Erases what the store no longer shows. It can be interrupted at any moment and run again.
 * @throws VitrineError guard_refused if the store, the snapshot or a file still has it; release_held if a rollback holds the live release
 */
export async function erase(options: EraseOptions): Promise<EraseReport> {
  const { sought, inputs, to, dryRun = false } = options;
  guardAddresses(inputs.config, options);
  const local = await eraseLocally(options);
  const remote = to === undefined ? null : await eraseRemotely({ ...options, to });
  const report = { erased: nameOfSought(sought), dryRun, out: inputs.out, local, remote };
  return { ...report, mayStillHold: mayStillHold(options, local, remote) };
}

async function eraseLocally(options: EraseOptions): Promise<LocalReport> {
  const { sought, inputs, dryRun, log = SILENT } = options;
  return withOut(inputs.out, options, async (layout) => {
    if (!existsSync(layout.manifest)) {
      throw new VitrineError(
        "snapshot_unreadable",
        `There is no snapshot in ${inputs.out}. Run vitrine build, or name its folder with --out.`,
      );
    }
    log.progress(() => "reading the store");
    await refuseIfInStore(sought, inputs, layout);
    refuseIfShown(sought, layout);
    const found = createSiteSearch(layout, createSearch(sought, []));
    const { problems, strays } = await verifySnapshot(
      layout,
      (done, of) => log.progress(() => ({ what: "checking", done, of, unit: "files" })),
      (entry, bytes) => found.see(entry.key, bytes, entry),
    );
    if (problems.length > strays.length) {
      throw new VitrineError(
        "check_failed",
        `The files in ${layout.site} differ from the manifest, so they may contain it: vitrine check names them, ` +
          "and vitrine build --full writes them again. Then run this command again. Nothing was erased.",
      );
    }
    const deleted = strays.filter((key) => queryOfKey(key) !== null);
    const others = strays.filter((key) => queryOfKey(key) === null);
    for (const key of others) found.see(key, readPlainFile(join(layout.site, key)), undefined);
    const searched = found.report();
    refuseIfInSite(searched, layout, sought);
    const report = { unread: searched.unread, deleted, others };
    if (dryRun === true) return report;
    for (const key of deleted) rmSync(join(layout.site, key), { force: true });
    // The memory of places has the keys that were live there.
    rmSync(layout.places, { recursive: true, force: true });
    for (const file of [layout.catalog, layout.manifest]) rewrite(file);
    return report;
  });
}

async function eraseRemotely(options: EraseOptions & PlaceOptions): Promise<RemoteReport> {
  const layout = layoutOf(options.inputs.out);
  using _lock = await lockOut(layout, "shared", options);
  using snapshot = openBuilt(layout);
  guardSnapshot(snapshot, options);
  using bucket = await openPlace(options);
  return await eraseAt(portsOf(bucket, snapshot, options), snapshot, options);
}

/** The built snapshot becomes the only release. */
const ONLY: Partial<PublishRules> = { keep: 1 };

/**
 * If a kept release has it, the built snapshot becomes the only release. In any case every answer of the place is then compared with
 * the snapshot's, what belongs to no release is deleted, and CDNs are asked to forget everything.
 * @throws VitrineError guard_refused if an object outside all releases still has it: older releases then stay, so that the next
 * attempt knows these texts
 */
export async function eraseAt(
  ports: PublishPorts,
  snapshot: Snapshot,
  options: EraseOptions,
): Promise<RemoteReport> {
  const { bucket } = ports;
  const { layout } = snapshot;
  refuseIfShown(options.sought, layout);
  const { heldBy, texts: older } = await findHolders(bucket, await readLive(bucket), options);
  const rules = { ...rulesOf(options), repair: true, purgesAll: true, seen: createSeen() };
  const makeLive = (more: Partial<PublishRules>) =>
    publish(snapshot, { ...rules, ...more }, ports).catch((error: unknown) => {
      throw explainHold(error, bucket.url, options, heldBy);
    });
  const isHeld = heldBy.length > 0;
  if (options.dryRun === true) {
    const { release, dropped } = await makeLive(isHeld ? ONLY : {});
    const nothing = { files: 0, putBack: [], deleted: [], others: [], unread: [], purges: [] };
    return { to: bucket.url, release: release ?? "", dropped, heldBy, ...nothing };
  }
  const texts = textsUnknownTo(layout.catalog, older);
  const { sought, log = SILENT } = options;
  if (texts.length > 0)
    refuseIfInSite(await searchSite(layout, createSearch(sought, texts), log), layout, sought);
  const first = await makeLive({});
  const { others, unread } = await refuseIfInPlace(bucket, snapshot, texts, options);
  const done = isHeld ? [first, await makeLive({ ...ONLY, purgesAll: false })] : [first];
  const repairs = done.flatMap(({ repaired }) => repaired ?? []);
  const last = itemAt(repairs, repairs.length - 1);
  const { release } = itemAt(done, done.length - 1);
  return {
    to: bucket.url,
    release: release ?? "",
    dropped: [...new Set(done.flatMap(({ dropped }) => dropped))],
    heldBy,
    others,
    unread,
    files: last.files,
    putBack: repairs.flatMap(({ putBack }) => putBack),
    deleted: repairs.flatMap(({ deleted }) => deleted),
    purges: repairs.flatMap(({ purges }) => purges).filter(({ requests }) => requests.length > 0),
  };
}

const REFUSED = { hint: "docs/erasing.md#if-it-refuses says what each refusal means" };

function refuse(sought: Sought, where: string, found: readonly string[], what: string): void {
  if (found.length === 0) return;
  const places = "text" in sought ? ` (${found.join(", ")})` : "";
  throw new VitrineError(
    "guard_refused",
    `${where} still shows ${nameOfSought(sought)}${places}. ${what} Nothing was erased.`,
    REFUSED,
  );
}

/** @throws VitrineError guard_refused */
function refuseIfShown(sought: Sought, { catalog }: Pick<OutLayout, "catalog">): void {
  const next = "The store no longer does: run vitrine build, then this command again.";
  refuse(sought, catalog, findInCatalog(catalog, sought), next);
}

/** VACUUM: afterwards the file holds only what its tables hold. */
function rewrite(file: string): void {
  const db = openSqlite(file, { fileMustExist: true });
  try {
    db.exec("VACUUM");
  } finally {
    db.close();
  }
}

/** Extracts the store as a build does and refuses if it still shows what is sought. */
async function refuseIfInStore(sought: Sought, inputs: BuildInputs, layout: OutLayout): Promise<void> {
  await extractTemporarily(inputs, layout.nextCatalog);
  const next =
    "Withdraw it there, or hide it from the SQL files, run vitrine build, then this command again.";
  refuse(sought, "The store", findInCatalog(layout.nextCatalog, sought), next);
}

/** How many files a message names. */
const NAMED = 10;

function named(keys: readonly string[]): string {
  const more = keys.length > NAMED ? ` and ${keys.length - NAMED} more` : "";
  return `${keys.slice(0, NAMED).join(", ")}${more}`;
}

/** @throws VitrineError guard_refused */
function refuseIfInSite({ holders }: SearchReport, { site }: OutLayout, sought: Sought): void {
  if (holders.length === 0) return;
  throw new VitrineError(
    "guard_refused",
    `Not erased: ${nameOfSought(sought)}. ${site} still contains it, in ${named(holders)}. Run vitrine build --full, which ` +
      "makes all files of the snapshot again; delete those that it does not make. Then run this command again.",
    REFUSED,
  );
}

/** What the search of the kept releases found. */
interface Holders {
  /** Releases that have it, or with an unreadable object: `the catalog of release 00000012-…`. */
  readonly heldBy: readonly string[];
  /** Texts of the record, as these releases have it. */
  readonly texts: readonly string[];
}

/** The objects of a release to search: for a record, only the one that its id belongs to. */
function* objectsToSearch(
  { lists }: ReleaseIndex,
  sought: Sought,
): Generator<readonly [ResourceName, string]> {
  for (const [list, names] of Object.entries(lists) as [ResourceName, Partitions][]) {
    if ("record" in sought && list !== sought.record) continue;
    const wanted = "record" in sought ? [names[sought.id % names.length]] : names;
    for (const name of wanted) if (name) yield [list, name];
  }
}

/** One line at a time: an object of line ends alone would make more lines than fit into memory. */
function* linesIn(content: Buffer): Generator<string> {
  for (let start = 0; start < content.length; ) {
    const end = content.indexOf("\n", start);
    yield content.toString("utf8", start, end < 0 ? content.length : end);
    start = end < 0 ? content.length : end + 1;
  }
}

/** Searches the records of all kept releases; reads an object that several releases share once. */
async function findHolders(
  bucket: Bucket,
  { releases }: Pointer,
  { sought, log = SILENT }: EraseOptions,
): Promise<Holders> {
  const isSought = recordFinder(sought);
  const texts = new Set<string>();
  const holds = new Map<string, boolean>();
  const look = async (resource: ResourceName, name: string): Promise<boolean> => {
    const content = await fetchObject(bucket, name);
    let isFound = false;
    for (const line of linesIn(content ?? Buffer.alloc(0))) {
      const values = parseShallowJson(line);
      if (typeof values !== "object" || values === null) throw new SyntaxError("a line is not a record");
      if (!isSought(resource, values as Record<string, unknown>)) continue;
      isFound = true;
      if ("record" in sought)
        for (const text of textsOfRecord(values as Record<string, unknown>)) texts.add(text);
    }
    return isFound;
  };
  /** Counts unreadable content as found, since it may contain it. */
  const unlessRead = (work: () => Promise<boolean>) =>
    work().catch((error: unknown) => {
      if (error instanceof SyntaxError || (error instanceof VitrineError && error.code === "remote_invalid"))
        return true;
      throw error;
    });
  const heldBy: string[] = [];
  for (const [at, { id, index: indexName }] of releases.entries()) {
    log.progress(() => ({ what: "reading", done: at, of: releases.length, unit: "releases" }));
    const isHolder = await unlessRead(async () => {
      const index = await findIndex(bucket, indexName);
      if (index === null) return false;
      let isFound =
        "text" in sought && isSought("product", { ...index.catalog.store, ...index.catalog.config });
      for (const [resource, name] of objectsToSearch(index, sought)) {
        const known = holds.get(name) ?? (await unlessRead(() => look(resource, name)));
        holds.set(name, known);
        isFound ||= known;
      }
      return isFound;
    });
    if (isHolder) heldBy.push(`the catalog of release ${id}`);
  }
  return { heldBy, texts: [...texts] };
}

/** Explains a rollback's hold: erasing makes the built snapshot the only release, and the hold forbids that until `--resume`. */
function explainHold(
  error: unknown,
  place: string,
  { sought, inputs, dryRun = false }: EraseOptions,
  heldBy: readonly string[],
): unknown {
  if (!(error instanceof VitrineError && error.code === "release_held")) return error;
  const where = heldBy.length === 0 ? "" : ` It is in ${heldBy.join(", ")}.`;
  return new VitrineError(
    "release_held",
    `${nameOfSought(sought)} ${dryRun ? "would be" : "was"} erased in ${inputs.out}, but not at ${place}.${where} Erasing it there would make the built snapshot the only ` +
      `release. ${error.message} Then run this command again.`,
    { cause: error },
  );
}

/** Searches what a publish and a repair leave untouched. @throws VitrineError guard_refused */
async function refuseIfInPlace(
  bucket: Bucket,
  { manifest }: Snapshot,
  texts: readonly string[],
  { sought, log = SILENT }: EraseOptions,
): Promise<Pick<RemoteReport, "others" | "unread">> {
  const isFile = (key: string) => manifest.get(key) !== undefined;
  const { holders, others, unread } = await searchPlace(bucket, isFile, createSearch(sought, texts), log);
  if (holders.length === 0) return { others, unread };
  throw new VitrineError(
    "guard_refused",
    `Not erased: ${nameOfSought(sought)}. ${bucket.url} still contains it, in ${named(holders)}. These belong to no release, ` +
      "so Vitrine does not delete them: delete them there, then run this command again.",
    REFUSED,
  );
}

/** Empties nginx's cache; run in the folder that nginx was started with (`-p`). nginx then asks the fallback again. */
export const EMPTY_NGINX = "find cache -type f -delete";

/** Places out of reach that may still have it, and what to do there. */
function mayStillHold(
  { inputs, to, purge = [] }: EraseOptions,
  local: LocalReport,
  remote: RemoteReport | null,
): string[] {
  const { maxAgeSeconds, sharedMaxAgeSeconds, staleIfErrorSeconds } = inputs.config.cache;
  const stale = `for up to ${sharedMaxAgeSeconds} s, and ${staleIfErrorSeconds} s more while its origin does not answer`;
  const addressesOf = (kind: "others" | "unread") => [
    ...local[kind].map((key) => join(inputs.out, "site", key)),
    ...(remote?.[kind] ?? []).map((key) => `${remote?.to}/${key}`),
  ];
  const unread = addressesOf("unread");
  const others = addressesOf("others");
  return [
    ...(unread.length > 0 ? [`files that could not be read, or are too large: ${named(unread)}`] : []),
    ...(others.length > 0
      ? [
          `files that belong to no release, if they say it in other words than those that were searched for: ${named(others)}`,
        ]
      : []),
    ...(to === undefined
      ? ["every place that this snapshot is published to: run this again for each, with --to"]
      : []),
    ...(purge.length === 0 ? [`a CDN, ${stale}: name it with --purge, or empty it yourself`] : []),
    `nginx's copies of searches and other answers without a file, ${stale}: on each server, in the folder that nginx was started with (-p, else ` +
      `what nginx -V calls its prefix), run: ${EMPTY_NGINX}`,
    `browsers and other clients, for up to ${maxAgeSeconds} s, and everyone who copied it`,
    "a fallback that is not running: it takes the new catalog when it starts; or delete the contents of its --cache",
    "older deployments of a static host, which keeps each at a separate address: delete them there",
    "other machines that build or copy the folder: run vitrine build and this command there",
    "older versions of objects if the bucket keeps versions, and backups of the store, the folder and the bucket",
  ];
}

/**
 * Stage 3, snapshot → release. A publish reads the live release and what an earlier publish left behind, **plans** the difference,
 * **writes** it under the lock, **commits** by one conditional write of the pointer, and **finishes**: deletions, purges, and objects
 * that no kept release names.
 *
 * It may be killed at any moment. Objects are put before any key, details before the lists that name them, deletions come last. The
 * journal is written first and names the index of the new release, and that index names everything that may have been put. The next
 * publish reads it and continues from there, with this same code.
 */
import { readFile } from "node:fs/promises";
import { rootAddress } from "../api/target.ts";
import { forEachAtOnce } from "../base/at-once.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { FORMATS } from "../base/formats.ts";
import { temporaryFolder } from "../base/temporary-folder.ts";
import { openCatalog } from "../catalog/catalog.ts";
import { type MadeRelease, makeRelease, objectFile } from "../release/make-release.ts";
import { objectKey } from "../release/objects.ts";
import type { ReleasedEntry } from "../release/partitions.ts";
import { configIn, objectsOf, type ReleaseIndex } from "../release/release-index.ts";
import { shownPlace } from "./addresses.ts";
import { type Bucket, CONTROL_HEADERS, OBJECT_HEADERS, POINTER_KEY } from "./bucket.ts";
import { KeyChanges, NO_CHANGES, PHASES } from "./changes.ts";
import { compareAndSet } from "./conditional-writes.ts";
import {
  type BucketState,
  encodeDocument,
  type FoundJournal,
  isCommitted,
  type Journal,
  MOST_GENERATION,
  type Pointer,
  parsePointer,
  type ReleaseRecord,
  type Retired,
  readPointer,
  readState,
  refuseNewer,
  releaseId,
} from "./documents.ts";
import { fetchPartitions, findIndex, missingObject } from "./fetch-release.ts";
import {
  guardCatalog,
  guardChanges,
  guardForeign,
  isUnchanged,
  readAtOf,
  refuseIfHeld,
  refuseIfOlder,
  refuseIfOther,
} from "./guards.ts";
import { headerPolicy, tagOf } from "./headers.ts";
import { keptOf } from "./kept.ts";
import { busyError, type Lease, underLease } from "./lease.ts";
import type { Published, PublishPorts, PublishRules, Snapshot } from "./options.ts";
import { memoryFile, PlaceMemory } from "./place-memory.ts";
import type { Publication } from "./publication.ts";
import { type PendingPurge, type PurgePlan, planPurge, runPurge } from "./purge.ts";
import { putFiles } from "./put-files.ts";
import { isNamedByDigest, planRetired } from "./retired.ts";
import { findLostObjects, readPublic, verifyPublic } from "./served.ts";
import { holdOf, inTurn, onLive, untilFree } from "./turn.ts";

/** Most changed keys from which the sample for `--verify` is chosen. */
const MOST_SAMPLED_KEYS = 5000;
/** Above this many keys the purge names tags. */
const MOST_PURGED_KEYS = 10_000;
/** How often the live release may change during the comparison. */
const ROUNDS = 4;

/** The result of one round. */
interface Done extends Pick<Published, "outcome" | "release" | "counts" | "purges" | "dropped"> {
  readonly sampledKeys: readonly string[];
}

/**
 * Makes a snapshot live; waits while another publisher is at work there.
 * @throws VitrineError guard_refused, release_held, older_snapshot, newer_format, publisher_busy, conditions_ignored, remote_failed,
 * purge_failed, remote_stale
 */
export function publish(snapshot: Snapshot, rules: PublishRules, ports: PublishPorts): Promise<Published> {
  return untilFree(rules, ports, (hasWaited) => publishNow(snapshot, rules, ports, hasWaited));
}

/** Like {@link publish}, but does not wait. `takesTurn`: acquires the lock before comparing. */
export async function publishNow(
  snapshot: Snapshot,
  rules: PublishRules,
  ports: PublishPorts,
  takesTurn: boolean,
): Promise<Published> {
  const started = performance.now();
  const { bucket } = ports;
  // Report an unusable CDN before anything is written.
  const cdns = rules.purge.map(ports.cdn);
  using memory = new PlaceMemory(memoryFile(snapshot.layout, bucket), ports.log);
  const unpurged = new Set<string>();
  let finished: string | null = null;
  let isLate = takesTurn && !rules.dryRun;
  for (let round = 0; round < ROUNDS; round++) {
    const found = await readState(bucket, ports.isGone);
    const { live, journal } = found;
    if (journal?.alive && !rules.dryRun) throw busyError(bucket.url, journal.journal);
    for (const place of unpurgedBy(found, rules)) unpurged.add(place);
    const isLeft = journal !== null && isCommitted(journal.journal, live?.pointer ?? null);
    if (isLeft && !rules.dryRun) {
      finished = await finishCommitted({ snapshot, rules, ports, memory, state: found, turn: null }, journal);
      if (finished !== null) continue;
    }
    // A committed release is certain: a dry run compares with it as if its journal were deleted.
    const state = isLeft && rules.dryRun ? { live, journal: null } : found;
    const publication = { snapshot, rules, ports, memory, state, turn: null };
    const done = isLate ? await inTurn(publication, publishOnce) : await publishOnce(publication);
    // Another release went live during the comparison: the next round acquires the lock first.
    isLate = true;
    if (done === null) continue;
    const { sampledKeys: keys, ...report } = done;
    const seconds = (performance.now() - started) / 1000;
    const held = rules.dryRun ? live?.pointer.held === true : isHeldAfter(rules, found);
    const read = readPublic(
      rootAddress(snapshot.config.baseUrl),
      { callMilliseconds: rules.timeoutSeconds * 1000 },
      ports.log,
    );
    const sought = { keys, manifest: snapshot.manifest, release: done.release ?? "", size: rules.verify };
    const isVerified = done.outcome === "published" && rules.verify > 0;
    const verified = isVerified ? await verifyPublic(sought, { read, cdns }) : 0;
    return { ...report, held, finished, unpurged: [...unpurged], seconds, verified };
  }
  throw new VitrineError(
    "publisher_busy",
    `The live release of ${bucket.url} keeps changing while it is compared: others publish there.`,
  );
}

/** One round: plan, write, commit, finish. Null if the live release changed meanwhile. */
async function publishOnce(publication: Publication): Promise<Done | null> {
  const { snapshot, rules, ports, memory, state } = publication;
  const { bucket } = ports;
  const live = state.live?.pointer ?? null;
  const left = state.journal?.journal ?? null;
  // Otherwise fallbacks would switch between the formats of two publishers. Rollbacks are exempt.
  if (rules.rollbackOf === null) refuseNewer(live?.releases[0], bucket.url);
  refuseIfOther(publication);
  refuseIfHeld(publication);
  refuseIfOlder(publication);
  await learnIndexes(publication);
  const lost = rules.repair
    ? await findLostObjects(bucket, namesOfAll(memory, live), { reads: true, seen: rules.seen })
    : NO_KEYS;
  const isThere = live !== null && isWhole(memory, live.releases[0], lost);
  if (live !== null && !isThere && !rules.repair) throw missingObject(bucket, live.releases[0]?.index ?? "");
  const isSame = isUnchanged(state, snapshot);
  if (left === null && isSame && !rules.repair) return await keepLive(publication, lost);
  const known = isThere ? await followLive(publication, live) : null;
  const isLiveLost = live !== null && known === null;
  if (left === null && isSame && !isLiveLost) return await keepLive(publication, lost);
  if (live === null && left === null && !rules.adopt) await guardForeign(bucket, snapshot);

  // Plan.
  await using folder = await temporaryFolder();
  using catalog = openCatalog(snapshot.layout.catalog);
  guardCatalog(snapshot, catalog);
  const there = new Set((live?.releases.slice(0, 1) ?? []).flatMap((release) => namesOf(memory, release)));
  const uncertain = left === null ? NO_KEYS : await findUncertain(publication, left, known);
  const hasOtherHeaders =
    left?.hasOtherHeaders === true || (live !== null && live.headerPolicy !== headerPolicy(snapshot.config));
  using changes = new KeyChanges(folder.path, {
    local: snapshot.manifest.entries(),
    // If the place lost the live manifest, a snapshot of the same content replaces it; otherwise all files are put.
    live: known !== null ? memory.entries() : isLiveLost && isSame ? snapshot.manifest.entries() : [],
    isOtherHeaders: hasOtherHeaders,
    isUncertain: (key) => left?.hasOtherHeaders === true || uncertain.has(key),
    uncertain,
    isRetired: isNamedByDigest,
  });
  guardChanges(publication, changes);
  const made = await makeRelease(
    {
      catalog,
      entries: changes.entries(),
      previous: known ?? memory.indexOf(live?.releases[0]?.index ?? "") ?? null,
      hasObject: (name) => there.has(name) && !lost.has(name),
      folder: folder.path,
    },
    memory,
  );
  const older = keptReleases(publication, stayingReleases(live, made, lost), withoutMade(lost, made));
  const journal = journalOf(publication, made, older, hasOtherHeaders);
  const { retired, due } = planRetired(live ?? {}, {
    gone: changes.retired,
    isNext: (key) => changes.has(key),
    cache: (known && configIn(known))?.cache ?? snapshot.config.cache,
    now: bucket.now(),
  });
  const dropped = (live?.releases ?? []).filter((release) => !older.includes(release)).map(({ id }) => id);
  const sampledKeys = changes.sample(MOST_SAMPLED_KEYS);
  const pending = { release: journal.release, keys: changes.touched(MOST_PURGED_KEYS), tags: changes.tags };
  if (rules.dryRun) {
    const purges = rules.purge.map((spec) => planPurge(pending, ports.cdn(spec)));
    const release = live?.release ?? null;
    return { outcome: "planned", release, purges, counts: changes.counts, dropped, sampledKeys };
  }

  return await underLease(publication, journal, state.journal?.etag ?? null, async (lease) => {
    if (!(await isStillLive(publication, lease))) return null;

    // Write: the index first, since it names all other objects; then the other objects; then keys, phase by phase.
    const putObject = async (name: string) => {
      await lease.hold();
      await bucket.put(objectKey(name), await readFile(objectFile(folder.path, name)), OBJECT_HEADERS);
    };
    const isIndex = (name: string) => name === made.name;
    const names = objectsToPut(publication, made, older, lost);
    for (const name of names.filter(isIndex)) await putObject(name);
    await forEachAtOnce(
      names.filter((name) => !isIndex(name)),
      bucket.concurrency,
      putObject,
    );
    let files = 0;
    const done = () => {
      files += 1;
      ports.log.progress(() => ({ what: "putting", done: files, of: changes.puts, unit: "files" }));
    };
    // After an interrupted publish, check each file and put only what is not there yet.
    for (const phase of PHASES)
      await putFiles(publication, changes.puttable(phase), lease, { mayBeThere: left !== null, done });

    // Nothing names them any more, and the pointer is about to forget them.
    await deleteKeys(bucket, due, lease);

    // Commit: this one write makes the whole release live.
    const pointer = pointerOf(publication, { journal, made, changes, older, retired }, lease);
    await commitPointer(publication, pointer, lease);
    memory.keepIndex(made.name, made.index);
    memory.takeEntries(changes.file);

    // Finish.
    const purges = await finishRelease(publication, lease, pointer, changes.deletions(), pending);
    return {
      outcome: "published",
      release: journal.release,
      purges,
      counts: changes.counts,
      dropped,
      sampledKeys,
    };
  });
}

/** Names of the new objects. A rollback makes objects that the older release already has: those are not put again. */
function objectsToPut(
  { rules, memory }: Publication,
  { objects }: MadeRelease,
  older: readonly ReleaseRecord[],
  lost: ReadonlySet<string>,
): string[] {
  const names = new Set(objects.keys());
  const target = older.find(({ id }) => id === rules.rollbackOf);
  if (target !== undefined)
    for (const name of namesOf(memory, target)) if (!lost.has(name)) names.delete(name);
  return [...names];
}

/** Fetches the indexes of kept releases that this machine does not know; skips missing ones. */
async function learnIndexes({ rules, ports, memory, state }: Publication): Promise<void> {
  for (const { index: name } of state.live?.pointer.releases ?? []) {
    if (memory.hasIndex(name)) continue;
    const index = await unlessDamaged(rules, () => findIndex(ports.bucket, name));
    if (index !== null) memory.keepIndex(name, index);
  }
}

/** While repairing, treats damaged objects as missing ones. */
async function unlessDamaged<Found>(
  { repair }: PublishRules,
  find: () => Promise<Found>,
): Promise<Found | null> {
  try {
    return await find();
  } catch (error) {
    if (repair && error instanceof VitrineError && error.code === "remote_invalid") return null;
    throw error;
  }
}

/** Names of all objects of a release, its index included. */
function namesOf(memory: PlaceMemory, { index: name }: ReleaseRecord): string[] {
  const index = memory.indexOf(name);
  return index === undefined ? [name] : [name, ...objectsOf(index)];
}

/** Names of all objects of the kept releases, one release at a time. */
function* namesOfAll(memory: PlaceMemory, pointer: Pointer | null): Generator<string> {
  for (const release of pointer?.releases ?? []) yield* namesOf(memory, release);
}

/** True if the place has all objects of a release. */
function isWhole(
  memory: PlaceMemory,
  release: ReleaseRecord | undefined,
  lost: ReadonlySet<string>,
): boolean {
  if (release === undefined || !memory.hasIndex(release.index)) return false;
  return lost.size === 0 || namesOf(memory, release).every((name) => !lost.has(name));
}

/** Releases that may be kept with the next one: all, except a damaged live release that the next one replaces by the same content. */
function stayingReleases(
  live: Pointer | null,
  made: MadeRelease,
  lost: ReadonlySet<string>,
): readonly ReleaseRecord[] {
  const [first, ...before] = live?.releases ?? [];
  if (first === undefined) return [];
  return lost.size > 0 && first.index === made.name ? before : [first, ...before];
}

/** What stays lost after the next release's objects are put: older releases that share an object with it are whole again. */
function withoutMade(lost: ReadonlySet<string>, { name, index }: MadeRelease): ReadonlySet<string> {
  if (lost.size === 0) return lost;
  const made = objectsOf(index).add(name);
  return new Set([...lost].filter((each) => !made.has(each)));
}

/** Those of the older releases, newest first, that are kept with the next one. */
function keptReleases(
  { rules, ports, memory }: Publication,
  older: readonly ReleaseRecord[],
  lost: ReadonlySet<string>,
): readonly ReleaseRecord[] {
  return keptOf(
    older.filter((release) => isWhole(memory, release, lost)),
    rules.keep,
    ports.now(),
  );
}

/**
 * Brings the remembered live manifest up to date: fetches the partitions that are not remembered. Null if something of the manifest
 * is lost or damaged and the place is being repaired.
 * @throws VitrineError remote_failed, remote_invalid
 */
function followLive(publication: Publication, live: Pointer): Promise<ReleaseIndex | null> {
  return unlessDamaged(publication.rules, () => followWhole(publication, live));
}

async function followWhole(
  { rules, ports, memory }: Publication,
  live: Pointer,
): Promise<ReleaseIndex | null> {
  const { bucket } = ports;
  const name = live.releases[0]?.index ?? "";
  const index = memory.indexOf(name) ?? (await findIndex(bucket, name));
  const lost = (object: string) => {
    if (rules.repair) return null;
    throw missingObject(bucket, object);
  };
  if (index === null) return lost(name);
  const wanted = new Set(index.manifest);
  const known = new Set<string>();
  const gone: string[] = [];
  for (const { name: partition, entries } of memory.partitions()) {
    if (wanted.has(partition)) known.add(partition);
    else for (const { key } of entries) gone.push(key);
  }
  const missing = index.manifest.filter((partition) => !known.has(partition));
  if (missing.length === 0 && gone.length === 0) return index;
  const put: ReleasedEntry[] = [];
  for await (const { name: partition, entries } of fetchPartitions(bucket, missing)) {
    if (entries === null) return lost(partition);
    for (const entry of entries) put.push(entry);
  }
  memory.replaceEntries(gone, put);
  return index;
}

/** The keys in which another manifest, older or unfinished, differs from the live one. */
interface Difference {
  /** Keys of the other manifest that are not live, or live with other content. */
  readonly others: readonly string[];
  /** Live keys that the other manifest does not have. */
  readonly missing: readonly string[];
}

/** Compares a manifest with the live one, as it is remembered. Null if objects of the former are missing. */
async function compareWithLive(
  { ports, memory }: Publication,
  name: string,
  live: ReleaseIndex | null,
): Promise<Difference | null> {
  const { bucket } = ports;
  const index = memory.indexOf(name) ?? (await findIndex(bucket, name));
  if (index === null) return null;
  const own = new Set(index.manifest);
  const inLive = new Set(live?.manifest);
  const liveEtags = new Map<string, string>();
  if (live !== null) {
    for (const { name: partition, entries } of memory.partitions())
      if (!own.has(partition)) for (const { key, etag } of entries) liveEtags.set(key, etag);
  }
  const others: string[] = [];
  const differing = index.manifest.filter((partition) => !inLive.has(partition));
  for await (const { entries } of fetchPartitions(bucket, differing)) {
    if (entries === null) return null;
    for (const { key, etag } of entries) {
      if (liveEtags.get(key) !== etag) others.push(key);
      if (liveEtags.get(key) === etag) liveEtags.delete(key);
    }
  }
  const known = new Set(others);
  return { others, missing: [...liveEtags.keys()].filter((key) => !known.has(key)) };
}

/** Keys that interrupted attempts may have put. An attempt whose objects are incomplete has put no key. */
async function findUncertain(
  publication: Publication,
  { attempted }: Journal,
  live: ReleaseIndex | null,
): Promise<ReadonlySet<string>> {
  const uncertain = new Set<string>();
  for (const name of attempted) {
    const difference = await unlessDamaged(publication.rules, () => compareWithLive(publication, name, live));
    for (const key of difference?.others ?? []) uncertain.add(key);
  }
  return uncertain;
}

function journalOf(
  publication: Publication,
  made: MadeRelease,
  older: readonly ReleaseRecord[],
  hasOtherHeaders: boolean,
): Journal {
  const { snapshot, rules, state } = publication;
  const left = state.journal?.journal ?? null;
  const live = state.live?.pointer ?? null;
  // The number only grows, also after an interrupted attempt.
  const generation = Math.max(live?.generation ?? 0, left?.generation ?? 0) + 1;
  if (generation > MOST_GENERATION) {
    throw new VitrineError(
      "remote_invalid",
      `${publication.ports.bucket.url} has no release number left: its last one is ${MOST_GENERATION}. Another program wrote ` +
        "it. Nothing was written. Publish to an empty place.",
    );
  }
  const kept = new Set([made.name, ...older.map(({ index }) => index)]);
  const before = [...(live?.releases ?? []).map(({ index }) => index), ...(left?.expired ?? [])];
  return {
    ...holdOf(publication),
    generation,
    release: releaseId(generation, snapshot.manifest.meta["catalog_digest"] ?? ""),
    from: live?.releases[0]?.index ?? null,
    attempted: [...new Set([...(left?.attempted ?? []), made.name])],
    expired: [...new Set(before)].filter((name) => !kept.has(name)),
    ...(hasOtherHeaders && { hasOtherHeaders: true }),
    ...heldMark(rules.rollbackOf !== null),
  };
}

/** The pointer that makes a release live. */
function pointerOf(
  { snapshot, rules, ports, state }: Publication,
  plan: {
    readonly journal: Journal;
    readonly made: MadeRelease;
    readonly changes: KeyChanges;
    readonly older: readonly ReleaseRecord[];
    readonly retired: readonly Retired[];
  },
  { style }: Lease,
): Pointer {
  const { generation, attempt, release } = plan.journal;
  const { files, sizeBytes } = snapshot.manifest.totals();
  const record: ReleaseRecord = {
    id: release,
    at: ports.now().toISOString(),
    readAt: rules.rollbackOf === null ? readAtOf({ snapshot, ports }) : snapshot.readAt,
    by: `vitrine ${snapshot.vitrine} on ${ports.holder.host}`,
    files,
    sizeBytes,
    put: plan.changes.puts,
    deleted: plan.changes.counts.deleted,
    catalogDigest: snapshot.manifest.meta["catalog_digest"] ?? "",
    catalogFormat: snapshot.catalogFormat,
    index: plan.made.name,
    ...(rules.rollbackOf !== null && { rollbackOf: rules.rollbackOf }),
  };
  return {
    format: FORMATS.pointer.newest,
    generation,
    attempt,
    release,
    content: snapshot.manifest.meta["content"] ?? "",
    headerPolicy: headerPolicy(snapshot.config),
    conditions: style,
    service: ports.bucket.service,
    releases: [record, ...plan.older],
    ...retiredMark(plan.retired),
    ...heldMark(isHeldAfter(rules, state)),
  };
}

/** Whether a rollback still holds the live release after a publish. */
function isHeldAfter({ rollbackOf, resume }: PublishRules, { live }: BucketState): boolean {
  return rollbackOf !== null || (!resume && live?.pointer.held === true);
}

/** The mark as the control documents spell it. */
function heldMark(isHeld: boolean): { readonly held?: true } {
  return isHeld ? { held: true } : {};
}

function retiredMark(retired: readonly Retired[]): Pick<Pointer, "retired"> {
  return retired.length > 0 ? { retired } : {};
}

/** Places that an earlier publish should have purged and this one is not asked to purge. */
function unpurgedBy({ journal }: BucketState, { purge }: PublishRules): string[] {
  const named = purge.map(shownPlace);
  return (journal?.journal.purge ?? []).map(shownPlace).filter((place) => !named.includes(place));
}

/** True if the live release is still the one of the comparison. Otherwise releases the lock. */
async function isStillLive({ ports, state }: Publication, lease: Lease): Promise<boolean> {
  const live = await readPointer(ports.bucket);
  if ((live?.etag ?? null) === (state.live?.etag ?? null)) return true;
  if (state.journal === null) await lease.finish();
  else await lease.giveBack();
  return false;
}

/** Replaces the pointer. @throws VitrineError publisher_busy, remote_failed */
async function commitPointer({ ports, state }: Publication, pointer: Pointer, lease: Lease): Promise<void> {
  const { bucket } = ports;
  await lease.hold();
  const outcome = await compareAndSet(bucket, {
    key: POINTER_KEY,
    body: encodeDocument(pointer),
    headers: CONTROL_HEADERS,
    expected: state.live?.etag ?? null,
    style: lease.style,
  });
  if (outcome.won) return;
  const winner =
    outcome.found === null ? null : parsePointer(outcome.found.body, `${bucket.url}/${POINTER_KEY}`);
  throw new VitrineError(
    "publisher_busy",
    `Another publisher was faster on ${bucket.url}: ${winner?.releases[0]?.by ?? "somebody"} made release ` +
      `${winner?.release ?? "(none)"} live.`,
  );
}

/**
 * The rest of a publish once its release is live; all of it can be repeated. Keys are deleted and purged before the objects that
 * say which keys those are. Returns the purges.
 * @throws VitrineError publisher_busy, remote_failed, purge_failed
 */
export async function finishRelease(
  publication: Publication,
  lease: Lease,
  pointer: Pointer,
  deletions: Iterable<string>,
  pending: PendingPurge,
): Promise<PurgePlan[]> {
  const { rules, ports, memory } = publication;
  const { bucket } = ports;
  await deleteKeys(bucket, deletions, lease);

  const plans: PurgePlan[] = [];
  const failures: unknown[] = [];
  // Only this run's options choose the CDNs: a forged journal could name any address, and this run's secret would sign the request.
  for (const spec of rules.purge) {
    try {
      const cdn = ports.cdn(spec);
      const plan = planPurge(pending, cdn);
      await runPurge(cdn, plan, pending.release, lease.hold);
      plans.push(plan);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) {
    throw new VitrineError(
      "purge_failed",
      `Release ${pending.release} is live in ${bucket.url}, but the CDN still has older responses: ` +
        `${failures.map(messageOf).join(" ")} The journal keeps the pending purge: publish again with the same --purge.`,
      { cause: failures[0] },
    );
  }

  const kept = new Set(pointer.releases.map(({ index }) => index));
  const indexes = [...lease.journal.expired, ...lease.journal.attempted].filter((name) => !kept.has(name));
  const unneeded = new Set<string>();
  for (const name of indexes)
    for (const object of await objectsNamedBy(publication, name)) unneeded.add(object);
  // A forged journal may name a needed object as an index.
  const forgotten = new Set(indexes);
  for (const name of forgotten.size > 0 ? namesOfAll(memory, pointer) : []) {
    unneeded.delete(name);
    forgotten.delete(name);
  }
  for (const name of forgotten) unneeded.delete(name);
  await deleteKeys(bucket, [...unneeded].map(objectKey), lease);
  // An index says which objects to delete, so it is deleted after them.
  await deleteKeys(bucket, [...forgotten].map(objectKey), lease);
  memory.forgetOthers(pointer.releases.map(({ index }) => index));
  await lease.finish();
  return plans;
}

/** Objects named by an index that is being forgotten; empty if the index is missing or unreadable. */
async function objectsNamedBy({ ports, memory }: Publication, name: string): Promise<ReadonlySet<string>> {
  const known = memory.indexOf(name);
  if (known !== undefined) return objectsOf(known);
  try {
    const index = await findIndex(ports.bucket, name);
    return index === null ? NO_KEYS : objectsOf(index);
  } catch (error) {
    if (error instanceof VitrineError && error.code === "remote_failed") throw error;
    return NO_KEYS;
  }
}

const NO_KEYS: ReadonlySet<string> = new Set();
/** S3 takes 1,000 keys in one request. */
const BATCH = 1000;

async function deleteKeys(bucket: Bucket, keys: Iterable<string>, lease: Lease): Promise<void> {
  let batch: string[] = [];
  const flush = async () => {
    await lease.hold();
    if (batch.length > 0) await bucket.delete(batch);
    batch = [];
  };
  for (const key of keys) {
    batch.push(key);
    if (batch.length === BATCH) await flush();
  }
  await flush();
}

/** Without changes: drops surplus releases and ends a hold, if either is due. */
async function keepLive(publication: Publication, lost: ReadonlySet<string>): Promise<Done> {
  const { rules, state } = publication;
  const { live } = state;
  const unchanged = { outcome: "unchanged", counts: NO_CHANGES, purges: [], sampledKeys: [] } as const;
  const [first, ...before] = live?.pointer.releases ?? [];
  if (live === null || first === undefined) return { ...unchanged, release: null, dropped: [] };
  const { release } = live.pointer;
  const releases = [first, ...keptReleases(publication, before, lost)];
  const expired = live.pointer.releases.filter((each) => !releases.includes(each));
  const isHeld = isHeldAfter(rules, state);
  const dropped = expired.map(({ id }) => id);
  const { retired, due } = planRetired(live.pointer, {
    gone: [],
    isNext: (key) => publication.snapshot.manifest.get(key) !== undefined,
    cache: publication.snapshot.config.cache,
    now: publication.ports.bucket.now(),
  });
  const isSettled = expired.length === 0 && due.length === 0 && isHeld === (live.pointer.held === true);
  if (rules.dryRun || isSettled) return { ...unchanged, release, dropped };
  await onLive(publication, { expired: expired.map(({ index }) => index), purge: [] }, async (lease) => {
    await deleteKeys(publication.ports.bucket, due, lease);
    const { held: _, retired: __, ...rest } = live.pointer;
    const marks = { ...heldMark(isHeld), ...retiredMark(retired) };
    const pointer: Pointer = { ...rest, attempt: lease.journal.attempt, releases, ...marks };
    await commitPointer(publication, pointer, lease);
    return finishRelease(publication, lease, pointer, [], { release, keys: [], tags: [] });
  });
  return { ...unchanged, release, dropped };
}

/**
 * Finishes a live release whose deletions or purges were interrupted. Null if the place has lost the manifest that says which they
 * are and is being repaired: then the snapshot is published once more.
 */
async function finishCommitted(
  publication: Publication,
  { journal, etag }: FoundJournal,
): Promise<string | null> {
  const { live } = publication.state;
  if (live === null) throw new Error("Nothing is live");
  const { pointer } = live;
  // While the journal is unchanged, no other publisher makes a release live.
  await learnIndexes(publication);
  const index = await followLive(publication, pointer);
  if (index === null) return null;
  const taken: Journal = { ...journal, ...holdOf(publication) };
  await underLease(publication, taken, etag, async (lease) => {
    const name = pointer.releases[0]?.index;
    const others = [journal.from, ...journal.attempted].filter((each) => each !== null && each !== name);
    const touched = new Set<string>();
    const retired = new Set(pointer.retired?.map(({ key }) => key));
    const deletions = new Set<string>();
    for (const other of others) {
      // Missing objects mean that it is being forgotten: its keys were deleted and purged before.
      const difference = await unlessDamaged(publication.rules, () =>
        compareWithLive(publication, other ?? "", index),
      );
      for (const key of [...(difference?.others ?? []), ...(difference?.missing ?? [])]) touched.add(key);
      for (const key of difference?.others ?? [])
        if (!publication.memory.has(key) && !retired.has(key)) deletions.add(key);
    }
    const isAll = journal.purgesAll === true || journal.hasOtherHeaders === true;
    const pending = {
      release: journal.release,
      keys: isAll || touched.size > MOST_PURGED_KEYS ? null : [...touched].sort(),
      // Without keys and tags, everything is purged.
      tags: isAll ? [] : [...new Set([...touched].map(tagOf))].sort(),
    };
    await finishRelease(publication, lease, pointer, deletions, pending);
  });
  return `release ${journal.release} was live already; its deletions and purges are finished now`;
}

/**
 * Plan: what a publish will write, commit and finish, as data. It only reads: the live manifest is followed, the snapshot's is compared
 * with it, and the objects that differ are made in a temporary folder.
 *
 * It is right if it names every key at which the place may differ from the snapshot. A key has the bytes of the live manifest, except
 * where an interrupted attempt put others: the journal names all attempts, and each attempt's index all its keys (`compareWithLive`).
 * What cannot be read there fails the plan; a repair puts it again instead.
 */
import { itemAt } from "../base/arrays.ts";
import { FORMATS } from "../base/formats.ts";
import { openCatalog } from "../catalog/catalog.ts";
import { type MadeRelease, makeRelease } from "../release/make-release.ts";
import { configIn, objectsOf } from "../release/release-index.ts";
import { shownPlaces } from "./addresses.ts";
import { type CompareInputs, type KeyChanges, nextEntries } from "./changes.ts";
import { type BucketState, type Pointer, type ReleaseRecord, type Retired, releaseId } from "./documents.ts";
import { missingObject } from "./fetch-release.ts";
import { guardChanges, isUnchanged, nextGeneration, readAtOf } from "./guards.ts";
import { headerPolicy } from "./headers.ts";
import { keptOf } from "./kept.ts";
import { purgesOfRepair, type Work, workBeforeRepair } from "./lease.ts";
import {
  compareWithLive,
  followLive,
  isWhole,
  learnIndexes,
  NO_NAMES,
  namesOf,
  namesOfAll,
} from "./live-manifest.ts";
import type { PublishRules } from "./options.ts";
import type { Publication } from "./publication.ts";
import { type PendingPurge, pendingPurge } from "./purge.ts";
import { isNamedByDigest, planRetired } from "./retired.ts";
import { findLostObjects } from "./served.ts";

/** What a publish will do with the changes of keys. */
export interface ReleasePlan {
  /** True if there is nothing to do. */
  readonly isSettled: boolean;
  /** For the journal: what is left to do if the publish is interrupted. */
  readonly work: Work;
  /** The next release; null if the live one stays. */
  readonly made: MadeRelease | null;
  /** Names of the objects to put, the index first. */
  readonly objects: readonly string[];
  /** True if keys may have been put by an interrupted publish. */
  readonly mayBeThere: boolean;
  /** True if the remembered entries are the live manifest's. */
  readonly isRemembered: boolean;
  /** Retired files whose time is over. */
  readonly due: readonly string[];
  /** Without what the commit knows. */
  readonly pointer: Omit<Pointer, "attempt" | "conditions" | "service">;
  readonly pending: PendingPurge;
  /** Ids of releases that are no longer kept. */
  readonly dropped: readonly string[];
}

/**
 * Plans the snapshot's release. The live one stays if it has the same content and the place has lost nothing of it.
 * @param changes takes the changes of keys @param folder takes the objects
 * @throws VitrineError guard_refused, remote_failed, remote_invalid
 */
export async function planRelease(
  publication: Publication,
  changes: KeyChanges,
  folder: string,
): Promise<ReleasePlan> {
  const { snapshot, rules, ports, memory, state } = publication;
  const { bucket } = ports;
  const live = state.live?.pointer ?? null;
  const left = state.journal?.journal ?? null;
  const isSame = isUnchanged(state, snapshot);
  await learnIndexes(publication);
  const lost = rules.repair
    ? await findLostObjects(bucket, namesOfAll(memory, live), { reads: true, seen: rules.seen })
    : NO_NAMES;
  const isThere = live !== null && isWhole(memory, live.releases[0], lost);
  if (live !== null && !isThere && !rules.repair) throw missingObject(bucket, itemAt(live.releases, 0).index);
  const known = isThere ? await followLive(publication, live) : null;
  if (left === null && isSame && known !== null && live !== null) return keepLive(publication, live, lost);

  // Keys that interrupted attempts may have put.
  const { others: uncertain } = await compareWithLive(publication, left?.attempted ?? [], known);
  const hasOtherHeaders =
    left?.hasOtherHeaders === true || (live !== null && live.headerPolicy !== headerPolicy(snapshot.config));
  const isNext = (key: string) => snapshot.manifest.get(key) !== undefined;
  // If the place lost the live manifest, a snapshot of the same content replaces it; otherwise all files are put.
  const standIn = live !== null && isSame ? () => snapshot.manifest.entries() : () => [];
  const inputs: CompareInputs = {
    local: () => snapshot.manifest.entries(),
    live: known !== null ? () => memory.entries() : standIn,
    isOtherHeaders: hasOtherHeaders,
    isUncertain: (key) => left?.hasOtherHeaders === true || uncertain.has(key),
    uncertain,
    isNext,
    isRetired: isNamedByDigest,
  };
  changes.compare(inputs);
  guardChanges(publication, changes);

  using catalog = openCatalog(snapshot.layout.catalog);
  const [first] = live?.releases ?? [];
  const there = new Set(first === undefined ? [] : namesOf(memory, first));
  const made = await makeRelease(
    {
      catalog,
      entries: nextEntries(inputs),
      previous: known ?? (first === undefined ? null : (memory.indexOf(first.index) ?? null)),
      hasObject: (name) => there.has(name) && !lost.has(name),
      folder,
    },
    memory,
  );
  const older = keptReleases(publication, stayingReleases(live, made, lost), withoutMade(lost, made));
  const work = workOf(publication, made, older, hasOtherHeaders);
  const { retired, due } = planRetired(live ?? {}, {
    gone: changes.retired,
    isNext,
    cache: (known && configIn(known))?.cache ?? snapshot.config.cache,
    now: bucket.now(),
  });
  return {
    isSettled: false,
    work,
    made,
    objects: objectsToPut(publication, made, older, lost),
    mayBeThere: left !== null,
    isRemembered: known !== null,
    due,
    pointer: pointerOf(publication, { work, made, changes, older, retired }),
    pending: pendingPurge(work.release, changes.touched()),
    dropped: droppedFrom(live, older),
  };
}

/**
 * Plans an unchanged snapshot without the lock: looks only at what this machine remembers.
 * @throws VitrineError remote_failed if the place has lost the live release's index
 */
export async function planUnchanged(publication: Publication, live: Pointer): Promise<ReleasePlan> {
  const { memory, ports } = publication;
  await learnIndexes(publication);
  const { index } = itemAt(live.releases, 0);
  if (!memory.hasIndex(index)) throw missingObject(ports.bucket, index);
  return keepLive(publication, live, NO_NAMES);
}

/** The live release stays: drops surplus releases, deletes retired files and ends a hold, if that is due. */
function keepLive(publication: Publication, live: Pointer, lost: ReadonlySet<string>): ReleasePlan {
  const { snapshot, rules, ports, state } = publication;
  const { attempt: _, conditions: __, service: ___, held, retired: before, ...rest } = live;
  const [first, ...older] = live.releases;
  const releases = [...(first === undefined ? [] : [first]), ...keptReleases(publication, older, lost)];
  const expired = live.releases.filter((release) => !releases.includes(release));
  const isHeld = isHeldAfter(rules, state);
  const { retired, due } = planRetired(live, {
    gone: [],
    isNext: (key) => snapshot.manifest.get(key) !== undefined,
    cache: snapshot.config.cache,
    now: ports.bucket.now(),
  });
  return {
    isSettled: expired.length === 0 && due.length === 0 && isHeld === (held === true),
    work: {
      ...workBeforeRepair(publication),
      expired: expired.map(({ index }) => index),
    },
    made: null,
    objects: [],
    mayBeThere: false,
    isRemembered: true,
    due,
    pointer: { ...rest, releases, ...retiredMark(retired), ...heldMark(isHeld) },
    pending: pendingPurge(live.release, []),
    dropped: droppedFrom(live, releases),
  };
}

function droppedFrom(live: Pointer | null, kept: readonly ReleaseRecord[]): string[] {
  return (live?.releases ?? []).filter((release) => !kept.includes(release)).map(({ id }) => id);
}

/** Names of the new objects. A rollback makes objects that the older release already has: those are not put again. */
function objectsToPut(
  { rules, memory }: Publication,
  { objects, name }: MadeRelease,
  older: readonly ReleaseRecord[],
  lost: ReadonlySet<string>,
): string[] {
  const names = new Set(objects.keys());
  const target = older.find(({ id }) => id === rules.rollbackOf);
  if (target !== undefined)
    for (const known of namesOf(memory, target)) if (!lost.has(known)) names.delete(known);
  // The index first: it names all other objects.
  return [...names].sort((a, b) => Number(b === name) - Number(a === name));
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
    ports.clock.now(),
  );
}

/** The journal's part: whatever is interrupted later, the next publish learns from it what may exist. */
function workOf(
  publication: Publication,
  made: MadeRelease,
  older: readonly ReleaseRecord[],
  hasOtherHeaders: boolean,
): Work {
  const { snapshot, rules, state } = publication;
  const left = state.journal?.journal ?? null;
  const live = state.live?.pointer ?? null;
  const generation = nextGeneration(publication);
  const kept = new Set([made.name, ...older.map(({ index }) => index)]);
  const before = [...(live?.releases ?? []).map(({ index }) => index), ...(left?.expired ?? [])];
  return {
    generation,
    release: releaseId(generation, snapshot.manifest.meta["catalog_digest"] ?? ""),
    from: live?.releases[0]?.index ?? null,
    attempted: [...new Set([...(left?.attempted ?? []), made.name])],
    expired: [...new Set(before)].filter((name) => !kept.has(name)),
    purge: shownPlaces(rules.purge),
    ...purgesOfRepair(rules),
    ...(hasOtherHeaders && { hasOtherHeaders: true }),
    ...heldMark(rules.rollbackOf !== null),
  };
}

/** The pointer that makes a release live. */
function pointerOf(
  { snapshot, rules, ports, state }: Publication,
  next: {
    readonly work: Work;
    readonly made: MadeRelease;
    readonly changes: KeyChanges;
    readonly older: readonly ReleaseRecord[];
    readonly retired: readonly Retired[];
  },
): ReleasePlan["pointer"] {
  const { generation, release } = next.work;
  const { files, sizeBytes } = snapshot.manifest.totals();
  const record: ReleaseRecord = {
    id: release,
    at: ports.clock.now().toISOString(),
    readAt: rules.rollbackOf === null ? readAtOf({ snapshot, ports }) : snapshot.readAt,
    by: `vitrine ${snapshot.vitrine} on ${ports.holder.host}`,
    files,
    sizeBytes,
    put: next.changes.puts,
    deleted: next.changes.counts.deleted,
    catalogDigest: snapshot.manifest.meta["catalog_digest"] ?? "",
    catalogFormat: snapshot.catalogFormat,
    index: next.made.name,
    ...(rules.rollbackOf !== null && { rollbackOf: rules.rollbackOf }),
  };
  return {
    format: FORMATS.pointer.newest,
    generation,
    release,
    content: snapshot.manifest.meta["content"] ?? "",
    headerPolicy: headerPolicy(snapshot.config),
    releases: [record, ...next.older],
    ...retiredMark(next.retired),
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

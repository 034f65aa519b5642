/**
 * Stage 3, snapshot → release: read what stands there, finish what an earlier publish left undone, then plan, write, commit,
 * finish: {@link publish} and {@link publishOnce} say it in that order.
 */
import { VitrineError } from "../base/error.ts";
import { temporaryFolder } from "../base/temporary-folder.ts";
import { fetchLiveEntries, fetchTouched, keysWithout, NO_CHANGES } from "./changes.ts";
import {
  type BucketState,
  type FoundJournal,
  isCommitted,
  readPointer,
  readState,
  refuseNewer,
} from "./documents.ts";
import { headerPolicy } from "./headers.ts";
import { busyError, type Lease, underLease } from "./lease.ts";
import {
  originOf,
  type Publication,
  type Published,
  type PublishPorts,
  type PublishRules,
  type Snapshot,
} from "./options.ts";
import { guardPublication, holdOf, idOf, idsWithout, isHeldAfter, planRelease } from "./plan.ts";
import { planPurge, shownPlace } from "./purge.ts";
import { lacksLive } from "./releases.ts";
import { findLostParts, readPublic, verifyPublic } from "./served.ts";
import { adjustPointer } from "./upkeep.ts";
import { commitRelease, finishRelease, writeRelease } from "./write.ts";

/** What one round came to. */
interface Done extends Pick<Published, "outcome" | "release" | "counts" | "purges" | "dropped"> {
  /** Of the keys that were put, as many as a sample of what the public address serves is drawn from. */
  readonly changedKeys: readonly string[];
}

const MOST_CHANGED_KEYS = 5000;
const NONE: ReadonlySet<string> = new Set();
/** Times that the live release may change under the comparison. */
const ROUNDS = 4;

/**
 * Makes a snapshot live.
 * @throws VitrineError guard_refused, release_held, newer_format, publisher_busy, conditions_ignored, remote_failed,
 * purge_failed, remote_stale
 */
export async function publish(
  snapshot: Snapshot,
  options: PublishRules,
  ports: PublishPorts,
): Promise<Published> {
  const started = performance.now();
  // A CDN that cannot be used is reported before anything is written.
  const cdns = options.purge.map(ports.cdn);
  const { url } = ports.bucket;
  const unpurged = new Set<string>();
  let finished: string | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    const state = await readState(ports.bucket, ports.isGone);
    const { live, journal } = state;
    if (journal?.alive && !options.dryRun) throw busyError(url, journal.journal);
    for (const place of unpurgedBy(state, options)) unpurged.add(place);
    const publication = { snapshot, options, ports, state, lost: NONE };
    const isLeft = journal !== null && isCommitted(journal.journal, live?.pointer ?? null);
    if (isLeft && !options.dryRun) {
      finished = await finishCommitted(publication, journal);
      continue;
    }
    // What is committed is certain: a dry run compares with it as if its journal were gone.
    const done = await publishOnce(isLeft ? { ...publication, state: { live, journal: null } } : publication);
    if (done === null) continue;
    const { changedKeys: keys, ...report } = done;
    const seconds = (performance.now() - started) / 1000;
    const held = options.dryRun ? live?.pointer.held === true : isHeldAfter(publication);
    const read = readPublic(originOf(snapshot.config), { callMilliseconds: options.timeoutSeconds * 1000 });
    const sought = { keys, manifest: snapshot.manifest, release: done.release ?? "", size: options.verify };
    const verified =
      done.outcome === "published" && options.verify > 0 ? await verifyPublic(sought, { read, cdns }) : 0;
    return { ...report, held, finished, unpurged: [...unpurged], seconds, verified };
  }
  throw new VitrineError(
    "publisher_busy",
    `The live release of ${url} keeps changing while it is compared: others publish there. Publish again later.`,
  );
}

/** One round: plan, write, commit, finish. Null: the live release changed meanwhile. */
async function publishOnce(read: Publication): Promise<Done | null> {
  const { options, ports, state } = read;
  const publication = { ...read, lost: await findLost(read) };
  // Fallbacks would have to go back and forth between the formats of two publishers. Whoever goes back may.
  if (options.rollbackOf === null) refuseNewer(state.live?.pointer.releases[0], ports.bucket.url);
  refuseIfHeld(publication);
  if (state.journal === null && isUnchanged(state, read.snapshot) && !isToBeMade(publication))
    return keepLive(publication);
  await using folder = await temporaryFolder();
  const plan = await planRelease(publication, folder.path);
  using changes = plan.changes;
  await guardPublication(publication, changes);
  const before = state.live?.pointer.releases.map(idOf) ?? [];
  const dropped = idsWithout(before, plan.older.map(idOf));
  const changedKeys = changes.sample(MOST_CHANGED_KEYS);
  const report = { counts: changes.counts, dropped, changedKeys };
  if (options.dryRun) {
    const purges = options.purge.map((spec) => planPurge(plan.journal, ports.cdn(spec)));
    return { outcome: "planned", release: state.live?.pointer.release ?? null, purges, ...report };
  }
  return await underLease(publication, plan.journal, state.journal?.etag ?? null, async (lease) => {
    if (!(await isStillLive(publication, lease))) return null;
    const sizeBytes = await writeRelease(publication, plan, lease);
    await commitRelease(publication, plan, lease, sizeBytes);
    const purges = await finishRelease(publication, lease, changes.deletions());
    ports.log.progress(() => "done");
    return { outcome: "published", release: plan.journal.release, purges, ...report };
  });
}

/** Told by three texts, whatever the number of files. */
export function isUnchanged({ live }: BucketState, { manifest, config }: Snapshot): boolean {
  return (
    live !== null &&
    live.pointer.content === manifest.meta["content"] &&
    live.pointer.headerPolicy === headerPolicy(config) &&
    live.pointer.releases[0]?.catalogDigest === manifest.meta["catalog_digest"]
  );
}

/** Places that an earlier publish was to purge, and this one is not told to. */
function unpurgedBy({ journal }: BucketState, { purge }: PublishRules): string[] {
  const named = purge.map(shownPlace);
  return (journal?.journal.purge ?? []).map(shownPlace).filter((place) => !named.includes(place));
}

/** Releases of which the place has lost a part; only looked for to repair. */
async function findLost({ options, ports, state }: Publication): Promise<ReadonlySet<string>> {
  const parts = state.live?.pointer.parts ?? [];
  return options.repair ? findLostParts(ports.bucket, parts, { reads: true }) : NONE;
}

/** True where a release must be made though its content is live: of what the bucket has lost, or to stand alone. */
function isToBeMade({ options, state, lost }: Publication): boolean {
  const live = state.live?.pointer;
  return lacksLive(live, lost) || (options.alone && (live?.parts.length ?? 0) > 1);
}

/** Refuses to undo a rollback, or one that was cut off. What is live already may be published again. */
function refuseIfHeld({ options, state, snapshot, ports }: Publication): void {
  const { live, journal } = state;
  if (options.resume || options.rollbackOf !== null) return;
  const { url } = ports.bucket;
  const next = "vitrine publish --resume makes what is built live again";
  if (journal?.journal.held === true) {
    const to = journal.journal.release;
    throw new VitrineError(
      "release_held",
      `A rollback of ${url} was cut off before its release ${to} was live, so nothing newer goes live. Run vitrine rollback again; ${next}.`,
    );
  }
  if (live?.pointer.held !== true || isUnchanged(state, snapshot)) return;
  const [record] = live.pointer.releases;
  throw new VitrineError(
    "release_held",
    `A rollback holds release ${live.pointer.release} of ${url}, since ${record?.at} by ${record?.by}, so nothing newer goes live. ` +
      `Once what was wrong is mended, ${next}.`,
  );
}

/** Nothing differs: but what is kept may be more than is wanted. */
async function keepLive(publication: Publication): Promise<Done> {
  const { options, state } = publication;
  const dropped = options.dryRun ? [] : await adjustPointer(publication);
  const release = state.live?.pointer.release ?? null;
  return { outcome: "unchanged", release, counts: NO_CHANGES, purges: [], dropped, changedKeys: [] };
}

/** True where the live release is still the one that was compared with. Else the lock is given back. */
async function isStillLive({ ports, state }: Publication, lease: Lease): Promise<boolean> {
  const live = await readPointer(ports.bucket);
  if ((live?.etag ?? null) === (state.live?.etag ?? null)) return true;
  if (state.journal === null) await lease.finish();
  else await lease.giveBack();
  return false;
}

/**
 * A release that is live, but whose deletions or purges were cut off, is finished. What the pointer names stays: work on
 * the live release may have been cut off before it said there what it forgets.
 */
async function finishCommitted(publication: Publication, { journal, etag }: FoundJournal): Promise<string> {
  const { snapshot, state, ports } = publication;
  const { bucket } = ports;
  const { pointer } = state.live ?? {};
  const taken = {
    ...journal,
    ...holdOf(publication),
    expired: idsWithout(journal.expired, pointer?.releases.map(idOf) ?? []),
    unneeded: idsWithout(journal.unneeded, pointer?.parts.map(idOf) ?? []),
  };
  await using folder = await temporaryFolder();
  await underLease(publication, taken, etag, async (lease) => {
    const touched = await fetchTouched(bucket, journal, folder.path);
    // Where a snapshot has the same content, it has the same keys.
    const present =
      pointer?.content === snapshot.manifest.meta["content"]
        ? () => snapshot.manifest.entries()
        : await fetchLiveEntries(bucket, state.live, folder.path);
    await finishRelease(publication, lease, keysWithout(touched, present));
  });
  return `release ${journal.release} was live already; its deletions and purges are finished now`;
}

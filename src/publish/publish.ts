/** Stage 3, snapshot → release: plan, write, finish. What an earlier publish left undone is finished first. */
import { VitrineError } from "../base/error.ts";
import { temporaryFolder } from "../base/temporary-folder.ts";
import type { Bucket } from "./bucket.ts";
import { type ChangeCounts, type Changes, PHASES } from "./changes.ts";
import { keysWithout } from "./compare.ts";
import { isCommitted, refuseNewer } from "./documents.ts";
import { finishRelease } from "./finish.ts";
import { guardPublication } from "./guards.ts";
import { headerPolicy } from "./headers.ts";
import { busyError, type Lease, underLease } from "./lease.ts";
import { findLostParts, lacksLive } from "./lost-parts.ts";
import { idOf, idsWithout, isHeldAfter, planRelease, type ReleasePlan } from "./plan.ts";
import type { Publication, PublishOptions, PublishPorts, PublishReport, Snapshot } from "./ports.ts";
import { chooseStyle } from "./probe.ts";
import { type PurgePlan, planPurge, shownPlace } from "./purge/plan.ts";
import {
  type FoundJournal,
  fetchLiveEntries,
  fetchTouched,
  readPointer,
  readState,
  type State,
} from "./state.ts";
import { adjustPointer } from "./upkeep.ts";
import { commitRelease, leaveJournal, putRelease } from "./write.ts";

type Report = Omit<PublishReport, "seconds" | "finished" | "unpurged" | "held">;

const NONE: ReadonlySet<string> = new Set();

const NO_CHANGES: ChangeCounts = {
  new: 0,
  changed: 0,
  headers: 0,
  uncertain: 0,
  deleted: 0,
  kept: 0,
  putBytes: 0,
};
/** Changed keys that a report names: enough to draw a sample from. */
const REPORTED_KEYS = 5000;

/** Told by three texts, whatever the number of files. */
export function isUnchanged({ live }: State, { manifest, config }: Snapshot): boolean {
  return (
    live !== null &&
    live.pointer.content === manifest.meta["content"] &&
    live.pointer.headerPolicy === headerPolicy(config) &&
    live.pointer.releases[0]?.catalogDigest === manifest.meta["catalog_digest"]
  );
}

/**
 * A release that is live, but whose deletions or purges were cut off, is finished. What the pointer names stays: work on
 * the live release may have been cut off before it said there what it forgets.
 */
async function finishCommitted(publication: Publication, { journal, etag }: FoundJournal): Promise<string> {
  const { options, ports, state } = publication;
  const attempt = ports.newAttempt();
  const taken = {
    ...journal,
    expired: idsWithout(journal.expired, state.live?.pointer.releases.map(idOf) ?? []),
    unneeded: idsWithout(journal.unneeded, state.live?.pointer.parts.map(idOf) ?? []),
    attempt,
    holder: ports.holder,
    startedAt: ports.now().toISOString(),
    leaseSeconds: options.leaseSeconds,
    purge: [...new Set(options.purge.map(shownPlace))],
  };
  const style = await chooseStyle(publication, attempt);
  const terms = { style, stallSeconds: options.stallSeconds, replaces: etag };
  await using folder = await temporaryFolder();
  await underLease(ports, taken, terms, async (lease, held) => {
    const touched = await fetchTouched(held.bucket, journal, folder.path);
    const present = await entriesOfLive(publication, held.bucket, folder.path);
    await finishRelease(lease, keysWithout(touched, present), options.purge, held);
  });
  return `release ${journal.release} was live already; its deletions and purges are finished now`;
}

/** Keys of what is live: where a snapshot has the same content, it has the same keys. */
function entriesOfLive({ snapshot, state }: Publication, bucket: Bucket, folder: string) {
  const { manifest } = snapshot;
  if (state.live?.pointer.content !== manifest.meta["content"])
    return fetchLiveEntries(bucket, state.live, folder);
  return async function* () {
    yield* manifest.entries();
  };
}

/** True where the live release is still the one that was compared with. Else the lock is given back. */
async function isStillLive({ ports, state }: Publication, lease: Lease): Promise<boolean> {
  const live = await readPointer(ports.bucket);
  if ((live?.etag ?? null) === (state.live?.etag ?? null)) return true;
  if (state.journal === null) await lease.finish();
  else await lease.giveBack();
  return false;
}

/** Makes a planned release live, under the lock. Null: the live release changed meanwhile. */
async function release(publication: Publication, plan: ReleasePlan): Promise<readonly PurgePlan[] | null> {
  const { options, ports, state } = publication;
  const style = await chooseStyle(publication, plan.journal.attempt);
  const replaces = state.journal?.etag ?? null;
  const onLost = (lease: Lease) => leaveJournal(publication, lease);
  const terms = { style, stallSeconds: options.stallSeconds, replaces, onLost };
  return underLease(ports, plan.journal, terms, async (lease, held) => {
    const underway = { ...publication, ports: held };
    if (!(await isStillLive(underway, lease))) return null;
    const sizeBytes = await putRelease(underway, plan, lease);
    await commitRelease(underway, plan, lease, sizeBytes);
    return finishRelease(lease, plan.changes.deletions(), options.purge, held);
  });
}

async function planned(publication: Publication): Promise<ReleasePlan> {
  await using folder = await temporaryFolder();
  return await planRelease(publication, folder.path);
}

/** Compares, guards, and writes unless this is a dry run. Null: the live release changed meanwhile. */
async function publishRound(publication: Publication): Promise<Report | null> {
  const { options, ports, state } = publication;
  const plan = await planned(publication);
  const { changes, journal } = plan;
  const before = state.live?.pointer.releases.map(idOf) ?? [];
  try {
    await guardPublication(publication, changes);
    const dropped = idsWithout(before, plan.older.map(idOf));
    const told = { counts: changes.counts, dropped, changedKeys: changedKeys(changes) };
    if (options.dryRun) {
      const purges = options.purge.map((spec) => planPurge(journal, ports.cdn(spec)));
      return { outcome: "planned", release: state.live?.pointer.release ?? null, purges, ...told };
    }
    const purges = await release(publication, plan);
    return purges && { outcome: "published", release: journal.release, purges, ...told };
  } finally {
    changes.close();
    ports.log.progress(() => (state.live === null ? "first publish done" : "done"));
  }
}

function changedKeys(changes: Changes): string[] {
  const keys: string[] = [];
  for (const phase of PHASES)
    for (const { key } of changes.puttable(phase)) if (keys.push(key) >= REPORTED_KEYS) return keys;
  return keys;
}

/** Times that the live release may change under the comparison. */
const ROUNDS = 4;

/** True where a release must be made though its content is live: of what the bucket has lost, or to stand alone. */
function isToBeMade(publication: Publication): boolean {
  const { parts = [] } = publication.state.live?.pointer ?? {};
  return lacksLive(publication) || (publication.options.alone === true && parts.length > 1);
}

/** Nothing differs: but what is kept may be more than is wanted. */
async function keepLive(publication: Publication): Promise<Report> {
  const { options, state } = publication;
  const dropped = options.dryRun ? [] : await adjustPointer(publication);
  const release = state.live?.pointer.release ?? null;
  return { outcome: "unchanged", release, counts: NO_CHANGES, purges: [], dropped, changedKeys: [] };
}

/** Refuses to undo a rollback, or one that was cut off. What is live already may be published again. */
function refuseIfHeld({ options, state, snapshot, ports }: Publication): void {
  const { live, journal } = state;
  if (options.resume === true || options.rollbackOf !== undefined) return;
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

/**
 * Makes a snapshot live.
 * @throws VitrineError guard_refused, release_held, newer_format, publisher_busy, conditions_ignored, remote_failed, purge_failed
 */
export async function publish(
  snapshot: Snapshot,
  options: PublishOptions,
  ports: PublishPorts,
): Promise<PublishReport> {
  const started = performance.now();
  let finished: string | null = null;
  const named = options.purge.map(shownPlace);
  const unpurged = new Set<string>();
  const done = (report: Report, state: State): PublishReport => ({
    ...report,
    held: options.dryRun ? state.live?.pointer.held === true : isHeldAfter(options, state),
    finished,
    unpurged: [...unpurged],
    seconds: (performance.now() - started) / 1000,
  });
  for (let round = 0; round < ROUNDS; round++) {
    const state = await readState(ports.bucket, ports.isGone);
    const { live, journal } = state;
    if (journal?.alive && !options.dryRun) throw busyError(ports.bucket.url, journal.journal);
    for (const place of journal?.journal.purge ?? []) {
      const shown = shownPlace(place);
      if (!named.includes(shown)) unpurged.add(shown);
    }
    const committed =
      journal !== null && isCommitted(journal.journal, live?.pointer ?? null) ? journal : null;
    if (committed !== null && !options.dryRun) {
      finished = await finishCommitted({ snapshot, options, ports, state, lost: NONE }, committed);
      continue;
    }
    // What is committed is certain: a dry run compares with it as if its journal were gone.
    const compared = committed === null ? state : { live, journal: null };
    const parts = live?.pointer.parts ?? [];
    const lost = options.repair === true ? await findLostParts(ports.bucket, parts, { reads: true }) : NONE;
    const publication = { snapshot, options, ports, state: compared, lost };
    // Fallbacks would have to go back and forth between the formats of two publishers. Whoever goes back may.
    if (options.rollbackOf === undefined) refuseNewer(live?.pointer.releases[0], ports.bucket.url);
    refuseIfHeld(publication);
    if (compared.journal === null && isUnchanged(compared, snapshot) && !isToBeMade(publication))
      return done(await keepLive(publication), state);
    const report = await publishRound(publication);
    if (report !== null) return done(report, state);
  }
  throw new VitrineError(
    "publisher_busy",
    `The live release of ${ports.bucket.url} keeps changing while it is compared: others publish there. Publish again later.`,
  );
}

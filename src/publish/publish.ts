/**
 * Stage 3, snapshot → release. A publish reads the live release and what an earlier publish left behind. If nothing is to do, it ends
 * there. Otherwise it takes the **lock**, **plans** the difference, **writes** it, **commits** by one conditional write of the pointer,
 * and **finishes**: deletions, purges, and objects that no kept release names. A publish that **repairs** then compares every answer.
 *
 * It is right because only the holder of the lock writes, so what it compares with cannot change; and because it may be killed at any
 * moment: objects are put before any key, details before the lists that name them, deletions come last. The journal, which is the
 * lock, names the index of the new release before anything is put, and that index names everything that may have been put. The next
 * publish reads it and continues from there, with this same code.
 */

import { rootAddress } from "../api/target.ts";
import { secondsSince } from "../base/clock.ts";
import { temporaryFolder, writingInto } from "../base/temporary-folder.ts";
import { shownPlaces } from "./addresses.ts";
import { KeyChanges, NO_CHANGES } from "./changes.ts";
import { commitRelease, putKeys, putObjects } from "./commit.ts";
import { type BucketState, isCommitted, readPointer, readState } from "./documents.ts";
import { deleteKeys, finishLeft, finishRelease } from "./finish.ts";
import { guardCatalog, guardForeign, isUnchanged, refuseWrong } from "./guards.ts";
import { busyError, isForgotten, underLease, untilFree, workBeforeRepair } from "./lease.ts";
import type { Published, PublishPorts, PublishRules, Snapshot } from "./options.ts";
import { memoryFile, PlaceMemory } from "./place-memory.ts";
import { planRelease, planUnchanged, type ReleasePlan } from "./plan.ts";
import type { Publication } from "./publication.ts";
import { type PurgePlan, planPurge } from "./purge.ts";
import { repairLive } from "./repair.ts";
import { readPublic, verifyPublic } from "./served.ts";

/** Most changed keys from which the sample for `--verify` is chosen. */
const MOST_SAMPLED_KEYS = 5000;

/**
 * Makes a snapshot live; waits while another publisher is at work there.
 * @throws VitrineError guard_refused, release_held, older_snapshot, newer_format, publisher_busy, conditions_ignored, remote_failed,
 * purge_failed, remote_stale
 */
export function publish(snapshot: Snapshot, rules: PublishRules, ports: PublishPorts): Promise<Published> {
  return untilFree(rules, ports, () => publishNow(snapshot, rules, ports));
}

/** Like {@link publish}, but does not wait. */
async function publishNow(snapshot: Snapshot, rules: PublishRules, ports: PublishPorts): Promise<Published> {
  const { bucket, clock } = ports;
  const started = clock.elapsed();
  // Report an unusable CDN before anything is written.
  const cdns = rules.purge.map(ports.cdn);
  using memory = new PlaceMemory(memoryFile(snapshot.layout, bucket), ports.log);

  // Look: two requests. An unchanged snapshot needs no lock.
  const found = await readState(bucket, ports.isGone);
  const { live, journal: left } = found;
  if (left?.alive && !rules.dryRun) throw busyError(bucket.url, left.journal);
  const isLeftLive = left !== null && isCommitted(left.journal, live?.pointer ?? null);
  // A committed release is certain: a dry run compares with it as if its journal were deleted.
  const state = isLeftLive && rules.dryRun ? { live, journal: null } : found;
  const looked: Publication = { snapshot, rules, ports, memory, state };
  // What a repair will have forgotten as a whole need not be purged before; until then the journal says that it has to be.
  const finishing = (publication: Publication): Publication =>
    isForgotten(rules) ? { ...publication, rules: { ...rules, purge: [] } } : publication;
  const report = (plan: ReleasePlan, more: Partial<Published> & Pick<Published, "outcome">): Published => ({
    release: plan.pointer.release,
    counts: NO_CHANGES,
    purges: [],
    held: plan.pointer.held === true,
    dropped: plan.dropped,
    finished: null,
    repaired: null,
    unpurged: unpurgedBy(found, rules),
    seconds: secondsSince(started, clock),
    verified: 0,
    ...more,
  });
  const planned = { release: live?.pointer.release ?? null, held: live?.pointer.held === true };
  // What a publish left behind is finished also if this one is then refused.
  if (!isLeftLive || rules.dryRun) refuseWrong(looked);
  if (live !== null && state.journal === null && !rules.repair && isUnchanged(state, snapshot)) {
    const plan = await planUnchanged(looked, live.pointer);
    if (rules.dryRun) return report(plan, { outcome: "unchanged", ...planned });
    if (plan.isSettled) return report(plan, { outcome: "unchanged" });
  }
  guardCatalog(snapshot);
  await guardForeign(looked);

  await using folder = await temporaryFolder();
  using changes = await writingInto(folder.path, async () => new KeyChanges(folder.path));
  const planFor = (publication: Publication) =>
    writingInto(folder.path, () => planRelease(publication, changes, folder.path));
  if (rules.dryRun) {
    const plan = await planFor(looked);
    const purges = cdns.map((cdn) => planPurge(plan.pending, cdn));
    if (plan.made === null) return report(plan, { outcome: "unchanged", ...planned });
    return report(plan, { outcome: "planned", purges, counts: changes.counts, ...planned });
  }

  const done = await underLease(looked, async (lease) => {
    // Another publisher may have come and gone before this one had the lock; from here on nothing changes without it.
    let publication = { ...looked, state: { live: await readPointer(bucket), journal: left } };
    const finished = await finishLeft(finishing(publication), lease);
    if (finished !== null) {
      publication = { ...publication, state: { live: publication.state.live, journal: null } };
      await lease.change(workBeforeRepair(publication));
    }
    refuseWrong(publication);

    // Plan, and say so in the journal.
    const plan = await planFor(publication);
    let { live } = publication.state;
    let purges: PurgePlan[] = [];
    if (!plan.isSettled) {
      await lease.change(plan.work);

      // Write: the index first, since it names all other objects; then the other objects; then keys, phase by phase.
      await putObjects(publication, plan, folder.path, lease);
      {
        using _ = ports.changing?.("answers");
        await putKeys(publication, plan, changes, lease);
        // Nothing names them any more, and the pointer is about to forget them.
        await deleteKeys(bucket, plan.due, lease);

        // Commit: this one write makes the whole release live.
        live = await commitRelease(publication, plan, changes, lease);
      }

      // Finish. The lock is released after that, and after a repair.
      const { pointer } = live;
      const { work, pending } = plan;
      const rest = { pointer, work, deletions: changes.deletions(), pending };
      purges = await finishRelease(finishing(publication), lease, rest);
    }
    if (!rules.repair || live === null) return { plan, purges, finished, repaired: null };
    publication = { ...publication, state: { live, journal: null } };
    // The publish is finished: a repair that fails must not leave it in the journal as undone.
    if (!plan.isSettled) await lease.change(workBeforeRepair(publication));
    using _ = ports.changing?.("answers");
    const repaired = await repairLive(publication, live.pointer, lease);
    return { plan, purges, finished, repaired };
  });

  const { plan, purges, ...more } = done;
  if (plan.made === null) return report(plan, { outcome: "unchanged", ...more });
  const published = report(plan, { outcome: "published", counts: changes.counts, purges, ...more });
  if (rules.verify === 0) return published;
  const keys = changes.sample(MOST_SAMPLED_KEYS);
  const sought = { keys, manifest: snapshot.manifest, release: plan.pointer.release, size: rules.verify };
  const origin = rootAddress(snapshot.config.baseUrl);
  const read = readPublic(origin, { callMilliseconds: rules.timeoutSeconds * 1000, clock }, ports.log);
  return { ...published, verified: await verifyPublic(sought, { read, cdns, clock }) };
}

/** Places that an earlier publish should have purged and this one is not asked to purge. */
function unpurgedBy({ journal }: BucketState, { purge }: PublishRules): string[] {
  const named = shownPlaces(purge);
  return shownPlaces(journal?.journal.purge ?? []).filter((place) => !named.includes(place));
}

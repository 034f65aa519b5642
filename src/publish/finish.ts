/**
 * Finish: what remains once a release is live. Keys that are gone are deleted and purged, then the objects that no kept release names:
 * they say which keys those are. All of it can be repeated, so an interrupted publish is finished by the next one with this code.
 *
 * It is right because each thing is deleted after what is found by it: keys by the objects of a manifest, objects by their index, an
 * index by the journal, which the lock deletes last. And because whatever the journal says, no object of a kept release is deleted.
 */
import { itemAt } from "../base/arrays.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { objectKey } from "../release/objects.ts";
import { objectsOf } from "../release/release-index.ts";
import type { Bucket } from "./bucket.ts";
import { isCommitted, type Pointer } from "./documents.ts";
import { findIndex } from "./fetch-release.ts";
import type { Lease, Work } from "./lease.ts";
import { compareWithLive, followLive, learnIndexes, NO_NAMES, namesOfAll } from "./live-manifest.ts";
import type { PublishPorts, PublishRules } from "./options.ts";
import type { Publication } from "./publication.ts";
import { type PendingPurge, type PurgePlan, pendingPurge, planPurge, purgeOfAll, runPurge } from "./purge.ts";

/** A live release and the work that remains for it. */
export interface Unfinished {
  readonly pointer: Pointer;
  /** The journal's part: releases and attempts whose objects may be deleted. */
  readonly work: Pick<Work, "expired" | "attempted">;
  readonly deletions: Iterable<string>;
  readonly pending: PendingPurge;
}

/** Returns the purges. @throws VitrineError publisher_busy, remote_failed, purge_failed */
export async function finishRelease(
  publication: Publication,
  lease: Lease,
  { pointer, work, deletions, pending }: Unfinished,
): Promise<PurgePlan[]> {
  const { ports, memory } = publication;
  const { bucket } = ports;
  using _ = ports.changing?.("deletions");
  await deleteKeys(bucket, deletions, lease);

  const plans = await purgeCdns(
    publication,
    pending,
    lease.hold,
    "The journal keeps the pending purge: publish",
  );

  const kept = new Set(pointer.releases.map(({ index }) => index));
  const indexes = [...work.expired, ...work.attempted].filter((name) => !kept.has(name));
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
  return plans;
}

/** Purges the CDNs that this run names. `next`: what to do again if one fails. @throws VitrineError purge_failed */
async function purgeCdns(
  { rules, ports }: Pick<Publication, "rules" | "ports">,
  pending: PendingPurge,
  hold: () => Promise<void>,
  next: string,
): Promise<PurgePlan[]> {
  const plans: PurgePlan[] = [];
  const failures: unknown[] = [];
  // Only this run's options choose the CDNs: a forged journal could name any address, and this run's secret would sign the request.
  for (const spec of rules.purge) {
    try {
      const cdn = ports.cdn(spec);
      const plan = planPurge(pending, cdn);
      await runPurge(cdn, plan, pending.release, hold);
      plans.push(plan);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 0) return plans;
  throw new VitrineError(
    "purge_failed",
    `Release ${pending.release} is live in ${ports.bucket.url}, but the CDN still has older responses: ` +
      `${failures.map(messageOf).join(" ")} ${next} again with the same --purge.`,
    { cause: failures[0] },
  );
}

/** Makes the CDNs forget everything. It needs no lock: nothing is written. @throws VitrineError purge_failed */
export function purgeAll(release: string, rules: PublishRules, ports: PublishPorts): Promise<PurgePlan[]> {
  return purgeCdns({ rules, ports }, purgeOfAll(release), async () => {}, "Run this command");
}

/**
 * Finishes the live release whose deletions or purges an earlier publish left behind, and says so. Null if there is none, or if the
 * place has lost the manifest that says which they are and is being repaired: then the snapshot is published once more.
 */
export async function finishLeft(publication: Publication, lease: Lease): Promise<string | null> {
  const { live, journal } = publication.state;
  if (live === null || journal === null || !isCommitted(journal.journal, live.pointer)) return null;
  const { pointer } = live;
  const work = journal.journal;
  await learnIndexes(publication);
  const index = await followLive(publication, pointer);
  if (index === null) return null;
  const names = new Set([...(work.from === null ? [] : [work.from]), ...work.attempted]);
  names.delete(itemAt(pointer.releases, 0).index);
  const { others, touched } = await compareWithLive(publication, names, index);
  const retired = new Set(pointer.retired?.map(({ key }) => key));
  const deletions = [...others].filter((key) => !publication.memory.has(key) && !retired.has(key));
  const isAll = work.purgesAll === true || work.hasOtherHeaders === true;
  const pending = isAll ? purgeOfAll(work.release) : pendingPurge(work.release, touched);
  await finishRelease(publication, lease, { pointer, work, deletions, pending });
  return `release ${work.release} was live already; its deletions and purges are finished now`;
}

/** Objects named by an index that is being forgotten; empty if the index is missing or unreadable. */
async function objectsNamedBy({ ports, memory }: Publication, name: string): Promise<ReadonlySet<string>> {
  const known = memory.indexOf(name);
  if (known !== undefined) return objectsOf(known);
  try {
    const index = await findIndex(ports.bucket, name);
    return index === null ? NO_NAMES : objectsOf(index);
  } catch (error) {
    if (error instanceof VitrineError && error.code === "remote_failed") throw error;
    return NO_NAMES;
  }
}

/** S3 takes 1,000 keys in one request. */
const BATCH = 1000;

export async function deleteKeys(bucket: Bucket, keys: Iterable<string>, lease: Lease): Promise<void> {
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

/** What comes after the commit: pending deletions, last of all writes, then pending purges, and only then the journal goes. */
import { messageOf, VitrineError } from "../base/error.ts";
import { type Bucket, catalogKey, deltaKey, manifestKey } from "./bucket.ts";
import type { Lease } from "./lease.ts";
import { chainOf } from "./parts.ts";
import type { PublishPorts } from "./ports.ts";
import { type PurgePlan, planPurge, runPurge } from "./purge/plan.ts";
import { readPointer } from "./state.ts";

const BATCH = 1000;

async function deleteAll(bucket: Bucket, keys: AsyncIterable<string>, assertHeld: () => void): Promise<void> {
  let batch: string[] = [];
  const flush = async () => {
    assertHeld();
    if (batch.length > 0) await bucket.delete(batch);
    batch = [];
  };
  for await (const key of keys) {
    batch.push(key);
    if (batch.length === BATCH) await flush();
  }
  await flush();
}

/** Where to is this run's to say: a journal could name any place, and be signed for there with this run's secret. */
async function purgeAll(
  { journal }: Lease,
  places: readonly string[],
  ports: PublishPorts,
): Promise<PurgePlan[]> {
  const plans: PurgePlan[] = [];
  const failures: unknown[] = [];
  for (const spec of places) {
    try {
      const cdn = ports.cdn(spec);
      const plan = planPurge(journal, cdn);
      await runPurge(cdn, plan, journal.release);
      plans.push(plan);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 0) return plans;
  throw new VitrineError(
    "purge_failed",
    `Release ${journal.release} is live in ${ports.bucket.url}, but the CDN still keeps older responses: ` +
      `${failures.map(messageOf).join(" ")} What is to be purged is kept in the journal: publish again with the same --purge and it is done.`,
    { cause: failures[0] },
  );
}

/** After a delta the folder before the present one is at hand; after a base nothing says in what the two differ. */
async function prepareNext(bucket: Bucket): Promise<void> {
  if (bucket.folders === undefined) return;
  const live = await readPointer(bucket);
  if (live === null) return;
  const { parts, release } = live.pointer;
  if (chainOf(parts, release).length === 1) await bucket.folders.prepare(release);
}

/** Finishes a committed release; all of it may be repeated. `places`: where to purge. Returns what was purged. */
export async function finishRelease(
  lease: Lease,
  deletions: AsyncIterable<string> | Iterable<string>,
  places: readonly string[],
  ports: PublishPorts,
): Promise<PurgePlan[]> {
  const { bucket } = ports;
  const { journal } = lease;
  async function* all() {
    yield* deletions;
    for (const release of journal.unneeded)
      yield* [catalogKey(release), manifestKey(release), deltaKey(release)];
  }
  await bucket.folders?.expose(journal.release);
  await deleteAll(bucket, all(), lease.assertHeld);
  await bucket.folders?.forget(journal.expired);
  const plans = await purgeAll(lease, places, ports);
  await prepareNext(bucket);
  await lease.finish();
  return plans;
}

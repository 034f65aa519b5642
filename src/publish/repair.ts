/** Puts back what a place has lost of its live release, and deletes what belongs to no release. */
import { queryOfKey } from "../key/key.ts";
import { OBJECTS, objectKey } from "../release/objects.ts";
import { objectsOf } from "../release/release-index.ts";
import type { Manifest } from "../site/manifest.ts";
import { shownPlaces } from "./addresses.ts";
import { type Bucket, DRAFTS, findKeys } from "./bucket.ts";
import type { Pointer } from "./documents.ts";
import { fetchIndex } from "./fetch-release.ts";
import { finishRelease } from "./finish.ts";
import { type Lease, type Work, workBefore } from "./lease.ts";
import type { RepairReport } from "./options.ts";
import type { PlaceMemory } from "./place-memory.ts";
import type { Publication } from "./publication.ts";
import { pendingPurge, purgeOfAll } from "./purge.ts";
import { putFiles } from "./put-files.ts";
import { checkServed, publishedHeaders } from "./served.ts";

/** Answers that an edge would serve and the live release does not have. */
function findStrayAnswers(bucket: Bucket, manifest: Manifest): Promise<string[]> {
  return findKeys(bucket, "api/", (key) => queryOfKey(key) !== null && manifest.get(key) === undefined);
}

/** Objects that no kept release names, and drafts that a publish to a folder left behind. */
async function findStrayObjects(
  bucket: Bucket,
  { releases }: Pointer,
  memory: PlaceMemory,
): Promise<string[]> {
  const named = new Set<string>();
  for (const { index: name } of releases) {
    named.add(objectKey(name));
    const index = memory.indexOf(name) ?? (await fetchIndex(bucket, name));
    for (const object of objectsOf(index)) named.add(objectKey(object));
  }
  return [
    ...(await findKeys(bucket, OBJECTS, (key) => !named.has(key))),
    ...(await findKeys(bucket, DRAFTS, () => true)),
  ];
}

/**
 * Reads every answer of the live release that this run has not seen yet, puts back what is missing or different, and deletes what
 * belongs to no release. It is the last step of a publish that repairs, under the same lock: `publication` is what is live by now.
 * @throws VitrineError remote_failed, purge_failed
 */
export async function repairLive(
  publication: Publication,
  pointer: Pointer,
  lease: Lease,
): Promise<RepairReport> {
  const { snapshot, rules, ports, memory } = publication;
  const { bucket, log } = ports;
  const { manifest } = snapshot;
  const { files } = manifest.totals();
  const report = (done: number) => log.progress(() => ({ what: "checking", done, of: files, unit: "files" }));
  const source = { read: bucket.get, wanted: publishedHeaders(snapshot.config) };
  const problems = await checkServed(manifest.entries(), source, report, rules.seen);
  const putBack = problems.map(({ key }) => key).sort();
  const answers = await findStrayAnswers(bucket, manifest);
  const deleted = [...answers, ...(await findStrayObjects(bucket, pointer, memory))];
  if (putBack.length === 0 && deleted.length === 0 && !rules.purgesAll)
    return { files, putBack, deleted, purges: [] };
  const touched = [...putBack, ...answers];
  const isServed = touched.length > 0 || rules.purgesAll;
  const work: Work = {
    ...workBefore(publication),
    purge: shownPlaces(rules.purge),
    ...(isServed && { purgesAll: true as const }),
  };
  await lease.change(work);
  const entries = putBack.flatMap((key) => manifest.get(key) ?? []);
  await putFiles(publication, entries, lease, { mayBeThere: false, done: () => undefined });
  const { release } = pointer;
  const pending = rules.purgesAll ? purgeOfAll(release) : pendingPurge(release, touched);
  const purges = await finishRelease(publication, lease, { pointer, work, deletions: deleted, pending });
  return { files, putBack, deleted, purges };
}

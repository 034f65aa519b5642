/** Puts back what a place has lost of its live release, and deletes what belongs to no release. */
import { VitrineError } from "../base/error.ts";
import { queryOfKey } from "../key/key.ts";
import { OBJECTS, objectKey } from "../release/objects.ts";
import { objectsOf } from "../release/release-index.ts";
import type { Manifest } from "../site/manifest.ts";
import { type Bucket, DRAFTS, findKeys } from "./bucket.ts";
import { type Pointer, readFoundLive, readState } from "./documents.ts";
import { fetchIndex } from "./fetch-release.ts";
import { tagOf } from "./headers.ts";
import { busyError } from "./lease.ts";
import type { PublishPorts, PublishRules, Snapshot } from "./options.ts";
import { memoryFile, PlaceMemory } from "./place-memory.ts";
import { finishRelease } from "./publish.ts";
import type { PurgePlan } from "./purge.ts";
import { putFiles } from "./put-files.ts";
import { checkServed, publishedHeaders } from "./served.ts";
import { inTurn, onLive } from "./turn.ts";

export interface RepairReport {
  /** Number of answers that were compared with the release's. */
  readonly files: number;
  /** Answers that were missing or different and were put again. */
  readonly putBack: readonly string[];
  /** Answers and objects that belonged to no release and were deleted. */
  readonly deleted: readonly string[];
  readonly purges: readonly PurgePlan[];
}

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

/** Most keys that are purged one by one. */
const MOST_KEYS = 10_000;

/**
 * Reads every answer of the live release that this run has not seen yet, puts back what is missing or different, and deletes what
 * belongs to no release. Nothing else goes live meanwhile. `snapshot` has the live release's content. `purgesAll`: the CDNs are
 * asked to forget everything in any case.
 * @throws VitrineError publisher_busy if another release is live by now; remote_failed, purge_failed
 */
export async function repairNow(
  snapshot: Snapshot,
  rules: PublishRules,
  ports: PublishPorts,
  { purgesAll }: { readonly purgesAll: boolean },
): Promise<RepairReport> {
  const { bucket, log } = ports;
  const { manifest } = snapshot;
  const state = await readState(bucket, ports.isGone);
  if (state.journal !== null) throw busyError(bucket.url, state.journal.journal);
  using memory = new PlaceMemory(memoryFile(snapshot.layout, bucket), log);
  return await inTurn({ snapshot, rules, ports, state, memory, turn: null }, async (publication) => {
    const { pointer } = publication.state.live ?? (await readFoundLive(bucket));
    if (pointer.content !== manifest.meta["content"]) {
      throw new VitrineError(
        "publisher_busy",
        `The live release of ${bucket.url} is not what was built: another publisher was faster.`,
      );
    }
    const { files } = manifest.totals();
    const report = (done: number) =>
      log.progress(() => ({ what: "checking", done, of: files, unit: "files" }));
    const source = { read: bucket.get, wanted: publishedHeaders(snapshot.config) };
    const problems = await checkServed(manifest.entries(), source, report, rules.seen);
    const putBack = problems.map(({ key }) => key).sort();
    const answers = await findStrayAnswers(bucket, manifest);
    const deleted = [...answers, ...(await findStrayObjects(bucket, pointer, memory))];
    if (putBack.length === 0 && deleted.length === 0 && !purgesAll)
      return { files, putBack, deleted, purges: [] };
    const touched = [...putBack, ...answers].sort();
    const keys = purgesAll || touched.length > MOST_KEYS ? null : touched;
    const tags = purgesAll ? [] : [...new Set(touched.map(tagOf))].sort();
    const isServed = touched.length + Number(purgesAll) > 0;
    const task = { expired: [], ...(isServed && { purgesAll: true as const }) };
    const purges = await onLive(publication, task, async (lease) => {
      const entries = putBack.flatMap((key) => manifest.get(key) ?? []);
      await putFiles(publication, entries, lease, { mayBeThere: false, done: () => undefined });
      return finishRelease(publication, lease, pointer, deleted, { release: pointer.release, keys, tags });
    });
    return { files, putBack, deleted, purges };
  });
}

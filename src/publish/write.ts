/**
 * Under the lock: puts what changed, phase by phase, and what makes a release; then the pointer makes it live; then pending
 * deletions, last of all writes, pending purges, and only then the journal goes.
 */
import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf, VitrineError } from "../base/error.ts";
import {
  type Bucket,
  CONTROL_HEADERS,
  catalogKey,
  deltaKey,
  FILE_HEADERS,
  manifestKey,
  type ObjectHeaders,
  POINTER_KEY,
  type PresentRelease,
} from "./bucket.ts";
import { forEachAtOnce } from "./calls.ts";
import { PHASES, type PlannedPut } from "./changes.ts";
import { compareAndSet } from "./conditional-writes.ts";
import { encodeDocument, type Pointer, parsePointer, readPointer } from "./documents.ts";
import { fetchDeltas, readKeyChanges } from "./fetch-release.ts";
import { createHeaderMaker } from "./headers.ts";
import type { Lease } from "./lease.ts";
import type { Publication } from "./options.ts";
import { pointerOf, type ReleasePlan } from "./plan.ts";
import { type PurgePlan, planPurge, runPurge } from "./purge.ts";
import { zip } from "./release-files.ts";
import { chainOf, lacksLive } from "./releases.ts";

/** Whether an object is the one that would be put: its digest is part of its headers. */
async function stands(bucket: Bucket, key: string, headers: ObjectHeaders): Promise<boolean> {
  const found = await bucket.head(key);
  return (
    found?.contentType === headers.contentType &&
    found.cacheControl === headers.cacheControl &&
    Object.entries(headers.metadata).every(([name, value]) => found.metadata[name] === value)
  );
}

/**
 * Bytes of a file, certainly those that the manifest means. Small files are read in one go: four trips to a thread pool take
 * longer than the reading.
 * @throws VitrineError snapshot_unreadable
 */
function readPlanned(site: string, { key, digest }: PlannedPut): Buffer {
  const file = join(site, key);
  let body: Buffer;
  try {
    body = readFileSync(file);
  } catch (error) {
    const message = `Cannot read ${file}: ${messageOf(error)}. Build again.`;
    throw new VitrineError("snapshot_unreadable", message, { cause: error });
  }
  if (hash("sha256", body, "hex") === digest) return body;
  throw new VitrineError(
    "snapshot_unreadable",
    `${file} changed while it was published: its digest is not the manifest's. Build again, then publish.`,
  );
}

/** Puts files of the snapshot. `mayStand`: those that stand as they should are asked for, not put. */
export async function putFiles(
  { snapshot, ports }: Publication,
  files: Iterable<PlannedPut>,
  lease: Lease,
  mayStand: boolean,
  done: () => void,
): Promise<void> {
  const headers = createHeaderMaker(snapshot.config);
  await forEachAtOnce(files, ports.bucket.concurrency, async (entry) => {
    lease.assertHeld();
    const made = headers.of(entry.key, entry.digest);
    if (!mayStand || !(await stands(ports.bucket, entry.key, made))) {
      const body = readPlanned(snapshot.layout.site, entry);
      lease.assertHeld();
      await ports.bucket.put(entry.key, body, made);
    }
    done();
  });
}

/** Nothing of a phase is begun before all of the one before it stand. */
async function putChanges(publication: Publication, { changes }: ReleasePlan, lease: Lease): Promise<void> {
  const { state, ports } = publication;
  // A publish that was cut off may have put any of the keys.
  const mayStand = state.journal?.journal.keys === null;
  let files = 0;
  const done = () => {
    files += 1;
    ports.log.progress(() => ({ what: "putting", done: files, of: changes.puts, unit: "files" }));
  };
  for (const phase of PHASES) await putFiles(publication, changes.puttable(phase), lease, mayStand, done);
}

/** What a target with folders begins with: the live release, and what it was made by. */
async function findPresent(publication: Publication, folder: string): Promise<PresentRelease | null> {
  const { ports, state, options, lost } = publication;
  if (state.live === null) return null;
  const { parts, release: id } = state.live.pointer;
  if (lacksLive(state.live.pointer, lost) || options.alone) return { id, since: null };
  const [before, last] = chainOf(parts, id).slice(-2);
  if (before === undefined || last === undefined) return { id, since: null };
  const changes = readKeyChanges(await fetchDeltas(ports.bucket, [before, last], folder));
  return { id, since: { id: before.id, keys: [...changes.keys()] } };
}

/**
 * Puts all of a release but the pointer, without which no reader sees it. Returns the bytes of what it is made of.
 * @throws VitrineError remote_failed
 */
export async function writeRelease(
  publication: Publication,
  plan: ReleasePlan,
  lease: Lease,
): Promise<number> {
  const { bucket } = publication.ports;
  const { folder } = plan;
  const { kind, file } = plan.changes;
  const { release, keys } = lease.journal;
  const putFile = async (key: string, path: string) => {
    lease.assertHeld();
    await bucket.put(key, { file: path }, FILE_HEADERS);
    return statSync(path).size;
  };
  // Where the journal cannot name its keys, the manifest does it, and so stands before the first of them.
  let manifestBytes = keys === null ? await putFile(manifestKey(release), file) : 0;
  await bucket.folders?.begin(release, await findPresent(publication, folder));
  if (kind === "delta") {
    await putChanges(publication, plan, lease);
    return putFile(deltaKey(release), file);
  }
  const catalogFile = join(folder, "catalog.sqlite.gz");
  await putAndZip(publication, plan, lease, catalogFile);
  const catalogBytes = await putFile(catalogKey(release), catalogFile);
  if (keys !== null) manifestBytes = await putFile(manifestKey(release), file);
  return catalogBytes + manifestBytes;
}

/** Puts the changes, and compresses the catalog meanwhile: that is the network's time. */
async function putAndZip(
  publication: Publication,
  plan: ReleasePlan,
  lease: Lease,
  catalogFile: string,
): Promise<void> {
  const compressing = new AbortController();
  const compressed = zip(publication.snapshot.layout.catalog, catalogFile, compressing.signal);
  compressed.catch(() => "told where it is waited for, unless the upload has failed before");
  try {
    await putChanges(publication, plan, lease);
    await compressed;
  } finally {
    compressing.abort();
  }
}

/**
 * The one moment at which the release is made: before it nothing is live as a release, after it all is.
 * @throws VitrineError publisher_busy, remote_failed
 */
export async function commitRelease(
  publication: Publication,
  plan: ReleasePlan,
  lease: Lease,
  sizeBytes: number,
): Promise<void> {
  return commitPointer(publication, pointerOf(publication, plan, lease.style, sizeBytes), lease);
}

/** Replaces the pointer that was read. @throws VitrineError publisher_busy, remote_failed */
export async function commitPointer(publication: Publication, pointer: Pointer, lease: Lease): Promise<void> {
  const { bucket } = publication.ports;
  lease.assertHeld();
  const outcome = await compareAndSet(bucket, {
    key: POINTER_KEY,
    body: encodeDocument(pointer),
    headers: CONTROL_HEADERS,
    expected: publication.state.live?.etag ?? null,
    style: lease.style,
  });
  if (outcome.won) return;
  const winner =
    outcome.found === null ? null : parsePointer(outcome.found.body, `${bucket.url}/${POINTER_KEY}`);
  throw new VitrineError(
    "publisher_busy",
    `Another publisher was faster on ${bucket.url}: ${winner?.releases[0]?.by ?? "somebody"} made release ` +
      `${winner?.release ?? "(none)"} live. Publish again: it compares with that one and repairs.`,
  );
}

const BATCH = 1000;

async function deleteAll(bucket: Bucket, keys: AsyncIterable<string>, lease: Lease): Promise<void> {
  let batch: string[] = [];
  const flush = async () => {
    lease.assertHeld();
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
async function purgeAll({ options, ports }: Publication, lease: Lease): Promise<PurgePlan[]> {
  const { journal } = lease;
  const plans: PurgePlan[] = [];
  const failures: unknown[] = [];
  for (const spec of options.purge) {
    try {
      const cdn = ports.cdn(spec);
      const plan = planPurge(journal, cdn);
      await runPurge(cdn, plan, journal.release, lease.assertHeld);
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

/** Finishes a committed release; all of it may be repeated. Returns what was purged. */
export async function finishRelease(
  publication: Publication,
  lease: Lease,
  deletions: AsyncIterable<string> | Iterable<string>,
): Promise<PurgePlan[]> {
  const { bucket } = publication.ports;
  const { journal } = lease;
  async function* all() {
    yield* deletions;
    for (const release of journal.unneeded)
      yield* [catalogKey(release), manifestKey(release), deltaKey(release)];
  }
  await bucket.folders?.expose(journal.release);
  await deleteAll(bucket, all(), lease);
  await bucket.folders?.forget(journal.expired);
  const plans = await purgeAll(publication, lease);
  await prepareNext(bucket);
  await lease.finish();
  return plans;
}

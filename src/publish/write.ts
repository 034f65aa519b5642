/** Under the lock: puts what changed, phase by phase, and what makes a release; then the pointer makes it live. */
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
  JOURNAL_KEY,
  manifestKey,
  type ObjectHeaders,
  POINTER_KEY,
  type PresentRelease,
} from "./bucket.ts";
import { PHASES, type PlannedPut } from "./changes.ts";
import { compareAndSet } from "./compare-and-set.ts";
import { encodeDocument, type Pointer, parsePointer } from "./documents.ts";
import { fetchDeltas, readChanges } from "./fetch-release.ts";
import { zip } from "./gzip.ts";
import { createHeaderMaker } from "./headers.ts";
import type { Lease } from "./lease.ts";
import { lacksLive } from "./lost-parts.ts";
import { chainOf } from "./parts.ts";
import { pointerOf, type ReleasePlan } from "./plan.ts";
import type { Publication } from "./ports.ts";
import { forEachAdaptive, pause } from "./retry.ts";

/** Whether an object is the one that would be put: its digest is part of its headers. */
async function stands(bucket: Bucket, key: string, headers: ObjectHeaders): Promise<boolean> {
  const found = await bucket.head(key);
  return (
    found?.contentType === headers.contentType &&
    found.cacheControl === headers.cacheControl &&
    Object.entries(headers.metadata).every(([name, value]) => found.metadata[name] === value)
  );
}

/** Small files are read in one go: four trips to a thread pool take longer than the reading. */
function readSmall(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new VitrineError("snapshot_unreadable", `Cannot read ${file}: ${messageOf(error)}. Build again.`, {
      cause: error,
    });
  }
}

/** Bytes of a file, certainly those that the manifest means. @throws VitrineError snapshot_unreadable */
export function readPlanned(site: string, { key, digest }: PlannedPut): Buffer {
  const file = join(site, key);
  const body = readSmall(file);
  if (hash("sha256", body, "hex") === digest) return body;
  throw new VitrineError(
    "snapshot_unreadable",
    `${file} changed while it was published: its digest is not the manifest's. Build again, then publish.`,
  );
}

/** Nothing of a phase is begun before all of the one before it stand. */
async function putChanges(publication: Publication, { changes }: ReleasePlan, lease: Lease): Promise<void> {
  const { snapshot, state, ports } = publication;
  const { bucket, log } = ports;
  const headers = createHeaderMaker(snapshot.config);
  // A publish that was cut off may have put any of the keys: those that stand as they should are asked for, not put.
  const mayStand = state.journal?.journal.keys === null;
  let files = 0;
  const put = async (entry: PlannedPut) => {
    const made = headers.of(entry.key, entry.digest);
    if (!mayStand || !(await stands(bucket, entry.key, made))) {
      const body = readPlanned(snapshot.layout.site, entry);
      lease.assertHeld();
      await bucket.put(entry.key, body, made);
    }
    files += 1;
    log.progress(() => ({ what: "putting", done: files, of: changes.puts, unit: "files" }));
  };
  for (const phase of PHASES) await forEachAdaptive(changes.puttable(phase), bucket.concurrency, put);
}

/** What a target with folders begins with: the live release, and what it was made by. */
async function findPresent(publication: Publication, folder: string): Promise<PresentRelease | null> {
  const { ports, state } = publication;
  if (state.live === null) return null;
  const { parts, release: id } = state.live.pointer;
  if (lacksLive(publication) || publication.options.alone === true) return { id, since: null };
  const [before, last] = chainOf(parts, id).slice(-2);
  if (before === undefined || last === undefined) return { id, since: null };
  const changes = readChanges(await fetchDeltas(ports.bucket, [before, last], folder));
  return { id, since: { id: before.id, keys: [...changes.keys()] } };
}

/**
 * Puts all of a release but the pointer: nobody sees it as a release yet. Returns the bytes of what it is made of.
 * @throws VitrineError remote_failed
 */
export async function putRelease(publication: Publication, plan: ReleasePlan, lease: Lease): Promise<number> {
  const { bucket } = publication.ports;
  const { form, folder } = plan.changes;
  const { release, keys } = lease.journal;
  const putFile = async (key: string, file: string) => {
    lease.assertHeld();
    await bucket.put(key, { file }, FILE_HEADERS);
    return statSync(file).size;
  };
  const putManifest = () => putFile(manifestKey(release), form.file);
  // Where the journal cannot name its keys, the manifest does it, and so stands before the first of them.
  if (keys === null) await putManifest();
  await bucket.folders?.begin(release, await findPresent(publication, folder));
  if (form.kind === "delta") {
    await putChanges(publication, plan, lease);
    return putFile(deltaKey(release), form.file);
  }
  const catalogFile = join(folder, "catalog.sqlite.gz");
  await putAndZip(publication, plan, lease, catalogFile);
  const catalogBytes = await putFile(catalogKey(release), catalogFile);
  return catalogBytes + (keys === null ? statSync(form.file).size : await putManifest());
}

/** Puts the changes, and compresses the catalog meanwhile: that is the network's time. */
async function putAndZip(
  publication: Publication,
  plan: ReleasePlan,
  lease: Lease,
  catalogFile: string,
): Promise<void> {
  const compressing = new AbortController();
  const compressed = zip(publication.snapshot.layout.catalog, catalogFile, {
    signal: compressing.signal,
    progress: lease.progress,
  });
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

/** Times that a publisher which lost its lock looks whether it can tell of what it may have overwritten. */
const LOST_TRIES = 40;

/**
 * A publisher that slept through its lease may have put older bytes over the winner's. It leaves a journal that names
 * them, without a lease, so that the next publish puts those keys again. Never throws: what went wrong is told already.
 */
export async function leaveJournal(
  { ports: { bucket, newAttempt } }: Publication,
  { journal, style }: Lease,
): Promise<void> {
  const body = encodeDocument({
    ...journal,
    attempt: newAttempt(),
    leaseSeconds: 0,
    expired: [],
    unneeded: [],
  });
  const write = { key: JOURNAL_KEY, body, headers: CONTROL_HEADERS, expected: null, style };
  for (let round = 0; round < LOST_TRIES; round++) {
    const outcome = await compareAndSet(bucket, write).catch(() => null);
    if (outcome?.won !== false) return;
    await pause({ ...bucket.retries, maxMilliseconds: 2000 }, round);
  }
}

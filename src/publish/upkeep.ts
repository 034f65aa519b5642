/** Work on the live release: releases that are kept no more are forgotten, and what the target has lost is put back. */
import { VitrineError } from "../base/error.ts";
import { FORMATS } from "../base/formats.ts";
import { queryOfKey } from "../key/key.ts";
import type { Manifest } from "../snapshot/manifest.ts";
import { type Bucket, CONTROL } from "./bucket.ts";
import { JOURNAL_KEYS, type Journal, type Part, type Pointer } from "./documents.ts";
import { finishRelease } from "./finish.ts";
import { contentTypeOf, createHeaderMaker, tagOf } from "./headers.ts";
import { busyError, type Lease, underLease } from "./lease.ts";
import { keysOfPart } from "./lost-parts.ts";
import { chainOf, partsOf } from "./parts.ts";
import { heldMark, idOf, idsWithout, isHeldAfter, keptBeside } from "./plan.ts";
import type { Publication, PublishOptions, PublishPorts, Snapshot } from "./ports.ts";
import { chooseStyle } from "./probe.ts";
import { type PurgePlan, shownPlace } from "./purge/plan.ts";
import { forEachAdaptive } from "./retry.ts";
import { checkServed, type Expectation, readBucket } from "./served.ts";
import { type FoundPointer, readFoundLive, readPointer, readState } from "./state.ts";
import { commitPointer, leaveJournal, readPlanned } from "./write.ts";

const RELEASES = `${CONTROL}releases/`;

type Task = Pick<Journal, "keys" | "tags" | "expired" | "unneeded" | "purge">;

/**
 * Takes the lock for work on the release that is live and stays so. Its journal counts as committed from the beginning:
 * where the work is cut off, the next publish finishes deletions and purges, and the rest is found again by its own command.
 * @throws VitrineError publisher_busy where the live release is another by now
 */
async function onLive<Result>(
  publication: Publication,
  live: FoundPointer,
  task: Task,
  work: (lease: Lease, ports: PublishPorts) => Promise<Result>,
): Promise<Result> {
  const { options, ports } = publication;
  const { generation, release, parts } = live.pointer;
  const attempt = ports.newAttempt();
  const journal: Journal = {
    format: FORMATS.journal.newest,
    ...{ attempt, generation, release, from: release, holder: ports.holder },
    startedAt: ports.now().toISOString(),
    leaseSeconds: options.leaseSeconds,
    attempted: [],
    fromParts: task.keys === null ? chainOf(parts, release) : [],
    ...task,
  };
  const style = await chooseStyle(publication, attempt);
  const onLost = (lease: Lease) => leaveJournal(publication, lease);
  const terms = { style, stallSeconds: options.stallSeconds, replaces: null, onLost };
  return underLease(ports, journal, terms, async (lease, held) => {
    if ((await readPointer(held.bucket))?.etag === live.etag) return work(lease, held);
    await lease.finish();
    throw new VitrineError(
      "publisher_busy",
      `The live release of ${ports.bucket.url} has just become another one: run the command again.`,
    );
  });
}

/** Forgets releases that are kept no more, holds what is live or lets it go, where nothing else is to be done; returns which it forgot. */
export async function adjustPointer(publication: Publication): Promise<readonly string[]> {
  const { options, state } = publication;
  const { live } = state;
  const [present, ...before] = live?.pointer.releases ?? [];
  if (live === null || present === undefined) return [];
  const releases = [present, ...keptBeside(publication, before)];
  const expired = idsWithout(before.map(idOf), releases.map(idOf));
  const isHeld = isHeldAfter(options, state);
  if (expired.length === 0 && isHeld === (live.pointer.held === true)) return [];
  const parts = partsOf(live.pointer.parts, releases.map(idOf));
  const unneeded = idsWithout(live.pointer.parts.map(idOf), parts.map(idOf));
  await onLive(
    publication,
    live,
    { keys: [], tags: [], expired, unneeded, purge: [] },
    async (lease, ports) => {
      const { held: _, ...rest } = live.pointer;
      const { attempt } = lease.journal;
      const pointer: Pointer = { ...rest, attempt, releases, parts, ...heldMark(isHeld) };
      await commitPointer({ ...publication, ports }, pointer, lease);
      await finishRelease(lease, [], [], ports);
    },
  );
  return expired;
}

/** What stands at the target and belongs to no release: answers that an edge would serve, and what releases were made of. */
async function findStrays(
  bucket: Bucket,
  manifest: Manifest,
  parts: readonly Part[],
): Promise<{ readonly answers: readonly string[]; readonly parts: readonly string[] }> {
  const needed = new Set(parts.flatMap(keysOfPart));
  const isStray = (key: string) => queryOfKey(key) !== null && manifest.get(key) === undefined;
  const find = async (root: string, has: (key: string) => boolean) => {
    const found: string[] = [];
    for await (const key of bucket.inTheWay?.({ roots: [root], has }) ?? []) if (has(key)) found.push(key);
    return found;
  };
  return {
    answers: await find("api/", isStray),
    // Folders are swept by the target itself.
    parts: bucket.folders === undefined ? await find(RELEASES, (key) => !needed.has(key)) : [],
  };
}

export interface RepairReport {
  /** Answers that were read, and compared with the release's. */
  readonly files: number;
  /** Those that were missing or others, and are put again. */
  readonly putBack: readonly string[];
  /** Answers and parts that belong to no release, and are deleted. */
  readonly deleted: readonly string[];
  readonly purges: readonly PurgePlan[];
}

function* expectationsOf(manifest: Manifest): Generator<Expectation> {
  for (const entry of manifest.entries()) yield { entry, contentType: contentTypeOf(entry.key) };
}

async function putAgain(
  { snapshot }: Publication,
  keys: readonly string[],
  lease: Lease,
  bucket: Bucket,
): Promise<void> {
  const headers = createHeaderMaker(snapshot.config);
  await forEachAdaptive(keys, bucket.concurrency, async (key) => {
    const entry = snapshot.manifest.get(key);
    if (entry === undefined) return;
    const body = readPlanned(snapshot.layout.site, entry);
    lease.assertHeld();
    await bucket.put(key, body, headers.of(key, entry.digest));
  });
}

/** What is purged, and named in the journal where that can name it. */
function taskOf(keys: readonly string[], purge: readonly string[], everything: boolean): Task {
  const isNamed = keys.length <= JOURNAL_KEYS && !everything;
  const tags = everything ? [] : [...new Set(keys.map(tagOf))].sort();
  return {
    keys: isNamed ? [...keys].sort() : null,
    tags,
    expired: [],
    unneeded: [],
    purge: purge.map(shownPlace),
  };
}

async function findRepairs({ snapshot, ports }: Publication, { pointer }: FoundPointer) {
  const { bucket, log } = ports;
  const of = snapshot.manifest.totals().files;
  const problems = await checkServed(expectationsOf(snapshot.manifest), readBucket(bucket), (done) =>
    log.progress(() => ({ what: "checking", done, of, unit: "files" })),
  );
  const strays = await findStrays(bucket, snapshot.manifest, pointer.parts);
  return { files: of, putBack: problems.map(({ key }) => key).sort(), strays };
}

/**
 * Reads every answer of the live release, puts back what is missing or another one, and deletes what belongs to no
 * release. `snapshot` is of the live release's content. `purgeAll`: the CDNs are asked to forget everything in any case.
 * @throws VitrineError publisher_busy, remote_failed, purge_failed
 */
export async function repairLive(
  snapshot: Snapshot,
  options: PublishOptions,
  ports: PublishPorts,
  { purgeAll }: { readonly purgeAll: boolean },
): Promise<RepairReport> {
  const state = await readState(ports.bucket, ports.isGone);
  const { journal } = state;
  const live = state.live ?? (await readFoundLive(ports.bucket));
  if (journal !== null) throw busyError(ports.bucket.url, journal.journal);
  if (live.pointer.content !== snapshot.manifest.meta["content"]) {
    throw new VitrineError(
      "publisher_busy",
      `The live release of ${ports.bucket.url} is not what was built: somebody else published. Run the command again.`,
    );
  }
  const publication: Publication = { snapshot, options, ports, state, lost: new Set() };
  const { files, putBack, strays } = await findRepairs(publication, live);
  const deleted = [...strays.answers, ...strays.parts];
  const sweeps = ports.bucket.folders !== undefined && (purgeAll || putBack.length > 0);
  if (putBack.length === 0 && deleted.length === 0 && !purgeAll)
    return { files, putBack, deleted, purges: [] };
  const task = taskOf([...putBack, ...strays.answers], options.purge.map(shownPlace), purgeAll);
  const purges = await onLive(publication, live, task, async (lease, held) => {
    await putAgain(publication, putBack, lease, held.bucket);
    const { release, parts } = live.pointer;
    if (sweeps) await held.bucket.folders?.sweep(release, parts.map(idOf));
    return finishRelease(lease, deleted, options.purge, held);
  });
  return { files, putBack, deleted, purges };
}

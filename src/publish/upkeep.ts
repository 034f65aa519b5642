/** Work on the live release: releases that are kept no more are forgotten, and what the target has lost is put back. */
import { VitrineError } from "../base/error.ts";
import { queryOfKey } from "../key/key.ts";
import type { Manifest } from "../site/manifest.ts";
import { type Bucket, CONTROL, findKeys } from "./bucket.ts";
import {
  type FoundPointer,
  JOURNAL_KEYS,
  type Journal,
  type Pointer,
  type ReleasePart,
  readFoundLive,
  readPointer,
  readState,
} from "./documents.ts";
import { tagOf } from "./headers.ts";
import { busyError, type Lease, underLease } from "./lease.ts";
import type { Publication, PublishPorts, PublishRules, Snapshot } from "./options.ts";
import { heldMark, holdOf, idOf, idsWithout, isHeldAfter, keptReleases } from "./plan.ts";
import type { PurgePlan } from "./purge.ts";
import { chainOf, neededParts } from "./releases.ts";
import { checkServed, keysOfPart, readBucket } from "./served.ts";
import { commitPointer, finishRelease, putFiles } from "./write.ts";

/** What releases are made of. */
export const RELEASES: string = `${CONTROL}releases/`;

type Task = Pick<Journal, "keys" | "tags" | "expired" | "unneeded"> & Partial<Pick<Journal, "purge">>;

/**
 * Takes the lock for work on the release that is live and stays so. Its journal counts as committed from the beginning:
 * where the work is cut off, the next publish finishes deletions and purges, and the rest is found again by its own command.
 * @throws VitrineError publisher_busy where the live release is another by now
 */
async function onLive<Result>(
  publication: Publication,
  live: FoundPointer,
  task: Task,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const { bucket } = publication.ports;
  const { generation, release, parts } = live.pointer;
  const journal: Journal = {
    ...holdOf(publication),
    generation,
    release,
    from: release,
    attempted: [],
    fromParts: task.keys === null ? chainOf(parts, release) : [],
    ...task,
  };
  return underLease(publication, journal, null, async (lease) => {
    if ((await readPointer(bucket))?.etag === live.etag) return work(lease);
    await lease.finish();
    throw new VitrineError(
      "publisher_busy",
      `The live release of ${bucket.url} has just become another one: run the command again.`,
    );
  });
}

/** Forgets releases that are kept no more, holds what is live or lets it go, where nothing else is to be done; returns which it forgot. */
export async function adjustPointer(publication: Publication): Promise<readonly string[]> {
  const { live } = publication.state;
  const [present, ...before] = live?.pointer.releases ?? [];
  if (live === null || present === undefined) return [];
  const releases = [present, ...keptReleases(publication, before)];
  const expired = idsWithout(before.map(idOf), releases.map(idOf));
  const isHeld = isHeldAfter(publication);
  if (expired.length === 0 && isHeld === (live.pointer.held === true)) return [];
  const parts = neededParts(live.pointer.parts, releases.map(idOf));
  const unneeded = idsWithout(live.pointer.parts.map(idOf), parts.map(idOf));
  const task = { keys: [], tags: [], expired, unneeded, purge: [] };
  await onLive(publication, live, task, async (lease) => {
    const { held: _, ...rest } = live.pointer;
    const { attempt } = lease.journal;
    const pointer: Pointer = { ...rest, attempt, releases, parts, ...heldMark(isHeld) };
    await commitPointer(publication, pointer, lease);
    await finishRelease(publication, lease, []);
  });
  return expired;
}

/** What stands at the target and belongs to no release: answers that an edge would serve, and what releases were made of. */
async function findStrays(
  bucket: Bucket,
  manifest: Manifest,
  parts: readonly ReleasePart[],
): Promise<{ readonly answers: readonly string[]; readonly parts: readonly string[] }> {
  const needed = new Set(parts.flatMap(keysOfPart));
  const isStray = (key: string) => queryOfKey(key) !== null && manifest.get(key) === undefined;
  return {
    answers: await findKeys(bucket, "api/", isStray),
    // Folders are swept by the target itself.
    parts: bucket.folders === undefined ? await findKeys(bucket, RELEASES, (key) => !needed.has(key)) : [],
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

/** What is purged, and named in the journal where that can name it. */
function taskOf(keys: readonly string[], everything: boolean): Task {
  const isNamed = keys.length <= JOURNAL_KEYS && !everything;
  const tags = everything ? [] : [...new Set(keys.map(tagOf))].sort();
  return { keys: isNamed ? [...keys].sort() : null, tags, expired: [], unneeded: [] };
}

/**
 * Reads every answer of the live release, puts back what is missing or another one, and deletes what belongs to no
 * release. `snapshot` is of the live release's content. `purgeAll`: the CDNs are asked to forget everything in any case.
 * @throws VitrineError publisher_busy, remote_failed, purge_failed
 */
export async function repairLive(
  snapshot: Snapshot,
  options: PublishRules,
  ports: PublishPorts,
  { purgeAll }: { readonly purgeAll: boolean },
): Promise<RepairReport> {
  const { bucket, log } = ports;
  const { manifest } = snapshot;
  const state = await readState(bucket, ports.isGone);
  const live = state.live ?? (await readFoundLive(bucket));
  if (state.journal !== null) throw busyError(bucket.url, state.journal.journal);
  if (live.pointer.content !== manifest.meta["content"]) {
    throw new VitrineError(
      "publisher_busy",
      `The live release of ${bucket.url} is not what was built: somebody else published. Run the command again.`,
    );
  }
  const { files } = manifest.totals();
  const problems = await checkServed(manifest.entries(), readBucket(bucket), (done) =>
    log.progress(() => ({ what: "checking", done, of: files, unit: "files" })),
  );
  const putBack = problems.map(({ key }) => key).sort();
  const strays = await findStrays(bucket, manifest, live.pointer.parts);
  const deleted = [...strays.answers, ...strays.parts];
  if (putBack.length === 0 && deleted.length === 0 && !purgeAll)
    return { files, putBack, deleted, purges: [] };
  const publication: Publication = { snapshot, options, ports, state, lost: new Set() };
  const task = taskOf([...putBack, ...strays.answers], purgeAll);
  const purges = await onLive(publication, live, task, async (lease) => {
    const entries = putBack.flatMap((key) => manifest.get(key) ?? []);
    await putFiles(publication, entries, lease, false, () => undefined);
    const { release, parts } = live.pointer;
    if (purgeAll || putBack.length > 0) await bucket.folders?.sweep(release, parts.map(idOf));
    return finishRelease(publication, lease, deleted);
  });
  return { files, putBack, deleted, purges };
}

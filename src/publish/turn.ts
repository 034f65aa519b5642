/** Taking turns at a place: waiting for other publishers, and holding the lock while working on the live release. */
import { randomUUID } from "node:crypto";
import { VitrineError } from "../base/error.ts";
import { FORMATS } from "../base/formats.ts";
import { whenFree } from "../base/when-free.ts";
import { shownPlace } from "./addresses.ts";
import { type Journal, MOST_LEASE_SECONDS, type Pointer, readPointer } from "./documents.ts";
import { type Lease, underLease } from "./lease.ts";
import type { PublishPorts, PublishRules } from "./options.ts";
import type { Publication } from "./publication.ts";

/** How often to check whether the other publisher has finished; each check takes two requests. */
const MOST_PAUSE_MILLISECONDS = 1000;

/** Repeats `work` until no other publisher is in its way. `hasWaited`: false at the first try. */
export function untilFree<Result>(
  { dryRun, waitSeconds }: PublishRules,
  { signal, log }: PublishPorts,
  work: (hasWaited: boolean) => Promise<Result>,
): Promise<Result> {
  let tries = 0;
  const waiting = { waitSeconds: dryRun ? 0 : waitSeconds, signal, log };
  return whenFree(() => work(tries++ > 0), waiting, MOST_PAUSE_MILLISECONDS);
}

/** The part of a journal that describes its holder. */
export function holdOf({ rules, ports }: Pick<Publication, "rules" | "ports">) {
  return {
    format: FORMATS.journal.newest,
    attempt: randomUUID(),
    holder: ports.holder,
    startedAt: ports.now().toISOString(),
    leaseSeconds: Math.min(rules.leaseSeconds, MOST_LEASE_SECONDS),
    purge: [...new Set(rules.purge.map(shownPlace))],
  };
}

type LiveTask = Pick<Journal, "expired" | "purgesAll"> & Partial<Pick<Journal, "purge">>;

/** The journal of work on the live release that does not replace it. */
function journalOfLive(
  publication: Pick<Publication, "rules" | "ports">,
  { generation, release, releases }: Pointer,
  task: LiveTask,
): Journal {
  const from = releases[0]?.index ?? null;
  return { ...holdOf(publication), generation, release, from, attempted: [], ...task };
}

/**
 * Acquires the lock for work on the live release that does not replace it. Its journal counts as committed from the beginning: if
 * the work is interrupted, the next publish finishes it.
 * @throws VitrineError publisher_busy if another release has gone live
 */
export async function onLive<Result>(
  publication: Publication,
  task: LiveTask,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const { bucket } = publication.ports;
  const { live } = publication.state;
  if (live === null) throw new Error("Nothing is live");
  const journal = journalOfLive(publication, live.pointer, task);
  return underLease(publication, journal, null, async (lease) => {
    if ((await readPointer(bucket))?.etag === live.etag) return work(lease);
    await lease.finish();
    throw new VitrineError("publisher_busy", `The live release of ${bucket.url} has just changed.`);
  });
}

/**
 * Acquires the lock before the comparison, so that the live release cannot change meanwhile. Meant for publishers that others have
 * overtaken: a slow comparison must not keep them from ever going live.
 */
export async function inTurn<Result>(
  publication: Publication,
  work: (publication: Publication) => Promise<Result>,
): Promise<Result> {
  const { live, journal } = publication.state;
  const left = journal?.journal;
  // A first publish has nothing to compare with.
  if (live === null) return work(publication);
  const mark =
    left === undefined
      ? journalOfLive(publication, live.pointer, { expired: [], purge: [] })
      : { ...left, ...holdOf(publication), purge: left.purge };
  return underLease(publication, mark, journal?.etag ?? null, async (lease) => {
    const isUnused = () => left === undefined && lease.journal === mark && !lease.isFinished;
    try {
      const found = await readPointer(publication.ports.bucket);
      const result = await work({ ...publication, state: { live: found, journal }, turn: lease });
      if (isUnused()) await lease.finish();
      else await lease.giveBack();
      return result;
    } catch (error) {
      if (isUnused()) await lease.finish().catch(() => undefined);
      throw error;
    }
  });
}

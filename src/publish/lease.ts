/**
 * The lock: a lease on the journal, taken, renewed and given back by conditional writes. Whoever lets it run out must
 * not write any more, and does not: every write asks first.
 */
import { VitrineError } from "../base/error.ts";
import {
  type Bucket,
  CONTROL_HEADERS,
  type ConditionStyle,
  JOURNAL_KEY,
  type PresentRelease,
  type StoredObject,
} from "./bucket.ts";
import { compareAndSet } from "./compare-and-set.ts";
import { describeHolder, encodeDocument, type Journal, parseJournal } from "./documents.ts";
import { beginAttempt } from "./holder.ts";
import type { PublishPorts } from "./ports.ts";

export interface Lease {
  readonly journal: Journal;
  readonly style: ConditionStyle;
  /** @throws VitrineError publisher_busy once the lease is not certainly ours any more */
  assertHeld(): void;
  /** Told whenever the work that it protects has moved: without that it is not renewed any more. */
  progress(): void;
  /** The work's result, or the failure where the work has stopped moving. @throws VitrineError remote_failed */
  unlessStalled<Result>(work: Promise<Result>): Promise<Result>;
  /** The work is done, pending deletions and purges too: the journal goes. */
  finish(): Promise<void>;
  /** The work failed: the journal stays, but the next publisher need not wait. Never throws. */
  giveBack(): Promise<void>;
}

export function busyError(url: string, journal: Journal): VitrineError {
  return new VitrineError(
    "publisher_busy",
    `Another publisher is at work on ${url}: ${describeHolder(journal)}. Nothing was written; publish again when it is ` +
      `done. If it died, its lease ends ${journal.leaseSeconds} s after its last sign of life.`,
  );
}

/** Of a lease, this much is left unused: the time a request may already have been on its way. */
const MARGIN = 0.25;

interface LeaseTerms {
  readonly style: ConditionStyle;
  /** Work that has not moved for so long is given up: others may take over. */
  readonly stallSeconds: number;
}

/** @throws VitrineError remote_failed where the publish is to end */
function assertGoesOn({ bucket, signal }: PublishPorts): void {
  if (signal?.aborted !== true) return;
  throw new VitrineError(
    "remote_failed",
    `Publishing to ${bucket.url} was interrupted. Publish again: what was begun is then finished.`,
  );
}

/** Takes the lock by writing the journal. `replaces`: etag of a dead publisher's journal, or null for none. */
async function takeLease(
  bucket: Bucket,
  journal: Journal,
  replaces: string | null,
  { style, stallSeconds }: LeaseTerms,
): Promise<Lease> {
  const body = encodeDocument(journal);
  const began = performance.now();
  const outcome = await compareAndSet(bucket, {
    key: JOURNAL_KEY,
    body,
    headers: CONTROL_HEADERS,
    expected: replaces,
    style,
  });
  if (outcome.won) return keepLease(bucket, journal, { etag: outcome.etag, began, style, stallSeconds });
  const other = outcome.found === null ? null : readJournal(bucket.url, outcome.found);
  if (other !== null) throw busyError(bucket.url, other);
  throw new VitrineError(
    "publisher_busy",
    `Another publisher was at work on ${bucket.url} and has just finished. Nothing was written; publish again.`,
  );
}

interface Hold extends LeaseTerms {
  readonly etag: string;
  readonly began: number;
}

/** Knows when the work under a lease last moved, and makes it fail once that was too long ago. */
function watchWork(url: string, stallSeconds: number) {
  let last = performance.now();
  let fail: (error: VitrineError) => void = () => undefined;
  const stalled = new Promise<never>((_, reject) => {
    fail = reject;
  });
  stalled.catch(() => "told to whoever waits for the work");
  return {
    moved() {
      last = performance.now();
    },
    findStalled(): VitrineError | null {
      if (performance.now() - last < stallSeconds * 1000) return null;
      const error = new VitrineError(
        "remote_failed",
        `Publishing to ${url} has not moved for ${stallSeconds} s and was given up. Its lock ends by itself; publish ` +
          "again: what was begun is then finished.",
      );
      fail(error);
      return error;
    },
    unlessStalled: <Result>(work: Promise<Result>) => Promise.race([work, stalled]),
  };
}

function readJournal(url: string, found: StoredObject): Journal {
  return parseJournal(found.body, `${url}/${JOURNAL_KEY}`);
}

function takenOver(url: string, found: StoredObject | null): VitrineError {
  let by = "somebody";
  try {
    if (found !== null) by = describeHolder(readJournal(url, found));
  } catch {
    // Whatever took the lock is no journal: it is ours no more all the same.
  }
  return new VitrineError(
    "publisher_busy",
    `${url} was taken over by ${by}. This publisher stopped before making anything live.`,
  );
}

function outOfReach(url: string): VitrineError {
  return new VitrineError(
    "remote_failed",
    `${url} could not be reached for so long that the lock may be another's by now. Publish again.`,
  );
}

function keepLease(bucket: Bucket, journal: Journal, hold: Hold): Lease {
  let { etag, began } = hold;
  let lost: VitrineError | null = null;
  let renewing: Promise<void> = Promise.resolve();
  let beat = 0;
  const work = watchWork(bucket.url, hold.stallSeconds);
  const write = async (next: Journal) => {
    const started = performance.now();
    beat += 1;
    // The beat makes each renewal's bytes its own: an etag must never come back.
    const body = encodeDocument({ ...next, beat } as Journal);
    const change = { key: JOURNAL_KEY, body, headers: CONTROL_HEADERS, expected: etag, style: hold.style };
    const outcome = await compareAndSet(bucket, change);
    if (outcome.won) {
      etag = outcome.etag;
      began = started;
    } else {
      lost = takenOver(bucket.url, outcome.found);
    }
  };
  const renew = () => {
    lost ??= work.findStalled();
    if (lost !== null) return clearInterval(timer);
    // A renewal that fails for now is tried again at the next beat; the lease says when it is too late.
    renewing = renewing.then(() => (lost === null ? write(journal) : undefined)).catch(() => undefined);
  };
  const timer = setInterval(renew, (journal.leaseSeconds * 1000) / 4);
  const isHeld = () => (performance.now() - began) / 1000 < journal.leaseSeconds * (1 - MARGIN);
  const stop = async () => {
    clearInterval(timer);
    await renewing;
  };
  const assertHeld = () => {
    if (lost !== null) throw lost;
    if (isHeld()) return;
    throw outOfReach(bucket.url);
  };
  return {
    journal,
    style: hold.style,
    assertHeld,
    progress: work.moved,
    unlessStalled: work.unlessStalled,
    async finish() {
      await stop();
      // Without a lease another may have taken the journal over: then it is theirs to delete.
      if (lost === null && !isHeld()) await write(journal);
      assertHeld();
      await bucket.delete([JOURNAL_KEY]);
    },
    async giveBack() {
      await stop();
      if (lost === null && isHeld()) await write({ ...journal, leaseSeconds: 0 }).catch(() => undefined);
    },
  };
}

/** A lease whose work ends where the publish is to end: at its next write, or at the next piece of a large body. */
function interruptible(lease: Lease, ports: PublishPorts): Lease {
  return {
    ...lease,
    assertHeld() {
      assertGoesOn(ports);
      lease.assertHeld();
    },
    progress() {
      assertGoesOn(ports);
      lease.progress();
    },
  };
}

/** Ports that tell the lease of each call that is done, and of each piece of a large body. */
function portsUnder({ progress }: Lease, ports: PublishPorts): PublishPorts {
  const { bucket } = ports;
  const told =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const result = await call(...args);
      progress();
      return result;
    };
  const { folders } = bucket;
  const toldFolders = folders && {
    begin: told((release: string, present: PresentRelease | null) =>
      folders.begin(release, present, progress),
    ),
    expose: told(folders.expose),
    prepare: told((release: string) => folders.prepare(release, progress)),
    forget: told((releases: readonly string[]) => folders.forget(releases, progress)),
    sweep: told((release: string, parts: readonly string[]) => folders.sweep(release, parts, progress)),
  };
  return {
    ...ports,
    bucket: {
      ...bucket,
      get: told(bucket.get),
      head: told(bucket.head),
      getFile: told((key, file, mostBytes) => bucket.getFile(key, file, mostBytes, progress)),
      put: told((key, source, headers) => bucket.put(key, source, headers, progress)),
      putIf: told(bucket.putIf),
      delete: told(bucket.delete),
      ...(toldFolders && { folders: toldFolders }),
    },
    cdn(spec) {
      const cdn = ports.cdn(spec);
      return { ...cdn, purge: told((request, reference) => cdn.purge(request, reference, progress)) };
    },
  };
}

interface Taking extends LeaseTerms {
  /** Etag of a dead publisher's journal; null where there is none. */
  readonly replaces: string | null;
  /** Called where the work failed because another publisher was faster. */
  readonly onLost?: (lease: Lease) => Promise<void>;
}

/**
 * Takes the lock, and does what is to be done under it. The lock is given back where that fails.
 * @throws VitrineError publisher_busy, remote_failed
 */
export async function underLease<Result>(
  ports: PublishPorts,
  journal: Journal,
  taking: Taking,
  work: (lease: Lease, ports: PublishPorts) => Promise<Result>,
): Promise<Result> {
  assertGoesOn(ports);
  const end = beginAttempt(journal.attempt);
  try {
    const lease = interruptible(await takeLease(ports.bucket, journal, taking.replaces, taking), ports);
    try {
      return await lease.unlessStalled(work(lease, portsUnder(lease, ports)));
    } catch (error) {
      await lease.giveBack();
      if (error instanceof VitrineError && error.code === "publisher_busy") await taking.onLost?.(lease);
      throw error;
    }
  } finally {
    end();
  }
}

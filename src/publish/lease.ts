/**
 * The lock: a lease on the journal, acquired, renewed and released by conditional writes. A publisher whose lease has expired must
 * not write any more: every write checks first.
 *
 * It is right because the clocks of two machines are never compared: the holder counts the seconds since it asked for its last
 * renewal and stops at three quarters of the lease; others judge the journal's age by the service's clock. If a write is under way
 * all the same, the commit still fails, since it replaces only the pointer that was read.
 */

import { randomUUID } from "node:crypto";
import { hostname, uptime } from "node:os";
import { every } from "../base/clock.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { FORMATS } from "../base/formats.ts";
import { isProcessGone, markOfThisProcess } from "../base/process-mark.ts";
import { createAttempts } from "../base/retries.ts";
import { whenFree } from "../base/when-free.ts";
import { shownPlaces } from "./addresses.ts";
import { CONTROL_HEADERS, type ConditionStyle, JOURNAL_KEY, type StoredObject } from "./bucket.ts";
import { compareAndSet, probeConditions } from "./conditional-writes.ts";
import {
  describeHolder,
  encodeDocument,
  type Holder,
  type Journal,
  MOST_LEASE_SECONDS,
  parseJournal,
  releaseId,
} from "./documents.ts";
import type { PublishPorts, PublishRules } from "./options.ts";
import type { Publication } from "./publication.ts";

/** Identifies this process: a later process with the same id has another. Each thread has its own, too. */
const PUBLISHER = randomUUID();
/** This publisher's attempts that are running. */
const underWay = new Set<string>();

/**
 * Seconds since some moment, by a clock that is never set and that also runs while the machine sleeps: Node's own monotonic clock
 * (`base/clock.ts`) stands still then on Linux, and a lease that has run out would look fresh.
 */
export const uptimeSeconds = uptime;

export function thisHolder(): Holder {
  return { host: hostname(), publisher: PUBLISHER, ...markOfThisProcess() };
}

/** True only if certain: an earlier attempt of this very publisher, or of a process of this machine that has ended. */
export function isHolderGone({ holder, attempt }: Pick<Journal, "holder" | "attempt">): boolean {
  if (holder.publisher === PUBLISHER) return !underWay.has(attempt);
  return isProcessGone(holder);
}

export function busyError(url: string, journal: Journal): VitrineError {
  return new VitrineError(
    "publisher_busy",
    `Another publisher is at work on ${url}: ${describeHolder(journal)}. If it died, its lease ends ` +
      `${journal.leaseSeconds} s after its last sign of life.`,
  );
}

/** @throws VitrineError remote_failed if the publish was aborted */
function assertGoesOn({ bucket, signal }: PublishPorts): void {
  if (signal?.aborted !== true) return;
  throw new VitrineError(
    "remote_failed",
    `Publishing to ${bucket.url} was interrupted. Publish again to finish it.`,
  );
}

function journalIn(url: string, found: StoredObject): Journal {
  return parseJournal(found.body, `${url}/${JOURNAL_KEY}`);
}

function takenOver(url: string, found: StoredObject | null): VitrineError {
  let by = "somebody";
  try {
    if (found !== null) by = describeHolder(journalIn(url, found));
  } catch {
    // Not a journal, but the lock is no longer ours either way.
  }
  return new VitrineError(
    "publisher_busy",
    `${url} was taken over by ${by}. This publisher stopped before making anything live.`,
  );
}

/** How often to check whether the other publisher has finished; each check takes two requests. */
const MOST_PAUSE_MILLISECONDS = 1000;

/** Repeats `work` until no other publisher is in its way. */
export function untilFree<Result>(
  { dryRun, waitSeconds }: Pick<PublishRules, "dryRun" | "waitSeconds">,
  { signal, log, clock }: PublishPorts,
  work: () => Promise<Result>,
): Promise<Result> {
  const waiting = { waitSeconds: dryRun ? 0 : waitSeconds, signal, log, clock };
  return whenFree(work, waiting, MOST_PAUSE_MILLISECONDS);
}

/** The part of a journal that describes its holder. */
type Hold = Pick<Journal, "format" | "attempt" | "holder" | "startedAt" | "leaseSeconds">;
/** The part of a journal that says what may be left to do. */
export type Work = Omit<Journal, keyof Hold>;

function holdOf({ rules, ports }: Pick<Publication, "rules" | "ports">): Hold {
  return {
    format: FORMATS.journal.newest,
    attempt: randomUUID(),
    holder: ports.holder,
    startedAt: ports.clock.now().toISOString(),
    leaseSeconds: Math.min(rules.leaseSeconds, MOST_LEASE_SECONDS),
  };
}

/** What a holder may have left to do that has no plan yet: the work of a dead one if it takes over, else nothing. */
export function workBefore({ snapshot, state }: Pick<Publication, "snapshot" | "state">): Work {
  if (state.journal !== null) return state.journal.journal;
  const live = state.live?.pointer;
  return {
    generation: live?.generation ?? 1,
    release: live?.release ?? releaseId(1, snapshot.manifest.meta["catalog_digest"] ?? ""),
    from: live?.releases[0]?.index ?? null,
    attempted: [],
    expired: [],
    purge: [],
  };
}

/** True if CDNs are asked to forget everything at the end. */
export function isForgotten({ repair, purgesAll }: Pick<PublishRules, "repair" | "purgesAll">): boolean {
  return repair && purgesAll;
}

/** The purges in the journal while a repair is still to come: CDNs have older answers until they have forgotten everything. */
export function purgesOfRepair(rules: PublishRules): Pick<Work, "purgesAll"> & Partial<Pick<Work, "purge">> {
  return isForgotten(rules) ? { purge: shownPlaces(rules.purge), purgesAll: true } : {};
}

/** As {@link workBefore}, with the purges of the repair that follows. */
export function workBeforeRepair(publication: Pick<Publication, "snapshot" | "state" | "rules">): Work {
  return { ...workBefore(publication), ...purgesOfRepair(publication.rules) };
}

/** False if the next publisher has nothing to do for this journal. */
function namesWork({ attempted, expired, hasOtherHeaders, purgesAll, held }: Work): boolean {
  const isMarked = hasOtherHeaders === true || purgesAll === true || held === true;
  return attempted.length > 0 || expired.length > 0 || isMarked;
}

/** Share of a lease that is left unused: the request may already have been on its way for that long. */
const MARGIN = 0.25;
/** How often a lease that ran out on this machine is renewed before its publisher gives up. */
const MOST_LATE_RENEWALS = 3;
/** How often a publisher that lost its lock tries to record what it may have overwritten. */
const RECORD_LOSS = { attempts: 40, maxMilliseconds: 2000 };

export class Lease {
  readonly style: ConditionStyle;
  readonly #hold: Hold;
  #work: Work;
  readonly #ports: PublishPorts;
  #etag: string;
  /** When the request that acquired or last renewed it was sent, in seconds by {@link PublishPorts.uptimeSeconds}. */
  #began: number;
  /** The renewal that all writes wait for after the lease has run out. */
  #late: Promise<void> | null = null;
  #lost: VitrineError | null = null;
  #renewing: Promise<void> = Promise.resolve();
  #beat = 0;
  readonly #endRenewing: () => void;

  private constructor(
    ports: PublishPorts,
    journal: { readonly hold: Hold; readonly work: Work },
    style: ConditionStyle,
    taken: { readonly etag: string; readonly began: number },
  ) {
    this.#hold = journal.hold;
    this.#work = journal.work;
    this.style = style;
    this.#ports = ports;
    this.#etag = taken.etag;
    this.#began = taken.began;
    this.#endRenewing = every((journal.hold.leaseSeconds * 1000) / 4, () => this.#renew(), ports.clock);
  }

  /** Acquires the lock by writing the journal. `replaces`: the etag of a dead publisher's journal, or null if there is no journal. */
  static async take(
    ports: PublishPorts,
    journal: { readonly hold: Hold; readonly work: Work },
    style: ConditionStyle,
    replaces: string | null,
  ): Promise<Lease> {
    const { bucket } = ports;
    const began = ports.uptimeSeconds();
    const body = encodeDocument({ ...journal.work, ...journal.hold });
    const write = { key: JOURNAL_KEY, body, headers: CONTROL_HEADERS };
    const outcome = await compareAndSet(bucket, { ...write, expected: replaces, style });
    if (outcome.won) return new Lease(ports, journal, style, { etag: outcome.etag, began });
    if (outcome.found !== null) throw busyError(bucket.url, journalIn(bucket.url, outcome.found));
    throw new VitrineError(
      "publisher_busy",
      `Another publisher was at work on ${bucket.url}, and has just finished.`,
    );
  }

  /** Of this attempt: what it writes can be told from all other attempts' writes. */
  get attempt(): string {
    return this.#hold.attempt;
  }

  /** Records in the journal the work that begins now. @throws VitrineError publisher_busy, remote_failed */
  async change(work: Work): Promise<void> {
    await this.hold();
    this.#work = work;
    // After a running renewal, before the next one.
    const writing = this.#renewing.then(() => this.#write());
    this.#renewing = writing.catch(() => undefined);
    await writing;
    await this.hold();
  }

  /**
   * Called before every write. A machine that was busy or asleep for longer than its lease renews it first: the journal is still its
   * own unless another publisher has replaced it.
   * @throws VitrineError publisher_busy if the lock is another's; remote_failed if it cannot be renewed, or the publish was aborted
   */
  readonly hold = async (): Promise<void> => {
    assertGoesOn(this.#ports);
    if (this.#lost === null && !this.#isHeld) {
      this.#late ??= this.#renewLate().finally(() => {
        this.#late = null;
      });
      await this.#late;
      assertGoesOn(this.#ports);
    }
    if (this.#lost !== null) throw this.#lost;
  };

  async #renewLate(): Promise<void> {
    const { bucket } = this.#ports;
    const lateSeconds = Math.round(this.#ports.uptimeSeconds() - this.#began);
    const after = `The lock of ${bucket.url} was last renewed ${lateSeconds} s ago, and its lease is ${this.#hold.leaseSeconds} s`;
    for (let round = 0; round < MOST_LATE_RENEWALS; round++) {
      const writing = this.#renewing.then(() => (this.#isOpen ? this.#write() : undefined));
      this.#renewing = writing.catch(() => undefined);
      try {
        await writing;
      } catch (error) {
        const message = `${after}. It cannot be renewed now: ${messageOf(error)} Publish again.`;
        throw new VitrineError("remote_failed", message, { cause: error });
      }
      if (!this.#isOpen) return;
    }
    throw new VitrineError(
      "remote_failed",
      `${after}: this machine is too busy to renew it in time. Nothing more was written. Publish again, with a longer --lease.`,
    );
  }

  /** True if the lease has run out and is not known to be another's. */
  get #isOpen(): boolean {
    return this.#lost === null && !this.#isHeld;
  }

  /** The work is done, including deletions and purges: deletes the journal. */
  async finish(): Promise<void> {
    await this.#stop();
    // If the lease has run out, another publisher may have taken the journal over: then it is theirs to delete.
    await this.hold();
    await this.#ports.bucket.delete([JOURNAL_KEY]);
  }

  /** The work failed: deletes a journal that names none; any other stays, but the next publisher need not wait. Never throws. */
  async giveBack(reason: unknown): Promise<void> {
    await this.#stop();
    if (this.#lost === null && this.#isHeld && !namesWork(this.#work)) {
      const deleted = this.#ports.bucket.delete([JOURNAL_KEY]).then(
        () => true,
        () => false,
      );
      if (await deleted) return;
    }
    if (this.#lost === null) {
      await this.#write(0).catch(() => undefined);
      if (this.#lost === null) return;
    }
    const isBusy = reason instanceof VitrineError && reason.code === "publisher_busy";
    if (isBusy && namesWork(this.#work)) await this.#leaveJournal();
  }

  /**
   * A publisher that slept through its lease may have put older bytes over the winner's. It leaves a journal that names
   * them, without a lease, so that the next publish puts those keys again. Never throws: the original error was thrown already.
   */
  async #leaveJournal(): Promise<void> {
    const { bucket } = this.#ports;
    const left = { ...this.#work, ...this.#hold, attempt: randomUUID(), leaseSeconds: 0, expired: [] };
    const write = { key: JOURNAL_KEY, body: encodeDocument(left), headers: CONTROL_HEADERS };
    const attempts = createAttempts({ ...bucket.retries, ...RECORD_LOSS });
    const tryOnce = () => compareAndSet(bucket, { ...write, expected: null, style: this.style });
    do {
      const outcome = await tryOnce().catch(() => null);
      if (outcome?.won !== false) return;
    } while (await attempts.again());
  }

  get #isHeld(): boolean {
    return this.#ports.uptimeSeconds() - this.#began < this.#hold.leaseSeconds * (1 - MARGIN);
  }

  async #stop(): Promise<void> {
    this.#endRenewing();
    await this.#renewing;
  }

  #renew(): void {
    if (this.#lost !== null) {
      this.#endRenewing();
      return;
    }
    // A renewal that fails is tried again at the next beat; the lease decides when it is too late.
    this.#renewing = this.#renewing
      .then(() => (this.#lost === null ? this.#write() : undefined))
      .catch(() => undefined);
  }

  async #write(leaseSeconds: number = this.#hold.leaseSeconds): Promise<void> {
    const { bucket, uptimeSeconds } = this.#ports;
    const began = uptimeSeconds();
    this.#beat += 1;
    // The beat makes the bytes of each renewal unique: an etag must never repeat.
    const body = encodeDocument({ ...this.#work, ...this.#hold, leaseSeconds, beat: this.#beat } as Journal);
    const write = { key: JOURNAL_KEY, body, headers: CONTROL_HEADERS };
    const outcome = await compareAndSet(bucket, { ...write, expected: this.#etag, style: this.style });
    if (outcome.won) {
      this.#etag = outcome.etag;
      this.#began = began;
    } else this.#lost = takenOver(bucket.url, outcome.found);
  }
}

/** How the service wants conditions written: as the live release remembers, or as a probe finds. */
async function chooseStyle({ rules, ports, state }: Publication, attempt: string): Promise<ConditionStyle> {
  if (rules.singlePublisher) return "none";
  const known = state.live?.pointer;
  if (known !== undefined && known.service === ports.bucket.service && known.conditions !== "none")
    return known.conditions;
  return probeConditions(ports.bucket, attempt);
}

/**
 * Acquires the lock, also a dead publisher's, does `work` under it, and deletes the journal. If the work fails, the journal stays
 * with what the next publisher has to do.
 * @throws VitrineError publisher_busy, remote_failed, conditions_ignored
 */
export async function underLease<Result>(
  publication: Publication,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const { ports, state } = publication;
  assertGoesOn(ports);
  const hold = holdOf(publication);
  underWay.add(hold.attempt);
  try {
    const style = await chooseStyle(publication, hold.attempt);
    assertGoesOn(ports);
    const journal = { hold, work: workBefore(publication) };
    const lease = await Lease.take(ports, journal, style, state.journal?.etag ?? null);
    try {
      const result = await work(lease);
      await lease.finish();
      return result;
    } catch (error) {
      await lease.giveBack(error);
      throw error;
    }
  } finally {
    underWay.delete(hold.attempt);
  }
}

/** Repeats the stages to keep a store's snapshot up to date. */
import { CLOCK, type Clock, type ClockOption, secondsSince, unlessAborted } from "../base/clock.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { SILENT } from "../base/log.ts";
import { toSqlTime } from "../base/time.ts";
import { type BuildInputs, type BuildOptions, checkOptions, resolveInputs } from "../config/inputs.ts";
import { isServerAddress } from "../store/address.ts";
import { ChangedRow } from "../store/probe.ts";
import { quickStampOf } from "../store/sqlite-stamp.ts";
import { runBuild } from "./build.ts";
import type { BuildReport } from "./build-report.ts";
import { guardStore } from "./own-folders.ts";
import { type Destination, guardAddresses } from "./policies.ts";

export interface WatchOptions extends Omit<BuildOptions, "now" | "full"> {
  /** How long to wait after a change, so that one build covers several changes. Default: 0.2. */
  readonly settleSeconds?: number | undefined;
  /** Least time between the starts of two builds. Default: 1. */
  readonly atMostEverySeconds?: number | undefined;
  /** How often to run `changed.sql`; without it, how often to read all rows of a store on a server. Default: 1, or 30 without it. */
  readonly everySeconds?: number | undefined;
  /** Makes the snapshot live: called after the first build and after each that changed something; again after a failure. */
  readonly publish?: ((report: BuildReport) => Promise<void>) | undefined;
  /** Called after each build. */
  readonly built?: ((report: BuildReport) => void) | undefined;
  /** Called for each build and publish that failed, and once for a failing `changed.sql`; the watch continues. */
  readonly failed?: ((failure: WatchFailure) => void) | undefined;
  /** Called with the allow-list files in which a reading found changed rows that `changed.sql` had not shown. */
  readonly missed?: ((files: readonly string[]) => void) | undefined;
  /** Ends the watch after the running build or publish. */
  readonly signal?: AbortSignal | undefined;
}

const WATCH_OPTIONS: Readonly<Record<Exclude<keyof WatchOptions, keyof BuildOptions>, true>> = {
  settleSeconds: true,
  atMostEverySeconds: true,
  everySeconds: true,
  publish: true,
  built: true,
  failed: true,
  missed: true,
  signal: true,
};

/**
 * A reading takes at most a twentieth of a server's time. No other work waits for a file, so it may be read half of the time
 * (docs/decisions/changed-sql.md).
 */
const REST_FACTOR = { server: 20, file: 1 };

/** Watches a store with ready-made ports, whose `publish` goes to a destination. */
export async function watchStore(
  { store, queries, config }: Pick<BuildInputs, "store" | "queries" | "config">,
  ports: Omit<WatchPorts, "stamp" | "ask">,
  { to, allowLocal, ...rules }: Omit<WatchRules, "restFactor"> & Destination,
  signal: AbortSignal,
): Promise<void> {
  guardAddresses(config, { to, allowLocal });
  guardStore(store, to);
  const isServer = isServerAddress(store);
  const changed = new ChangedRow({ store, queries });
  const stamp = isServer ? null : () => quickStampOf(store);
  const restFactor = isServer ? REST_FACTOR.server : REST_FACTOR.file;
  // A server may take minutes to answer, for example behind a lock: an abort does not wait for it.
  const ask = () => unlessAborted(changed.ask(), signal);
  const run = new WatchRun({ ...ports, stamp, ask }, { ...rules, restFactor });
  try {
    await run.run(signal);
  } finally {
    await changed.close();
  }
}

/**
 * Keeps a store's snapshot up to date until the signal is aborted. Failed builds and publishes are reported and tried again.
 * @throws VitrineError config_invalid, usage
 */
export async function watch(options: WatchOptions): Promise<void> {
  checkOptions(options, WATCH_OPTIONS);
  const inputs = await resolveInputs(options);
  const ports = {
    isAsked: () => false,
    build: (now: Date, saw: SawRow) =>
      runBuild({ ...inputs, now: toSqlTime(now) }, options.log ?? SILENT, options.signal, saw),
    publish: async (report: BuildReport) => options.publish?.(report),
    countObjects: async () => {},
    built: (report: BuildReport) => options.built?.(report),
    failed: (failure: WatchFailure) => options.failed?.(failure),
    missed: (files: readonly string[]) => options.missed?.(files),
    live: () => undefined,
  };
  const { settleSeconds = 0.2, atMostEverySeconds = 1, everySeconds } = options;
  const rules = { settleSeconds, atMostEverySeconds, everySeconds };
  await watchStore(inputs, ports, rules, options.signal ?? new AbortController().signal);
}

/** Takes the row of `changed.sql` in the very state of the store that a build reads. */
type SawRow = (row: string) => void;

/** The ports of a watch. */
export interface WatchPorts extends ClockOption {
  /** A text that changes whenever something may have been committed; null during a write. Null instead of a function for a server. */
  readonly stamp: (() => string | null) | null;
  /** The row of `changed.sql`; null if there is no such file. */
  ask(): Promise<string | null>;
  /** True once after each request to build now. */
  isAsked(): boolean;
  /** @param saw called if it reads the store and `changed.sql` gives a row: the last call counts */
  build(now: Date, saw: SawRow): Promise<BuildReport>;
  /** Makes the snapshot live: after the first build, after each that changed something, and after each failure. */
  publish(report: BuildReport): Promise<void>;
  /** Called after each build and publish, also failed ones, for occasional checks. Reports its own failures. */
  countObjects(): Promise<void>;
  built(report: BuildReport): void;
  failed(failure: WatchFailure): void;
  /**
   * Called when the store's current content is live. `freshSeconds`: time since the oldest of these changes was noticed; null if
   * nothing was published or the changes were not noticed when they happened, as at the start.
   */
  live(freshSeconds: number | null): void;
  /** Called with files in which rows changed while the row of `changed.sql` did not. */
  missed(files: readonly string[]): void;
}

export interface WatchFailure {
  /** `look`: running `changed.sql`. */
  readonly step: "build" | "publish" | "look";
  readonly error: unknown;
  /** The next try follows after this time, or after an earlier change of the store. */
  readonly retrySeconds: number;
}

export interface WatchRules {
  /** How long to wait after a change, so that one build covers several changes. */
  readonly settleSeconds: number;
  /** Least time between the starts of two builds. */
  readonly atMostEverySeconds: number;
  /** As {@link WatchOptions.everySeconds}. */
  readonly everySeconds?: number | undefined;
  /** Least pause between two readings, as a multiple of the last one's duration. */
  readonly restFactor: number;
  /** When a failed step is tried again unless the store changes earlier: the pause doubles each time. */
  readonly retry?: { readonly firstSeconds: number; readonly mostSeconds: number };
}

/** How often to check a file's stamp; each check takes some hundredths of a millisecond. */
const PROBE_MILLISECONDS = 50;
/** How often to run `changed.sql`. */
const ASK_SECONDS = 1;
/** How often to read all rows if `changed.sql` is missing or fails. */
const READ_SECONDS = 30;
/** How often to read all rows, even if `changed.sql` shows no change. */
const REST_SECONDS = 60 * 60;
const RETRY = { firstSeconds: 1, mostSeconds: 30 };

/**
 * Keeps a snapshot up to date: builds when the store changes, when the clock alone changes an answer, on request, and every hour.
 * Knows neither stores nor places.
 */
export class WatchRun {
  readonly #ports: WatchPorts;
  readonly #rules: WatchRules;
  readonly #clock: Clock;
  #stamp: string | null = null;
  /** The last row of `changed.sql`, asked or seen by a build; null if there is no such file or it failed. */
  #row: string | null = null;
  /** The row of the last successful build. */
  #builtRow: string | null = null;
  #rowAskedAt = Number.NEGATIVE_INFINITY;
  #rowSeconds = 0;
  /** The error of `changed.sql`. */
  #rowFailure: string | null = null;
  #isPublished = false;
  /** When the oldest change that is not live yet was noticed. */
  #noticedAt: number | null = null;
  #hasFailed = false;
  /** Failed retries in a row. Tries after a change of the store do not count, so frequent changes do not postpone retries. */
  #retries = 0;
  /** When the clock alone changes an answer: a date of the shop, so by the wall clock. */
  #nextChange = Number.POSITIVE_INFINITY;
  /** How long the last reading took, and when it ended. */
  #reading = { seconds: 0, endedAt: Number.NEGATIVE_INFINITY };
  #restSeconds = 0;

  constructor(ports: WatchPorts, rules: WatchRules) {
    this.#ports = ports;
    this.#rules = rules;
    this.#clock = ports.clock ?? CLOCK;
  }

  /** Works until the signal is aborted, and then until the running build or publish ends. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // The stamp is taken before the build, so that a commit during the build's reading is noticed afterwards.
      this.#stamp = this.#ports.stamp?.() ?? this.#stamp;
      await this.#askRow();
      if (signal.aborted) return;
      const started = this.#clock.elapsed();
      await this.#buildAndPublish(started);
      if (!signal.aborted) await this.#ports.countObjects();
      try {
        const reason = await this.#untilReason(signal);
        this.#noticedAt ??= this.#clock.elapsed();
        if (reason === "asked") continue;
        if (this.#hasFailed && reason === "rested") this.#retries += 1;
        const { settleSeconds, atMostEverySeconds } = this.#rules;
        const settled =
          this.#clock.elapsed() + 1000 * Math.max(settleSeconds, atMostEverySeconds - this.#since(started));
        while (this.#clock.elapsed() < settled && !this.#ports.isAsked())
          await this.#clock.sleep(Math.min(PROBE_MILLISECONDS, settled - this.#clock.elapsed()), signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  }

  async #buildAndPublish(started: number): Promise<void> {
    let step: WatchFailure["step"] = "build";
    try {
      this.#nextChange = Number.POSITIVE_INFINITY;
      const report = await this.#ports.build(this.#clock.now(), (row) => {
        // Behind a pooler or a name for several replicas, a build may read an older state than the one that was asked.
        this.#row = row;
      });
      this.#reading = { seconds: report.seconds.extract, endedAt: this.#clock.elapsed() };
      if (report.nextChangeAt !== null) this.#nextChange = Date.parse(report.nextChangeAt);
      if (report.work !== "none") this.#isPublished = false;
      this.#ports.built(report);
      // Rows changed that `changed.sql` did not show.
      if (report.changedFiles.length > 0 && this.#row !== null && this.#row === this.#builtRow)
        this.#ports.missed(report.changedFiles);
      this.#builtRow = this.#row;
      step = "publish";
      const isOld = this.#isPublished;
      if (!isOld) await this.#ports.publish(report);
      this.#isPublished = true;
      this.#ports.live(isOld || this.#noticedAt === null ? null : this.#since(this.#noticedAt));
      this.#noticedAt = null;
      this.#hasFailed = false;
      this.#retries = 0;
      this.#restSeconds = REST_SECONDS;
    } catch (error) {
      // A failed build may have changed answers first.
      this.#isPublished = false;
      this.#hasFailed = true;
      const { firstSeconds, mostSeconds } = this.#rules.retry ?? RETRY;
      let retrySeconds = Math.min(mostSeconds, firstSeconds * 2 ** this.#retries);
      if (step === "build") {
        this.#reading = {
          seconds: hasNotRead(error) ? 0 : this.#since(started),
          endedAt: this.#clock.elapsed(),
        };
        // A build may work for minutes, so it rests as long as it worked. A publish mostly waits.
        retrySeconds = Math.max(retrySeconds, this.#reading.seconds);
      }
      this.#restSeconds = Math.max(retrySeconds, this.#readingRestSeconds());
      this.#ports.failed({ step, error, retrySeconds: this.#restSeconds });
    }
  }

  #since(start: number): number {
    return secondsSince(start, this.#clock);
  }

  #readingRestSeconds(): number {
    const { seconds, endedAt } = this.#reading;
    return this.#rules.restFactor * seconds - this.#since(endedAt);
  }

  /** Waits for a change of the store, for the clock, for the end of the rest, or for a request to build. */
  async #untilReason(signal: AbortSignal): Promise<"asked" | "changed" | "rested"> {
    const since = this.#clock.elapsed();
    for (;;) {
      if (this.#ports.isAsked()) return "asked";
      if (this.#readingRestSeconds() <= 0) {
        if (this.#clock.now().getTime() >= this.#nextChange || this.#since(since) >= this.#restSeconds)
          return "rested";
        if (await this.#hasChanged()) return "changed";
      }
      await this.#clock.sleep(PROBE_MILLISECONDS, signal);
    }
  }

  /** True if the store may have changed since the last check. */
  async #hasChanged(): Promise<boolean> {
    const isDue = this.#since(this.#rowAskedAt) >= this.#everySeconds();
    if (this.#ports.stamp === null) return isDue && (await this.#askRow());
    const stamp = this.#ports.stamp();
    if (stamp === null || stamp === this.#stamp) return false;
    if (this.#row === null && this.#rowFailure === null) return true;
    if (!isDue) return false;
    this.#stamp = stamp;
    return await this.#askRow();
  }

  #everySeconds(): number {
    const { everySeconds = this.#row === null ? READ_SECONDS : ASK_SECONDS, restFactor } = this.#rules;
    const leastSeconds = this.#rowFailure === null ? restFactor * this.#rowSeconds : READ_SECONDS;
    return Math.max(everySeconds, leastSeconds);
  }

  /** Runs `changed.sql`. True unless its row is unchanged. */
  async #askRow(): Promise<boolean> {
    const before = this.#row;
    this.#rowAskedAt = this.#clock.elapsed();
    this.#row = null;
    try {
      this.#row = await this.#ports.ask();
      this.#rowFailure = null;
    } catch (error) {
      const message = messageOf(error);
      const isNew = message !== this.#rowFailure;
      this.#rowFailure = message;
      // If the store is unreadable, the following build reports it.
      if (isNew && !isUnreadable(error))
        this.#ports.failed({ step: "look", error, retrySeconds: this.#everySeconds() });
    }
    this.#rowSeconds = this.#since(this.#rowAskedAt);
    return this.#row === null || this.#row !== before;
  }
}

/** True if the store could not be reached: reading it took none of its time. */
function isUnreadable(error: unknown): boolean {
  return error instanceof VitrineError && error.code === "store_unreadable";
}

/** True also if a build waited in vain for its folder. */
function hasNotRead(error: unknown): boolean {
  return isUnreadable(error) || (error instanceof VitrineError && error.code === "out_busy");
}

/** The stages again and again: a store's snapshot, kept up to date. */

import { setTimeout as sleep } from "node:timers/promises";
import { SILENT } from "../base/log.ts";
import { toSqlTime } from "../base/time.ts";
import { type BuildOptions, checkOptions, resolveInputs } from "../config/inputs.ts";
import { driverOf } from "../store/open.ts";
import { Builder } from "./build.ts";
import type { BuildReport } from "./report.ts";

export interface WatchOptions extends Omit<BuildOptions, "now" | "full"> {
  /** How long to wait after a change: what comes meanwhile is the same build. Default: 0.2. */
  readonly settleSeconds?: number | undefined;
  /** Least time from one build to the next. Default: 1. */
  readonly atMostEverySeconds?: number | undefined;
  /**
   * How often a build asks a store on a server what changed; where changes are captured, it is looked at every second, too. A
   * file is looked at all the time. Default: 30.
   */
  readonly pollSeconds?: number | undefined;
  /** Makes the snapshot live: after the first build, and after each that changed something; again where it failed. */
  readonly publish?: ((report: BuildReport) => Promise<void>) | undefined;
  /** Called after each build. */
  readonly built?: ((report: BuildReport) => void) | undefined;
  /** Called for each build and publish that failed; the watch goes on. */
  readonly failed?: ((failure: WatchFailure) => void) | undefined;
  /** Ends the watch; a build or publish that is under way is waited for. */
  readonly signal?: AbortSignal | undefined;
}

const WATCH_OPTIONS: Readonly<Record<Exclude<keyof WatchOptions, keyof BuildOptions>, true>> = {
  ...{ settleSeconds: true, atMostEverySeconds: true, pollSeconds: true, signal: true },
  ...{ publish: true, built: true, failed: true },
};

/** When to look, and when to build. */
export interface StoreRules extends WatchRules {
  readonly pollSeconds: number;
}

/** Watches a store by ports that are made already. */
export async function watchStore(
  store: string,
  ports: Omit<WatchPorts, "look">,
  { pollSeconds, ...rules }: StoreRules,
  signal: AbortSignal,
): Promise<void> {
  const looking = driverOf(store).look(pollSeconds);
  try {
    await new WatchRun({ ...ports, look: () => looking.look() }, rules).run(signal);
  } finally {
    await looking.close();
  }
}

/**
 * Keeps a store's snapshot up to date, until its signal is aborted. Builds and publishes that fail are reported and tried again.
 * @throws VitrineError config_invalid, usage
 */
export async function watch(options: WatchOptions): Promise<void> {
  checkOptions(options, WATCH_OPTIONS);
  const inputs = await resolveInputs(options);
  const builder = new Builder();
  const ports = {
    build: (now: Date) => builder.build({ ...inputs, now: toSqlTime(now) }, options.log ?? SILENT),
    publish: async (report: BuildReport) => options.publish?.(report),
    built: (report: BuildReport) => options.built?.(report),
    failed: (failure: WatchFailure) => options.failed?.(failure),
  };
  const { settleSeconds = 0.2, atMostEverySeconds = 1, pollSeconds = 30 } = options;
  const rules = { settleSeconds, atMostEverySeconds, pollSeconds };
  try {
    await watchStore(inputs.store, ports, rules, options.signal ?? new AbortController().signal);
  } finally {
    builder.close();
  }
}

/** The ports of a watch. */
export interface WatchPorts {
  /** Another text wherever something may have been committed; null while something is being written. Never throws. */
  look(): string | null;
  build(now: Date): Promise<BuildReport>;
  /** Makes the snapshot live: after the first build, after each that changed something, and after any that failed; again where it failed. */
  publish(report: BuildReport): Promise<void>;
  built(report: BuildReport): void;
  failed(failure: WatchFailure): void;
}

export interface WatchFailure {
  readonly step: "build" | "publish";
  readonly error: unknown;
  /** After so long it is tried again, if the store does not change before. */
  readonly retrySeconds: number;
}

export interface WatchRules {
  /** How long to wait after a change: what comes meanwhile is the same build. */
  readonly settleSeconds: number;
  /** Least time from one build to the next. */
  readonly atMostEverySeconds: number;
  /** When what failed is tried again, where the store does not change before: twice as long each time. */
  readonly retry?: { readonly firstSeconds: number; readonly mostSeconds: number };
}

/** How often the store is looked at: each look takes some hundredths of a millisecond. */
const LOOK_MILLISECONDS = 50;
/** A build that finds nothing changed costs next to nothing, and whatever was not noticed is found. */
const REST_SECONDS = 60 * 60;
const RETRY = { firstSeconds: 1, mostSeconds: 30 };

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}

/**
 * Keeps a snapshot up to date: builds when the store changes, when the clock alone changes an answer, and every hour
 * besides, of which one in a day reads everything. Knows neither stores nor places.
 */
export class WatchRun {
  readonly #ports: WatchPorts;
  readonly #rules: WatchRules;
  #seen: string | null = null;
  #isPublished = false;
  #hasFailed = false;
  /** Tries in a row that failed and were not a change's: however many changes come meanwhile, they put off no try. */
  #retries = 0;
  /** When the clock alone changes an answer. */
  #nextChange = Number.POSITIVE_INFINITY;
  #restSeconds = 0;

  constructor(ports: WatchPorts, rules: WatchRules) {
    this.#ports = ports;
    this.#rules = rules;
  }

  /** Works until the signal is aborted; a build or publish that is under way then is waited for. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Before the build: what is committed while it reads is noticed after it.
      this.#seen = this.#ports.look() ?? this.#seen;
      const started = performance.now();
      await this.#buildAndPublish(started);
      try {
        const reason = await this.#untilReason(signal);
        if (this.#hasFailed && reason === "rested") this.#retries += 1;
        const { settleSeconds, atMostEverySeconds } = this.#rules;
        const rest = 1000 * Math.max(settleSeconds, atMostEverySeconds - secondsSince(started));
        await sleep(rest, undefined, { signal });
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  }

  async #buildAndPublish(started: number): Promise<void> {
    let step: WatchFailure["step"] = "build";
    try {
      this.#nextChange = Number.POSITIVE_INFINITY;
      const report = await this.#ports.build(new Date());
      if (report.nextChangeAt !== null) this.#nextChange = Date.parse(report.nextChangeAt);
      if (report.work !== "none") this.#isPublished = false;
      this.#ports.built(report);
      step = "publish";
      if (!this.#isPublished) await this.#ports.publish(report);
      this.#isPublished = true;
      this.#hasFailed = false;
      this.#retries = 0;
      this.#restSeconds = REST_SECONDS;
    } catch (error) {
      // A build that failed may have changed answers before it did.
      this.#isPublished = false;
      this.#hasFailed = true;
      const { firstSeconds, mostSeconds } = this.#rules.retry ?? RETRY;
      const retrySeconds = Math.min(mostSeconds, firstSeconds * 2 ** this.#retries);
      // A build that fails may be the work of minutes: it rests as long as it worked. A publish mostly waited.
      this.#restSeconds = step === "build" ? Math.max(retrySeconds, secondsSince(started)) : retrySeconds;
      this.#ports.failed({ step, error, retrySeconds: this.#restSeconds });
    }
  }

  /** Waits for a change of the store, for the clock, or for the end of the rest. */
  async #untilReason(signal: AbortSignal): Promise<"changed" | "rested"> {
    const since = performance.now();
    for (;;) {
      const seen = this.#ports.look();
      if (seen !== null && seen !== this.#seen) return "changed";
      if (Date.now() >= this.#nextChange || secondsSince(since) >= this.#restSeconds) return "rested";
      await sleep(LOOK_MILLISECONDS, undefined, { signal });
    }
  }
}

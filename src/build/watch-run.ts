/**
 * Keeps a snapshot up to date: builds when the store changes, when the clock alone changes an answer, and every hour
 * besides, of which one in a day reads everything. Knows neither stores nor places.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { BuildReport } from "./report.ts";

/** What a watch asks of its surroundings, and tells. */
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

/** A clock whose time passes only when a test says so, or when everything that asks it waits. */
import { CLOCK, type Clock } from "../../src/base/clock.ts";
import { until } from "./until.ts";

interface Sleeper {
  readonly ends: number;
  wake(): void;
}

/** Resolves once everything that could go on without waiting for a timer, a disk or a network has done so. */
const allElse = () => new Promise<void>((resolve) => setImmediate(resolve));

export class SimulatedClock implements Clock {
  /** All pauses that were asked for, in milliseconds. */
  readonly pauses: number[] = [];
  #elapsed = 0;
  #now: number;
  #sleepers: Sleeper[] = [];
  #passesByItself = false;

  constructor(now = "2026-11-20T12:00:00Z") {
    this.#now = Date.parse(now);
  }

  /** A clock whose time passes whenever somebody sleeps: until the first of all sleepers wakes. Work meanwhile takes no time. */
  static thatPasses(): SimulatedClock {
    const clock = new SimulatedClock();
    clock.#passesByItself = true;
    return clock;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  now(): Date {
    return new Date(this.#now);
  }

  /** How many wait. */
  get waiting(): number {
    return this.#sleepers.length;
  }

  /** Sets the wall clock, as people and NTP do. */
  setBy(milliseconds: number): void {
    this.#now += milliseconds;
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    this.pauses.push(milliseconds);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        signal?.removeEventListener("abort", abort);
      };
      const abort = () => {
        leave();
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        ends: this.#elapsed + Math.max(0, milliseconds || 0),
        wake() {
          leave();
          resolve();
        },
      };
      if (signal?.aborted === true) return abort();
      signal?.addEventListener("abort", abort);
      this.#sleepers.push(sleeper);
      if (this.#passesByItself) void allElse().then(() => this.#wakeFirst(Number.POSITIVE_INFINITY));
    });
  }

  /** Lets time pass. Sleepers wake one after the other, each in its time, and what they then do is done before time goes on. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#elapsed + milliseconds;
    do await allElse();
    while (this.#wakeFirst(end));
    this.#goTo(end);
  }

  /**
   * Lets time pass, sleeper by sleeper, until something is so. While nobody sleeps, work is under way that takes real time and none of
   * this clock's. @throws if it is not so within three hours
   */
  async passUntil(what: string, isSo: () => boolean): Promise<void> {
    const end = this.#elapsed + 3 * 3_600_000;
    for (await allElse(); !isSo(); await allElse()) {
      if (this.waiting === 0) await until(`${what}, or a sleep`, () => isSo() || this.waiting > 0);
      else if (!this.#wakeFirst(end)) throw new Error(`Waited three hours in vain: ${what}`);
    }
  }

  /** False if nobody wakes until then. */
  #wakeFirst(end: number): boolean {
    const first = this.#sleepers.reduce<Sleeper | undefined>(
      (found, one) => (found === undefined || one.ends < found.ends ? one : found),
      undefined,
    );
    if (first === undefined || first.ends > end) return false;
    this.#goTo(first.ends);
    first.wake();
    return true;
  }

  #goTo(elapsed: number): void {
    const passed = Math.max(0, elapsed - this.#elapsed);
    this.#elapsed += passed;
    this.#now += passed;
  }
}

/**
 * A clock for work that takes real time, such as requests over a network: as the machine's, but a pause that nothing can end passes
 * at once, and a test lets the deadline of work that hangs pass.
 */
export class HastyClock implements Clock {
  /** All pauses that passed at once, in milliseconds. */
  readonly pauses: number[] = [];
  #skipped = 0;
  #setBy = 0;
  readonly #sleepers = new Set<AbortController>();

  elapsed(): number {
    return CLOCK.elapsed() + this.#skipped;
  }

  now(): Date {
    return new Date(CLOCK.now().getTime() + this.#setBy);
  }

  /** Sets the wall clock, as people and NTP do. */
  setBy(milliseconds: number): void {
    this.#setBy += milliseconds;
  }

  async sleep(milliseconds: number, signal?: AbortSignal, isBackground = false): Promise<void> {
    const ends = this.elapsed() + milliseconds;
    if (signal === undefined && !isBackground) {
      this.pauses.push(milliseconds);
      await allElse();
      this.skip(ends - this.elapsed());
      return;
    }
    do {
      const skip = new AbortController();
      const either = signal === undefined ? skip.signal : AbortSignal.any([signal, skip.signal]);
      this.#sleepers.add(skip);
      await CLOCK.sleep(ends - this.elapsed(), either, isBackground).catch(() => signal?.throwIfAborted());
      this.#sleepers.delete(skip);
    } while (this.elapsed() < ends);
  }

  /** So much time has passed. */
  skip(milliseconds: number): void {
    this.#skipped += Math.max(0, milliseconds);
    for (const sleeper of this.#sleepers) sleeper.abort();
  }
}

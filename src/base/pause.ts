/** A pause of all calls to one address, whose rate limit counts them together. */
import { setTimeout as sleep } from "node:timers/promises";

export class Pause {
  readonly #mostMilliseconds: number;
  readonly #wait: (milliseconds: number) => Promise<unknown>;
  /** By the monotonic clock: the real one may be set back, and the pause would last as much longer. */
  #until = 0;

  /** @param mostMilliseconds the longest pause, even if the address asks for a longer one */
  constructor(mostMilliseconds: number, wait: (milliseconds: number) => Promise<unknown> = sleep) {
    this.#mostMilliseconds = mostMilliseconds;
    this.#wait = wait;
  }

  /** No call begins before this time from now has passed. Returns the milliseconds. */
  atLeast(milliseconds: number): number {
    const bounded = Math.min(milliseconds, this.#mostMilliseconds);
    this.#until = Math.max(this.#until, performance.now() + bounded);
    return bounded;
  }

  /** Resolves once calls may begin. */
  async isOver(): Promise<void> {
    for (let now = performance.now(); now < this.#until; ) {
      const until = this.#until;
      await this.#wait(until - now);
      // Timers may end a little early.
      now = Math.max(until, performance.now());
    }
  }
}

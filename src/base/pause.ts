/** A pause of all calls to one address, whose rate limit counts them together. */
import { setTimeout as sleep } from "node:timers/promises";

export class Pause {
  readonly #mostMilliseconds: number;
  readonly #wait: (milliseconds: number) => Promise<unknown>;
  /** In milliseconds since 1970. */
  #until = 0;

  /** @param mostMilliseconds the longest pause, even if the address asks for a longer one */
  constructor(mostMilliseconds: number, wait: (milliseconds: number) => Promise<unknown> = sleep) {
    this.#mostMilliseconds = mostMilliseconds;
    this.#wait = wait;
  }

  /** No call begins before this time from now has passed. Returns the milliseconds. */
  atLeast(milliseconds: number): number {
    const bounded = Math.min(milliseconds, this.#mostMilliseconds);
    this.#until = Math.max(this.#until, Date.now() + bounded);
    return bounded;
  }

  /** Resolves once calls may begin. */
  async isOver(): Promise<void> {
    for (let now = Date.now(); now < this.#until; now = Date.now()) await this.#wait(this.#until - now);
  }
}

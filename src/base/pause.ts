/** A pause of all calls to one address, whose rate limit counts them together. */
import { CLOCK, type Clock } from "./clock.ts";

export class Pause {
  readonly #mostMilliseconds: number;
  readonly #clock: Clock;
  #until = Number.NEGATIVE_INFINITY;

  /** @param mostMilliseconds the longest pause, even if the address asks for a longer one */
  constructor(mostMilliseconds: number, clock: Clock = CLOCK) {
    this.#mostMilliseconds = mostMilliseconds;
    this.#clock = clock;
  }

  /** No call begins before this time from now has passed. Returns the milliseconds. */
  atLeast(milliseconds: number): number {
    const bounded = Math.min(milliseconds, this.#mostMilliseconds);
    this.#until = Math.max(this.#until, this.#clock.elapsed() + bounded);
    return bounded;
  }

  /** Resolves once calls may begin. @throws the signal's reason */
  async isOver(signal?: AbortSignal): Promise<void> {
    // Another call may be told to wait longer meanwhile.
    for (let left = this.#left(); left > 0; left = this.#left()) await this.#clock.sleep(left, signal);
  }

  #left(): number {
    return this.#until - this.#clock.elapsed();
  }
}

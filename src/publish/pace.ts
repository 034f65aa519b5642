import { type RetryPolicy, withRetries } from "../base/retries.ts";
import { isTooBusy, isTransient } from "./aws.ts";

/**
 * Limits the number of parallel requests: fewer while the other side says that it is too busy. The limit is halved then and grows by
 * one for each round that succeeds (additive increase, multiplicative decrease). A request that was refused for being too many is
 * given up when the other side accepted no request in all its attempts: among thousands, one is always the unlucky one.
 */
export class Pace {
  readonly #most: number;
  readonly #policy: RetryPolicy;
  #limit: number;
  #active = 0;
  /** A request that began before the last slowdown says nothing about the pace since. */
  #round = 0;
  #accepted = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number, policy: RetryPolicy) {
    this.#most = most;
    this.#limit = most;
    this.#policy = policy;
  }

  /** Runs a request once there is room for it, until it succeeds, fails for good, or its attempts or their time are used up. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    let accepted = this.#accepted;
    const isProgress = (error: unknown) => {
      const before = accepted;
      accepted = this.#accepted;
      return isTooBusy(error) && before !== accepted;
    };
    return withRetries(this.#policy, isTransient, () => this.#once(work), isProgress);
  }

  async #once<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#active < Math.floor(this.#limit)) this.#active += 1;
    else await new Promise<void>((go) => this.#waiting.push(go));
    const round = this.#round;
    try {
      const result = await work();
      this.#accepted += 1;
      this.#limit = Math.min(this.#most, this.#limit + 1 / this.#limit);
      return result;
    } catch (error) {
      if (isTooBusy(error) && round === this.#round) {
        this.#round += 1;
        this.#limit = Math.max(1, this.#limit / 2);
      }
      throw error;
    } finally {
      this.#active -= 1;
      while (this.#active < Math.floor(this.#limit) && this.#waiting.length > 0) {
        this.#active += 1;
        this.#waiting.shift()?.();
      }
    }
  }
}

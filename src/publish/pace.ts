/**
 * Limits the number of parallel requests: fewer while the other side says that it is too busy. The limit is halved then and grows by
 * one for each round that succeeds (additive increase, multiplicative decrease).
 */
export class Pace {
  readonly #most: number;
  #limit: number;
  #active = 0;
  /** A request that began before the last slowdown says nothing about the pace since. */
  #round = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
    this.#limit = most;
  }

  async run<Result>(isTooBusy: (error: unknown) => boolean, work: () => Promise<Result>): Promise<Result> {
    if (this.#active < Math.floor(this.#limit)) this.#active += 1;
    else await new Promise<void>((go) => this.#waiting.push(go));
    const round = this.#round;
    try {
      const result = await work();
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

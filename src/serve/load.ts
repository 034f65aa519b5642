/**
 * When a server has more to do than it can in time. It answers synchronously, so what it cannot keep up with is read in one
 * turn of the event loop, and the last of it would be answered as late as all before it take.
 */

/** For how long requests of one turn are answered. The next turn's wait for it: they are answered after twice that, at most. */
const MOST_MILLISECONDS = 75;
/** So many requests of a turn are answered whatever they take: a few slow ones refuse nobody. */
const FEW = 32;

export class Load {
  /** When the first request of this turn was read; undefined before it. */
  #began: number | undefined;
  #read = 0;

  /** Counts a request that was read now; true where it cannot be answered in time. */
  isTooMuch(): boolean {
    const now = performance.now();
    if (this.#began === undefined) {
      this.#began = now;
      this.#read = 0;
      setImmediate(() => {
        this.#began = undefined;
      });
    }
    this.#read += 1;
    return this.#read > FEW && now - this.#began > MOST_MILLISECONDS;
  }
}

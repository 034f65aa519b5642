/** When a server refuses a request that it could answer: one client asks too often, or all ask more than it can do in time. */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { RATE_LIMIT } from "../api/errors.ts";
import { clientKey, isAddress } from "../key/client.ts";

/** Counts one request of an address; null lets it pass, a number is the seconds after which to come again. */
export type RateLimiter = (address: string) => Promise<number | null>;

/** `requests` says how many may pass, and may say another number later: a new catalog can bring one. */
export function createRateLimiter(requests: () => number): RateLimiter {
  const limiter = new RateLimiterMemory({ points: requests(), duration: RATE_LIMIT.windowSeconds });
  return async (address) => {
    limiter.points = requests();
    try {
      await limiter.consume(clientKey(address));
      return null;
    } catch (error) {
      if (error instanceof RateLimiterRes) return Math.max(1, Math.ceil(error.msBeforeNext / 1000));
      throw error;
    }
  };
}

/** The address a request comes from: the socket's, or the last that a trusted proxy in front has added. */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string | undefined,
  trustProxy: boolean,
): string {
  if (!trustProxy || forwardedFor === undefined) return socketAddress;
  const last = forwardedFor.split(",").at(-1)?.trim() ?? "";
  return isAddress(last) ? last : socketAddress;
}

/** For how long requests of one turn are answered. The next turn's wait for it: they are answered after twice that, at most. */
const MOST_MILLISECONDS = 75;
/** So many requests of a turn are answered whatever they take: a few slow ones refuse nobody. */
const FEW = 32;

/**
 * Whether there is more to do than can be done in time. A server answers synchronously, so what it cannot keep up with is read in
 * one turn of the event loop, and the last of it would be answered as late as all before it take.
 */
export class ServerLoad {
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

/** When a server refuses a request that it could answer: one client asks too often, or there is more work than time. */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { RATE_LIMIT } from "../api/errors.ts";
import { clientKey, isAddress } from "../key/client.ts";

/** Counts one request of an address; null if it may pass, otherwise the seconds until it may try again. */
export type RateLimiter = (address: string) => Promise<number | null>;

/** `requests` returns the current limit: a new catalog may bring another one. */
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

/** The address of the client: the socket's, or the last one that a trusted proxy has added. */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string | undefined,
  trustProxy: boolean,
): string {
  if (!trustProxy || forwardedFor === undefined) return socketAddress;
  const last = forwardedFor.split(",").at(-1)?.trim() ?? "";
  return isAddress(last) ? last : socketAddress;
}

/** How long the requests of one turn of the event loop are answered. The next turn's wait that long: at most twice this in total. */
const MOST_MILLISECONDS = 75;
/** This many requests per turn are always answered, so that a few slow ones cause no refusals. */
const FEW = 32;

/**
 * Detects overload. A server answers synchronously: whatever arrives meanwhile is read in one turn of the event loop, and its last
 * request would wait for all before it.
 */
export class ServerLoad {
  /** When the first request of this turn was read; undefined before that. */
  #began: number | undefined;
  #read = 0;

  /** Counts a request that was just read; true if it cannot be answered in time. */
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

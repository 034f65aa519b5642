/** The limit for each client address: so many requests in 60 seconds, counted from its first. */
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

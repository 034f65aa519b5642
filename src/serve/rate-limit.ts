/** The limit for each client address: so many requests in 60 seconds, counted from its first. */
import ipaddr from "ipaddr.js";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { RATE_LIMIT } from "../api/errors.ts";

/** Counts one request of an address; null lets it pass, a number is the seconds after which to come again. */
export type RateLimiter = (address: string) => Promise<number | null>;

/**
 * Whom a request is counted for: an IPv4 address, or the /64 that one IPv6 customer has.
 * `"::ffff:192.0.2.1"` → `"192.0.2.1"`, `"2001:db8::7"` → `"2001:db8:0:0::/64"`
 */
export function bucketOf(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const ip = ipaddr.process(address);
  if (ip.kind() === "ipv4") return ip.toString();
  const parts = (ip as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(":")}::/64`;
}

/** `requests` says how many may pass, and may say another number later: a new catalog can bring one. */
export function createRateLimiter(requests: () => number): RateLimiter {
  const limiter = new RateLimiterMemory({ points: requests(), duration: RATE_LIMIT.windowSeconds });
  return async (address) => {
    limiter.points = requests();
    try {
      await limiter.consume(bucketOf(address));
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
  return ipaddr.isValid(last) ? last : socketAddress;
}

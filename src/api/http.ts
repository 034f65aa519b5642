/** What HTTP says around the bodies, as plain values without an import: the fallback and all edges say the same. */

export const JSON_TYPE = "application/json; charset=utf-8";
export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";
export const EXPOSED_HEADERS = "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Window";

/**
 * An edge that asks the fallback for another path than its client did sends the original target in this header.
 * Believed only where the fallback is told that an edge always sets it.
 */
export const TARGET_HEADER = "x-vitrine-target";

/** Seconds after which a client may come again while the fallback is down. */
export const UNAVAILABLE_RETRY_SECONDS = 5;
export const UNAVAILABLE_MESSAGE = "The server cannot answer now. Please try again later.";

export function methodMessage(method: string): string {
  return `${method} is not allowed. This API only reads: use GET.`;
}

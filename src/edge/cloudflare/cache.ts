/**
 * Implements the contract's caching on the colo's cache: a response is fresh as long as its `Cache-Control` says, and may afterwards
 * replace a failing source (stale-if-error). Cloudflare's Cache API knows only freshness, so copies are stored longer, with their
 * freshness in a header.
 */

import { cdnCacheControl } from "../../api/responses.ts";

export interface EdgeCache {
  match(url: string): Promise<Response | undefined>;
  put(url: string, response: Response): Promise<void>;
}

export interface CachePorts {
  readonly cache: EdgeCache;
  readonly now: () => number;
  /** Work that may finish after the response is sent. */
  readonly later: (work: Promise<void>) => void;
}

/** Until when a stored response is fresh, in milliseconds since 1970; and its `Cache-Control` for clients. */
const FRESH_UNTIL = "x-vitrine-fresh-until";
const CLIENT_CACHE_CONTROL = "x-vitrine-cache-control";
const CDN_CACHE_CONTROL = "cdn-cache-control";
const INTERNAL = [FRESH_UNTIL, CLIENT_CACHE_CONTROL, "cf-cache-status", "age", "expires"];

/** Seconds of a directive: `("public, max-age=60", "max-age")` → 60; 0 if it is absent. */
function seconds(cacheControl: string, directive: string): number {
  const found = new RegExp(`(?:^|[ ,])${directive}=([0-9]+)`).exec(cacheControl);
  return Number(found?.[1] ?? 0);
}

/** How long a CDN may treat a response as fresh. */
function freshSeconds(cacheControl: string): number {
  return seconds(cacheControl, "s-maxage") || seconds(cacheControl, "max-age");
}

/** The copy to store; null if the response must not be stored. */
function keepable(response: Response, now: number): Response | null {
  const forClients = response.headers.get("cache-control") ?? "";
  const fresh = forClients.includes("no-store") ? 0 : freshSeconds(forClients);
  if (fresh === 0) return null;
  const copy = new Response(response.clone().body, response);
  copy.headers.set(FRESH_UNTIL, String(now + fresh * 1000));
  copy.headers.set(CLIENT_CACHE_CONTROL, forClients);
  // Cloudflare would prefer it to Cache-Control, and end the copy with its freshness.
  copy.headers.delete(CDN_CACHE_CONTROL);
  copy.headers.set("cache-control", `max-age=${fresh + seconds(forClients, "stale-if-error")}`);
  return copy;
}

/** A stored response as clients get it. Its age tells the caches behind the Worker that its lifetime has begun. */
function restored(kept: Response, now: number): Response {
  const response = new Response(kept.body, kept);
  const forClients = kept.headers.get(CLIENT_CACHE_CONTROL) ?? "";
  const since = Number(kept.headers.get(FRESH_UNTIL)) - freshSeconds(forClients) * 1000;
  for (const name of INTERNAL) response.headers.delete(name);
  response.headers.set("cache-control", forClients);
  const forCdn = cdnCacheControl(forClients);
  if (forCdn !== "") response.headers.set(CDN_CACHE_CONTROL, forCdn);
  response.headers.set("age", `${Math.max(0, Math.floor((now - since) / 1000))}`);
  return response;
}

async function made(make: () => Promise<Response | null>): Promise<Response | null | "failed"> {
  try {
    const response = await make();
    return response !== null && response.status >= 500 ? "failed" : response;
  } catch {
    // Whatever failed behind the cache, an answer that is kept is better.
    return "failed";
  }
}

/**
 * The stored response while it is fresh, else a new one; if making one fails, the stored one, as long as the cache has it. `null` means that the
 * source has no answer, and is not stored; `"failed"`: nothing could be made and nothing is stored.
 */
export async function cached(
  url: string,
  make: () => Promise<Response | null>,
  ports: CachePorts,
): Promise<Response | null | "failed"> {
  const kept = await ports.cache.match(url);
  if (kept !== undefined && ports.now() < Number(kept.headers.get(FRESH_UNTIL)))
    return restored(kept, ports.now());
  const response = await made(make);
  if (response === "failed") return kept === undefined ? "failed" : restored(kept, ports.now());
  const copy = response === null ? null : keepable(response, ports.now());
  if (copy !== null) ports.later(ports.cache.put(url, copy));
  return response;
}

/**
 * The colo's cache as the contract wants it: an answer is fresh as long as its `Cache-Control` says, and afterwards may
 * still stand in for a source that fails. Cloudflare's Cache API knows only the first, so we keep longer and look.
 */

export interface EdgeCache {
  match(url: string): Promise<Response | undefined>;
  put(url: string, response: Response): Promise<void>;
}

export interface RecallPorts {
  readonly cache: EdgeCache;
  readonly now: () => number;
  /** Goes on after the answer is sent. */
  readonly later: (work: Promise<void>) => void;
}

/** Until when a kept answer is fresh, in milliseconds since 1970; and its `Cache-Control` for clients. */
const FRESH_UNTIL = "x-vitrine-fresh-until";
const CLIENT_CACHE_CONTROL = "x-vitrine-cache-control";
const INTERNAL = [FRESH_UNTIL, CLIENT_CACHE_CONTROL, "cf-cache-status", "age", "expires"];

/** Seconds of a directive: `("public, max-age=60", "max-age")` → 60; 0 where it is absent. */
function seconds(cacheControl: string, directive: string): number {
  const found = new RegExp(`(?:^|[ ,])${directive}=([0-9]+)`).exec(cacheControl);
  return Number(found?.[1] ?? 0);
}

/** How long a CDN may hold an answer as fresh. */
function freshSeconds(cacheControl: string): number {
  return seconds(cacheControl, "s-maxage") || seconds(cacheControl, "max-age");
}

/** The copy to keep, or null where nothing may be kept. */
function keepable(answer: Response, now: number): Response | null {
  const forClients = answer.headers.get("cache-control") ?? "";
  const fresh = forClients.includes("no-store") ? 0 : freshSeconds(forClients);
  if (fresh === 0) return null;
  const copy = new Response(answer.clone().body, answer);
  copy.headers.set(FRESH_UNTIL, String(now + fresh * 1000));
  copy.headers.set(CLIENT_CACHE_CONTROL, forClients);
  copy.headers.set("cache-control", `max-age=${fresh + seconds(forClients, "stale-if-error")}`);
  return copy;
}

/** A kept answer as clients get it. */
function restored(kept: Response): Response {
  const answer = new Response(kept.body, kept);
  answer.headers.set("cache-control", kept.headers.get(CLIENT_CACHE_CONTROL) ?? "");
  for (const name of INTERNAL) answer.headers.delete(name);
  return answer;
}

async function made(make: () => Promise<Response | null>): Promise<Response | null | "failed"> {
  try {
    const answer = await make();
    return answer !== null && answer.status >= 500 ? "failed" : answer;
  } catch {
    return "failed";
  }
}

/**
 * The kept answer while it is fresh, else a new one; where making one fails, the kept one however old. `null` is "there
 * is none" and is not kept; `"failed"`: nothing was made and nothing is kept.
 */
export async function recall(
  url: string,
  make: () => Promise<Response | null>,
  ports: RecallPorts,
): Promise<Response | null | "failed"> {
  const kept = await ports.cache.match(url);
  if (kept !== undefined && ports.now() < Number(kept.headers.get(FRESH_UNTIL))) return restored(kept);
  const answer = await made(make);
  if (answer === "failed") return kept === undefined ? "failed" : restored(kept);
  const copy = answer === null ? null : keepable(answer, ports.now());
  if (copy !== null) ports.later(ports.cache.put(url, copy));
  return answer;
}

/**
 * The runtime's own part of an answer: a Worker that makes the same calls as ours (rate limit, cache, R2, Durable Object) and answers
 * the same number of bytes, without Vitrine.
 */
import { Miniflare } from "miniflare";

const SCRIPT = `
const body = new Uint8Array(10_000).fill(0x20);
export class Bare {
  async fetch() { return new Response(body, { headers: { "content-type": "application/json" } }); }
}
export default {
  async fetch(request, env) {
    await env.RATE_LIMIT.limit({ key: "somebody" });
    if (request.url.includes("file")) {
      await caches.default.match(request.url + "/file");
      await env.SITE.get("api/v1/missing.json");
    }
    await caches.default.match(request.url);
    return env.BARE.get(env.BARE.idFromName("one")).fetch("http://object/", request);
  },
};`;

/** @returns its address: below `/file` it looks for a file first */
export async function startBareWorker(): Promise<{ address: URL; stop: () => Promise<void> }> {
  const miniflare = new Miniflare({
    modules: true,
    script: SCRIPT,
    compatibilityDate: "2026-04-01",
    compatibilityFlags: ["nodejs_compat"],
    r2Buckets: ["SITE"],
    durableObjects: { BARE: { className: "Bare", useSQLite: true } },
    ratelimits: { RATE_LIMIT: { namespace_id: "1001", simple: { limit: 1_000_000, period: 60 } } },
    cache: false,
    cf: false,
    host: "127.0.0.1",
    port: 0,
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
  });
  await miniflare.ready;
  return { address: await miniflare.unsafeGetDirectURL(), stop: () => miniflare.dispose() };
}

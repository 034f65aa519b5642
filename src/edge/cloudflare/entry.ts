/**
 * Cloudflare Worker: counts the request, then answers with the file from R2, else asks the fallback; stores both in the colo's cache.
 * Workers run before Cloudflare's own cache, so every request is counted.
 */
import { MAX_TARGET_BYTES, MCP_PATH } from "../../api/endpoints.ts";
import {
  methodResponse,
  type PathSettings,
  pathResponse,
  standardError,
  tooLongResponse,
} from "../../api/responses.ts";
import { readEdgeTarget, targetOf } from "../../key/key.ts";
import { isAgentTarget, splitTarget } from "../../key/query.ts";
import { type CachePorts, cached, type EdgeCache } from "./cache.ts";
import {
  askFallback,
  conditionalResponse,
  type FallbackEnv,
  fileResponse,
  limited,
  type RateLimitEnv,
  responseOf,
} from "./responses.ts";

export interface Env extends FallbackEnv, RateLimitEnv {
  /** R2: the snapshot's files by key. */
  readonly SITE: { get(key: string): Promise<{ arrayBuffer(): Promise<ArrayBuffer> } | null> };
  /** `Cache-Control` of files and of 4xx responses, from the configuration. */
  readonly CACHE_CONTROL: string;
  readonly ERROR_CACHE_CONTROL: string;
  readonly BASE_URL: string;
  /** `true` if the snapshot has pages for people. */
  readonly PAGES: string;
}

interface Context {
  waitUntil(work: Promise<void>): void;
}

declare const caches: { readonly default: EdgeCache };

function pathSettingsOf(env: Env): PathSettings {
  return {
    baseUrl: env.BASE_URL,
    pages: env.PAGES === "true",
    answerCache: env.CACHE_CONTROL,
    clientErrorCache: env.ERROR_CACHE_CONTROL,
  };
}

/** The file as a response; null if it does not exist. */
async function askSite(env: Env, key: string): Promise<Response | null> {
  const object = await env.SITE.get(key);
  return object === null ? null : fileResponse(key, await object.arrayBuffer(), env.CACHE_CONTROL);
}

async function answer(request: Request, env: Env, ports: CachePorts): Promise<Response> {
  const { path, query } = splitTarget(request.url);
  const target = query === "" ? path : `${path}?${query}`;
  if (target.length > MAX_TARGET_BYTES) return responseOf(tooLongResponse(env.ERROR_CACHE_CONTROL));
  const host = new URL(request.url).origin;
  const { read, file: key } = readEdgeTarget(target);
  // Stored under the address of its key, so that a purge by address finds it; clients never request that address.
  const file = key === null ? null : await cached(`${host}/${key}`, () => askSite(env, key), ports);
  if (file !== null && file !== "failed") return file;
  // The fallback could not answer it either.
  if (file === null && read === null) return responseOf(pathResponse(path, pathSettingsOf(env)));
  // Stored under its public address, which purges name, too.
  const address = key === null || read === null ? target : targetOf(read.query);
  const kept = await cached(host + address, () => askFallback(env, target), ports);
  return kept === null || kept === "failed"
    ? responseOf(standardError("service_unavailable", env.ERROR_CACHE_CONTROL))
    : kept;
}

/** Passes an agent's request on to the fallback. The answer is not stored. */
async function relayAgent({ method, headers, body }: Request, env: Env): Promise<Response> {
  const sent = [...headers].filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name));
  try {
    return await askFallback(env, MCP_PATH, { method, headers: sent, body });
  } catch {
    // The platform does not say why a fetch failed: no connection, a time limit, a body that was cut off.
    return responseOf(standardError("service_unavailable", env.ERROR_CACHE_CONTROL));
  }
}

export default {
  async fetch(request: Request, env: Env, context: Context): Promise<Response> {
    const tooMany = await limited(request, env);
    if (tooMany !== null) return tooMany;
    if (isAgentTarget(request.url)) return relayAgent(request, env);
    const other = methodResponse(request.method, env.ERROR_CACHE_CONTROL);
    if (other !== null) return responseOf(other);
    const ports = {
      cache: caches.default,
      now: Date.now,
      later: (work: Promise<void>) => context.waitUntil(work),
    };
    return conditionalResponse(await answer(request, env, ports), request);
  },
};

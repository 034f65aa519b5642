/**
 * Cloudflare Pages in advanced mode: answers with the file from the site's own assets, else asks the object of a Worker or the fallback
 * if one of them is configured, else sends an error envelope. Neither limits nor caches: Pages has no rate limit binding, and its files are local.
 */
import { MAX_TARGET_BYTES } from "../../api/endpoints.ts";
import {
  errorResponse,
  methodResponse,
  standardError,
  tooLongResponse,
  unknownEndpointResponse,
} from "../../api/responses.ts";
import { readEdgeTarget } from "../../key/key.ts";
import type { ReadQuery } from "../../key/query.ts";
import { splitTarget } from "../../key/query.ts";
import {
  askFallback,
  conditionalResponse,
  type FallbackEnv,
  fileResponse,
  OBJECT_NAME,
  type ObjectNamespace,
  responseOf,
} from "./responses.ts";

interface Env extends FallbackEnv {
  /** The object of the Worker that `vitrine edge cloudflare` makes without the address of a fallback. */
  readonly CATALOG?: ObjectNamespace;
  /** The site's files. */
  readonly ASSETS: { fetch(url: URL): Promise<Response> };
}

/** Filled in by `vitrine edge`. */
const CACHE_CONTROL = "{{CACHE_CONTROL}}";
const ERROR_CACHE_CONTROL = "{{ERROR_CACHE_CONTROL}}";
const BASE_URL = "{{BASE_URL}}";

/** Pages serves `page=2.json` at `page%3D2.json` and redirects every other spelling to that. */
async function askFiles({ ASSETS }: Env, key: string, base: string): Promise<Response | null> {
  const path = key.split("/").map(encodeURIComponent).join("/");
  const asset = await ASSETS.fetch(new URL(`/${path}`, base));
  return asset.status === 200 ? fileResponse(key, await asset.arrayBuffer(), CACHE_CONTROL) : null;
}

/** The error for a request without a file if no fallback is configured. */
function noAnswer({ problems }: ReadQuery): Response {
  const names = problems.map(({ kind, name }) => `${name} is ${kind}`).join(", ");
  const error =
    names === ""
      ? standardError("not_found", ERROR_CACHE_CONTROL)
      : errorResponse("invalid_parameter", `Wrong parameters: ${names}.`, ERROR_CACHE_CONTROL);
  return responseOf(error);
}

async function answer(request: Request, env: Env): Promise<Response> {
  const { path, query } = splitTarget(request.url);
  const target = query === "" ? path : `${path}?${query}`;
  if (target.length > MAX_TARGET_BYTES) return responseOf(tooLongResponse(ERROR_CACHE_CONTROL));
  const { read, file: key } = readEdgeTarget(target);
  const file = key === null ? null : await askFiles(env, key, request.url);
  if (file !== null) return file;
  // `_redirects` handles redirected paths without running the Worker.
  if (read === null) return responseOf(unknownEndpointResponse(BASE_URL, ERROR_CACHE_CONTROL));
  const { CATALOG, FALLBACK = CATALOG?.get(CATALOG.idFromName(OBJECT_NAME)), FALLBACK_URL } = env;
  if (FALLBACK === undefined && FALLBACK_URL === undefined) return noAnswer(read);
  try {
    return await askFallback(FALLBACK === undefined ? env : { ...env, FALLBACK }, target);
  } catch {
    // The platform does not say why a fetch failed: no connection, a time limit, a body that was cut off.
    return responseOf(standardError("service_unavailable", ERROR_CACHE_CONTROL));
  }
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const other = methodResponse(request.method, ERROR_CACHE_CONTROL);
    if (other !== null) return responseOf(other);
    return conditionalResponse(await answer(request, env), request);
  },
};

/**
 * Cloudflare Pages in advanced mode: the file of a request from the site's own assets, else the fallback where one is named,
 * else the envelope of an error. Counts nothing and keeps nothing: Pages has no limit to ask, and its files are at hand.
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
import { askFallback, conditionalResponse, type FallbackEnv, fileResponse, responseOf } from "./responses.ts";

interface Env extends FallbackEnv {
  /** The site's files. */
  readonly ASSETS: { fetch(url: URL): Promise<Response> };
}

/** Put in by `vitrine edge`. */
const CACHE_CONTROL = "{{CACHE_CONTROL}}";
const ERROR_CACHE_CONTROL = "{{ERROR_CACHE_CONTROL}}";
const BASE_URL = "{{BASE_URL}}";

/** `page=2.json` stands at `page%3D2.json` there: another spelling is redirected to that one. */
async function askFiles({ ASSETS }: Env, key: string, base: string): Promise<Response | null> {
  const path = key.split("/").map(encodeURIComponent).join("/");
  const asset = await ASSETS.fetch(new URL(`/${path}`, base));
  return asset.status === 200 ? fileResponse(key, await asset.arrayBuffer(), CACHE_CONTROL) : null;
}

/** Where no fallback is named. */
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
  // Paths that lead to another are in `_redirects`, where no Worker runs.
  if (read === null) return responseOf(unknownEndpointResponse(BASE_URL, ERROR_CACHE_CONTROL));
  if (env.FALLBACK === undefined && env.FALLBACK_URL === undefined) return noAnswer(read);
  try {
    return await askFallback(env, target);
  } catch {
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

/**
 * Status, headers and error bodies of responses. `serve`, the fallback, the Worker and CloudFront's function follow these
 * rules, and nginx and the firewall are configured from them. Plain data and pure functions that run on engines with little
 * more than ES5; no Node, no package.
 */
import { API_PATH, MAX_TARGET_BYTES, PAGE_FOLDERS } from "./endpoints.ts";
import { type ApiErrorCode, ERROR_STATUS, METHOD_NOT_ALLOWED, NOT_FOUND, RATE_LIMIT } from "./errors.ts";

export type Headers = Record<string, string>;

/** A response that can be made without a catalog. */
export interface FixedResponse {
  readonly status: number;
  /** Names in the spelling of RFC 9110, in the order in which they are sent; without `Content-Length`. */
  readonly headers: Headers;
  readonly body: string;
}

export const JSON_TYPE = "application/json; charset=utf-8";
export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";
export const EXPOSED_HEADERS = "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Window";
/** How long a browser may keep a preflight's response. */
export const PREFLIGHT_SECONDS = 86_400;
/** When a client may try again while the fallback is down. */
const UNAVAILABLE_RETRY_SECONDS = 5;

/**
 * If an edge asks the fallback for another path than its client requested, it sends the original target in this header.
 * The fallback trusts it only with `--target-header`.
 */
export const TARGET_HEADER = "x-vitrine-target";

/**
 * The corrected search text, percent-encoded, if nothing matched the text as it was sent. The contract has no field for it and
 * does not expose this header to pages of other origins; the explorer reads it (docs/decisions/corrected-search.md).
 */
export const CORRECTED_HEADER = "X-Corrected-Search";

/**
 * Messages that are the same for every request. `invalid_parameter` is for a request that could not be parsed, `not_found`
 * for a site without a fallback.
 */
export const MESSAGES = {
  invalid_parameter: "The server cannot read this request.",
  not_found: "This site has no file for this request.",
  request_timeout: "The request took too long to arrive.",
  precondition_failed: "The current answer does not match If-Match or If-Unmodified-Since.",
  internal_error: "The server failed. Please try again later.",
  service_unavailable: "The server cannot answer now. Please try again later.",
};

export const RECORD_NOT_FOUND = "This record does not exist.";
export const TARGET_TOO_LONG = `The address is longer than ${MAX_TARGET_BYTES} bytes.`;

/** `cache` of the configuration. */
export interface CacheSettings {
  readonly maxAgeSeconds: number;
  readonly sharedMaxAgeSeconds: number;
  readonly staleIfErrorSeconds: number;
  readonly errorMaxAgeSeconds: number;
}

/** Values of Cache-Control: for answers, for 4xx other than 429, for 429 and 5xx. */
export interface CacheControl {
  readonly answer: string;
  readonly clientError: string;
  readonly failure: string;
}

const NO_STORE = "no-store";

export function cacheControl(cache: CacheSettings): CacheControl {
  return {
    answer: `public, max-age=${cache.maxAgeSeconds}, s-maxage=${cache.sharedMaxAgeSeconds}, stale-if-error=${cache.staleIfErrorSeconds}`,
    clientError: `public, max-age=${cache.errorMaxAgeSeconds}`,
    failure: NO_STORE,
  };
}

/** Headers of every response that has a body. */
function bodyHeaders(contentType: string, cacheControlValue: string): Headers {
  return {
    "Content-Type": contentType,
    "X-Content-Type-Options": "nosniff",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": EXPOSED_HEADERS,
    "Cache-Control": cacheControlValue,
  };
}

/**
 * For CDNs (RFC 9213): the lifetime without `s-maxage`, because caches that follow RFC 9111 §5.2.2.10 ignore `stale-if-error` beside it.
 * Empty for any other Cache-Control.
 */
export function cdnCacheControl(cacheControlValue: string): string {
  const found = /s-maxage=([0-9]+), (stale-if-error=[1-9][0-9]*)$/.exec(cacheControlValue);
  return found === null ? "" : `max-age=${found[1]}, ${found[2]}`;
}

/** Headers of a 200. */
export function successHeaders(contentType: string, cacheControlValue: string, etag: string): Headers {
  const headers = bodyHeaders(contentType, cacheControlValue);
  const forCdn = cdnCacheControl(cacheControlValue);
  if (forCdn !== "") headers["CDN-Cache-Control"] = forCdn;
  headers["ETag"] = etag;
  headers["Vary"] = "Accept-Encoding";
  return headers;
}

/** The contract's envelope of an error. */
function withError(
  status: number,
  code: ApiErrorCode,
  message: string,
  cacheControlValue: string,
): FixedResponse {
  return {
    status: status,
    headers: bodyHeaders(JSON_TYPE, cacheControlValue),
    body: JSON.stringify({ success: false, error: { code: code, message: message } }),
  };
}

/** Any error except 405. `clientErrorCache` is the Cache-Control of 4xx. */
export function errorResponse(
  code: Exclude<ApiErrorCode, "method_not_allowed">,
  message: string,
  clientErrorCache: string,
): FixedResponse {
  const status = ERROR_STATUS[code];
  // A cache would give one client's answer to others.
  const isOneClients = status === 412 || status === 429;
  const cache = isOneClients || status >= 500 ? NO_STORE : clientErrorCache;
  const response = withError(status, code, message, cache);
  if (status === 503) response.headers["Retry-After"] = `${UNAVAILABLE_RETRY_SECONDS}`;
  return response;
}

/** An error with the same message for every request. */
export function standardError(code: keyof typeof MESSAGES, clientErrorCache: string): FixedResponse {
  return errorResponse(code, MESSAGES[code], clientErrorCache);
}

export function tooLongResponse(clientErrorCache: string): FixedResponse {
  return errorResponse("uri_too_long", TARGET_TOO_LONG, clientErrorCache);
}

/** For plain HTTP on a port for HTTPS. */
export function plainHttpResponse(clientErrorCache: string): FixedResponse {
  const message = "This port accepts HTTPS only: use https:// instead of http://.";
  return errorResponse("invalid_parameter", message, clientErrorCache);
}

/** The exact 429 of the contract. Both values are header text, for edges that fill them in later. */
export function rateLimitedResponse(requests: string, retryAfterSeconds: string): FixedResponse {
  const response = errorResponse("rate_limited", RATE_LIMIT.message, NO_STORE);
  response.headers["X-RateLimit-Limit"] = requests;
  response.headers["X-RateLimit-Window"] = `${RATE_LIMIT.windowSeconds}`;
  response.headers["Retry-After"] = retryAfterSeconds;
  return response;
}

export function notAllowedResponse(method: string, clientErrorCache: string): FixedResponse {
  const message = `${method} is not allowed. This API only reads: use GET.`;
  const response = withError(METHOD_NOT_ALLOWED, "method_not_allowed", message, clientErrorCache);
  response.headers["Allow"] = ALLOWED_METHODS;
  return response;
}

export function preflightResponse(): FixedResponse {
  const headers = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": ALLOWED_METHODS,
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": `${PREFLIGHT_SECONDS}`,
    Allow: ALLOWED_METHODS,
  };
  return { status: 204, headers: headers, body: "" };
}

/** Settings for answers to paths that are neither a file nor an endpoint. */
export interface PathSettings {
  readonly baseUrl: string;
  /** True if the snapshot has pages for people. */
  readonly pages: boolean;
  /** Cache-Control of redirects and of the 404. */
  readonly answerCache: string;
  readonly clientErrorCache: string;
}

export function pathSettings(config: {
  readonly baseUrl: string;
  readonly pages: false | object;
  readonly cache: CacheSettings;
}): PathSettings {
  const cache = cacheControl(config.cache);
  return {
    baseUrl: config.baseUrl,
    pages: config.pages !== false,
    answerCache: cache.answer,
    clientErrorCache: cache.clientError,
  };
}

interface Redirect {
  readonly path: string;
  readonly status: 302 | 308;
  /** Relative, so that it works below any path. */
  readonly location: string;
}

/** Paths that redirect. A page's own links are relative to its folder, so `/explore` must become `/explore/`. */
export function redirectsOf(pages: boolean): readonly Redirect[] {
  const root: Redirect = {
    path: "/",
    status: 302,
    location: pages ? `${PAGE_FOLDERS[0]}/` : API_PATH.slice(1),
  };
  if (!pages) return [root];
  return [root].concat(
    PAGE_FOLDERS.map((folder) => ({ path: `/${folder}`, status: 308, location: `${folder}/` })),
  );
}

export function unknownEndpointResponse(baseUrl: string, clientErrorCache: string): FixedResponse {
  const message = `This endpoint does not exist. ${baseUrl} lists all endpoints.`;
  return withError(NOT_FOUND, "unknown_endpoint", message, clientErrorCache);
}

/**
 * The answer to a path that has neither a file nor an endpoint: a redirect, or 404. It needs no catalog, so every edge
 * answers it without the fallback.
 */
export function pathResponse(path: string, site: PathSettings): FixedResponse {
  const redirects = redirectsOf(site.pages);
  for (let i = 0; i < redirects.length; i++) {
    const redirect = redirects[i] as Redirect;
    if (redirect.path !== path) continue;
    const headers = { Location: redirect.location, "Cache-Control": site.answerCache };
    return { status: redirect.status, headers: headers, body: "" };
  }
  return unknownEndpointResponse(site.baseUrl, site.clientErrorCache);
}

/** The response to a method other than GET and HEAD; null for those two. */
export function methodResponse(method: string, clientErrorCache: string): FixedResponse | null {
  if (method === "GET" || method === "HEAD") return null;
  return method === "OPTIONS" ? preflightResponse() : notAllowedResponse(method, clientErrorCache);
}

/**
 * CloudFront Functions 2.0, viewer-request: request → the file's path, before the cache is asked. Methods are settled
 * here; a miss goes to the origin group's second origin, which gets the request as it was in {@link TARGET_HEADER}.
 */
import { ALLOWED_METHODS, EXPOSED_HEADERS, JSON_TYPE, methodMessage, TARGET_HEADER } from "../api/http.ts";
import { targetKey } from "../key/key.ts";

interface Header {
  readonly value: string;
}
type Headers = Record<string, Header>;

interface ViewerRequest {
  readonly method: string;
  uri: string;
  querystring: object;
  readonly headers: Headers;
  /** The query as it was sent; undefined without a `?`. */
  rawQueryString?: () => string | undefined;
}

interface ViewerResponse {
  readonly statusCode: number;
  readonly statusDescription: string;
  readonly headers: Headers;
  readonly body?: { readonly encoding: "text"; readonly data: string };
}

/** As a header can carry it: what is no visible ASCII, percent-encoded; it means the same. */
function headerText(target: string): string {
  let out = "";
  let from = 0;
  while (from < target.length) {
    const plain = isVisible(target.charCodeAt(from));
    let to = from + 1;
    while (to < target.length && isVisible(target.charCodeAt(to)) === plain) to++;
    const run = target.slice(from, to);
    out += plain ? run : encodeURIComponent(run);
    from = to;
  }
  return out;
}

function isVisible(code: number): boolean {
  return code > 32 && code < 127;
}

function preflight(): ViewerResponse {
  return {
    statusCode: 204,
    statusDescription: "No Content",
    headers: {
      "access-control-allow-origin": { value: "*" },
      "access-control-allow-methods": { value: ALLOWED_METHODS },
      "access-control-allow-headers": { value: "*" },
      "access-control-max-age": { value: "86400" },
      allow: { value: ALLOWED_METHODS },
    },
  };
}

function notAllowed(method: string): ViewerResponse {
  const error = { success: false, error: { code: "method_not_allowed", message: methodMessage(method) } };
  return {
    statusCode: 405,
    statusDescription: "Method Not Allowed",
    headers: {
      "content-type": { value: JSON_TYPE },
      "x-content-type-options": { value: "nosniff" },
      "access-control-allow-origin": { value: "*" },
      "access-control-expose-headers": { value: EXPOSED_HEADERS },
      "cache-control": { value: "public, max-age=10" },
      allow: { value: ALLOWED_METHODS },
    },
    body: { encoding: "text", data: JSON.stringify(error) },
  };
}

export function handler(event: { readonly request: ViewerRequest }): ViewerRequest | ViewerResponse {
  const request = event.request;
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "GET" && request.method !== "HEAD") return notAllowed(request.method);
  const query = request.rawQueryString === undefined ? undefined : request.rawQueryString();
  const target = query === undefined || query === "" ? request.uri : `${request.uri}?${query}`;
  const key = targetKey(target);
  request.headers[TARGET_HEADER] = { value: headerText(target) };
  if (key === null) {
    // No object has this name, so the fallback is asked; its answers are cached by the whole request.
    request.uri = `/fallback${request.uri}`;
  } else {
    request.uri = `/${key}`;
    request.querystring = {};
  }
  return request;
}

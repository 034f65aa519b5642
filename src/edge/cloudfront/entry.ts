/**
 * CloudFront Functions 2.0, viewer-request: request → the file's path, before the cache is asked. Methods are answered
 * here; a miss goes to the origin group's second origin, which gets the request as it was in {@link TARGET_HEADER}.
 */
import { type FixedResponse, methodResponse, TARGET_HEADER } from "../../api/responses.ts";
import { targetKey } from "../../key/key.ts";

/** A function has no configuration: `vitrine edge` writes the value in. */
const ERROR_CACHE_CONTROL = "{{ERROR_CACHE_CONTROL}}";

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

/** A response as CloudFront takes it, which wants names in lower case. */
function viewerResponse(response: FixedResponse): ViewerResponse {
  const headers: Headers = {};
  for (const name in response.headers) {
    headers[name.toLowerCase()] = { value: response.headers[name] as string };
  }
  if (response.status === 204) return { statusCode: 204, statusDescription: "No Content", headers: headers };
  return {
    statusCode: response.status,
    statusDescription: "Method Not Allowed",
    headers: headers,
    body: { encoding: "text", data: response.body },
  };
}

export function handler(event: { readonly request: ViewerRequest }): ViewerRequest | ViewerResponse {
  const request = event.request;
  const other = methodResponse(request.method, ERROR_CACHE_CONTROL);
  if (other !== null) return viewerResponse(other);
  const query = request.rawQueryString === undefined ? undefined : request.rawQueryString();
  const target = query === undefined || query === "" ? request.uri : `${request.uri}?${query}`;
  const key = targetKey(target);
  request.headers[TARGET_HEADER] = { value: headerText(target) };
  if (key === null) {
    // No object has this name, so the fallback is asked; its responses are cached by the whole request.
    request.uri = `/fallback${request.uri}`;
  } else {
    request.uri = `/${key}`;
    request.querystring = {};
  }
  return request;
}

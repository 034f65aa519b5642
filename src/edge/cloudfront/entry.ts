/**
 * CloudFront Functions 2.0, viewer-request: request → the file's path, before the cache is consulted. Answers OPTIONS itself. A miss
 * goes to the origin group's second origin, which gets the original target in {@link TARGET_HEADER}.
 */
import { type FixedResponse, pathResponse, preflightResponse, TARGET_HEADER } from "../../api/responses.ts";
import { readEdgeTarget } from "../../key/key.ts";

/** A function has no configuration, so `vitrine edge` fills in the values. */
const SITE = {
  baseUrl: "{{BASE_URL}}",
  // Not `===`: the bundler would evaluate it.
  pages: "{{PAGES}}".indexOf("true") === 0,
  answerCache: "{{CACHE_CONTROL}}",
  clientErrorCache: "{{ERROR_CACHE_CONTROL}}",
};

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
  rawQueryString(): string | undefined;
}

interface ViewerResponse {
  readonly statusCode: number;
  readonly headers: Headers;
  body?: { readonly encoding: "text"; readonly data: string };
}

/** The target as a header can carry it: percent-encodes all but visible ASCII, with the same meaning. (njs takes minutes for a RegExp.) */
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

/** A response in CloudFront's form, with header names in lower case. */
function viewerResponse(response: FixedResponse): ViewerResponse {
  const headers: Headers = {};
  for (const name in response.headers) {
    headers[name.toLowerCase()] = { value: response.headers[name] as string };
  }
  const said: ViewerResponse = { statusCode: response.status, headers: headers };
  if (response.body !== "") said.body = { encoding: "text", data: response.body };
  return said;
}

export function handler(event: { readonly request: ViewerRequest }): ViewerRequest | ViewerResponse {
  const request = event.request;
  // The firewall has already refused all methods except GET, HEAD and OPTIONS.
  if (request.method === "OPTIONS") return viewerResponse(preflightResponse());
  const query = request.rawQueryString();
  const target = query ? `${request.uri}?${query}` : request.uri;
  const asked = readEdgeTarget(target);
  if (asked.read === null && asked.file === null) return viewerResponse(pathResponse(asked.path, SITE));
  request.headers[TARGET_HEADER] = { value: headerText(target) };
  if (asked.file === null) {
    // No object has this name, so CloudFront asks the fallback; it caches its responses by the whole request.
    request.uri = `/fallback${request.uri}`;
  } else {
    request.uri = `/${asked.file}`;
    request.querystring = {};
  }
  return request;
}

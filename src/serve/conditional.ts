/** Conditional requests and content encoding: turns a response into the one that a client asked for. */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import Negotiator from "negotiator";
import { standardError } from "../api/responses.ts";
import { preconditionStatus } from "../api/validator.ts";
import { type ApiResponse, withoutSource } from "./answer.ts";

export interface ClientNeeds {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly ifModifiedSince: string | undefined;
  readonly ifUnmodifiedSince: string | undefined;
  readonly acceptEncoding: string | undefined;
}

/** Below this an encoding costs more than it saves: the response fits into one packet anyway. */
const MIN_ENCODED_BYTES = 1024;

/** Brotli if the client accepts it, else gzip; quality 0 forbids an encoding. */
function chooseEncoding(acceptEncoding: string | undefined): "br" | "gzip" | null {
  if (acceptEncoding === undefined) return null;
  const taken = new Negotiator({ headers: { "accept-encoding": acceptEncoding } }).encodings(["br", "gzip"]);
  if (taken.includes("br")) return "br";
  return taken.includes("gzip") ? "gzip" : null;
}

/** Fast settings: the bytes serve one response, and a CDN in front compresses better what it caches. */
function encode(body: Buffer, encoding: "br" | "gzip"): Buffer {
  if (encoding === "gzip") return gzipSync(body, { level: 6 });
  return brotliCompressSync(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}

/** Media types that are worth compressing; pictures, archives and fonts are compressed already. */
const IS_COMPRESSIBLE = /^text\/|[/+](?:json|xml|javascript)(?:;|$)/;

/** The status by the file's time, as in nginx: a client that names another moment, even a later one, has another file. */
function statusByTime(client: ClientNeeds, lastModified: string | undefined): 200 | 304 | 412 {
  if (lastModified === undefined) return 200;
  const modified = Date.parse(lastModified);
  if (client.ifMatch === undefined && Date.parse(client.ifUnmodifiedSince ?? "") < modified) return 412;
  // If-None-Match takes precedence over the date (RFC 9110 §13.2.2).
  return client.ifNoneMatch === undefined && Date.parse(client.ifModifiedSince ?? "") === modified
    ? 304
    : 200;
}

/** The response for one client: 304 if the client has it already, compressed if the client accepts that. */
export function negotiate(response: ApiResponse, client: ClientNeeds): ApiResponse {
  if (response.status !== 200) return response;
  const byTag = preconditionStatus(client.ifMatch, client.ifNoneMatch, response.headers["ETag"]);
  const status = byTag === 200 ? statusByTime(client, response.headers["Last-Modified"]) : byTag;
  if (status === 412) return withoutSource(standardError("precondition_failed", ""));
  if (status === 304) {
    const { "Content-Type": _, ...headers } = response.headers;
    return { ...response, status: 304, headers, body: Buffer.alloc(0) };
  }
  if (response.body.length < MIN_ENCODED_BYTES) return response;
  if (!IS_COMPRESSIBLE.test(response.headers["Content-Type"] ?? "")) return response;
  const encoding = chooseEncoding(client.acceptEncoding);
  if (encoding === null) return response;
  return {
    ...response,
    headers: { ...response.headers, "Content-Encoding": encoding },
    body: encode(response.body, encoding),
  };
}

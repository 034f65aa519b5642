/** Conditional requests and negotiated encodings: what is left of a response for one client. */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import Negotiator from "negotiator";
import { standardError } from "../api/responses.ts";
import { preconditionStatus } from "../api/validator.ts";
import { type ApiResponse, withoutSource } from "./answer.ts";

export interface ClientNeeds {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly acceptEncoding: string | undefined;
}

/** Below this an encoding costs more than it saves: the response fits one packet anyway. */
const MIN_ENCODED_BYTES = 1024;

/** Brotli where the client takes it, else gzip; quality 0 forbids one. */
function chooseEncoding(acceptEncoding: string | undefined): "br" | "gzip" | null {
  if (acceptEncoding === undefined) return null;
  const taken = new Negotiator({ headers: { "accept-encoding": acceptEncoding } }).encodings(["br", "gzip"]);
  if (taken.includes("br")) return "br";
  return taken.includes("gzip") ? "gzip" : null;
}

/** Fast settings: the bytes are made for one response, and a CDN in front compresses better what it keeps. */
function encode(body: Buffer, encoding: "br" | "gzip"): Buffer {
  if (encoding === "gzip") return gzipSync(body, { level: 6 });
  return brotliCompressSync(body, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}

/** The response as one client gets it: 304 where it has it already, encoded where it likes that. */
export function negotiate(response: ApiResponse, client: ClientNeeds): ApiResponse {
  if (response.status !== 200) return response;
  const status = preconditionStatus(client.ifMatch, client.ifNoneMatch, response.headers["ETag"]);
  if (status === 412) return withoutSource(standardError("precondition_failed", ""));
  if (status === 304) {
    const { "Content-Type": _, ...headers } = response.headers;
    return { ...response, status: 304, headers, body: Buffer.alloc(0) };
  }
  if (response.body.length < MIN_ENCODED_BYTES) return response;
  const encoding = chooseEncoding(client.acceptEncoding);
  if (encoding === null) return response;
  return {
    ...response,
    headers: { ...response.headers, "Content-Encoding": encoding },
    body: encode(response.body, encoding),
  };
}

/** What the Worker and Pages share: the contract's responses as `Response` objects, and requests to the fallback. */
import { RATE_LIMIT } from "../../api/errors.ts";
import {
  type FixedResponse,
  JSON_TYPE,
  rateLimitedResponse,
  standardError,
  successHeaders,
  TARGET_HEADER,
} from "../../api/responses.ts";
import { contentOf, etagOfDigest, isStamped, preconditionStatus } from "../../api/validator.ts";
import { clientKey } from "../../key/client.ts";

/** The binding that counts the requests of each client at one location. */
export interface RateLimitEnv {
  readonly RATE_LIMIT: { limit(options: { key: string }): Promise<{ success: boolean }> };
  /** The limit of RATE_LIMIT: the binding does not reveal it. */
  readonly RATE_LIMIT_REQUESTS: string;
}

/** Counts a request; the 429 if its client has made too many. */
export async function limited({ headers }: Request, env: RateLimitEnv): Promise<Response | null> {
  const key = clientKey(headers.get("cf-connecting-ip") ?? "");
  const { success } = await env.RATE_LIMIT.limit({ key });
  // The binding does not reveal when its window ends, so Retry-After is a whole window.
  return success
    ? null
    : responseOf(rateLimitedResponse(env.RATE_LIMIT_REQUESTS, `${RATE_LIMIT.windowSeconds}`));
}

export function responseOf({ status, headers, body }: FixedResponse): Response {
  return new Response(body === "" ? null : body, { status, headers });
}

async function etagOf(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", contentOf(bytes, isStamped(key)));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return etagOfDigest(hex.join(""));
}

/** Media types by extension, for files that are not answers: the bundler inserts the table that publishing and `serve` use. */
declare const TYPES: Readonly<Record<string, string>>;

/** A file of the snapshot as the contract's response. */
export async function fileResponse(
  key: string,
  buffer: ArrayBuffer,
  cacheControl: string,
): Promise<Response> {
  const type = TYPES[key.slice(key.lastIndexOf(".") + 1)] ?? JSON_TYPE;
  const bytes = new Uint8Array(buffer);
  return new Response(bytes, { headers: successHeaders(type, cacheControl, await etagOf(key, bytes)) });
}

/** Reduces a response for a client that has it already (304) or requires another version (412). */
export function conditionalResponse(response: Response, request: Request): Response {
  if (response.status !== 200) return response;
  const of = ({ headers }: Request | Response, name: string) => headers.get(name) ?? undefined;
  const status = preconditionStatus(
    of(request, "if-match"),
    of(request, "if-none-match"),
    of(response, "etag"),
  );
  if (status === 200) return response;
  if (status === 412) return responseOf(standardError("precondition_failed", ""));
  const headers = new Headers(response.headers);
  headers.delete("content-type");
  headers.delete("content-length");
  return new Response(null, { status: 304, headers });
}

/** Durable Objects of one class, as a binding: also to those of another Worker. */
export interface ObjectNamespace {
  idFromName(name: string): unknown;
  get(
    id: unknown,
    options?: { readonly locationHint?: string },
  ): { fetch(url: string, options: RequestInit): Promise<Response> };
}

/** Name of the object that answers readers of the whole world. */
export const OBJECT_NAME = "shop";

export interface FallbackEnv {
  /** A Worker or VPC service that answers like `vitrine fallback`; without it FALLBACK_URL is used. */
  readonly FALLBACK?: { fetch(url: string, options: RequestInit): Promise<Response> };
  /** For example `https://fallback.example`. */
  readonly FALLBACK_URL?: string;
}

/** Timeout for the fallback: a Worker by itself would wait for ever. */
const FALLBACK_MILLISECONDS = 2000;

/** Workers cannot send every target unchanged, so a header carries it, too. @throws if no answer comes in time */
export function askFallback(env: FallbackEnv, target: string, asked?: RequestInit): Promise<Response> {
  const url = (env.FALLBACK_URL ?? "http://fallback") + target;
  const signal = AbortSignal.timeout(FALLBACK_MILLISECONDS);
  const headers = new Headers(asked?.headers);
  headers.set(TARGET_HEADER, target);
  const options: RequestInit = { ...asked, headers, redirect: "manual", signal };
  const answer = env.FALLBACK === undefined ? fetch(url, options) : env.FALLBACK.fetch(url, options);
  // A service may ignore the signal.
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  return Promise.race([answer, late]);
}

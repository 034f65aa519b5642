/** The answers that a Worker makes itself, word for word those of the fallback. */
import { ERROR_STATUS, RATE_LIMIT } from "../api/errors.ts";
import {
  ALLOWED_METHODS,
  EXPOSED_HEADERS,
  JSON_TYPE,
  methodMessage,
  UNAVAILABLE_MESSAGE,
  UNAVAILABLE_RETRY_SECONDS,
} from "../api/http.ts";
import { contentOf, etagOfDigest, isNotModified, isStamped } from "../api/validator.ts";

type Headers = Record<string, string>;

function common(contentType: string, cacheControl: string): Headers {
  return {
    "Content-Type": contentType,
    "X-Content-Type-Options": "nosniff",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": EXPOSED_HEADERS,
    "Cache-Control": cacheControl,
  };
}

function errorAnswer(
  code: keyof typeof ERROR_STATUS,
  message: string,
  cacheControl: string,
  headers: Headers,
): Response {
  const body = JSON.stringify({ success: false, error: { code, message } });
  const status = ERROR_STATUS[code];
  return new Response(body, { status, headers: { ...common(JSON_TYPE, cacheControl), ...headers } });
}

/** The contract's exact 429. The binding doesn't say when its window ends, so a whole one is named. */
export function rateLimitedAnswer(requests: string): Response {
  return errorAnswer("rate_limited", RATE_LIMIT.message, "no-store", {
    "X-RateLimit-Limit": requests,
    "X-RateLimit-Window": String(RATE_LIMIT.windowSeconds),
    "Retry-After": String(RATE_LIMIT.windowSeconds),
  });
}

/** Neither the file nor the fallback can be had, and nothing is kept. */
export function unavailableAnswer(): Response {
  return errorAnswer("service_unavailable", UNAVAILABLE_MESSAGE, "no-store", {
    "Retry-After": String(UNAVAILABLE_RETRY_SECONDS),
  });
}

/** What a method other than GET and HEAD gets, or null for those two. */
export function methodAnswer(method: string, errorCacheControl: string): Response | null {
  if (method === "GET" || method === "HEAD") return null;
  if (method !== "OPTIONS") {
    return errorAnswer("method_not_allowed", methodMessage(method), errorCacheControl, {
      Allow: ALLOWED_METHODS,
    });
  }
  const headers = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": ALLOWED_METHODS,
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
    Allow: ALLOWED_METHODS,
  };
  return new Response(null, { status: 204, headers });
}

async function etagOf(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", contentOf(bytes, isStamped(key)));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return etagOfDigest(hex.join(""));
}

/** A file of the snapshot as the contract sends it. */
export async function fileAnswer(key: string, buffer: ArrayBuffer, cacheControl: string): Promise<Response> {
  const type = key.endsWith(".js") ? "text/javascript; charset=utf-8" : JSON_TYPE;
  const bytes = new Uint8Array(buffer);
  const headers = {
    ...common(type, cacheControl),
    ETag: await etagOf(key, bytes),
    Vary: "Accept-Encoding",
  };
  return new Response(bytes, { headers });
}

/** What is left of an answer for a client that may have it already. */
export function fitAnswer(answer: Response, ifNoneMatch: string | null): Response {
  const etag = answer.headers.get("etag");
  if (answer.status !== 200 || !isNotModified(ifNoneMatch ?? undefined, etag ?? undefined)) return answer;
  const headers = new globalThis.Headers(answer.headers);
  headers.delete("content-type");
  headers.delete("content-length");
  return new Response(null, { status: 304, headers });
}

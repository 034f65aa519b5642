/** Request → answer as data: what the fallback says, errors included. No socket is in sight. */

import { cacheControl } from "../api/cache-control.ts";
import type { PublicConfig } from "../api/config.ts";
import { type Endpoint, MAX_TEXT_LENGTH, type Param } from "../api/endpoints.ts";
import { type ApiErrorCode, ERROR_STATUS, RATE_LIMIT } from "../api/errors.ts";
import {
  ALLOWED_METHODS,
  EXPOSED_HEADERS,
  JSON_TYPE,
  methodMessage,
  UNAVAILABLE_RETRY_SECONDS,
} from "../api/http.ts";
import { nearestName } from "../base/nearest.ts";
import { foldText, tidyText } from "../base/text.ts";
import { answerQuery } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { etagOf, stampBody } from "../catalog/envelope.ts";
import { isEnabled } from "../catalog/singles.ts";
import { keyOf } from "../key/key.ts";
import { findEndpoint, type Problem, readQuery, splitTarget } from "../key/query.ts";

export interface Answer {
  readonly status: number;
  /** Names in the spelling of RFC 9110; content-length is the shell's. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The canonical key of a valid request, or null. */
  readonly key: string | null;
  /** `file`: a file of the snapshot; `fallback`: the catalog; `none`: neither was asked. */
  readonly source: "file" | "fallback" | "none";
}

const COMMON = {
  "Content-Type": JSON_TYPE,
  "X-Content-Type-Options": "nosniff",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED_HEADERS,
};
const NO_BODY = Buffer.alloc(0);

/** Headers of a 200 answer. */
export function answerHeaders(
  config: PublicConfig,
  etag: string,
  contentType?: string,
): Record<string, string> {
  return {
    ...COMMON,
    ...(contentType === undefined ? {} : { "Content-Type": contentType }),
    "Cache-Control": cacheControl(config).answer,
    ETag: etag,
    Vary: "Accept-Encoding",
  };
}

/** An error in the contract's envelope. */
export function errorAnswer(config: PublicConfig, code: ApiErrorCode, message: string): Answer {
  const status = ERROR_STATUS[code];
  const cache = cacheControl(config);
  const headers: Record<string, string> = {
    ...COMMON,
    "Cache-Control": status === 429 || status >= 500 ? cache.failure : cache.clientError,
  };
  if (status === 405) headers["Allow"] = ALLOWED_METHODS;
  if (status === 503) headers["Retry-After"] = String(UNAVAILABLE_RETRY_SECONDS);
  const body = Buffer.from(JSON.stringify({ success: false, error: { code, message } }));
  return { status, headers, body, key: null, source: "none" };
}

/** The exact 429 of the contract. */
export function rateLimitedAnswer(config: PublicConfig, retryAfterSeconds: number): Answer {
  const answer = errorAnswer(config, "rate_limited", RATE_LIMIT.message);
  return {
    ...answer,
    headers: {
      ...answer.headers,
      "X-RateLimit-Limit": String(config.rateLimit.requests),
      "X-RateLimit-Window": String(RATE_LIMIT.windowSeconds),
      "Retry-After": String(retryAfterSeconds),
    },
  };
}

/** What a method other than GET and HEAD gets, or null for those two. */
export function methodAnswer(config: PublicConfig, method: string): Answer | null {
  if (method === "GET" || method === "HEAD") return null;
  if (method !== "OPTIONS") {
    return errorAnswer(config, "method_not_allowed", methodMessage(method));
  }
  const headers = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": ALLOWED_METHODS,
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
    Allow: ALLOWED_METHODS,
  };
  return { status: 204, headers, body: NO_BODY, key: null, source: "none" };
}

/** Canonical search text: UTF-8, NFKC, trimmed, blind to case and accents; null where it is malformed. */
export function readSearchText(bytes: string): string | null {
  try {
    const raw = Buffer.from(bytes, "latin1");
    const text = tidyText(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw));
    const length = [...text].length;
    if (length < 1 || length > MAX_TEXT_LENGTH) return null;
    return Buffer.from(foldText(text), "utf8").toString("latin1");
  } catch {
    return null;
  }
}

/** Bytes of a request as text for a message: broken UTF-8 and control characters are shown as such, at most 40. */
function quote(bytes: string): string {
  const text = tidyText(Buffer.from(bytes, "latin1").toString("utf8"));
  return text.length > 40 ? `${text.slice(0, 40).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

function rule(param: Param): string {
  switch (param.kind) {
    case "integer":
      return param.max !== undefined && param.max < 1000
        ? `must be a whole number from ${param.min} to ${param.max}`
        : `must be a whole number from ${param.min}`;
    case "flag":
      return "must be one of 1, true, yes, on, 0, false, no, off";
    case "choice":
      return `must be one of ${(param.values ?? []).join(", ")}${param.textDefault ? `, or ${param.textDefault} with search` : ""}`;
    case "price":
      return "must be a decimal from 0 with at most two places";
    case "text":
      return `must be UTF-8 text of 1 to ${MAX_TEXT_LENGTH} characters`;
    default:
      return "must be a slug: a letter or digit, then letters, digits, dots, hyphens or underscores";
  }
}

function describe(endpoint: Endpoint, problem: Problem): string {
  const param = endpoint.params.find((candidate) => candidate.name === problem.name);
  if (problem.kind === "missing") return `${problem.name} is missing.`;
  if (problem.kind === "repeated") return `${problem.name} is given more than once.`;
  if (param !== undefined) return `${problem.name} ${rule(param)}.`;
  const name = quote(problem.name);
  const names = endpoint.params.map((candidate) => candidate.name);
  if (names.length === 0) return `Unknown parameter ${name}: this endpoint takes none.`;
  const near = nearestName(name, names);
  return `Unknown parameter ${name}. ${near === null ? `Known are ${names.join(", ")}.` : `Did you mean ${near}?`}`;
}

function badRequest(config: PublicConfig, endpoint: Endpoint, problems: readonly Problem[]): Answer {
  const missing = problems.every((problem) => problem.kind === "missing");
  const messages = [...new Set(problems.map((problem) => describe(endpoint, problem)))];
  const shown = messages.slice(0, 10);
  if (messages.length > shown.length) shown.push(`And ${messages.length - shown.length} more.`);
  return errorAnswer(config, missing ? "missing_parameter" : "invalid_parameter", shown.join(" "));
}

/** What the fallback answers to a GET or HEAD of a raw request target. */
export function answerTarget(catalog: Catalog, target: string): Answer {
  const { config } = catalog;
  const parts = splitTarget(target);
  const endpoint = findEndpoint(parts.path);
  if (endpoint === null || !isEnabled(catalog, endpoint)) {
    return errorAnswer(config, "unknown_endpoint", `There is no such endpoint. ${config.baseUrl} lists all.`);
  }
  const { query, problems } = readQuery(endpoint, parts.query, readSearchText);
  if (problems.length > 0) return badRequest(config, endpoint, problems);
  const key = keyOf(query);
  const body = answerQuery(catalog, query);
  if (body === null) {
    const answer = errorAnswer(config, "not_found", "There is no such record.");
    return { ...answer, key, source: "fallback" };
  }
  return {
    status: 200,
    headers: answerHeaders(config, etagOf(body)),
    body: stampBody(body, catalog.generatedAt),
    key,
    source: "fallback",
  };
}

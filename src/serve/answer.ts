/** Request → response as data: the fallback's answers, including errors. No sockets here. */

import { type Endpoint, MAX_TEXT_LENGTH, offers, type Param } from "../api/endpoints.ts";
import {
  CORRECTED_HEADER,
  cacheControl,
  errorResponse,
  type FixedResponse,
  type Headers,
  JSON_TYPE,
  pathResponse,
  pathSettings,
  RECORD_NOT_FOUND,
  successHeaders,
  unknownEndpointResponse,
} from "../api/responses.ts";
import { nearestName } from "../base/nearest.ts";
import { spellText, tidyText } from "../base/text.ts";
import { answerQuery } from "../catalog/answer.ts";
import { etagOf, stampBody } from "../catalog/envelope.ts";
import { hasFile } from "../catalog/files.ts";
import type { CatalogView } from "../catalog/view.ts";
import { type ReadTarget, readTarget } from "../key/key.ts";
import { type Problem, splitTarget } from "../key/query.ts";

export interface ApiResponse {
  readonly status: number;
  /** Names as RFC 9110 spells them; http.ts adds content-length. */
  readonly headers: Readonly<Headers>;
  readonly body: Buffer;
  /** The body's memory is used by nothing else: it can be freed once the response is sent. */
  readonly freesBody?: boolean;
  /** The canonical key of a valid request, or null. */
  readonly key: string | null;
  /** Who answered. `file`: a file of the snapshot; `fallback`: the catalog; `none`: neither was needed. */
  readonly source: "file" | "fallback" | "none";
}

/** A response made without a file or the catalog. */
export function withoutSource({ status, headers, body }: FixedResponse): ApiResponse {
  return { status, headers, body: Buffer.from(body), key: null, source: "none" };
}

/** Canonical search text: UTF-8, trimmed, case-insensitive; null if it is malformed, or over 200 characters in NFKC. */
export function readSearchText(bytes: string): string | null {
  try {
    const raw = Buffer.from(bytes, "latin1");
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
    const length = [...tidyText(text)].length;
    if (length < 1 || length > MAX_TEXT_LENGTH) return null;
    return Buffer.from(tidyText(spellText(text)), "utf8").toString("latin1");
  } catch {
    // The decoder refuses malformed UTF-8, and nothing else here throws.
    return null;
  }
}

/** Bytes of a request as text for a message, at most 40 characters: broken UTF-8 and control characters are made visible. */
function quote(bytes: string): string {
  const text = tidyText(Buffer.from(bytes, "latin1").toString("utf8"));
  return text.length > 40 ? `${text.slice(0, 40).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

function rule(param: Param): string {
  switch (param.kind) {
    case "integer":
      return param.max !== undefined
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
  if (problem.kind === "repeated") return `${problem.name} appears more than once.`;
  if (param !== undefined) return `${problem.name} ${rule(param)}.`;
  const name = quote(problem.name);
  const names = endpoint.params.map((candidate) => candidate.name);
  if (names.length === 0) return `Unknown parameter ${name}: this endpoint has no parameters.`;
  const near = nearestName(name, names);
  return `Unknown parameter ${name}. ${near === null ? `This endpoint has ${names.join(", ")}.` : `Did you mean ${near}?`}`;
}

export function describeProblems(endpoint: Endpoint, problems: readonly Problem[]): string {
  const messages = [...new Set(problems.map((problem) => describe(endpoint, problem)))];
  const shown = messages.slice(0, 10);
  if (messages.length > shown.length) shown.push(`And ${messages.length - shown.length} more.`);
  return shown.join(" ");
}

/** Parses a raw request target, including search texts. */
export function readRequest(target: string): ReadTarget {
  return readTarget(splitTarget(target), readSearchText);
}

/** Answers a GET or HEAD of a raw request target from the catalog. */
export function answerTarget(catalog: CatalogView, target: string): ApiResponse {
  return answerRequest(catalog, readRequest(target));
}

/** Answers a GET or HEAD from the catalog. */
export function answerRequest(catalog: CatalogView, { path, read, key }: ReadTarget): ApiResponse {
  const { config } = catalog;
  const cache = cacheControl(config.cache);
  if (read === null) return withoutSource(pathResponse(path, pathSettings(config)));
  if (!offers(catalog.config, read.query.endpoint.path))
    return withoutSource(unknownEndpointResponse(config.baseUrl, cache.clientError));
  const { query, problems } = read;
  if (problems.length > 0) {
    const missing = problems.every((problem) => problem.kind === "missing");
    const code = missing ? "missing_parameter" : "invalid_parameter";
    return withoutSource(errorResponse(code, describeProblems(query.endpoint, problems), cache.clientError));
  }
  const body = answerQuery(catalog, query);
  if (body === null) {
    const response = errorResponse("not_found", RECORD_NOT_FOUND, cache.clientError);
    return { ...withoutSource(response), key, source: "fallback" };
  }
  const headers = successHeaders(JSON_TYPE, cache.answer, etagOf(body));
  if (body.corrected != null) headers[CORRECTED_HEADER] = encodeURIComponent(body.corrected.toWellFormed());
  return {
    status: 200,
    headers,
    body: stampBody(body, catalog.generatedAt),
    freesBody: body.stamped,
    key,
    source: "fallback",
  };
}

/** How the answer of an empty list or page begins. It has no file, and holds nothing that could be withdrawn. */
const EMPTY_LIST = Buffer.from('{"success":true,"data":[]');

/**
 * Answers a GET or HEAD for edges that have the files. They ask for an address with a file only if a newer release has withdrawn it,
 * so no cache may keep that answer longer than the 404 that follows.
 */
export function answerMiss(catalog: CatalogView, target: string): ApiResponse {
  const request = readRequest(target);
  const response = answerRequest(catalog, request);
  const { status, body } = response;
  if (status !== 200 || request.read === null || !hasFile(catalog.fileShapes, request.read.query))
    return response;
  if (body.subarray(0, EMPTY_LIST.length).equals(EMPTY_LIST)) return response;
  const { clientError } = cacheControl(catalog.config.cache);
  const { "CDN-Cache-Control": _, ...headers } = response.headers;
  return { ...response, headers: { ...headers, "Cache-Control": clientError } };
}

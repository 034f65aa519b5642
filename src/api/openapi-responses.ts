/** Answers and errors as OpenAPI describes them: bodies, headers and examples. No clock: every example has one date. */
import type { TSchema } from "typebox";
import { API_VERSION, DEFAULT_PER_PAGE, type Endpoint } from "./endpoints.ts";
import { envelopeSchema, operationOf } from "./envelope.ts";
import { type ApiErrorCode, ERROR_STATUS } from "./errors.ts";
import { type JsonObject, jsonSchema, schemaRef, titleOf } from "./openapi-schemas.ts";
import type { CacheControl } from "./responses.ts";

/** How often one client may ask, and what it is told when it asked more often. */
export interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
  readonly message: string;
}

export type Examples = Readonly<Record<string, unknown>>;

interface Failure {
  /** The component's name. */
  readonly name: string;
  readonly codes: readonly ApiErrorCode[];
  readonly meaning: string;
  readonly cache: "CacheControlClientError" | "CacheControlFailure";
  /** Headers beside those of every answer. */
  readonly headers: readonly string[];
}

/** No 405: it answers other methods than the one described, and unknown_endpoint other paths (see info). */
const FAILURES: readonly Failure[] = [
  {
    name: "BadRequest",
    codes: ["invalid_parameter", "missing_parameter"],
    meaning: "A parameter is unknown, repeated, malformed or missing. One message names all that is wrong.",
    cache: "CacheControlClientError",
    headers: [],
  },
  {
    name: "NotFound",
    codes: ["not_found"],
    meaning: "There is no such record, or it is not public.",
    cache: "CacheControlClientError",
    headers: [],
  },
  {
    name: "RequestTimeout",
    codes: ["request_timeout"],
    meaning: "The request did not come to its end in time.",
    cache: "CacheControlClientError",
    headers: [],
  },
  {
    name: "UriTooLong",
    codes: ["uri_too_long"],
    meaning: "The address of the request is too long.",
    cache: "CacheControlClientError",
    headers: [],
  },
  {
    name: "TooManyRequests",
    codes: ["rate_limited"],
    meaning: "The client's IP address has used up its requests for now.",
    cache: "CacheControlFailure",
    headers: ["X-RateLimit-Limit", "X-RateLimit-Window", "Retry-After"],
  },
  {
    name: "InternalError",
    codes: ["internal_error"],
    meaning: "The server has failed. The message says nothing about its inside.",
    cache: "CacheControlFailure",
    headers: [],
  },
  {
    name: "ServiceUnavailable",
    codes: ["service_unavailable"],
    meaning: "The server cannot answer now.",
    cache: "CacheControlFailure",
    headers: ["Retry-After"],
  },
];

/** Messages of the examples; what is really sent names the parameters at fault. `rate_limited` says its own. */
const MESSAGES: Readonly<Partial<Record<ApiErrorCode, string>>> = {
  invalid_parameter: 'Unknown parameter "categroy". Did you mean "category"?',
  missing_parameter: "A required parameter is missing: slug or id.",
  not_found: "Nothing was found with this slug or id.",
  request_timeout: "The request did not come to its end in time.",
  uri_too_long: "The address of this request is too long.",
  internal_error: "Something went wrong here. Please try again later.",
  service_unavailable: "The service is unavailable for the moment. Please try again later.",
};

function header(description: string, schema: JsonObject, example: unknown): JsonObject {
  return { description, schema, example };
}

/** A key is the header's name, except where one header has several meanings. */
export function headerComponents(
  rateLimit: RateLimit,
  cache: CacheControl,
): Readonly<Record<string, JsonObject>> {
  const text = { type: "string" };
  const seconds = { type: "integer", minimum: 1 };
  return {
    ETag: header("Validator of this body, for If-None-Match.", text, '"1f0a6c52d9b04e7d"'),
    CacheControl: header("How long this answer may be kept.", text, cache.answer),
    CacheControlClientError: header("How long this error may be kept.", text, cache.clientError),
    CacheControlFailure: header("This error must not be kept.", text, cache.failure),
    "Access-Control-Allow-Origin": header(
      "Pages of every site may read.",
      { type: "string", const: "*" },
      "*",
    ),
    "X-Content-Type-Options": header("JSON is only JSON.", { type: "string", const: "nosniff" }, "nosniff"),
    "X-RateLimit-Limit": header("Requests allowed per window.", seconds, rateLimit.requests),
    "X-RateLimit-Window": header("Length of the window in seconds.", seconds, rateLimit.windowSeconds),
    "Retry-After": header("Seconds to wait before the next request.", seconds, rateLimit.windowSeconds),
  };
}

function headerRefs(cache: string, more: readonly string[]): JsonObject {
  const ref = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });
  const named = [...more, "Access-Control-Allow-Origin", "X-Content-Type-Options"];
  return { "Cache-Control": ref(cache), ...Object.fromEntries(named.map((name) => [name, ref(name)])) };
}

function failureResponse(failure: Failure, rateLimit: RateLimit): JsonObject {
  const messages: Partial<Record<ApiErrorCode, string>> = { ...MESSAGES, rate_limited: rateLimit.message };
  const examples = failure.codes.map((code) => [
    code,
    { value: { success: false, error: { code, message: messages[code] } } },
  ]);
  return {
    description: `${failure.meaning} Code: ${failure.codes.map((code) => `\`${code}\``).join(" or ")}.`,
    headers: headerRefs(failure.cache, failure.headers),
    content: { "application/json": { schema: schemaRef("Error"), examples: Object.fromEntries(examples) } },
  };
}

export function responseComponents(rateLimit: RateLimit): Readonly<Record<string, JsonObject>> {
  const failures = FAILURES.map((failure) => [failure.name, failureResponse(failure, rateLimit)] as const);
  const notModified = {
    description: "The body is still the one that If-None-Match names; nothing is sent.",
    headers: headerRefs("CacheControl", ["ETag"]),
  };
  return { NotModified: notModified, ...Object.fromEntries(failures) };
}

/** One form of an endpoint's answer: a list, or one record. */
interface Form {
  readonly one: boolean;
  readonly record: TSchema;
}

function formsOf(endpoint: Endpoint): readonly Form[] {
  const { list, one } = operationOf(endpoint);
  return [...(list ? [{ one: false, record: list }] : []), ...(one ? [{ one: true, record: one }] : [])];
}

/** The example of what an endpoint answers, the fuller one where there are two; an empty object without any. */
export function exampleRecord(endpoint: Endpoint, examples: Examples): JsonObject {
  const known = formsOf(endpoint).map(({ record }) => examples[titleOf(record) ?? ""]);
  const record = known.findLast((example) => typeof example === "object" && example !== null);
  return (record ?? {}) as JsonObject;
}

function exampleAnswer(endpoint: Endpoint, form: Form, example: unknown): JsonObject {
  const pagination = { page: 1, per_page: DEFAULT_PER_PAGE, total: 1, total_pages: 1 };
  return {
    success: true,
    data: form.one ? example : [example],
    ...(endpoint.paginated && !form.one ? { pagination } : {}),
    meta: { api_version: API_VERSION, generated_at: "2026-01-01T00:00:00+00:00" },
  };
}

function exampleAnswers(endpoint: Endpoint, examples: Examples): JsonObject {
  const named = formsOf(endpoint).flatMap((form) => {
    const example = examples[titleOf(form.record) ?? ""];
    if (example === undefined) return [];
    const value = exampleAnswer(endpoint, form, example);
    return [[form.one ? "one" : "list", { summary: form.one ? "One record" : "A list", value }]];
  });
  return named.length === 0 ? {} : { examples: Object.fromEntries(named) };
}

/** openapi.json answers a document like this one, without an envelope. */
const documentSchema: JsonObject = {
  type: "object",
  required: ["openapi", "info", "paths"],
  properties: {
    openapi: { type: "string", description: "Version of the OpenAPI Specification." },
    info: { type: "object", description: "What this API is, and its version." },
    paths: { type: "object", description: "The endpoints." },
  },
};

function bodySchema(endpoint: Endpoint): JsonObject {
  const schemas = formsOf(endpoint).flatMap((form) => envelopeSchema(endpoint, form.one) ?? []);
  const [first = documentSchema, ...others] = schemas.map(jsonSchema);
  return others.length === 0 ? first : { oneOf: [first, ...others] };
}

/** The responses of an endpoint by status. */
export function responsesOf(endpoint: Endpoint, examples: Examples): JsonObject {
  const ref = (name: string): JsonObject => ({ $ref: `#/components/responses/${name}` });
  const out: Record<string, JsonObject> = {
    200: {
      description: operationOf(endpoint).answer,
      headers: headerRefs("CacheControl", ["ETag"]),
      content: {
        "application/json": { schema: bodySchema(endpoint), ...exampleAnswers(endpoint, examples) },
      },
    },
    304: ref("NotModified"),
  };
  // Only what is selected by a parameter can be missing: a list is empty then.
  const selects = endpoint.params.length > 0 && formsOf(endpoint).some((form) => form.one);
  for (const { name, codes } of FAILURES) {
    if (name === "NotFound" && !selects) continue;
    for (const code of codes) out[ERROR_STATUS[code]] = ref(name);
  }
  return out;
}

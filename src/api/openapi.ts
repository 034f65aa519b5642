/**
 * The OpenAPI 3.1 document of the API, made from the tables that also validate requests and answers. Pure: the same options give
 * the same document, key for key; every example has one date.
 */
import type { TSchema } from "typebox";
import {
  API_VERSION,
  DEFAULT_PER_PAGE,
  type Endpoint,
  IGNORED_NAMES,
  IGNORED_PREFIXES,
  MAX_TARGET_BYTES,
} from "./endpoints.ts";
import { ApiError, envelopeSchema, Meta, operationOf, Pagination } from "./envelope.ts";
import { type ApiErrorCode, ERROR_STATUS, MAX_RATE, MAX_WINDOW_SECONDS } from "./errors.ts";
import { type Operation, TAGS } from "./operation.ts";
import { describeParameter, type ExampleValues, type JsonObject } from "./parameters.ts";
import { OPERATIONS } from "./records.ts";
import { type CacheControl, MESSAGES, RECORD_NOT_FOUND, TARGET_TOO_LONG } from "./responses.ts";

// Record schemas as components: plain JSON Schema 2020-12, titled schemas by reference.

type Components = Readonly<Record<"schemas" | "responses" | "headers", Readonly<Record<string, JsonObject>>>>;

function schemaRef(title: string): JsonObject {
  return { $ref: `#/components/schemas/${title}` };
}

/** The title that names a schema as a component. In a properties map with a field `title`, that is a schema and not a text. */
export function titleOf(schema: object): string | undefined {
  return "title" in schema && typeof schema.title === "string" ? schema.title : undefined;
}

/**
 * Unions of literals read, and generate, better as an enum: `"published" | "coming_soon" | …`. So does one literal: OpenAPI 3.0
 * has no `const`, and converters and generators that know it forget `false`, or read `boolean`.
 */
function asEnum(schema: JsonObject): JsonObject {
  if ("const" in schema) {
    const { const: only, type, ...others } = schema;
    return { type, enum: [only], ...others };
  }
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length === 0) return schema;
  const literals: unknown[] = anyOf.flatMap(({ enum: values }: { enum?: unknown }) => values);
  return literals.every((literal) => typeof literal === "string")
    ? { type: "string", enum: literals, ...rest }
    : schema;
}

/**
 * A schema or null as `type: ["number", "null"]`, the only spelling that converters to OpenAPI 3.0 know. A reference has no
 * type, so the schema itself is written there.
 */
function orNull(schema: object): JsonObject {
  const { type, title: _, ...rest } = jsonSchema(schema);
  if (typeof type !== "string" || "enum" in rest) throw new Error("Only a schema with one type may be null.");
  return { type: [type, "null"], ...rest };
}

/** The schema beside null in a union of the two, or undefined. */
function besideNull(schema: object): object | undefined {
  const options = "anyOf" in schema && Array.isArray(schema.anyOf) ? (schema.anyOf as TSchema[]) : [];
  const [one, ...others] = options.filter((option) => !("type" in option && option.type === "null"));
  return options.length === 2 && others.length === 0 ? one : undefined;
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== "object" || value === null) return value;
  const title = titleOf(value);
  return title === undefined ? jsonSchema(value) : schemaRef(title);
}

/**
 * A TypeBox schema without TypeBox's bookkeeping (`~kind`), with a `$ref` for each titled schema inside it, and open: answers may
 * get more fields, and a client made of a closed schema would refuse them.
 */
function jsonSchema(schema: object): JsonObject {
  const nullable = besideNull(schema);
  if (nullable !== undefined) return orNull(nullable);
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!key.startsWith("~") && key !== "additionalProperties") out[key] = plainValue(value);
  }
  return asEnum(out);
}

/** Every titled schema by its title, records first, in the order of the endpoints. */
function schemaComponents(): Readonly<Record<string, JsonObject>> {
  const records = Object.values<Operation>(OPERATIONS).flatMap(({ list, one }) => [list, one]);
  const out: Record<string, JsonObject> = {};
  for (const schema of [...records, Pagination, Meta]) {
    const title = titleOf(schema ?? {});
    if (title !== undefined) out[title] = jsonSchema(schema as object);
  }
  return { ...out, Error: jsonSchema(ApiError) };
}

function collectRefs(value: unknown, into: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === "$ref" && typeof inner === "string") into.add(inner);
    else collectRefs(inner, into);
  }
}

function keep<T extends JsonObject>(
  group: string,
  all: Readonly<Record<string, T>>,
  refs: Set<string>,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => refs.has(`#/components/${group}/${name}`)),
  );
}

/** The components that `root` uses, directly or through each other: a disabled endpoint leaves nothing behind. */
function usedComponents(root: unknown, all: Components): Components {
  const refs = new Set<string>();
  collectRefs(root, refs);
  // Iterating a Set also visits values added during the iteration, so this ends when no new reference turns up.
  for (const ref of refs) {
    const [group, name] = ref.slice("#/components/".length).split("/");
    collectRefs(all[group as keyof Components]?.[name as string], refs);
  }
  return {
    schemas: keep("schemas", all.schemas, refs),
    responses: keep("responses", all.responses, refs),
    headers: keep("headers", all.headers, refs),
  };
}

// Answers and errors: bodies, headers and examples.

/** The number of requests that one client may send, and the message for more. */
interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
  readonly message: string;
}

/** Records by the title of their schema (`Product`, `ProductDetail`, …). */
type Examples = Readonly<Record<string, unknown>>;

interface FailureResponse {
  /** The component's name. */
  readonly name: string;
  readonly codes: readonly ApiErrorCode[];
  readonly meaning: string;
  readonly cache: "CacheControlClientError" | "CacheControlFailure";
  /** Headers in addition to those of every answer. */
  readonly headers: readonly string[];
}

const RETRY = ["Retry-After"];

/** Without 405: the document describes only GET, and 405 answers other methods. */
export const FAILURES: readonly FailureResponse[] = (
  [
    [
      "BadRequest",
      ["invalid_parameter", "missing_parameter"],
      "A parameter is unknown, repeated, malformed or missing. The message names every wrong parameter.",
    ],
    ["NotFound", ["not_found"], "The record does not exist, or it is not public."],
    ["RequestTimeout", ["request_timeout"], "The request took too long to arrive."],
    ["PreconditionFailed", ["precondition_failed"], "The current answer does not match If-Match.", []],
    ["UriTooLong", ["uri_too_long"], `The address of the request is longer than ${MAX_TARGET_BYTES} bytes.`],
    [
      "TooManyRequests",
      ["rate_limited"],
      "The client's IP address has sent too many requests. Wait as long as Retry-After says.",
      ["X-RateLimit-Limit", "X-RateLimit-Window", ...RETRY],
    ],
    ["InternalError", ["internal_error"], "The server failed. The message gives no internal details.", []],
    [
      "ServiceUnavailable",
      ["service_unavailable"],
      "The server cannot answer now. Wait as long as Retry-After says.",
      RETRY,
    ],
  ] as const
).map(([name, codes, meaning, headers]) => ({
  name,
  codes,
  meaning,
  headers: headers ?? [],
  // Errors that a client can't correct must not be cached.
  cache: headers === undefined ? "CacheControlClientError" : "CacheControlFailure",
}));

/** Messages of the examples, as the server sends them. */
const EXAMPLE_MESSAGES: Readonly<Partial<Record<ApiErrorCode, string>>> = {
  ...MESSAGES,
  invalid_parameter: "Unknown parameter categroy. Did you mean category?",
  missing_parameter: "slug or id is missing.",
  not_found: RECORD_NOT_FOUND,
  uri_too_long: TARGET_TOO_LONG,
};

function header(description: string, schema: JsonObject, example: unknown): JsonObject {
  return { description, schema, example };
}

/** A key is the header's name, except where one header has several meanings. */
function headerComponents(rateLimit: RateLimit, cache: CacheControl): Readonly<Record<string, JsonObject>> {
  const text = { type: "string" };
  const whole = (maximum: number) => ({ type: "integer", minimum: 1, maximum });
  return {
    ETag: header("Validator of this body, for If-None-Match.", text, '"1f0a6c52d9b04e7d"'),
    CacheControl: header("How long caches may keep this answer.", text, cache.answer),
    CacheControlClientError: header("How long caches may keep this error.", text, cache.clientError),
    CacheControlFailure: header("Caches must not keep this error.", text, cache.failure),
    "Access-Control-Allow-Origin": header(
      "Pages of every site may read this answer.",
      { type: "string", enum: ["*"] },
      "*",
    ),
    "X-Content-Type-Options": header(
      "Browsers must not guess another type than JSON.",
      { type: "string", enum: ["nosniff"] },
      "nosniff",
    ),
    "X-RateLimit-Limit": header("Requests allowed per window.", whole(MAX_RATE), rateLimit.requests),
    "X-RateLimit-Window": header(
      "Length of the window in seconds.",
      whole(MAX_WINDOW_SECONDS),
      rateLimit.windowSeconds,
    ),
    "Retry-After": header(
      "Seconds to wait before the next request.",
      whole(MAX_WINDOW_SECONDS),
      rateLimit.windowSeconds,
    ),
  };
}

function headerRefs(cache: string, more: readonly string[]): JsonObject {
  const ref = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });
  const named = [...more, "Access-Control-Allow-Origin", "X-Content-Type-Options"];
  return { "Cache-Control": ref(cache), ...Object.fromEntries(named.map((name) => [name, ref(name)])) };
}

function failureResponse(failure: FailureResponse, rateLimit: RateLimit): JsonObject {
  const messages: Partial<Record<ApiErrorCode, string>> = {
    ...EXAMPLE_MESSAGES,
    rate_limited: rateLimit.message,
  };
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

function responseComponents(rateLimit: RateLimit): Readonly<Record<string, JsonObject>> {
  const failures = FAILURES.map((failure) => [failure.name, failureResponse(failure, rateLimit)] as const);
  const notModified = {
    description: "The content has not changed since the answer that If-None-Match names. There is no body.",
    headers: headerRefs("CacheControl", ["ETag"]),
  };
  return { NotModified: notModified, ...Object.fromEntries(failures) };
}

/** One form of an endpoint's answer: a list, or one record. */
interface ResponseForm {
  readonly one: boolean;
  readonly record: TSchema;
}

function formsOf(endpoint: Endpoint): readonly ResponseForm[] {
  const { list, one } = operationOf(endpoint);
  return [...(list ? [{ one: false, record: list }] : []), ...(one ? [{ one: true, record: one }] : [])];
}

/** An example record of an endpoint, the detail if it also has a list; an empty object without an example. */
function exampleRecord(endpoint: Endpoint, examples: Examples): JsonObject {
  const known = formsOf(endpoint).map(({ record }) => examples[titleOf(record) ?? ""]);
  const record = known.findLast((example) => typeof example === "object" && example !== null);
  return (record ?? {}) as JsonObject;
}

/** A fixed time, so that the document does not depend on the clock. */
export const EXAMPLE_TIME = "2026-01-01T00:00:00+00:00";

function exampleAnswer(endpoint: Endpoint, form: ResponseForm, example: unknown): JsonObject {
  const pagination = { page: 1, per_page: DEFAULT_PER_PAGE, total: 1, total_pages: 1 };
  return {
    success: true,
    data: form.one ? example : [example],
    ...(endpoint.paginated && !form.one ? { pagination } : {}),
    meta: { api_version: API_VERSION, generated_at: EXAMPLE_TIME },
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

/** Open in words, too: some programs send nothing of an object without properties (fastify-openapi-glue 4.11). */
const partSchema = { type: "object", additionalProperties: true };

/**
 * The body of openapi.json: a document like this one, without an envelope. With each of its parts, because some programs take
 * what is not described for an error (Redocly CLI 2.77, `respect`).
 */
const documentSchema: JsonObject = {
  type: "object",
  required: ["openapi", "info", "paths"],
  properties: {
    openapi: { type: "string", description: "Version of the OpenAPI Specification." },
    info: { ...partSchema, description: "Title, version and description of this API." },
    servers: { type: "array", items: partSchema, description: "The address of this API." },
    security: { type: "array", items: partSchema, description: "Always empty: no endpoint needs a key." },
    tags: { type: "array", items: partSchema, description: "Groups of endpoints." },
    paths: { ...partSchema, description: "The endpoints." },
    components: { ...partSchema, description: "Schemas, responses and headers that the endpoints share." },
  } satisfies Record<keyof OpenApiDocument, JsonObject>,
};

function bodySchema(endpoint: Endpoint): JsonObject {
  const schemas = formsOf(endpoint).flatMap((form) => envelopeSchema(endpoint, form.one) ?? []);
  const [first = documentSchema, ...others] = schemas.map(jsonSchema);
  return others.length === 0 ? first : { anyOf: [first, ...others] };
}

/** The responses of an endpoint by status. */
function responsesOf(endpoint: Endpoint, examples: Examples): JsonObject {
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
  // Only a record that a parameter selects can be missing; a list is empty instead.
  const selects = endpoint.params.length > 0 && formsOf(endpoint).some((form) => form.one);
  for (const { name, codes } of FAILURES) {
    if (name === "NotFound" && !selects) continue;
    for (const code of codes) out[ERROR_STATUS[code]] = ref(name);
  }
  return out;
}

// The document.

export interface OpenApiOptions {
  /** The public address, ending in /api/v1. Linters warn of `localhost` and `example.com` in it. */
  readonly baseUrl: string;
  readonly siteUrl: string;
  readonly storeName: string;
  /** The enabled endpoints. */
  readonly endpoints: readonly Endpoint[];
  /** Schemas without a record get no example. */
  readonly examples: Examples;
  /** By endpoint: values of its filters that find the example record, also those that no field shows. */
  readonly filters?: Readonly<Record<string, ExampleValues>>;
  readonly rateLimit: RateLimit;
  readonly cacheControl: CacheControl;
}

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: JsonObject;
  readonly servers: readonly JsonObject[];
  readonly security: readonly JsonObject[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, { readonly get: JsonObject }>>;
  readonly components: Components;
}

const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(", ");

function infoText({ storeName, rateLimit }: OpenApiOptions): string {
  const prefixes = code(IGNORED_PREFIXES.map((prefix) => `${prefix}*`));
  return [
    `The public catalog of ${storeName}. Anybody may read it without a key; the API changes nothing.`,
    "**Answers** are JSON objects with `success`, `data`, `meta` and, on paginated lists, `pagination`. HEAD answers like GET, without the body; OPTIONS answers the CORS preflight; any other method gets 405 `method_not_allowed`.",
    "**Errors** have `success: false`, a permanent `error.code` for programs and an `error.message` for people. An unknown path answers 404 `unknown_endpoint`.",
    `**Parameters:** an unknown or repeated parameter answers 400 \`invalid_parameter\`. An empty value counts as absent. Whole numbers have at most 15 digits. The API ignores ${prefixes}, ${code(IGNORED_NAMES)}. A record must match all filters.`,
    "**Versions:** a later version may add endpoints, parameters, fields, error codes and kinds of search results, so ignore what you do not know. It removes and renames none; the states of a product are a closed list.",
    "**Caching:** every answer has an `ETag`. Send it back in `If-None-Match`: if the content is the same, you get a 304 without a body.",
    `**Rate limit:** ${rateLimit.requests} requests per ${rateLimit.windowSeconds} seconds and client IP address, then 429 \`rate_limited\`.`,
  ].join("\n\n");
}

/** The purpose of an endpoint, and the rules that concern several parameters. */
function operationText(endpoint: Endpoint): string {
  const notes: string[] = [operationOf(endpoint).purpose];
  const needs = endpoint.needs ?? [];
  if (needs.length > 0) {
    notes.push(`Without ${code(needs).replaceAll(", ", " or ")} the answer is 400 \`missing_parameter\`.`);
  }
  for (const param of endpoint.params.filter(({ selects }) => selects)) {
    notes.push(
      `With \`${param.name}\` the data is one record instead of a list, and there is no pagination.`,
    );
  }
  return notes.join(" ");
}

function operation(endpoint: Endpoint, { examples, filters = {} }: OpenApiOptions): JsonObject {
  const { id, tag, summary } = operationOf(endpoint);
  const values = { ...exampleRecord(endpoint, examples), ...filters[endpoint.path] };
  return {
    operationId: id,
    summary,
    description: operationText(endpoint),
    tags: [tag],
    parameters: endpoint.params.map((param) => describeParameter(endpoint, param, values)),
    responses: responsesOf(endpoint, examples),
  };
}

function info(options: OpenApiOptions): JsonObject {
  const { siteUrl, storeName } = options;
  return {
    title: `${storeName} catalog API`,
    version: API_VERSION,
    description: infoText(options),
    contact: { name: storeName, url: siteUrl },
    // Names the data and its owner. The store's site says which rights a reader has.
    license: { name: `Public catalog data of ${storeName}, read-only`, url: siteUrl },
  };
}

export function openApiDocument(options: OpenApiOptions): OpenApiDocument {
  const { baseUrl, endpoints, cacheControl, rateLimit } = options;
  const paths = Object.fromEntries(
    endpoints.map((endpoint) => [`/${endpoint.path}`, { get: operation(endpoint, options) }]),
  );
  const tags = new Set<string>(endpoints.map((endpoint) => operationOf(endpoint).tag));
  const components = {
    schemas: schemaComponents(),
    responses: responseComponents(rateLimit),
    headers: headerComponents(rateLimit, cacheControl),
  };
  return {
    openapi: "3.1.0",
    info: info(options),
    servers: [{ url: baseUrl, description: "The public API." }],
    // No endpoint requires or accepts a credential.
    security: [],
    tags: TAGS.filter(({ name }) => tags.has(name)),
    paths,
    components: usedComponents(paths, components),
  };
}

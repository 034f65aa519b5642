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
  MAX_SLUG_LENGTH,
  MAX_TARGET_BYTES,
  MAX_TEXT_LENGTH,
  type Param,
  type ParamKind,
} from "./endpoints.ts";
import { ApiError, envelopeSchema, Meta, operationOf, Pagination } from "./envelope.ts";
import { type ApiErrorCode, ERROR_STATUS } from "./errors.ts";
import { type Operation, TAGS } from "./operation.ts";
import { OPERATIONS } from "./records.ts";
import { type CacheControl, MESSAGES, RECORD_NOT_FOUND, TARGET_TOO_LONG } from "./responses.ts";

// Record schemas as components: plain JSON Schema 2020-12, titled schemas by reference.

type JsonObject = { readonly [key: string]: unknown };
type Components = Readonly<Record<"schemas" | "responses" | "headers", Readonly<Record<string, JsonObject>>>>;

function schemaRef(title: string): JsonObject {
  return { $ref: `#/components/schemas/${title}` };
}

/** The title that names a schema as a component. In a properties map with a field `title`, that is a schema and not a text. */
export function titleOf(schema: object): string | undefined {
  return "title" in schema && typeof schema.title === "string" ? schema.title : undefined;
}

/** Unions of literals read, and generate, better as an enum: `"published" | "coming_soon" | …`. */
function asEnum(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length === 0) return schema;
  const literals: unknown[] = anyOf.map((option: { const?: unknown }) => option.const);
  return literals.every((literal) => typeof literal === "string")
    ? { type: "string", enum: literals, ...rest }
    : schema;
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== "object" || value === null) return value;
  const title = titleOf(value);
  return title === undefined ? jsonSchema(value) : schemaRef(title);
}

/** A TypeBox schema without TypeBox's bookkeeping (`~kind`), and with a `$ref` for each titled schema inside it. */
function jsonSchema(schema: object): JsonObject {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!key.startsWith("~")) out[key] = plainValue(value);
  }
  return asEnum(out);
}

/** The error envelope, with all codes. */
function errorSchema(): JsonObject {
  const { error } = ApiError.properties;
  const code = { ...error.properties.code, enum: Object.keys(ERROR_STATUS) };
  const properties = { ...error.properties, code };
  return jsonSchema({
    ...ApiError,
    properties: { ...ApiError.properties, error: { ...error, properties } },
  });
}

/** Every titled schema by its title, records first, in the order of the endpoints. */
function schemaComponents(): Readonly<Record<string, JsonObject>> {
  const records = Object.values<Operation>(OPERATIONS).flatMap(({ list, one }) => [list, one]);
  const out: Record<string, JsonObject> = {};
  for (const schema of [...records, Pagination, Meta]) {
    const title = titleOf(schema ?? {});
    if (title !== undefined) out[title] = jsonSchema(schema as object);
  }
  return { ...out, Error: errorSchema() };
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

// Parameters. These schemas accept exactly the values that the key's reader accepts.

const FLAG_WORDS = ["1", "true", "yes", "on", "0", "false", "no", "off"];

/** JSON Schema patterns have no flag for "any case": `"on"` → `"[Oo][Nn]"`. */
function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}

function integerSchema(param: Param): JsonObject {
  return {
    type: "integer",
    ...(param.min === undefined ? {} : { minimum: param.min }),
    ...(param.max === undefined ? {} : { maximum: param.max }),
  };
}

/** Strings in the contract, so that no client rounds a price. */
const priceSchema: JsonObject = { type: "string", pattern: "^0*[0-9]{1,12}(\\.[0-9]{1,2})?$" };

const SCHEMAS: Readonly<Record<ParamKind, (param: Param) => JsonObject>> = {
  integer: integerSchema,
  slug: () => ({ type: "string", pattern: `^[A-Za-z0-9][A-Za-z0-9._-]{0,${MAX_SLUG_LENGTH - 1}}$` }),
  flag: () => ({ type: "string", pattern: `^(${FLAG_WORDS.map(anyCase).join("|")})$` }),
  choice: (param) => ({
    type: "string",
    enum: [...(param.values ?? []), ...(param.textDefault === undefined ? [] : [param.textDefault])],
  }),
  price: () => priceSchema,
  // No maxLength: the limit counts after trimming and NFKC, which may make a text shorter or longer.
  text: () => ({ type: "string", pattern: "\\S" }),
};

const NOTES: Readonly<Record<ParamKind, string>> = {
  integer: "",
  slug: "Read as lower case.",
  flag: "True is `1`, `true`, `yes` or `on`, false is `0`, `false`, `no` or `off`, in any case.",
  choice: "",
  price: "A decimal with at most two places.",
  text: `1 to ${MAX_TEXT_LENGTH} characters, counted after trimming and Unicode normalisation (NFKC); case and accents do not matter.`,
};

function defaultOf(param: Param): JsonObject {
  if (param.default === undefined) return {};
  return { default: param.kind === "integer" ? Number(param.default) : param.default };
}

/** A value for a parameter that no field of the record answers. */
function usualOf({ kind, default: standard, values = [] }: Param): JsonObject {
  if (kind === "integer") return { example: Number(standard ?? 1) };
  if (kind === "choice") return { example: values.find((value) => value !== standard) ?? values[0] };
  if (kind === "flag") return { example: "yes" };
  return kind === "price" ? { example: "20" } : {};
}

/** A value that finds the example record: its field of that name (the slug, if that is an object), or its title. */
function exampleOf(param: Param, record: JsonObject): JsonObject {
  const field = record[param.kind === "text" ? "title" : param.name];
  const value = typeof field === "object" && field !== null && "slug" in field ? field.slug : field;
  if (typeof value === "string" && value.length <= MAX_TEXT_LENGTH) return { example: value };
  return typeof value === "number" ? { example: value } : usualOf(param);
}

function ignoredNote(selecting: string): string {
  return `Ignored with \`${selecting}\`. Without it, a value that is not described here answers 400.`;
}

/** A schema cannot refer to other parameters: next to the one that selects a record, every value is valid. */
function orIgnored(schema: JsonObject, selecting: string): JsonObject {
  const { default: value, ...values } = schema;
  const anything = { type: "string", description: `Anything, with \`${selecting}\`.` };
  return { anyOf: [values, anything], ...(value === undefined ? {} : { default: value }) };
}

/** `record`: an example of what the endpoint answers, or an empty object. */
function describeParameter(endpoint: Endpoint, param: Param, record: JsonObject): JsonObject {
  const required = endpoint.needs?.length === 1 && endpoint.needs[0] === param.name;
  const meaning = operationOf(endpoint).params[param.name] ?? "";
  const selecting = endpoint.params.find(({ selects }) => selects);
  const ignored = selecting !== undefined && selecting !== param;
  const notes = [NOTES[param.kind], ignored ? ignoredNote(selecting.name) : ""].filter((note) => note !== "");
  const schema = { ...SCHEMAS[param.kind](param), ...defaultOf(param) };
  return {
    name: param.name,
    in: "query",
    description: [meaning, ...notes].join(" "),
    // An empty value counts as absent, so it is allowed unless the parameter is required.
    ...(required ? { required } : { allowEmptyValue: true }),
    schema: ignored ? orIgnored(schema, selecting.name) : schema,
    ...exampleOf(param, record),
  };
}

// Answers and errors: bodies, headers and examples.

/** The number of requests that one client may send, and the message for more. */
interface RateLimit {
  readonly requests: number;
  readonly windowSeconds: number;
  readonly message: string;
}

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
  const seconds = { type: "integer", minimum: 1 };
  return {
    ETag: header("Validator of this body, for If-None-Match.", text, '"1f0a6c52d9b04e7d"'),
    CacheControl: header("How long caches may keep this answer.", text, cache.answer),
    CacheControlClientError: header("How long caches may keep this error.", text, cache.clientError),
    CacheControlFailure: header("Caches must not keep this error.", text, cache.failure),
    "Access-Control-Allow-Origin": header(
      "Pages of every site may read this answer.",
      { type: "string", const: "*" },
      "*",
    ),
    "X-Content-Type-Options": header(
      "Browsers must not guess another type than JSON.",
      { type: "string", const: "nosniff" },
      "nosniff",
    ),
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

/** The body of openapi.json: a document like this one, without an envelope. */
const documentSchema: JsonObject = {
  type: "object",
  required: ["openapi", "info", "paths"],
  properties: {
    openapi: { type: "string", description: "Version of the OpenAPI Specification." },
    info: { type: "object", description: "Title, version and description of this API." },
    paths: { type: "object", description: "The endpoints." },
  },
};

function bodySchema(endpoint: Endpoint): JsonObject {
  const schemas = formsOf(endpoint).flatMap((form) => envelopeSchema(endpoint, form.one) ?? []);
  const [first = documentSchema, ...others] = schemas.map(jsonSchema);
  return others.length === 0 ? first : { oneOf: [first, ...others] };
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
  /** Records by the title of their schema (`Product`, `ProductDetail`, …). Schemas without a record get no example. */
  readonly examples: Examples;
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

function operation(endpoint: Endpoint, examples: Examples): JsonObject {
  const { id, tag, summary } = operationOf(endpoint);
  const record = exampleRecord(endpoint, examples);
  return {
    operationId: id,
    summary,
    description: operationText(endpoint),
    tags: [tag],
    parameters: endpoint.params.map((param) => describeParameter(endpoint, param, record)),
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
  const { baseUrl, endpoints, examples, cacheControl, rateLimit } = options;
  const paths = Object.fromEntries(
    endpoints.map((endpoint) => [`/${endpoint.path}`, { get: operation(endpoint, examples) }]),
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

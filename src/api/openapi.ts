/**
 * The OpenAPI 3.1 document of the API, made from the tables that also validate requests and answers.
 * Pure: the same options give the same document, key for key.
 */

import { API_VERSION, type Endpoint, IGNORED_NAMES, IGNORED_PREFIXES } from "./endpoints.ts";
import { operationOf } from "./envelope.ts";
import { describeParameter } from "./openapi-parameters.ts";
import {
  type Examples,
  exampleRecord,
  headerComponents,
  type RateLimit,
  responseComponents,
  responsesOf,
} from "./openapi-responses.ts";
import { type Components, type JsonObject, schemaComponents, usedComponents } from "./openapi-schemas.ts";
import { TAGS } from "./operation.ts";
import type { CacheControl } from "./responses.ts";

export interface OpenApiOptions {
  /** The public address, ending in /api/v1. Linters warn of `localhost` and `example.com` in it. */
  readonly baseUrl: string;
  readonly siteUrl: string;
  readonly storeName: string;
  /** The enabled ones. */
  readonly endpoints: readonly Endpoint[];
  /** Records by the title of their schema (`Product`, `ProductDetail`, …). What is missing has no example. */
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
    `The public catalog of ${storeName}: everything here may be read by everybody, without a key, and nothing can be changed.`,
    "**Answers** are JSON objects with `success`, `data`, `meta` and, on paginated lists, `pagination`. HEAD answers as GET does, without the body; OPTIONS answers the CORS preflight; any other method gets 405 `method_not_allowed`.",
    "**Errors** are `success: false` with a permanent `error.code` for programs and an `error.message` for people. A path that is not described here answers 404 `unknown_endpoint`.",
    `**Parameters** that are not described here answer 400 \`invalid_parameter\`, and so does one that is given twice; an empty value is as if absent. Whole numbers have at most 15 digits. Ignored are ${prefixes}, ${code(IGNORED_NAMES)}. Several filters must all be met.`,
    "**Caching:** every answer has an `ETag`; send it back in `If-None-Match`, and an unchanged answer costs a 304 without a body.",
    `**Rate limit:** ${rateLimit.requests} requests per ${rateLimit.windowSeconds} seconds and client IP address, then 429 \`rate_limited\`.`,
  ].join("\n\n");
}

/** What no single parameter can say. */
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
    // Says what it is and whose; which rights a reader has is the store's own affair, on its site.
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
    // No credential is required or accepted anywhere.
    security: [],
    tags: TAGS.filter(({ name }) => tags.has(name)),
    paths,
    components: usedComponents(paths, components),
  };
}

/**
 * Record schemas as the components of an OpenAPI document: plain JSON Schema 2020-12, titled schemas by reference.
 * Knows nothing of endpoints or of what is enabled.
 */
import { ApiError, Meta, Pagination } from "./envelope.ts";
import { ERROR_STATUS } from "./errors.ts";
import type { Operation } from "./operation.ts";
import { OPERATIONS } from "./records.ts";

export type JsonObject = { readonly [key: string]: unknown };
export type Components = Readonly<
  Record<"schemas" | "responses" | "headers", Readonly<Record<string, JsonObject>>>
>;

export function schemaRef(title: string): JsonObject {
  return { $ref: `#/components/schemas/${title}` };
}

/** The title that names a schema as a component. A properties map with a field `title` holds a schema there, no text. */
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
export function jsonSchema(schema: object): JsonObject {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!key.startsWith("~")) out[key] = plainValue(value);
  }
  return asEnum(out);
}

/** The error envelope, with the codes there are. */
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
export function schemaComponents(): Readonly<Record<string, JsonObject>> {
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
export function usedComponents(root: unknown, all: Components): Components {
  const refs = new Set<string>();
  collectRefs(root, refs);
  // A Set's iteration also visits what is added during it, so this ends when nothing new turns up.
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

/** Parameters of ENDPOINTS as OpenAPI describes them. A schema here accepts what the key's reader accepts, and no more. */

import {
  type Endpoint,
  MAX_INTEGER,
  MAX_SLUG_LENGTH,
  MAX_TEXT_LENGTH,
  type Param,
  type ParamKind,
} from "./endpoints.ts";
import { operationOf } from "./envelope.ts";
import type { JsonObject } from "./openapi-schemas.ts";

const FLAG_WORDS = ["1", "true", "yes", "on", "0", "false", "no", "off"];

/** JSON Schema patterns have no flag for "any case": `"on"` → `"[Oo][Nn]"`. */
function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}

function isBounded({ max, clamp }: Param): boolean {
  return max !== undefined && max !== MAX_INTEGER && clamp === undefined;
}

function integerSchema(param: Param): JsonObject {
  return {
    type: "integer",
    ...(param.min === undefined ? {} : { minimum: param.min }),
    // A clamped parameter takes any larger number, so a maximum would promise an error that never comes; and nobody learns
    // anything of the largest number that there is.
    ...(isBounded(param) ? { maximum: param.max } : {}),
  };
}

/** In the contract these are strings, so that no client rounds a price on its way. */
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

/** A value where no record has one. */
function usualOf({ kind, default: standard, values = [] }: Param): JsonObject {
  if (kind === "integer") return { example: Number(standard ?? 1) };
  if (kind === "choice") return { example: values.find((value) => value !== standard) ?? values[0] };
  if (kind === "flag") return { example: "yes" };
  return kind === "price" ? { example: "20" } : {};
}

/** A value that finds the example record: its field of that name, the slug of the object there, or its title. */
function exampleOf(param: Param, record: JsonObject): JsonObject {
  const field = record[param.kind === "text" ? "title" : param.name];
  const value = typeof field === "object" && field !== null && "slug" in field ? field.slug : field;
  if (typeof value === "string" && value.length <= MAX_TEXT_LENGTH) return { example: value };
  return typeof value === "number" ? { example: value } : usualOf(param);
}

function ignoredNote(selecting: string): string {
  return `Ignored with \`${selecting}\`; without it, any other value than described answers 400.`;
}

/** A schema knows nothing of other parameters: beside the one that selects a record, every value is right. */
function orIgnored(schema: JsonObject, selecting: string): JsonObject {
  const { default: value, ...values } = schema;
  const anything = { type: "string", description: `Anything, with \`${selecting}\`.` };
  return { anyOf: [values, anything], ...(value === undefined ? {} : { default: value }) };
}

/** `record`: an example of what the endpoint answers, or an empty object. */
export function describeParameter(endpoint: Endpoint, param: Param, record: JsonObject): JsonObject {
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
    // An empty value is as if absent: fine where nothing is required.
    ...(required ? { required } : { allowEmptyValue: true }),
    schema: ignored ? orIgnored(schema, selecting.name) : schema,
    ...exampleOf(param, record),
  };
}

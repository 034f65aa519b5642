/**
 * Parameters as JSON Schema, for the OpenAPI document and for agents. The schemas accept exactly the values that the key's reader
 * accepts, except for the length of numbers that are clamped. No `default` is given where another parameter changes it: clients
 * send documented defaults.
 */
import {
  DEFAULT_PER_PAGE,
  type Endpoint,
  MAX_SLUG_LENGTH,
  MAX_TEXT_LENGTH,
  MAX_WHOLE,
  type Param,
  type ParamKind,
} from "./endpoints.ts";
import { operationOf } from "./envelope.ts";

export type JsonObject = { readonly [key: string]: unknown };
/** Fields of a record, and values of filters by their names. */
export type ExampleValues = Readonly<Record<string, unknown>>;

const FLAG_WORDS = ["1", "true", "yes", "on", "0", "false", "no", "off"];

/** JSON Schema patterns have no flag for "any case": `"on"` → `"[Oo][Nn]"`. */
function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}

const WHOLE_PRICE = "^0*[0-9]{1,12}";

export const PARAM_SCHEMAS: Readonly<Record<ParamKind, (param: Param) => JsonObject>> = {
  integer: ({ min, max = MAX_WHOLE }) => ({
    type: "integer",
    ...(min === undefined ? {} : { minimum: min }),
    maximum: max,
  }),
  slug: () => ({ type: "string", pattern: `^[A-Za-z0-9][A-Za-z0-9._-]{0,${MAX_SLUG_LENGTH - 1}}$` }),
  flag: () => ({ type: "string", pattern: `^(${FLAG_WORDS.map(anyCase).join("|")})$` }),
  choice: ({ values = [], textDefault }) => ({
    type: "string",
    enum: textDefault === undefined ? values : [...values, textDefault],
  }),
  // Strings in the contract, so that no client rounds a price.
  price: () => ({ type: "string", pattern: `${WHOLE_PRICE}$|${WHOLE_PRICE}[.][0-9]{1,2}$` }),
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

/** True if another parameter changes what the absence of this one means. Its description then says what that is. */
function isDependent({ params }: Endpoint, { name, textDefault }: Param): boolean {
  return textDefault !== undefined || params.some(({ aliasOf }) => aliasOf === name);
}

function defaultOf(endpoint: Endpoint, param: Param): JsonObject {
  if (param.default === undefined || isDependent(endpoint, param)) return {};
  return { default: param.kind === "integer" ? Number(param.default) : param.default };
}

/** As many whole words of a title as a search may have. */
function soughtText(title: string): string {
  const text = title.normalize("NFKC").trim();
  const letters = [...text];
  if (letters.length <= MAX_TEXT_LENGTH) return text;
  const cut = letters.slice(0, MAX_TEXT_LENGTH).join("");
  const space = cut.lastIndexOf(" ");
  return space > 0 ? cut.slice(0, space) : cut;
}

/** A price bound in whole units on one side of a price; undefined for a price that no bound can have. */
function boundOf(name: string, { pricing }: ExampleValues): string | undefined {
  const { current = 20 } = (pricing ?? {}) as { current?: number };
  const whole = String(name.startsWith("min") ? Math.floor(current) : Math.ceil(current));
  return /^[0-9]{1,12}$/.test(whole) ? whole : undefined;
}

/** Examples of all parameters of an endpoint together find the record whose values are given. */
const EXAMPLES: Readonly<Record<ParamKind, (param: Param, values: ExampleValues) => unknown>> = {
  integer: ({ name, default: standard, aliasOf, min = 1 }, values) =>
    name in values ? values[name] : Number(standard ?? (aliasOf === undefined ? min : DEFAULT_PER_PAGE)),
  slug: ({ name }, values) => {
    const value = values[name];
    return typeof value === "object" && value !== null && "slug" in value ? value.slug : value;
  },
  flag: ({ name }, values) => ((values[name] ?? values["status"] === name) ? "yes" : "no"),
  choice: ({ name, default: standard, values: allowed = [] }, values) =>
    allowed.find((value) => value === values[name]) ?? allowed.find((value) => value !== standard),
  price: ({ name }, values) => boundOf(name, values),
  text: (_, values) => soughtText(typeof values["title"] === "string" ? values["title"] : "") || "a",
};

function exampleOf(param: Param, values: ExampleValues): JsonObject {
  const example = EXAMPLES[param.kind](param, values);
  return typeof example === "string" || typeof example === "number" ? { example } : {};
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

/** `values`: of a record that the endpoint answers with. */
export function describeParameter(endpoint: Endpoint, param: Param, values: ExampleValues): JsonObject {
  const required = endpoint.needs?.length === 1 && endpoint.needs[0] === param.name;
  const meaning = operationOf(endpoint).params[param.name] ?? "";
  const selecting = endpoint.params.find(({ selects }) => selects);
  const ignored = selecting !== undefined && selecting !== param;
  const notes = [NOTES[param.kind], ignored ? ignoredNote(selecting.name) : ""].filter((note) => note !== "");
  const schema = { ...PARAM_SCHEMAS[param.kind](param), ...defaultOf(endpoint, param) };
  return {
    name: param.name,
    in: "query",
    description: [meaning, ...notes].join(" "),
    // An empty value counts as absent, so it is allowed unless the parameter is required.
    ...(required ? { required } : { allowEmptyValue: true }),
    schema: ignored ? orIgnored(schema, selecting.name) : schema,
    ...exampleOf(param, values),
  };
}

/** Turns what the validator found in a configuration into sentences. Knows no file and no terminal. */
import type { ErrorObject } from "ajv/dist/2020.js";
import { didYouMean, nearestName } from "../base/nearest.ts";

/** A mistake, and the JSON pointer of the setting that has it, without escapes: `/grid/depth`. */
export interface ConfigProblem {
  readonly path: string;
  readonly sentence: string;
}

/** The keywords of JSON Schema that the configuration's schema uses. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

/** One sentence for each mistake; several findings about one value give one sentence. */
export function configProblems(errors: readonly ErrorObject[], schema: object): ConfigProblem[] {
  // "None of several forms fits" helps only if all forms are short; otherwise the mistake in the object is reported.
  const isChoice = ({ keyword, parentSchema }: ErrorObject) =>
    keyword === "anyOf" && !(parentSchema as Schema).anyOf?.some(({ type }) => type === "object");
  const choices = new Set(errors.filter(isChoice).map(({ instancePath }) => instancePath));
  const telling = errors.filter((error) =>
    choices.has(error.instancePath) ? isChoice(error) : !["const", "anyOf"].includes(error.keyword),
  );
  const found = telling.map((error) => [sentence(error, schema), pathOf(error)] as const);
  return [...new Map(found)].map(([text, path]) => ({ path, sentence: text }));
}

function sentence(error: ErrorObject, whole: Schema): string {
  const where = error.instancePath.slice(1).replaceAll("/", ".");
  const schema = error.parentSchema as Schema;
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case "required": {
      const name = String(params["missingProperty"]);
      return `${where === "" ? "" : `${where}.`}${name} is missing: ${expected(schema.properties?.[name] ?? {})}.`;
    }
    case "additionalProperties":
      return unknownName(where, String(params["additionalProperty"]), schema, whole);
    case "enum":
      return unknownValue(where, error.data, schema.enum ?? []);
    case "uniqueItems":
      return `${where} names ${show((error.data as unknown[])[Number(params["i"])])} twice.`;
    default:
      return `${where || "The configuration"} must be ${expected(schema)}, not ${show(error.data)}.`;
  }
}

/** The right kind of value: `a whole number from 0 to 3`. */
function expected({ type, minimum, maximum, examples, anyOf, enum: values }: Schema): string {
  if (anyOf !== undefined) return anyOf.map(expected).join(" or ");
  if (values !== undefined) return values.map(show).join(" or ");
  if (examples?.[0] !== undefined)
    return `${examples[0].includes("://") ? "an address" : "a text"} like ${examples.join(" or ")}`;
  if (type === "integer" || type === "number") {
    return `a ${type === "integer" ? "whole " : ""}number${minimum === undefined ? "" : ` from ${minimum}`}${maximum === undefined ? "" : ` to ${maximum}`}`;
  }
  if (type === "array") return "a list in [ ]";
  return type === "object" ? "an object in { }" : "a text in quotes";
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

const MOST_SHOWN = 60;

/** An unknown name: a name like it in the same object, or the same name in another object. */
function unknownName(where: string, name: string, schema: Schema, whole: Schema): string {
  const known = Object.keys(schema.properties ?? {});
  const near = nearestName(name, known);
  const path = pathsOf(whole).find((candidate) => candidate === name || candidate.endsWith(`.${name}`));
  const prefix = where === "" ? "" : `${where}.`;
  const meant = path ?? (near === null ? null : prefix + near);
  const hint = meant === null ? `Known are ${known.join(", ")}.` : `Did you mean ${meant}?`;
  return `${prefix}${show(name).slice(1, -1)} is not known. ${hint}`;
}

/** Paths of all names below an object: `grid`, `grid.depth`. */
function pathsOf(schema: Schema, prefix = ""): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, below]) => [
    prefix + name,
    ...pathsOf(below, `${prefix}${name}.`),
  ]);
}

function unknownValue(where: string, value: unknown, known: readonly string[]): string {
  const hint = typeof value === "string" ? didYouMean(value, known, show) : `Known are ${known.join(", ")}.`;
  return `${where}: ${show(value)} is not known. ${hint}`;
}

/** The name that is not known, or the value that is wrong. */
function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  const unknown = keyword === "additionalProperties" ? `/${String(params["additionalProperty"])}` : "";
  return instancePath + unknown;
}

/** JSON Schema validation: one way of compiling for records, answers and configuration. */
import { Ajv2020, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { TSchema } from "typebox";

const makers = new Map<boolean, Ajv2020>();

/** Ours are made by TypeBox: checking the schemas too would take longer than the rest. */
export function schemaOptions(fillDefaults: boolean): Options {
  return {
    // TypeBox's schemas carry words of their own.
    strict: false,
    validateSchema: false,
    allErrors: fillDefaults,
    useDefaults: fillDefaults,
    // Errors then carry the value and its schema, for sentences that name both.
    verbose: fillDefaults,
  };
}

/** One for all schemas. */
function makerOf(fillDefaults: boolean): Ajv2020 {
  const known = makers.get(fillDefaults);
  if (known !== undefined) return known;
  const ajv = new Ajv2020(schemaOptions(fillDefaults));
  addFormats.default(ajv);
  makers.set(fillDefaults, ajv);
  return ajv;
}

/** Compiles a schema. `fillDefaults` writes missing values that have a default into what is validated. */
export function compileSchema<Value>(schema: TSchema, fillDefaults = false): ValidateFunction<Value> {
  return makerOf(fillDefaults).compile<Value>(schema);
}

/** What is wrong with the value that was validated last, and where: `/releases/0/id must match pattern …` */
export function problemOf(
  { errors }: Pick<ValidateFunction, "errors">,
  whole = "it",
  otherwise = "is not what it should be",
): string {
  const [error] = errors ?? [];
  return `${error?.instancePath || whole} ${error?.message ?? otherwise}`;
}

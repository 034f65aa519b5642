/** JSON Schema validation: one way of compiling for records, answers and configuration. */
import { Ajv2020, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { TSchema } from "typebox";

const makers = new Map<boolean, Ajv2020>();

/** The schemas come from TypeBox and are valid; checking them too would take longer than the rest. */
export function schemaOptions(fillDefaults: boolean): Options {
  return {
    // TypeBox adds keywords that ajv does not know.
    strict: false,
    validateSchema: false,
    allErrors: fillDefaults,
    useDefaults: fillDefaults,
    // Errors then carry the value and its schema, for messages that name both.
    verbose: fillDefaults,
  };
}

/** One instance for all schemas. */
function makerOf(fillDefaults: boolean): Ajv2020 {
  const known = makers.get(fillDefaults);
  if (known !== undefined) return known;
  const ajv = new Ajv2020(schemaOptions(fillDefaults));
  addFormats.default(ajv);
  makers.set(fillDefaults, ajv);
  return ajv;
}

/** Compiles a schema. `fillDefaults` writes defaults for missing properties into the validated value. */
export function compileSchema<Value>(schema: TSchema, fillDefaults = false): ValidateFunction<Value> {
  return makerOf(fillDefaults).compile<Value>(schema);
}

/** What is wrong with the last validated value, and where: `/releases/0/id must match pattern …` */
export function problemOf(
  { errors }: Pick<ValidateFunction, "errors">,
  whole = "it",
  otherwise = "is not what it should be",
): string {
  const [error] = errors ?? [];
  return `${error?.instancePath || whole} ${error?.message ?? otherwise}`;
}

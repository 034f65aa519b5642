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

/** True if a value is valid; `errors` are those of the last value. */
export interface SchemaCheck<Value> {
  (value: unknown): value is Value;
  readonly errors?: ValidateFunction["errors"];
}

/**
 * The check of a schema, which is compiled at the first value: most commands check few of the schemas that they know. `fillDefaults`
 * writes defaults for missing properties into the checked value.
 */
export function schemaCheck<Value>(schema: TSchema, fillDefaults = false): SchemaCheck<Value> {
  let compiled: ValidateFunction<Value> | undefined;
  const check = (value: unknown): value is Value => {
    compiled ??= makerOf(fillDefaults).compile<Value>(schema);
    return compiled(value);
  };
  return Object.defineProperty(check, "errors", { get: () => compiled?.errors });
}

/** What is wrong with the last validated value, and where: `/releases/0/id must match pattern …` */
export function problemOf(
  { errors }: Pick<SchemaCheck<unknown>, "errors">,
  whole = "it",
  otherwise = "is not what it should be",
): string {
  const [error] = errors ?? [];
  return `${error?.instancePath || whole} ${error?.message ?? otherwise}`;
}

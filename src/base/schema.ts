/** JSON Schema validation: one way of compiling for records, answers and configuration. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { TSchema } from "typebox";

/** Compiles a schema. `fillDefaults` writes missing values that have a default into what is validated. */
export function compileSchema<Value>(schema: TSchema, fillDefaults = false): ValidateFunction<Value> {
  // Not strict: TypeBox's schemas carry words of their own.
  const ajv = new Ajv2020({ strict: false, allErrors: fillDefaults, useDefaults: fillDefaults });
  addFormats.default(ajv);
  return ajv.compile<Value>(schema);
}

/** Records → fragments: validated once against their schema and serialised once. */
import type { ValidateFunction } from "ajv";
import type { TSchema } from "typebox";
import type { Values } from "../api/row.ts";
import { encodeJson, type Json } from "../base/json.ts";
import { compileSchema } from "../base/schema.ts";
import type { RowReader } from "./row-reader.ts";

/** Makes fragments of one schema. What breaks it is told of the row that is being read. */
export class FragmentMaker {
  readonly #validate: ValidateFunction;

  constructor(schema: TSchema) {
    this.#validate = compileSchema(schema);
  }

  make(record: Values, reader: RowReader): Json {
    this.#check(record, reader);
    return encodeJson(record);
  }

  /** What a detail adds to its list fragment; the whole is validated. */
  makeAdded(record: Values, addition: Values, reader: RowReader): Json {
    this.#check(record, reader);
    return encodeJson(addition);
  }

  #check(record: Values, reader: RowReader): void {
    if (reader.failed || this.#validate(record)) return;
    for (const error of this.#validate.errors ?? []) {
      // `/replies/3/id` is told as `replies`: the same problem in another element is the same problem.
      const [field = "record"] = error.instancePath.split("/").slice(1);
      reader.fail(field, error.message ?? "breaks its schema", error.instancePath || null);
    }
  }
}

/** Rows of a record's file → its fragments, columns and texts, as the record declares them. Knows no store and no catalog file. */

import type { ValidateFunction } from "ajv";
import type { TSchema } from "typebox";
import type { Fields } from "../api/field.ts";
import { productRefOf } from "../api/of-product.ts";
import type { RecordDef } from "../api/record.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { Cell, Overall, ProductRef, Values } from "../api/row.ts";
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import { encodeJson, type Json } from "../base/json.ts";
import { compileSchema } from "../base/schema.ts";
import { type PreparedRow, preparePlain } from "../catalog/row.ts";
import type { RowProblem } from "./problems.ts";
import { type SummaryTerms, summaryTermsOf } from "./report.ts";
import { type Known, RowReader, type Surroundings } from "./row-reader.ts";
import { valuesOf } from "./store.ts";

/** A row to be made, with the values from other records. Plain data: it is sent between threads. */
export interface RowInput {
  readonly text: string;
  /** The product that the row belongs to, as others refer to it. */
  readonly product: Json | null;
  readonly gathered: Known["gathered"];
  /** Number of the row within its file, from 1. */
  readonly ordinal: number;
}

/** The data that all rows of a record share in an extraction. Plain data. */
export interface StepData {
  readonly siteUrl: string;
  /** Names of a row's values, in their order. */
  readonly columns: readonly string[];
  /** List shapes of embedded records, by the record's name. */
  readonly shapes: ReadonlyMap<string, ReadonlyMap<number, Values>>;
  /** In the order in which the record declares them. */
  readonly overall: readonly unknown[];
}

/** A record ready to be put. */
export interface MadeRow {
  readonly prepared: PreparedRow;
  /** The summary's terms of a product; null for other records. */
  readonly summaryTerms: SummaryTerms | null;
}

export interface MadeBatch {
  /** Null if a row was wrong. Walk it once: each row is made when it is reached, and not kept. */
  readonly made: Iterable<MadeRow | null>;
  /** Problems of the rows walked so far. */
  readonly problems: readonly RowProblem[];
}

/** The part of a record that others need before it is made. */
export interface OwnPart {
  readonly id: number;
  readonly slug: string;
  /** What others show: for a product its reference, for any other record its list shape. */
  readonly shown: Json;
}

export interface OwnBatch {
  /** Null if a row was wrong. */
  readonly parts: readonly (OwnPart | null)[];
  readonly problems: readonly RowProblem[];
}

/** The values of a row's fields. */
interface ReadRecord {
  readonly id: number;
  readonly shape: Values;
  readonly list: Json;
  readonly added: Json | null;
  /** The list shape with the detail's fields. */
  readonly whole: Values;
  /** Also with the hidden fields. */
  readonly values: Values;
}

/** Fields with their names, in order. */
type NamedFields = readonly (readonly [string, Fields[string]])[];

/** The values of fields, in order. An optional one that is wrong or cannot be read is empty. */
export function readFields(fields: NamedFields, reader: RowReader): Values {
  const values: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const { empty } = field;
    const read = () => field.read(reader, name);
    values[name] =
      empty === undefined ? read() : reader.optional(empty, () => reading(reader, read) ?? empty);
  }
  return values;
}

/** True for an error that the row did not cause: a full disk, a missing file. */
function isMachineError(error: unknown): boolean {
  const code = systemCodeOf(error);
  return error instanceof VitrineError || (/^(SQLITE_|E(?!RR_))/.test(code) && code !== "SQLITE_TOOBIG");
}

/** Reads a row; an error is reported as the row's problem. */
export function reading<Result>(reader: RowReader, read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    if (isMachineError(error)) throw error;
    reader.failReading(messageOf(error));
    return null;
  }
}

export function recordNamed(name: RecordName): RecordDef<RecordName> {
  const found = RECORDS.find((record) => record.name === name);
  if (found === undefined) throw new Error(`No record is named ${name}`);
  return found;
}

function knownOf({ product, gathered }: RowInput): Known {
  return { product: product === null ? null : (JSON.parse(product) as ProductRef), gathered };
}

/** Both together; the same object if there are no other fields. */
function joined(values: Values, fields: NamedFields, others: Values): Values {
  return fields.length === 0 ? values : { ...values, ...others };
}

/** Makes the rows of one record. */
export class RecordMaker {
  readonly #record: RecordDef<RecordName>;
  readonly #step: StepData;
  readonly #fields: NamedFields;
  readonly #added: NamedFields;
  readonly #hidden: NamedFields;
  readonly #cells: readonly ((values: Values) => Cell)[];
  readonly #lists: FragmentMaker;
  readonly #details: FragmentMaker | null;

  constructor(record: RecordDef<RecordName>, step: StepData) {
    this.#record = record;
    this.#step = step;
    this.#fields = Object.entries(record.fields);
    this.#added = Object.entries(record.added);
    this.#hidden = Object.entries(record.hidden);
    this.#cells = Object.values(record.columns).map(([, of]) => of);
    this.#lists = new FragmentMaker(record.list);
    this.#details = record.detail === null ? null : new FragmentMaker(record.detail);
  }

  make(inputs: readonly RowInput[]): MadeBatch {
    const problems: RowProblem[] = [];
    return { made: this.#rows(inputs, this.#reader(problems), (reader) => this.#make(reader)), problems };
  }

  /** Makes own parts. The inputs have nothing gathered yet. */
  makeOwn(inputs: readonly RowInput[]): OwnBatch {
    const problems: RowProblem[] = [];
    return {
      parts: [...this.#rows(inputs, this.#reader(problems), (reader) => this.#own(reader))],
      problems,
    };
  }

  #reader(problems: RowProblem[]): RowReader {
    const { file, gathers, overalls } = this.#record;
    const overall = new Map<Overall<unknown>, unknown>(
      overalls.map((each, at) => [each, this.#step.overall[at]]),
    );
    const around: Surroundings = { ...this.#step, gathers, overall };
    const sink = { add: (problem: RowProblem) => problems.push(problem) };
    return new RowReader(file, this.#step.columns, sink, around);
  }

  *#rows<Made>(
    inputs: readonly RowInput[],
    reader: RowReader,
    make: (reader: RowReader) => Made | null,
  ): Generator<Made | null> {
    for (const input of inputs) {
      reader.open(valuesOf(input), input.ordinal, knownOf(input));
      yield reading(reader, () => make(reader));
    }
  }

  #own(reader: RowReader): OwnPart | null {
    const read = this.#read(reader);
    if (read === null) return null;
    const { id, shape, list } = read;
    const shown = this.#record.name === "product" ? encodeJson(productRefOf(shape)) : list;
    return { id, slug: String(shape["slug"]), shown };
  }

  #make(reader: RowReader): MadeRow | null {
    const { search, name } = this.#record;
    const read = this.#read(reader);
    if (read === null) return null;
    const { id, list, added, whole, values } = read;
    const cells = this.#cells.map((of) => of(values));
    const document = search === null ? null : search(values);
    const terms = name === "product" ? summaryTermsOf(whole) : null;
    return { prepared: preparePlain(name, { id, cells, list, added, document }), summaryTerms: terms };
  }

  #read(reader: RowReader): ReadRecord | null {
    const { belongsTo } = this.#record;
    if (belongsTo !== null) {
      if (belongsTo.required) reader.integer(belongsTo.column, 1);
      else reader.integerOrNull(belongsTo.column, 1);
    }
    const id = reader.id();
    const shape = readFields(this.#fields, reader);
    const addition = readFields(this.#added, reader);
    const whole = joined(shape, this.#added, addition);
    const values = joined(whole, this.#hidden, readFields(this.#hidden, reader));
    const list = this.#lists.make(shape, reader);
    const added = this.#details?.makeAdded(whole, addition, reader) ?? null;
    return reader.failed ? null : { id, shape, list, added, whole, values };
  }
}

/** Makes fragments of one schema. A violation is reported for the current row. */
export class FragmentMaker {
  readonly #validate: ValidateFunction;

  constructor(schema: TSchema) {
    this.#validate = compileSchema(schema);
  }

  make(record: Values, reader: RowReader): Json {
    this.#check(record, reader);
    return encodeJson(record);
  }

  /** The detail part of a record; the whole record is validated. */
  makeAdded(record: Values, addition: Values, reader: RowReader): Json {
    this.#check(record, reader);
    return encodeJson(addition);
  }

  #check(record: Values, reader: RowReader): void {
    if (reader.failed || this.#validate(record)) return;
    for (const error of this.#validate.errors ?? []) {
      // `/replies/3/id` is reported as `replies`, so that the same problem in other elements is grouped with it.
      const [field = "record"] = error.instancePath.split("/").slice(1);
      reader.fail(field, error.message ?? "breaks its schema", error.instancePath || null);
    }
  }
}

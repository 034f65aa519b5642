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

/** A row to be made, with all that others say of it. Data: it goes from thread to thread. */
export interface RowInput {
  readonly text: string;
  /** The product that the row belongs to, as others refer to it. */
  readonly product: Json | null;
  readonly gathered: Known["gathered"];
  /** Place among the rows of its file, from 1. */
  readonly ordinal: number;
}

/** What one step of an extraction, a record, has in common for all its rows. Data. */
export interface StepData {
  readonly siteUrl: string;
  /** What the values of a row are, in their order. */
  readonly columns: readonly string[];
  /** List shapes of embedded records, by the record's name. */
  readonly shapes: ReadonlyMap<string, ReadonlyMap<number, Values>>;
  /** In the order in which the record declares them. */
  readonly overall: readonly unknown[];
}

/** A record ready to be put. */
export interface MadeRow {
  readonly prepared: PreparedRow;
  /** What the summary counts of a product; null of others. */
  readonly summaryTerms: SummaryTerms | null;
}

export interface MadeBatch {
  /** Null where a row was wrong. To be walked once: a row is made when its turn comes, and is needed no longer than that. */
  readonly made: Iterable<MadeRow | null>;
  /** What was wrong with the rows that were walked. */
  readonly problems: readonly RowProblem[];
}

/** What others need to know of a record before it is made. */
export interface OwnPart {
  readonly id: number;
  readonly slug: string;
  /** Of a product how others refer to it; of any other record its list shape. */
  readonly told: Json;
}

export interface OwnBatch {
  /** Null where a row was wrong. */
  readonly parts: readonly (OwnPart | null)[];
  readonly problems: readonly RowProblem[];
}

/** What the fields of a row say. */
interface ReadRecord {
  readonly id: number;
  readonly shape: Values;
  readonly list: Json;
  readonly added: Json | null;
  /** With what its detail adds. */
  readonly whole: Values;
  /** With what is hidden, too. */
  readonly values: Values;
}

/** Fields with their names, in their order. */
type NamedFields = readonly (readonly [string, Fields[string]])[];

/** The values of fields, in their order. Of an optional one that is wrong, or cannot be read, it is empty. */
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

/** True for what is not the row's doing: a disk that is full, a file that is gone. */
function isOfTheMachine(error: unknown): boolean {
  const code = systemCodeOf(error);
  return error instanceof VitrineError || (/^(SQLITE_|E(?!RR_))/.test(code) && code !== "SQLITE_TOOBIG");
}

/** Reads a row; what it throws is reported as the row's problem. */
export function reading<Result>(reader: RowReader, read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    if (isOfTheMachine(error)) throw error;
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

/** All values, where the others are some; the same object where they are none. */
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

  /** Makes what others need to know. The inputs have nothing gathered yet. */
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
    const told = this.#record.name === "product" ? encodeJson(productRefOf(shape)) : list;
    return { id, slug: String(shape["slug"]), told };
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

/** Makes fragments of one schema. What breaks it is reported for the row that is being read. */
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
      // `/replies/3/id` is reported as `replies`: the same problem in another element is the same problem.
      const [field = "record"] = error.instancePath.split("/").slice(1);
      reader.fail(field, error.message ?? "breaks its schema", error.instancePath || null);
    }
  }
}

/** A row of a record's file → its fragments, columns and texts, as the record declares them. Knows no store and no catalog file. */
import type { TSchema } from "typebox";
import { type Fields, schemaOf } from "../api/field.ts";
import { PRODUCT_REF_FIELDS, productRefOf } from "../api/of-product.ts";
import type { RecordDef } from "../api/record.ts";
import type { RecordName } from "../api/records.ts";
import type { Cell, Overall, Values } from "../api/row.ts";
import { memo } from "../base/collections.ts";
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import { encodeJson, type Json } from "../base/json.ts";
import { type SchemaCheck, schemaCheck } from "../base/schema.ts";
import { type CatalogRow, storedDocument } from "../catalog/row.ts";
import { type SummaryTerms, summaryTermsOf } from "./extract-report.ts";
import type { RowProblem } from "./problems.ts";
import { type Known, RowReader } from "./row-reader.ts";
import { valuesOf } from "./store.ts";

/** A row to be made, with the values from other records. */
export interface RowInput extends Known {
  readonly text: string;
  /** Number of the row within its file, from 1. */
  readonly ordinal: number;
}

/** The values that all rows of a record share in an extraction. */
export interface Shared {
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
  readonly row: CatalogRow;
  /** The summary's terms of a product; null for other records. */
  readonly summaryTerms: SummaryTerms | null;
}

/** The part of a record that others need before it is made; its row has no wrong required value. */
export interface OwnPart {
  readonly id: number;
  readonly slug: string;
  /** What others show: for a product its reference, for any other record its list shape. */
  readonly shown: Json;
  /** Id of the product's category; 0 for any other record. */
  readonly category: number;
}

/** The outcome of a row, and the reports of making it. */
interface Made<Part> {
  /** Null if the row was wrong. */
  readonly made: Part | null;
  readonly problems: readonly RowProblem[];
}

/** The values of a row's fields. */
interface ReadRecord {
  readonly id: number;
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

/** Both together; the same object if there are no other fields. */
function joined(values: Values, fields: NamedFields, others: Values): Values {
  return fields.length === 0 ? values : { ...values, ...others };
}

/** The fields of a record's own part: those that decide whether a row makes a record, and those that others show. */
function ownFieldsOf({ name, fields, added, hidden }: RecordDef): Fields {
  const shown: readonly string[] = name === "product" ? PRODUCT_REF_FIELDS : Object.keys(fields);
  const all = Object.entries({ ...fields, ...added, ...hidden });
  return Object.fromEntries(all.filter(([field, { empty }]) => empty === undefined || shown.includes(field)));
}

interface OwnFields {
  readonly fields: NamedFields;
  readonly schema: TSchema;
}

/** Once a record: what compiles schemas keeps each that it has seen, for as long as the process runs. */
const ownOf = memo((record: RecordDef<RecordName>): OwnFields => {
  const fields = ownFieldsOf(record);
  return { fields: Object.entries(fields), schema: schemaOf("own", fields) };
});

/** Makes the rows of one record. */
export class RecordMaker {
  readonly #record: RecordDef<RecordName>;
  readonly #fields: NamedFields;
  readonly #added: NamedFields;
  readonly #hidden: NamedFields;
  readonly #cells: readonly ((values: Values) => Cell)[];
  readonly #lists: FragmentMaker;
  readonly #details: FragmentMaker | null;
  readonly #own: NamedFields;
  readonly #ownParts: FragmentMaker;
  readonly #reader: RowReader;
  /** Of the current row. */
  #problems: RowProblem[] = [];

  constructor(record: RecordDef<RecordName>, shared: Shared) {
    const { file, gathers, overalls } = record;
    this.#record = record;
    this.#fields = Object.entries(record.fields);
    this.#added = Object.entries(record.added);
    this.#hidden = Object.entries(record.hidden);
    this.#cells = Object.values(record.columns).map(([, of]) => of);
    this.#lists = new FragmentMaker(record.list);
    this.#details = record.detail === null ? null : new FragmentMaker(record.detail);
    const own = ownOf(record);
    this.#own = own.fields;
    this.#ownParts = new FragmentMaker(own.schema);
    const overall = new Map<Overall<unknown>, unknown>(
      overalls.map((each, at) => [each, shared.overall[at]]),
    );
    const sink = { add: (problem: RowProblem) => this.#problems.push(problem) };
    this.#reader = new RowReader(file, shared.columns, sink, { ...shared, gathers, overall });
  }

  make(input: RowInput): Made<MadeRow> {
    return this.#open(input, (reader) => this.#make(reader));
  }

  /** Makes an own part. The input has nothing gathered yet. */
  makeOwn(input: RowInput): Made<OwnPart> {
    return this.#open(input, (reader) => this.#makeOwn(reader));
  }

  #open<Part>(input: RowInput, make: (reader: RowReader) => Part | null): Made<Part> {
    const problems: RowProblem[] = [];
    this.#problems = problems;
    const reader = this.#reader.open(valuesOf(input), input.ordinal, input);
    return { made: reading(reader, () => make(reader)), problems };
  }

  #makeOwn(reader: RowReader): OwnPart | null {
    this.#readOwner(reader);
    const id = reader.id();
    const values = readFields(this.#own, reader);
    this.#ownParts.check(values, reader);
    if (reader.failed) return null;
    const slug = String(values["slug"]);
    if (this.#record.name === "product") {
      const ref = productRefOf(values);
      return { id, slug, shown: encodeJson(ref), category: ref.category_id };
    }
    const shape = Object.fromEntries(this.#fields.map(([name]) => [name, values[name]]));
    return { id, slug, shown: encodeJson(shape), category: 0 };
  }

  #make(reader: RowReader): MadeRow | null {
    const { search, name } = this.#record;
    const read = this.#read(reader);
    if (read === null) return null;
    const { id, list, added, whole, values } = read;
    const cells = this.#cells.map((of) => of(values));
    const document = search === null ? null : storedDocument(search(values));
    const terms = name === "product" ? summaryTermsOf(whole) : null;
    return { row: { id, cells, list, added, document }, summaryTerms: terms };
  }

  #readOwner(reader: RowReader): void {
    const { belongsTo } = this.#record;
    if (belongsTo?.required === true) reader.integer(belongsTo.column, 1);
    else if (belongsTo !== null) reader.integerOrNull(belongsTo.column, 1);
  }

  #read(reader: RowReader): ReadRecord | null {
    this.#readOwner(reader);
    const id = reader.id();
    const shape = readFields(this.#fields, reader);
    const addition = readFields(this.#added, reader);
    const whole = joined(shape, this.#added, addition);
    const values = joined(whole, this.#hidden, readFields(this.#hidden, reader));
    const list = this.#lists.make(shape, reader);
    const added = this.#details?.makeAdded(whole, addition, reader) ?? null;
    return reader.failed ? null : { id, list, added, whole, values };
  }
}

/** Makes fragments of one schema. A violation is reported for the current row. */
export class FragmentMaker {
  readonly #validate: SchemaCheck<Values>;

  constructor(schema: TSchema) {
    this.#validate = schemaCheck(schema);
  }

  make(record: Values, reader: RowReader): Json {
    this.check(record, reader);
    return encodeJson(record);
  }

  /** The detail part of a record; the whole record is validated. */
  makeAdded(record: Values, addition: Values, reader: RowReader): Json {
    this.check(record, reader);
    return encodeJson(addition);
  }

  check(record: Values, reader: RowReader): void {
    if (reader.failed || this.#validate(record)) return;
    for (const error of this.#validate.errors ?? []) {
      // `/replies/3/id` is reported as `replies`, so that the same problem in other elements is grouped with it.
      const [field = "record"] = error.instancePath.split("/").slice(1);
      reader.fail(field, error.message ?? "breaks its schema", error.instancePath || null);
    }
  }
}

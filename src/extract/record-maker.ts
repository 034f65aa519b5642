/** Rows of a record's file → its fragments, columns and texts, as the record declares them. Knows no store and no catalog file. */
import type { Fields } from "../api/field.ts";
import type { RecordDef } from "../api/record.ts";
import { RECORDS, type RecordName } from "../api/records.ts";
import type { Overall, Values } from "../api/row.ts";
import { messageOf, systemCodeOf, VitrineError } from "../base/error.ts";
import { type CatalogRow, type PreparedRow, prepareRow } from "../catalog/row.ts";
import { FragmentMaker } from "./fragments.ts";
import type { RowProblem } from "./problems.ts";
import { type Known, RowReader, type Surroundings } from "./row-reader.ts";
import { valuesOf } from "./store.ts";
import { type Tally, tallyOf } from "./summary.ts";

/** A row to be made, with all that others say of it. Data: it goes from thread to thread. */
export interface RowInput extends Known {
  readonly text: string;
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
  readonly row: CatalogRow;
  readonly prepared: PreparedRow;
  /** What the summary counts of a product; null of others. */
  readonly tally: Tally | null;
}

export interface MadeBatch {
  /** Null where a row was wrong; the problems say how. */
  readonly made: readonly (MadeRow | null)[];
  readonly problems: readonly RowProblem[];
}

/** The values of fields, in their order. */
export function readFields(
  fields: readonly (readonly [string, Fields[string]])[],
  reader: RowReader,
): Values {
  const values: Record<string, unknown> = {};
  for (const [name, field] of fields) values[name] = field.read(reader, name);
  return values;
}

/** True for what is not the row's doing: a disk that is full, a file that is gone. */
function isOfTheMachine(error: unknown): boolean {
  const code = systemCodeOf(error);
  return error instanceof VitrineError || (/^(SQLITE_|E(?!RR_))/.test(code) && code !== "SQLITE_TOOBIG");
}

/** Reads a row; what it throws is told as the row's problem. */
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

/** Makes the rows of one record. */
export class RecordMaker {
  readonly #record: RecordDef<RecordName>;
  readonly #step: StepData;
  readonly #lists: FragmentMaker;
  readonly #details: FragmentMaker | null;

  constructor(record: RecordDef<RecordName>, step: StepData) {
    this.#record = record;
    this.#step = step;
    this.#lists = new FragmentMaker(record.list);
    this.#details = record.detail === null ? null : new FragmentMaker(record.detail);
  }

  make(inputs: readonly RowInput[]): MadeBatch {
    const problems: RowProblem[] = [];
    const { file, gathers, overalls } = this.#record;
    const overall = new Map<Overall<unknown>, unknown>(
      overalls.map((each, at) => [each, this.#step.overall[at]]),
    );
    const around: Surroundings = { ...this.#step, gathers, overall };
    const sink = { add: (problem: RowProblem) => problems.push(problem) };
    const reader = new RowReader(`${file}.sql`, this.#step.columns, sink, around);
    const made = inputs.map((input) => {
      reader.open(valuesOf(input), input.ordinal, input);
      return reading(reader, () => this.#make(reader));
    });
    return { made, problems };
  }

  #make(reader: RowReader): MadeRow | null {
    const { fields, hidden, columns, search, belongsTo, name } = this.#record;
    if (belongsTo !== null) {
      if (belongsTo.required) reader.integer(belongsTo.column, 1);
      else reader.integerOrNull(belongsTo.column, 1);
    }
    const id = reader.id();
    const shape = readFields(Object.entries(fields), reader);
    const addition = readFields(Object.entries(this.#record.added), reader);
    const values = { ...shape, ...addition, ...readFields(Object.entries(hidden), reader) };
    const list = this.#lists.make(shape, reader);
    const whole = { ...shape, ...addition };
    const added = this.#details?.makeAdded(whole, addition, reader);
    if (reader.failed) return null;
    const row: CatalogRow = {
      id,
      columns: Object.fromEntries(Object.entries(columns).map(([column, [, of]]) => [column, of(values)])),
      list,
      ...(added === undefined ? {} : { added }),
      ...(search === null ? {} : { document: search(values) }),
    };
    const tally = name === "product" ? tallyOf(whole) : null;
    return { row, prepared: prepareRow(name, row), tally };
  }
}

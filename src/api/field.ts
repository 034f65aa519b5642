/**
 * The vocabulary of fields: what a record's field is (its schema), which columns of the allow-list it is read from, and
 * how. A field is data; what reading needs (a row, other records, the sanitiser) is handed in as a row.
 */
import * as Type from "typebox";
import type { Cell, Row } from "./row.ts";

export interface Field<Value> {
  readonly schema: Type.TSchema;
  /** Columns of the allow-list's file that it is read from; its own name where undefined. */
  readonly from?: readonly string[];
  /**
   * What stands where its columns are wrong: the field is optional. Without it, it is required: a row of which it cannot
   * be read makes no record.
   */
  readonly empty?: Value;
  /** What its columns hold in a file that lacks them; without it, a file must give them. */
  readonly ifMissing?: Cell;
  /** Columns of `from` that are NULL in a file that lacks them, where it must give the others. */
  readonly orNull?: readonly string[];
  /** `name` is the field's own. */
  readonly read: (row: Row, name: string) => Value;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type ValuesOf<F extends Fields> = { -readonly [Name in keyof F]: ReturnType<F[Name]["read"]> };

export const closed = { additionalProperties: false } as const;
/** SQL compares dates as text, so one in another form stands in the wrong place of every list, and of the calendar. */
export const TIME_FORM =
  "a UTC date in the form 2026-11-20 19:00:00, the one that SQL compares: datetime(column) makes it, " +
  "also where the SQL compares it with :now; or Unix seconds";
const DATE_TIME = "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$";
const SLUG = "^[a-z0-9][a-z0-9._-]{0,149}$";

/** Schemas by their meaning; of those that more than records use, one for all. */
export const schemas = {
  id: () => Type.Integer({ minimum: 1, description: "Unique among records of its kind." }),
  ref: (description: string) => Type.Integer({ minimum: 1, description }),
  text: (description: string) => Type.String({ description }),
  url: (description: string) => Type.String({ pattern: "^(https?://.*)?$", description }),
  slug: (description = "Selects the record; lower case.") => Type.String({ pattern: SLUG, description }),
  time: (description: string) =>
    Type.String({ pattern: DATE_TIME, description: `${description} UTC, YYYY-MM-DD HH:MM:SS.` }),
  amount: (description: string) => Type.Number({ minimum: 0, description }),
  number: (minimum: number, maximum: number, description: string) =>
    Type.Number({ minimum, maximum, description }),
  anyNumber: (description: string) => Type.Number({ description }),
  count: (description: string) => Type.Integer({ minimum: 0, description }),
  currency: (description: string) => Type.String({ pattern: "^[A-Z]{3}$", description }),
  html: (description: string) => Type.String({ description: `${description} Sanitised HTML.` }),
  flag: (description: string) => Type.Boolean({ description }),
  choice: <const Values extends readonly string[]>(values: Values, description: string) =>
    Type.Unsafe<Values[number]>(
      Type.Union(
        values.map((value) => Type.Literal(value)),
        { description },
      ),
    ),
  orNull: <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()]),
  listOf: <S extends Type.TSchema>(schema: S, description: string) => Type.Array(schema, { description }),
  object: <P extends Record<string, Type.TSchema>>(properties: P, description?: string) =>
    Type.Object(properties, { ...closed, ...(description === undefined ? {} : { description }) }),
};

type Optional<Value> = Pick<Field<Value>, "empty" | "ifMissing" | "orNull">;

/** A field of any schema, read in any way; `from` names the columns that it reads. */
export function computed<S extends Type.TSchema>(
  schema: S,
  from: readonly string[],
  read: (row: Row, name: string) => Type.Static<S>,
  optional: Optional<Type.Static<S>> = {},
): Field<Type.Static<S>> {
  return { schema, from, read, ...optional };
}

function own<S extends Type.TSchema>(
  schema: S,
  read: (row: Row, name: string) => Type.Static<S>,
  optional: Optional<Type.Static<S>> = {},
): Field<Type.Static<S>> {
  return { schema, read, ...optional };
}

const EMPTY_TEXT = { empty: "", ifMissing: "" };

export const id = () => own(schemas.id(), (row, name) => row.integer(name, 1, MAX_ID));
/** Text that may be empty. */
export const text = (words: string) => own(schemas.text(words), (row, name) => row.text(name), EMPTY_TEXT);
/** Text that is never empty: a title or a name. */
export const name = (words: string) => own(schemas.text(words), (row, column) => row.name(column));
/** An address; empty where there is none. */
export const url = (words: string) => own(schemas.url(words), (row, column) => row.url(column), EMPTY_TEXT);
export const slug = (words?: string) => own(schemas.slug(words), (row, column) => row.slug(column));
export const time = (words: string) => own(schemas.time(words), (row, column) => row.time(column));
export const currency = (words: string) =>
  own(schemas.currency(words), (row, column) => row.currency(column));
/** A flag; false in a file that lacks it. */
export const flag = (words: string) =>
  own(schemas.flag(words), (row, column) => row.flag(column), { ifMissing: 0 });
export const whole = (min: number, max: number, words: string, optional: Optional<number> = {}) =>
  own(
    Type.Integer({ minimum: min, maximum: max, description: words }),
    (row, column) => row.integer(column, min, max),
    optional,
  );
export const choice = <const Values extends readonly string[]>(values: Values, words: string) =>
  own(schemas.choice(values, words), (row, column) => row.choice(column, values));
/** The clean HTML of a column of markup. */
export const html = (column: string, words: string) =>
  computed(schemas.html(words), [column], (row) => row.html(column).html, EMPTY_TEXT);
/** The plain text of a column of markup. */
export const textOfHtml = (column: string, words: string) =>
  computed(schemas.text(words), [column], (row) => row.html(column).text, EMPTY_TEXT);

/** An id is also a parameter, so it keeps within what a parameter takes. */
const MAX_ID = 999_999_999_999_999;

/** Reads elements of a nested array; `read` gives an element, or says what elements must have: then it is left out. */
export function elementsOf<Element extends object>(
  row: Row,
  column: string,
  read: (element: Readonly<Record<string, unknown>>) => Element | string,
): Element[] {
  const elements: Element[] = [];
  for (const element of row.array(column)) {
    const known = typeof element === "object" && element !== null ? (element as Record<string, unknown>) : {};
    const value = read(known);
    if (typeof value === "string") row.drop(column, `have ${value}`, element);
    else elements.push(value);
  }
  return elements;
}

/** Fields that a row must give: those read from columns of which nothing can stand in for a wrong value. */
export function requiredOf(...all: readonly Fields[]): Fields {
  const entries = all.flatMap((fields) => Object.entries(fields));
  return Object.fromEntries(
    entries.filter(([, { empty, from }]) => empty === undefined && from?.length !== 0),
  );
}

/** The schema of fields in their order, closed: what is not named here cannot leave. */
export function schemaOf<Shape>(title: string, fields: Fields): Type.TUnsafe<Shape> {
  const properties = Object.fromEntries(Object.entries(fields).map(([field, { schema }]) => [field, schema]));
  return Type.Unsafe<Shape>(Type.Object(properties, { ...closed, title }));
}

/** The columns that fields are read from, each once, in order. */
export function columnsOf(...all: readonly Fields[]): string[] {
  const columns = all.flatMap((fields) =>
    Object.entries(fields).flatMap(([field, { from }]) => from ?? [field]),
  );
  return [...new Set(columns)];
}

/** Columns that a file may lack, and what they hold then: those that no field needs. */
export function optionalColumnsOf(...all: readonly Fields[]): ReadonlyMap<string, Cell> {
  const found = new Map<string, Cell>();
  const needed = new Set<string>();
  for (const fields of all)
    for (const [field, { from = [field], ifMissing, orNull = [] }] of Object.entries(fields))
      for (const column of from) {
        if (orNull.includes(column)) found.set(column, null);
        else if (ifMissing !== undefined) found.set(column, ifMissing);
        else needed.add(column);
      }
  return new Map([...found].filter(([column]) => !needed.has(column)));
}

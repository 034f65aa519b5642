/**
 * The vocabulary of fields: a record's field has a schema, the allow-list columns that it is read from, and a function
 * that reads them. A field is data; a row gives it everything that reading needs (columns, other records, the sanitiser).
 */
import * as Type from "typebox";
import { MAX_WHOLE } from "./endpoints.ts";
import type { Cell, Row } from "./row.ts";

/** What a column of the allow-list holds. */
interface ColumnKind {
  /** For the author of the SQL: `whole number`. */
  readonly holds: string;
  /** An example in SQL: `12`, `'Invoice Kit'`. */
  readonly example: string;
  /** The value if a file lacks the column. If undefined, the column is required. */
  readonly ifMissing?: Cell;
  /** What the column means, if the field's description says something else. */
  readonly words?: string;
}

export interface Column extends ColumnKind {
  readonly name: string;
}

export interface Field<Value> {
  readonly schema: Type.TSchema;
  /** Columns of the allow-list's file that it is read from: one with the field's name, or several. */
  readonly from: ColumnKind | readonly Column[];
  /**
   * The value of an optional field if its columns are wrong. If undefined, the field is required: a row in which it can't
   * be read makes no record.
   */
  readonly empty?: Value;
  /** `name` is the name of the field. */
  readonly read: (row: Row, name: string) => Value;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type ValuesOf<F extends Fields> = { -readonly [Name in keyof F]: ReturnType<F[Name]["read"]> };

export const closed = { additionalProperties: false } as const;
/** For messages about a value that the SQL has to convert. */
export const CONVERSIONS = "docs/stores.md#values-of-another-type has the SQL";
/** SQL compares dates as text: a date in another form would be in the wrong place of every list and of the schedule. */
export const TIME_FORM =
  "a UTC date in the form 2026-11-20 19:00:00 (datetime(column) makes it in SQLite, also for comparisons with :now; " +
  `${CONVERSIONS} of all databases), or Unix seconds`;
const DATE_TIME = "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$";
const SLUG = "^[a-z0-9][a-z0-9._-]{0,149}$";

/**
 * Marks the schema of a text that is HTML: a mirror sanitises it again. A symbol, because it must not show in the OpenAPI
 * document: generators of clients refuse `contentMediaType` (openapi-generator 7).
 */
export const HTML: unique symbol = Symbol("HTML");

/** Schemas by their meaning, shared by all records. */
export const schemas = {
  id: (maximum = MAX_WHOLE) =>
    Type.Integer({ minimum: 1, maximum, description: "Unique among records of its kind." }),
  ref: (description: string) => Type.Integer({ minimum: 1, maximum: MAX_WHOLE, description }),
  text: (description: string) => Type.String({ description }),
  // Without a repetition in a repeated group, which strict validators refuse as unsafe.
  url: (description: string) => Type.String({ pattern: "^$|^https?://.*$", description }),
  slug: (description = "Name of the record in addresses, in lower case.") =>
    Type.String({ pattern: SLUG, description }),
  time: (description: string) =>
    Type.String({ pattern: DATE_TIME, description: `${description} UTC, YYYY-MM-DD HH:MM:SS.` }),
  amount: (description: string) => Type.Number({ minimum: 0, description }),
  number: (minimum: number, maximum: number, description: string) =>
    Type.Number({ minimum, maximum, description }),
  anyNumber: (description: string) => Type.Number({ description }),
  count: (description: string) => Type.Integer({ minimum: 0, maximum: MAX_WHOLE, description }),
  currency: (description: string) => Type.String({ pattern: "^[A-Z]{3}$", description }),
  html: (description: string) => Type.String({ [HTML]: true, description: `${description} Sanitised HTML.` }),
  flag: (description: string) => Type.Boolean({ description }),
  choice: <const Values extends readonly string[]>(values: Values, description: string) =>
    Type.Unsafe<Values[number]>(
      Type.Union(
        values.map((value) => Type.Literal(value)),
        { description },
      ),
    ),
  /** A list that may grow is described and not closed. */
  openChoice: <const Values extends readonly string[]>(values: Values, description: string) =>
    Type.Unsafe<OpenText<Values[number]>>(
      Type.String({
        description: `${description} Today ${values.join(", ")}; later versions may add others.`,
      }),
    ),
  orNull: <S extends Type.TSchema>(schema: S) => Type.Union([schema, Type.Null()]),
  listOf: <S extends Type.TSchema>(schema: S, description: string) => Type.Array(schema, { description }),
  object: <P extends Record<string, Type.TSchema>>(properties: P, description?: string) =>
    Type.Object(properties, { ...closed, ...(description === undefined ? {} : { description }) }),
};

/** A text whose known values may become more with a later version of the API. */
export type OpenText<Known extends string> = Known | (string & Record<never, never>);

type Optional<Value> = Pick<Field<Value>, "empty">;

/** What columns hold, by their meaning. */
export const kinds = {
  id: { holds: "whole number", example: "12" },
  /** Never empty. */
  name: { holds: "text", example: "'Invoice Kit'" },
  text: { holds: "text", example: "'A few words.'", ifMissing: "" },
  url: { holds: "address, or a path from /", example: "'/img/kit.png'", ifMissing: "" },
  slug: { holds: "lower-case letters, digits and hyphens", example: "'invoice-kit'" },
  time: { holds: "UTC moment, or Unix seconds", example: "'2026-11-20 19:00:00'" },
  currency: { holds: "ISO 4217 code", example: "'EUR'" },
  flag: { holds: "0 or 1", example: "1", ifMissing: 0 },
  html: { holds: "HTML", example: "'<p>A few words.</p>'", ifMissing: "" },
  /** An amount. */
  minor: { holds: "whole minor units", example: "1999" },
} satisfies Record<string, ColumnKind>;

export function columnOf(name: string, kind: ColumnKind, change: Partial<Column> = {}): Column {
  return { ...kind, ...change, name };
}

/** A field with any schema, read in any way from columns. */
export function computed<S extends Type.TSchema>(
  schema: S,
  from: readonly Column[],
  read: (row: Row, name: string) => Type.Static<S>,
  optional: Optional<Type.Static<S>> = {},
): Field<Type.Static<S>> {
  return { schema, from, read, ...optional };
}

function own<S extends Type.TSchema>(
  schema: S,
  from: ColumnKind,
  read: (row: Row, name: string) => Type.Static<S>,
  optional: Optional<Type.Static<S>> = {},
): Field<Type.Static<S>> {
  return { schema, from, read, ...optional };
}

const EMPTY_TEXT = { empty: "" };

/** An id is also a parameter, so it has at most the 15 digits that a parameter accepts. */
export const id = () => own(schemas.id(), kinds.id, (row, name) => row.integer(name, 1, MAX_WHOLE));
/** Text that may be empty. */
export const text = (words: string) =>
  own(schemas.text(words), kinds.text, (row, name) => row.text(name), EMPTY_TEXT);
/** The display name of a person; a name that contains an e-mail or web address is not shown. */
export const personName = (words: string) =>
  own(schemas.text(words), kinds.text, (row, name) => shownName(row.text(name)), EMPTY_TEXT);
/** Text that is never empty: a title or a name. */
export const name = (words: string, example = kinds.name.example) =>
  own(schemas.text(words), { ...kinds.name, example }, (row, column) => row.name(column));
/** An address; may be empty. */
export const url = (words: string) =>
  own(schemas.url(words), kinds.url, (row, column) => row.url(column), EMPTY_TEXT);
export const slug = (words?: string) =>
  own(schemas.slug(words), kinds.slug, (row, column) => row.slug(column));
export const time = (words: string) =>
  own(schemas.time(words), { ...kinds.time, words }, (row, column) => row.time(column));
export const currency = (words: string) =>
  own(schemas.currency(words), kinds.currency, (row, column) => row.currency(column));
export const flag = (words: string) =>
  own(schemas.flag(words), kinds.flag, (row, column) => row.flag(column));
/** A whole number from 1 to `max`. */
export const upTo = (max: number, words: string) =>
  own(
    Type.Integer({ minimum: 1, maximum: max, description: words }),
    { holds: `whole number from 1 to ${max}`, example: String(max) },
    (row, column) => row.integer(column, 1, max),
  );
/** A place in an order: any whole number. */
export const position = (words: string) =>
  own(
    Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, description: words }),
    { holds: "whole number", example: "1", ifMissing: 0 },
    (row, column) => row.integer(column, Number.MIN_SAFE_INTEGER),
  );
export const choice = <const Values extends readonly string[]>(values: Values, words: string) =>
  own(schemas.choice(values, words), kindOfChoice(values), (row, column) => row.choice(column, values));
export function kindOfChoice(values: readonly string[]): ColumnKind {
  const quoted = values.map((value) => `'${value}'`);
  return { holds: `one of ${quoted.join(", ")}`, example: quoted[0] ?? "" };
}
/** The clean HTML of a column of markup. */
export const html = (column: string, words: string) =>
  computed(
    schemas.html(words),
    [columnOf(column, kinds.html, { words })],
    (row) => row.html(column).html,
    EMPTY_TEXT,
  );
/** The plain text of a column of markup. */
export const textOfHtml = (column: string, words: string) =>
  computed(schemas.text(words), [columnOf(column, kinds.html)], (row) => row.html(column).text, EMPTY_TEXT);

/** An e-mail address, or the address of a page: `ada@shop.example`, `https://…`, `www.…`, `shop.example/about` */
const ADDRESS = /@|:\/\/|\bwww\.|[a-z0-9-]\.[a-z]{2,}\//i;
const ANONYMOUS = "Anonymous";

/** @example shownName("ada@shop.example") // "Anonymous" */
export function shownName(name: string): string {
  // NFKC: a wide `＠` becomes an `@` when it is copied.
  return ADDRESS.test(name.normalize("NFKC")) ? ANONYMOUS : name;
}

/** Reads the elements of a nested array. `read` returns an element, or says what elements must have: then it is left out. */
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

/** The schema of fields in their order, closed: it refuses a property without a field. */
export function schemaOf<Shape>(title: string, fields: Fields): Type.TUnsafe<Shape> {
  const properties = Object.fromEntries(Object.entries(fields).map(([field, { schema }]) => [field, schema]));
  return Type.Unsafe<Shape>(Type.Object(properties, { ...closed, title }));
}

/** The columns that a field is read from. */
export function columnsIn(name: string, { from }: Field<unknown>): readonly Column[] {
  return "holds" in from ? [columnOf(name, from)] : from;
}

function allColumns(all: readonly Fields[]): readonly Column[] {
  return all.flatMap((fields) => Object.entries(fields).flatMap(([name, field]) => columnsIn(name, field)));
}

/** The columns that fields are read from, each once, in order. */
export function columnsOf(...all: readonly Fields[]): string[] {
  return [...new Set(allColumns(all).map(({ name }) => name))];
}

/** The columns that a file may lack, with their values in that case. */
export function optionalColumnsOf(...all: readonly Fields[]): ReadonlyMap<string, Cell> {
  return new Map(
    allColumns(all).flatMap(({ name, ifMissing }) => (ifMissing === undefined ? [] : [[name, ifMissing]])),
  );
}

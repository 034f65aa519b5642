/**
 * What a record is read from: a row of its allow-list file, and what other records say. Extraction makes it; records only
 * know it by this interface, so that they stay data. Values that are wrong are reported for the row, by column, and replaced
 * by a stand-in: the row then makes no record.
 */
import type { SqlTime } from "../base/time.ts";

/** Clean HTML and the plain text of it. */
export interface SafeHtml {
  readonly html: string;
  readonly text: string;
}

/** A row of an allow-list file as fields read it, whatever form it gives a column in (forms.ts). What is wrong is reported, and a stand-in is given. */
export interface Row {
  text(column: string): string;
  /** Text that is not empty. */
  name(column: string): string;
  integer(column: string, min: number, max?: number): number;
  integerOrNull(column: string, min: number, max?: number): number | null;
  /** An amount in whole minor units of so many digits; the store's own minor units have `storedDigits`. */
  money(column: string, digits: number, storedDigits: number): number;
  moneyOrNull(column: string, digits: number, storedDigits: number): number | null;
  flag(column: string): boolean;
  slug(column: string): string;
  slugOrNull(column: string): string | null;
  choice<Value extends string>(column: string, values: readonly Value[]): Value;
  time(column: string): SqlTime;
  currency(column: string): string;
  url(column: string): string;
  /** The address that a text means, or null where it is none that may be published. */
  toUrl(text: string): string | null;
  /** A nested array, which SQL gives as JSON text. */
  array(column: string): readonly unknown[];
  /** A column of markup as HTML, cleaned once for all fields that are made of it. */
  html(column: string): SafeHtml;
  /** What several fields are made of, read once a row: `read` is its own key. */
  once<Value>(read: (row: Row) => Value): Value;
  /** The markup of an element of an array, cleaned; null where it is no text, or given in two forms. */
  markupOf(element: Readonly<Record<string, unknown>>, name: string): SafeHtml | null;
  /** Tells what a value must be; `value` is shown as an example. An optional field is empty then, else the row is left out. */
  refuse(column: string, must: string, value: unknown): void;
  /** Tells what an element of an array must be: that alone is left out. */
  drop(column: string, must: string, element: unknown): void;
  /** True once something required was wrong. */
  readonly failed: boolean;
  /** The product that the row belongs to; null where it belongs to none. */
  readonly product: ProductRef | null;
  /** What was gathered from other records for this one. */
  gathered<Value>(gather: Gather<Value>): Value;
  /** What all rows of another record say together. */
  overall<Value>(overall: Overall<Value>): Value;
  /** The list shape of another record, or null where there is none with this id. */
  other<Shape>(record: RecordRef<Shape>, id: number): Shape | null;
  readonly siteUrl: string;
}

/** A record that others embed. */
export interface RecordRef<Shape> {
  readonly name: string;
  readonly shape?: Shape;
}

/** What other records show of a product. */
export interface ProductRef {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly public_url: string;
  readonly category_id: number;
}

/** The values of one record's row by field, and of what is read with them. */
export type Values = Readonly<Record<string, unknown>>;

/** What a column of the catalog holds. */
export type Cell = string | number | null;

/** A row of another record as it stands in the catalog. */
export interface GatheredRow<Shape = unknown> {
  /** Its narrow columns, by name. */
  readonly columns: Readonly<Record<string, Cell>>;
  /** The record as lists show it. */
  readonly shape: () => Shape;
}

/**
 * What a record gathers from the rows of another: its parts. An edge of the dependencies between records: a part that
 * comes, changes or goes changes the record that it belongs to.
 */
export interface Gather<Value> {
  /** Name of the record whose rows are gathered. */
  readonly of: string;
  /** The column of a part that names the record it is gathered for. */
  readonly by: string;
  /** Made of the parts in order of id, as JSON can say it: it goes from thread to thread. */
  readonly value: (parts: Iterable<GatheredRow>) => Value;
}

/** Rows that have the same in some of their narrow columns. */
export interface AlikeRows {
  readonly columns: Readonly<Record<string, Cell>>;
  readonly count: number;
}

/** What all rows of a record say together. Another value changes every record that asks for it, so it should be coarse. */
export interface Overall<Value> {
  readonly of: string;
  readonly columns: readonly string[];
  /** Made of all rows, those that are alike in the columns together; in no order. */
  readonly value: (rows: Iterable<AlikeRows>) => Value;
}

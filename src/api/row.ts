/**
 * A row as records read it: the columns of its allow-list file, and values from other records. Extraction implements it;
 * records know only this interface, so that they stay data. A wrong value is reported for its row and column, and a
 * stand-in is returned: the row then makes no record.
 */
import type { SqlTime } from "../base/time.ts";

/** Clean HTML and the plain text of it. */
export interface SafeHtml {
  readonly html: string;
  readonly text: string;
}

/** A row of an allow-list file as fields read it, in any form of a column (forms.ts). */
export interface Row {
  text(column: string): string;
  /** Text that is not empty. */
  name(column: string): string;
  integer(column: string, min: number, max?: number): number;
  integerOrNull(column: string, min: number, max?: number): number | null;
  /** An amount in whole minor units with this many digits; a column of minor units has `storedDigits`. */
  money(column: string, digits: number, storedDigits: number): number;
  moneyOrNull(column: string, digits: number, storedDigits: number): number | null;
  flag(column: string): boolean;
  slug(column: string): string;
  slugOrNull(column: string): string | null;
  choice<Value extends string>(column: string, values: readonly Value[]): Value;
  time(column: string): SqlTime;
  currency(column: string): string;
  url(column: string): string;
  /** The absolute address that a text means, or null if it must not be published. */
  toUrl(text: string): string | null;
  /** A nested array, which SQL gives as JSON text. */
  array(column: string): readonly unknown[];
  /** A column of markup as HTML, sanitised once for all fields that are made of it. */
  html(column: string): SafeHtml;
  /** A value that several fields use, computed once per row: `read` is its own key. */
  once<Value>(read: (row: Row) => Value): Value;
  /** The markup of an array's element, sanitised; null if it is not text, or given in two forms. */
  markupOf(element: Readonly<Record<string, unknown>>, name: string): SafeHtml | null;
  /** Reports what a value must be; `value` is shown as an example. An optional field is then empty; otherwise the row is left out. */
  refuse(column: string, must: string, value: unknown): void;
  /** Reports what an element of an array must be: only that element is left out. */
  drop(column: string, must: string, element: unknown): void;
  /** True once a required value was wrong. */
  readonly failed: boolean;
  /** The product that the row belongs to; null if it belongs to none. */
  readonly product: ProductRef | null;
  /** The value gathered from other records for this one. */
  gathered<Value>(gather: Gather<Value>): Value;
  /** The value made of all rows of another record. */
  overall<Value>(overall: Overall<Value>): Value;
  /** The list shape of another record, or null if no record has this id. */
  other<Shape>(record: RecordRef<Shape>, id: number): Shape | null;
  readonly siteUrl: string;
}

/** A record that others embed. */
export interface RecordRef<Shape> {
  readonly name: string;
  readonly shape?: Shape;
}

/** The fields of a product that other records show. */
export interface ProductRef {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly public_url: string;
  readonly category_id: number;
}

/** A record's values by field, hidden fields included. */
export type Values = Readonly<Record<string, unknown>>;

/** A value of a narrow column in the catalog. */
export type Cell = string | number | null;

/** A row of another record, as the catalog has it. */
export interface GatheredRow<Shape = unknown> {
  /** Its narrow columns, by name. */
  readonly columns: Readonly<Record<string, Cell>>;
  /** The record's list shape. */
  readonly shape: () => Shape;
}

/**
 * A value that a record gathers from the rows of another record, its parts. It is a dependency between records: adding,
 * changing or deleting a part changes the record that it belongs to.
 */
export interface Gather<Value> {
  /** Name of the record whose rows are gathered. */
  readonly of: string;
  /** The column of a part that names the record it is gathered for. */
  readonly by: string;
  /** Made of the parts in order of id. */
  readonly value: (parts: Iterable<GatheredRow>) => Value;
}

/** Rows with the same values in some of their narrow columns. */
export interface AlikeRows {
  readonly columns: Readonly<Record<string, Cell>>;
  readonly count: number;
}

/** A value made of all rows of a record. When it changes, every record that uses it changes, so it should be coarse. */
export interface Overall<Value> {
  readonly of: string;
  readonly columns: readonly string[];
  /** Made of all rows, grouped by the columns, in any order. */
  readonly value: (rows: Iterable<AlikeRows>) => Value;
}

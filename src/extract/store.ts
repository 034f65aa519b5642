/** The store as extraction sees it: a port, with one adapter for each kind of database in `store/`. */
import type { AllowListQuery } from "./allow-list.ts";

/** A value of a row. JSON can't hold bytes: only their existence is kept. */
export type StoreValue = string | number | null | { readonly blob: true };

export function isBlob(value: unknown): value is { readonly blob: true } {
  return typeof value === "object" && value !== null && "blob" in value && value.blob === true;
}

/** The most rows of a batch. */
export const BATCH_ROWS = 500;

/** A row as one text: two texts are equal only if all their values are. */
export interface RowText {
  /** The value of `id`, null if the file has no such column. */
  readonly id: StoreValue;
  /** A JSON array of the file's columns, in their order. */
  readonly text: string;
  /** Values of the columns that were requested separately. */
  readonly extra: readonly StoreValue[];
}

/** The values of a row's text. */
export function valuesOf({ text }: Pick<RowText, "text">): StoreValue[] {
  return JSON.parse(text) as StoreValue[];
}

/** Where a column of a file comes from. */
export interface Origin {
  /** As the file names it. */
  readonly column: string;
  /** The table's or view's column, in the database's spelling, if its value is unchanged; null: computed, or unknown. */
  readonly of: { readonly table: string; readonly column: string } | null;
}

/**
 * An open store; the code that opens it closes it. It is opened for one moment, which SQL can use as `:now`, and is read-only:
 * SQL that would write, and SQL that is not one SELECT, is refused. From the first read to the end it sees one consistent
 * state, whatever is written meanwhile. One file is read at a time: to its end, or until the iterator is returned, as
 * `for await` does on `break` and on an error. After that, also after an error of the reading, the next file can be read.
 */
export interface StoreReader {
  /**
   * The columns of a file, each in its form, in the order of {@link batches}, without reading a row.
   * @throws VitrineError allow_list_invalid if the SQL fails or gives columns that its record does not have
   */
  columns(query: AllowListQuery): Promise<readonly string[]>;
  /**
   * Rows in order of id, if `id` is one of the columns; in arrays of 1 to {@link BATCH_ROWS}, fewer if they are large. `extra`:
   * columns whose values are also returned separately. `ids`: only these rows are wanted; an adapter may return others too, if it
   * has to read them anyway.
   * @throws VitrineError allow_list_invalid if the SQL fails or gives columns that its record does not have; rows_invalid if one
   * row cannot be read
   */
  batches(
    query: AllowListQuery,
    extra?: readonly string[],
    ids?: readonly number[],
  ): AsyncIterable<readonly RowText[]>;
  /** The one row of a file, as text. @throws VitrineError allow_list_invalid if the SQL fails, or gives no row or several */
  row(query: AllowListQuery): Promise<string>;
  /** Where the file's columns come from, as reported by the database. @throws VitrineError allow_list_invalid */
  origins(query: AllowListQuery): Promise<readonly Origin[]>;
  /** The database's query plan for a file: a line per step, indented below its parent. */
  explain(query: AllowListQuery): Promise<readonly string[]>;
  /** Ends the reading and closes the connection. A second call does nothing. */
  close(): Promise<void>;
}

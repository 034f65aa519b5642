/** The store as extraction sees it: a port, with one adapter for each kind of database in `stores/`. */
import type { AllowListQuery } from "./allow-list.ts";

/** A value of a row. Bytes cannot be JSON: only that there are some is kept. */
export type StoreValue = string | number | null | { readonly blob: true };

export function isBlob(value: unknown): value is { readonly blob: true } {
  return typeof value === "object" && value !== null && "blob" in value && value.blob === true;
}

/** Most rows of a batch. */
export const BATCH_ROWS = 500;

/** A row as one text: what it says is equal only where all its values are. */
export interface RowText {
  /** The value of `id`, null where the file has no such column. */
  readonly id: StoreValue;
  /** A JSON array of the file's columns, in their order. */
  readonly text: string;
  /** Values of the columns that were asked for separately. */
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
  /** The table's or view's column that it is as it stands, in the database's own spelling; null: computed, or not known. */
  readonly of: { readonly table: string; readonly column: string } | null;
}

/**
 * An open store. Whoever opens it closes it. It is opened for one moment, which the SQL knows as `:now`, and reads only:
 * SQL that would write, and SQL that is not one SELECT, is refused. From the first read to the end it sees one consistent state,
 * whatever is written meanwhile. One file is read at a time: to its end, or until the iterator is returned, as `for await`
 * does on `break` and on an error. After that, and after an error of its own, the next can be read.
 */
export interface StoreReader {
  /**
   * The columns that a file gives, each in its form, in the order in which {@link batches} gives them: without reading a row.
   * @throws VitrineError allow_list_invalid where the SQL fails or gives others than its record has
   */
  columns(query: AllowListQuery): Promise<readonly string[]>;
  /**
   * Rows in order of id, where `id` is one of the columns; in arrays of 1 to {@link BATCH_ROWS}, fewer where they are
   * large. `extra`: columns whose values are also given on their own. `ids`: of the only rows that are wanted; an adapter may
   * give others too, where it would read them all the same.
   * @throws VitrineError allow_list_invalid where the SQL fails or gives other columns than its record has; rows_invalid
   * where one row cannot be read
   */
  batches(
    query: AllowListQuery,
    extra?: readonly string[],
    ids?: readonly number[],
  ): AsyncIterable<readonly RowText[]>;
  /** The one row of a file, as a text. @throws VitrineError allow_list_invalid where the SQL fails, or gives no row or several */
  row(query: AllowListQuery): Promise<string>;
  /** Where the file's columns come from, as the database itself says. @throws VitrineError allow_list_invalid */
  origins(query: AllowListQuery): Promise<readonly Origin[]>;
  /** How the database reads a file, in its own words: a line for each step, indented below the one that it is part of. */
  explain(query: AllowListQuery): Promise<readonly string[]>;
  /** Ends the reading, and lets go of all that the store has to keep for it. Does nothing the second time. */
  close(): Promise<void>;
}

/** The store as extraction sees it: a port, with one adapter for each kind of database in `stores/`. */
import type { AllowListQuery } from "./allow-list.ts";

/** A value as a database gives it. */
export type StoreValue = string | number | bigint | Buffer | null;

export type StoreRow = Readonly<Record<string, StoreValue>>;

/** Most rows of a batch. */
export const BATCH_ROWS = 500;

export interface StoreChanges {
  /** Of the store as this reader sees it, for the next build: private, only an adapter can read it. Null where it has none. */
  readonly fingerprint: Buffer | null;
  /** Names of the allow-list's files whose rows may differ, the clock aside (`usesNow`); "all" where that is not known. */
  readonly changed: ReadonlySet<string> | "all";
}

/**
 * An open store. Whoever opens it closes it. It is opened for one moment, which the SQL knows as `:now`, and reads only:
 * SQL that would write, and SQL that is not one SELECT, is refused. From the first read to the end it gives one picture,
 * whoever writes beside it. One file is read at a time: to its end, or until the iterator is returned, as `for await`
 * does on `break` and on an error. After that, and after an error of its own, the next can be read.
 */
export interface StoreReader {
  /**
   * Rows in order of id, where `id` is one of the columns; in arrays of 1 to {@link BATCH_ROWS}, fewer where they are
   * large. Only the named columns, all of the file's where none are named.
   * @throws VitrineError allow_list_invalid where the SQL fails or gives other columns than its record has; rows_invalid
   * where one row cannot be read
   */
  batches(query: AllowListQuery, columns?: readonly string[]): AsyncIterable<readonly StoreRow[]>;
  /**
   * What changed since the build that was handed `before`: to be asked before rows are read, and never told too little.
   * @param before the fingerprint of that build; null where there is none
   */
  changesSince(before: Buffer | null, queries: readonly AllowListQuery[]): Promise<StoreChanges>;
  close(): Promise<void>;
}

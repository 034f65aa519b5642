/** What differs between two catalogs: data alone, for reports. */
import type { RecordName } from "../api/records.ts";

/** How many records differ, and in what: records by fact, `{price: 2, title: 1}`. */
export interface Changed {
  readonly records: number;
  readonly facts: Readonly<Record<string, number>>;
}

export interface RecordChanges {
  readonly new: number;
  readonly gone: number;
  /** Something of their own differs. */
  readonly changed: Changed;
  /** What they take from other records differs: a product's rating, a review's product title. */
  readonly followed: Changed;
}

export type CatalogChanges = Readonly<Partial<Record<RecordName, RecordChanges>>>;

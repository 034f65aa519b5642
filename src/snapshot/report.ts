/** What writing a snapshot did, and what a whole one did otherwise: data alone, for whoever imports the package, whose types name no database. */

export interface WriteReport {
  readonly files: number;
  readonly sizeBytes: number;
  readonly written: number;
  readonly deleted: number;
}

/** What a full build makes otherwise than the deltas before it did. */
export interface Difference {
  /** Where it is kept: a line of JSON for each key, with the bytes before and after; null where one has none. */
  readonly file: string;
  readonly keys: number;
}

/** Results of writing a snapshot as plain data, so that the package's public types mention no database. */

export interface WriteReport {
  readonly files: number;
  readonly sizeBytes: number;
  readonly written: number;
  readonly deleted: number;
}

/** Pages that the fallback answers: beyond `grid.pages`, or beyond the limit of files. */
export interface LeftOutBand {
  /** For people: `products category, pages 11 to 100` */
  readonly name: string;
  /** Number of files that it would take. */
  readonly files: number;
}

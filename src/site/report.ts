/** What writing a snapshot did, and what it left out: data alone, for whoever imports the package, whose types name no database. */

export interface WriteReport {
  readonly files: number;
  readonly sizeBytes: number;
  readonly written: number;
  readonly deleted: number;
}

/** Pages that the fallback answers: beyond `grid.pages`, or more files than the ceiling. */
export interface LeftOutBand {
  /** For people: `products category, pages 11 to 100` */
  readonly name: string;
  /** Files that it would be. */
  readonly files: number;
}

/** What writing a snapshot did: data alone, for whoever imports the package, whose types name no database. */

export interface WriteReport {
  readonly files: number;
  readonly sizeBytes: number;
  readonly written: number;
  readonly deleted: number;
}

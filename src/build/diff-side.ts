/** Data alone, for whoever imports the package, whose types name no database. */

export interface DiffSide {
  /** As it was named. */
  readonly place: string;
  /** Of a place: the release's id. */
  readonly release: string | null;
  /** When the catalog's content last changed. */
  readonly generatedAt: string;
  /** SHA-256 of the catalog's content. */
  readonly digest: string;
}

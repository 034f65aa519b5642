/** Results of writing a snapshot as plain data, so that the package's public types mention no database. */
import type { PublicConfig } from "../api/config.ts";

export interface WriteReport {
  /** Number of files of the snapshot. */
  readonly files: number;
  /** Bytes of all files. */
  readonly sizeBytes: number;
  /** Number of files that this build wrote. */
  readonly written: number;
  /** Number of files that this build deleted. */
  readonly deleted: number;
}

/** Pages that the fallback answers: beyond `grid.pages`, or beyond the limit of files. */
export interface LeftOutBand {
  /** For people: `products category, pages 11 to 100` */
  readonly name: string;
  /** Number of files that it would take. */
  readonly files: number;
}

/** A feed's name in the configuration. */
export type FeedName = keyof NonNullable<PublicConfig["feeds"]>;

/** The part of a build's report about a feed that has requirements. */
export interface FeedReport {
  readonly name: FeedName;
  /** Number of products that it lists. */
  readonly records: number;
  /** Number of products that lack a required field. */
  readonly leftOut: number;
  /** Number of products that lack each field, by the field's name in the feed. */
  readonly missing: Readonly<Record<string, number>>;
  /** Bytes of each file, by its key. */
  readonly files: Readonly<Record<string, number>>;
}

/** Required fields that products lack, with the number of products; the most frequent first. */
export function missingFields({ missing }: Pick<FeedReport, "missing">): [field: string, products: number][] {
  return Object.entries(missing).sort(([, a], [, b]) => b - a);
}

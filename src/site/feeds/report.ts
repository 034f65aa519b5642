/** The part of a build's report about a feed that has requirements. */
import type { PublicConfig } from "../../api/config.ts";

/** A feed's name in the configuration. */
export type FeedName = keyof NonNullable<PublicConfig["feeds"]>;

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

/** What a build says of a feed that has requirements. */
import type { PublicConfig } from "../../api/config.ts";

/** A feed, as the configuration calls it. */
export type FeedName = keyof NonNullable<PublicConfig["feeds"]>;

export interface FeedReport {
  readonly name: FeedName;
  /** Products that it lists. */
  readonly records: number;
  /** Products that lack what it requires. */
  readonly leftOut: number;
  /** How many lack each field, by the field's name in the feed. */
  readonly missing: Readonly<Record<string, number>>;
  /** Bytes of each file, by its key. */
  readonly files: Readonly<Record<string, number>>;
}

/** Required fields that products lack, with how many do; what most of them lack first. */
export function missingFields({ missing }: Pick<FeedReport, "missing">): [field: string, products: number][] {
  return Object.entries(missing).sort(([, a], [, b]) => b - a);
}

/** What a build says of its feeds. */

/** What became of the products in a feed, for whoever builds. */
export interface FeedReport {
  readonly name: string;
  readonly products: number;
  /** Those that lack what is required. */
  readonly leftOut: number;
  /** How many lack each field. */
  readonly missing: Readonly<Record<string, number>>;
  /** Bytes of each file, by its key. */
  readonly files: Readonly<Record<string, number>>;
}

/** Required fields that products lack, with how many do; what most of them lack first. */
export function missingFields({ missing }: Pick<FeedReport, "missing">): [field: string, products: number][] {
  return Object.entries(missing).sort(([, a], [, b]) => b - a);
}

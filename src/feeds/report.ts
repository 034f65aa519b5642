/** What a build says of its feeds. */

import type { ResourceName } from "../catalog/resources.ts";

/** What became of a list's records in a large feed, for whoever builds. */
export interface FeedReport {
  readonly name: string;
  readonly resource: ResourceName;
  readonly records: number;
  /** Those that lack what is required. */
  readonly leftOut: number;
  /** How many lack each field. */
  readonly missing: Readonly<Record<string, number>>;
  /** Bytes of each file, by its key. */
  readonly files: Readonly<Record<string, number>>;
}

/** Required fields that records lack, with how many do; what most of them lack first. */
export function missingFields({ missing }: Pick<FeedReport, "missing">): [field: string, records: number][] {
  return Object.entries(missing).sort(([, a], [, b]) => b - a);
}

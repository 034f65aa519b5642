/**
 * A release as a follower sees it, wherever it comes from: a bucket, or the bulk files of a public address. The follower compares
 * the names of partitions with those it has, and reads the ones that differ.
 */
import type { ResourceName } from "../catalog/resources.ts";
import type { Partitions } from "./release-index.ts";

/** What the catalog becomes. */
export interface FollowedCatalog {
  /** Number of its format: the digest holds it, so a catalog that is made of its records gets the same. */
  readonly format: number;
  /** The content digest that the rows must give; null if the source does not have all records, as a shop's public files may not. */
  readonly digest: string | null;
  readonly generatedAt: string;
  readonly config: object;
  readonly store: object;
}

export interface FoundRelease {
  /** Two releases have different ids. */
  readonly id: string;
  /** A release that cannot be used is tried again when this changes. */
  readonly version: string;
  /** For the log: `release 00000007-3fa91c20d4e5`. */
  readonly name: string;
  readonly catalog: FollowedCatalog;
  /** A list that the source does not have is missing: it is empty then. */
  readonly lists: Readonly<Partial<Record<ResourceName, Partitions>>>;
  /** Lists whose lines are without details, as public files are where an API does not show them. */
  readonly withoutDetail?: readonly ResourceName[];
  /**
   * The lines of a partition, checked against its name.
   * @throws VitrineError remote_failed if it cannot be had, remote_invalid if it is damaged
   */
  read(resource: ResourceName, partition: number): Promise<Buffer>;
}

export interface ReleaseSource {
  readonly pollMilliseconds: number;
  /** The release that is live now. @throws VitrineError */
  find(): Promise<FoundRelease>;
}

/**
 * A release as a follower sees it, from a bucket or from the bulk files of a public address. The follower compares the names
 * of partitions with its own, and reads the ones that differ.
 */
import type { ResourceName } from "../catalog/resources.ts";
import type { FollowedCatalog, Partitions } from "./release-index.ts";

export interface FoundRelease {
  /** Unique per release. */
  readonly id: string;
  /** A release that could not be used is tried again when this changes. */
  readonly version: string;
  /** For the log: `release 00000007-3fa91c20d4e5`. */
  readonly name: string;
  readonly catalog: FollowedCatalog;
  /** A list that is missing here is empty. */
  readonly lists: Readonly<Partial<Record<ResourceName, Partitions>>>;
  /** Lists whose lines have no details: public files omit them if the shop's API does not show them. */
  readonly withoutDetail?: readonly ResourceName[];
  /**
   * The lines of a partition, checked against its name.
   * @throws VitrineError remote_failed if it cannot be fetched, remote_invalid if it is damaged
   */
  read(resource: ResourceName, partition: number): Promise<Buffer>;
}

export interface ReleaseSource {
  readonly pollMilliseconds: number;
  /** The release that is live now. @throws VitrineError */
  find(): Promise<FoundRelease>;
}

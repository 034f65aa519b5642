/** What the files of bulk are called and say, for those who make them and those who mirror them. */
import { BULK_FOLDER } from "../api/endpoints.ts";
import type { ResourceName } from "../catalog/resources.ts";

/** A fixed number: a record that comes or goes touches one bucket. */
const BUCKETS = 256;

export const BULK_FORMAT = 1;

/** What there is, and what a mirror's catalog is besides its records. */
export const BULK_INDEX = `${BULK_FOLDER}/index.json`;

/** 12 → `0c` */
export function bucketOf(id: number): string {
  return (id % BUCKETS).toString(16).padStart(2, "0");
}

export function bucketKey(resource: ResourceName, bucket: string): string {
  return `${BULK_FOLDER}/${resource}/${bucket}.ndjson.gz`;
}

export function resourceIndexKey(resource: ResourceName): string {
  return `${BULK_FOLDER}/${resource}/index.json`;
}

/** Digests of files: the first half of what `sha256sum` says, which is the file's ETag, too. */
export const DIGEST_LETTERS = 32;

/** A bucket's number of records, and its digest. */
export type Bucket = readonly [records: number, digest: string];

export interface ResourceIndex {
  readonly format: number;
  readonly resource: ResourceName;
  readonly records: number;
  /** Buckets by name; an empty one is none. */
  readonly buckets: Readonly<Record<string, Bucket>>;
}

export interface BulkIndex {
  readonly format: number;
  readonly catalog: {
    readonly format: number;
    /** The content digest of a catalog of all these records; null where the shop does not offer all that its own holds. */
    readonly digest: string | null;
    readonly config: object;
    readonly store: object;
  };
  readonly resources: Readonly<
    Partial<Record<ResourceName, { readonly records: number /** Of its index. */; readonly digest: string }>>
  >;
}

/** Lines that are short where a bucket changes: what stands on others is as it was. */
export function resourceIndexText(resource: ResourceName, buckets: ReadonlyMap<string, Bucket>): string {
  const sorted = [...buckets].sort(([a], [b]) => (a < b ? -1 : 1));
  const records = sorted.reduce((sum, [, [count]]) => sum + count, 0);
  const lines = sorted.map(([name, bucket]) => `"${name}":${JSON.stringify(bucket)}`);
  const head = `{"format":${BULK_FORMAT},"resource":"${resource}","records":${records},"buckets":{`;
  return `${head}\n${lines.join(",\n")}\n}}\n`;
}

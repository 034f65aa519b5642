/** What the files of bulk are called and say, for those who make them and those who mirror them. */
import { hash } from "node:crypto";
import { BULK_FOLDER } from "../api/endpoints.ts";
import { FORMATS } from "../base/formats.ts";
import type { ResourceName } from "../catalog/resources.ts";

/** A fixed number: a record that comes or goes touches one bucket. */
const BUCKETS = 256;

/** What there is, and what a mirror's catalog is besides its records. */
export const BULK_INDEX = `${BULK_FOLDER}/index.json`;

/** 12 → `0c` */
export function bucketOf(id: number): string {
  return (id % BUCKETS).toString(16).padStart(2, "0");
}

/** Ids by their bucket, in the order in which they come. */
export function groupByBucket(ids: Iterable<number>): Map<string, number[]> {
  const buckets = new Map<string, number[]>();
  for (const id of ids) {
    const name = bucketOf(id);
    const own = buckets.get(name);
    if (own === undefined) buckets.set(name, [id]);
    else own.push(id);
  }
  return buckets;
}

export function bucketKey(resource: ResourceName, bucket: string): string {
  return `${BULK_FOLDER}/${resource}/${bucket}.ndjson.gz`;
}

export function resourceIndexKey(resource: ResourceName): string {
  return `${BULK_FOLDER}/${resource}/index.json`;
}

/** The first half of what `sha256sum` says of a file: its ETag has the same. */
export function shortDigest(digest: string): string {
  return digest.slice(0, 32);
}

export function shortDigestOf(file: string | Buffer): string {
  return shortDigest(hash("sha256", file, "hex"));
}

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
    /** The content digest of the shop's catalog. */
    readonly digest: string;
    /** True where these records are all that it holds, so that a catalog made of them has its digest. */
    readonly isWhole: boolean;
    readonly config: object;
    readonly store: object;
  };
  readonly resources: Readonly<
    Partial<Record<ResourceName, { readonly records: number /** Of its index. */; readonly digest: string }>>
  >;
}

/** A line for each bucket. Whoever has all buckets can make their index. */
export function resourceIndexText(resource: ResourceName, buckets: ReadonlyMap<string, Bucket>): string {
  const sorted = [...buckets].sort(([a], [b]) => (a < b ? -1 : 1));
  const records = sorted.reduce((sum, [, [count]]) => sum + count, 0);
  const lines = sorted.map(([name, bucket]) => `"${name}":${JSON.stringify(bucket)}`);
  const head = `{"format":${FORMATS.bulk.newest},"resource":"${resource}","records":${records},"buckets":{`;
  return `${head}\n${lines.join(",\n")}\n}}\n`;
}

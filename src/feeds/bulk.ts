/**
 * All records, for mirrors and analysis: of each list 256 files of compressed lines, and an index of their digests. A price
 * rewrites one of them, of about 8 kB, and the index.
 */
import { gzipSync } from "node:zlib";
import { RECORDS } from "../api/records.ts";
import { FORMATS } from "../base/formats.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { recordLines } from "../catalog/record-line.ts";
import type { ResourceName } from "../catalog/resources.ts";
import {
  BULK_INDEX,
  type Bucket,
  type BulkIndex,
  bucketKey,
  bucketOf,
  resourceIndexKey,
  resourceIndexText,
  shortDigest,
} from "./bulk-format.ts";
import { type FeedFile, offers, type SmallFeed, showsDetail, type Written } from "./feed.ts";

/** Lists that the shop offers. */
function bulkResources({ config }: Pick<Catalog, "config">): ResourceName[] {
  return RECORDS.filter(({ endpoint }) => offers(config, endpoint)).map(({ name }) => name);
}

/** Ids by their bucket, each ascending, in order of bucket. */
function idsByBucket({ db }: Catalog, resource: ResourceName): Map<string, number[]> {
  const buckets = new Map<string, number[]>();
  for (const id of db.prepare<[], number>(`SELECT id FROM ${resource} ORDER BY id`).pluck().iterate()) {
    const name = bucketOf(id);
    const own = buckets.get(name);
    if (own === undefined) buckets.set(name, [id]);
    else own.push(id);
  }
  return buckets;
}

/** The same bytes on every system: one would else be named in them. */
export function gzip(bytes: Buffer): Buffer {
  const zipped = gzipSync(bytes);
  zipped[9] = 3;
  return zipped;
}

function bucketFile(
  { db, config }: Catalog,
  resource: ResourceName,
  bucket: string,
  ids: readonly number[],
): FeedFile {
  const make = () => {
    const line = recordLines(db, resource, showsDetail(config, resource));
    return gzip(Buffer.from(ids.map((id) => `${line(id)}\n`).join("")));
  };
  return { key: bucketKey(resource, bucket), make };
}

function digestAt(written: Written, key: string): string | null {
  const digest = written(key);
  return digest === null ? null : shortDigest(digest);
}

/** Names the buckets that there are: one that is too large for the host is none. */
function indexFile(resource: ResourceName, ids: ReadonlyMap<string, readonly number[]>): FeedFile {
  const make = (written: Written) => {
    const buckets = [...ids].flatMap(([name, { length }]): [string, Bucket][] => {
      const digest = digestAt(written, bucketKey(resource, name));
      return digest === null ? [] : [[name, [length, digest]]];
    });
    return resourceIndexText(resource, new Map(buckets));
  };
  return { key: resourceIndexKey(resource), make };
}

/** True where the records of these files are all that the catalog holds. */
function isWhole({ config }: Catalog): boolean {
  return RECORDS.every(({ name, endpoint }) => offers(config, endpoint) && showsDetail(config, name));
}

function bulkIndexFile(catalog: Catalog): FeedFile {
  const { db, config, store, digest, format } = catalog;
  const make = (written: Written) => {
    const resources = bulkResources(catalog).map((name) => {
      const records = db.prepare<[], number>(`SELECT COUNT(*) FROM ${name}`).pluck().get() ?? 0;
      return [name, { records, digest: digestAt(written, resourceIndexKey(name)) ?? "" }] as const;
    });
    const index: BulkIndex = {
      format: FORMATS.bulk.newest,
      catalog: { format, digest, isWhole: isWhole(catalog), config, store },
      resources: Object.fromEntries(resources),
    };
    return `${JSON.stringify(index)}\n`;
  };
  return { key: BULK_INDEX, make };
}

export const bulk: SmallFeed = {
  *files(catalog) {
    for (const resource of bulkResources(catalog)) {
      const buckets = idsByBucket(catalog, resource);
      for (const [name, ids] of buckets) yield bucketFile(catalog, resource, name, ids);
      yield indexFile(resource, buckets);
    }
    yield bulkIndexFile(catalog);
  },
  *changed({ after, rows }) {
    for (const resource of bulkResources(after)) {
      const { put = [], deleted = [] } = rows.get(resource) ?? {};
      const touched = new Set([...put.map(({ id }) => id), ...deleted].map(bucketOf));
      if (touched.size === 0) continue;
      const buckets = idsByBucket(after, resource);
      for (const name of touched) {
        const ids = buckets.get(name);
        yield ids === undefined
          ? { gone: bucketKey(resource, name) }
          : bucketFile(after, resource, name, ids);
      }
      yield indexFile(resource, buckets);
    }
    yield bulkIndexFile(after);
  },
  count: (catalog) =>
    bulkResources(catalog).reduce((sum, name) => sum + idsByBucket(catalog, name).size + 1, 1),
};

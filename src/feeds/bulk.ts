/**
 * All records, for mirrors and analysis: of each list 256 files of compressed lines, and an index of their digests. A price
 * rewrites one of them, of 27 kB at 20,000 products, and the indexes. The list as a table besides, in one large file.
 */
import type { PublicConfig } from "../api/config.ts";
import { BULK_FOLDER } from "../api/endpoints.ts";
import { RECORDS } from "../api/records.ts";
import { FORMATS } from "../base/formats.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { recordLines } from "../catalog/record-line.ts";
import { type ResourceName, resourceNamed } from "../catalog/resources.ts";
import {
  BULK_INDEX,
  type Bucket,
  type BulkIndex,
  bucketKey,
  bucketOf,
  groupByBucket,
  resourceIndexKey,
  resourceIndexText,
  shortDigest,
} from "./bulk-format.ts";
import { type FeedFile, offers, type SmallFeed, showsDetail, type Written } from "./feed.ts";
import { type FileOpener, gzip, withFiles } from "./pieces.ts";
import type { FeedReport } from "./report.ts";
import { type TableFormat, writeTables } from "./table.ts";

/** Lists that the shop offers. */
export function bulkResources({ config }: Pick<Catalog, "config">): ResourceName[] {
  return RECORDS.filter(({ endpoint }) => offers(config, endpoint)).map(({ name }) => name);
}

/** Ids by their bucket, each ascending, in order of bucket. */
function idsByBucket({ db }: Catalog, resource: ResourceName): Map<string, number[]> {
  return groupByBucket(db.prepare<[], number>(`SELECT id FROM ${resource} ORDER BY id`).pluck().iterate());
}

/** Records of so many bytes are in memory at once. */
const GROUP_BYTES = 1 << 24;

/** Bytes of a list's records, about: SQLite knows lengths without reading the texts. */
function bytesOf({ db }: Catalog, resource: ResourceName, hasDetail: boolean): number {
  const tables = hasDetail ? [`${resource}_list`, `${resource}_added`] : [`${resource}_list`];
  const sizes = tables.map((table) =>
    db.prepare<[], number | null>(`SELECT SUM(OCTET_LENGTH(json)) FROM ${table}`).pluck().get(),
  );
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
}

/** Buckets that are read together: in the order of their ids, in which the catalog holds them. */
function* readTogether(
  { db, config }: Catalog,
  resource: ResourceName,
  buckets: ReadonlyMap<string, readonly number[]>,
): Generator<FeedFile> {
  const pieces = new Map([...buckets.keys()].map((name) => [name, [] as Buffer[]]));
  const ids = [...buckets.values()].flat();
  for (const [id, line] of recordLines(db, resource, ids, showsDetail(config, resource)))
    pieces.get(bucketOf(id))?.push(...line);
  for (const [name, own] of pieces)
    yield { key: bucketKey(resource, name), make: () => gzip(Buffer.concat(own)) };
}

/** Those of a list's buckets that are wanted. */
function* bucketFiles(
  catalog: Catalog,
  resource: ResourceName,
  buckets: ReadonlyMap<string, readonly number[]>,
  isWanted: (name: string) => boolean,
): Generator<FeedFile> {
  const hasDetail = showsDetail(catalog.config, resource) && resourceNamed(resource).detail;
  const parts = Math.ceil(bytesOf(catalog, resource, hasDetail) / GROUP_BYTES);
  const size = Math.ceil(buckets.size / Math.max(1, parts));
  const wanted = [...buckets].filter(([name]) => isWanted(name));
  for (let at = 0; at < wanted.length; at += size)
    yield* readTogether(catalog, resource, new Map(wanted.slice(at, at + size)));
}

function digestAt(written: Written, key: string): string | null {
  const digest = written(key);
  return digest === null ? null : shortDigest(digest);
}

/** Names the buckets that there are: one that is larger than `grid.maxFileBytes` is missing. */
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
      yield* bucketFiles(catalog, resource, buckets, () => true);
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
      for (const name of touched) if (!buckets.has(name)) yield { gone: bucketKey(resource, name) };
      yield* bucketFiles(after, resource, buckets, (name) => touched.has(name));
      yield indexFile(resource, buckets);
    }
    yield bulkIndexFile(after);
  },
  count: (catalog) =>
    bulkResources(catalog).reduce((sum, name) => sum + idsByBucket(catalog, name).size + 1, 1),
};

/** What the files of each format end in. */
const TABLE_ENDINGS = { parquet: "parquet", csv: "csv.gz" } as const satisfies Readonly<
  Record<TableFormat, string>
>;
export const TABLE_FORMATS = Object.keys(TABLE_ENDINGS) as TableFormat[];

/** Formats that the configuration turns on. */
export function tableFormats({ feeds }: PublicConfig): TableFormat[] {
  const wanted = feeds?.bulk;
  return typeof wanted === "object" ? TABLE_FORMATS.filter((format) => wanted[format]) : [];
}

/** Makes the tables of a list, in one reading of it. */
export function putTables(
  catalog: Catalog,
  resource: ResourceName,
  formats: readonly TableFormat[],
  opener: FileOpener,
): FeedReport {
  const found = resourceNamed(resource);
  return withFiles(opener, (open) => {
    const tables = formats.map((format) => {
      const key = `${BULK_FOLDER}/${resource}.${TABLE_ENDINGS[format]}`;
      return { format, key, file: open(key) };
    });
    const takers = tables.map(
      ({ format, file }) => [format, (bytes: Uint8Array) => file.add(bytes)] as const,
    );
    const records = writeTables(catalog.records(found), found.endpoint, takers);
    const files = Object.fromEntries(tables.map(({ key, file }) => [key, file.put()]));
    return { name: "bulk", resource, records, leftOut: 0, missing: {}, files };
  });
}

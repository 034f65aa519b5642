/**
 * All records, for copies and analysis: of each list 256 partitions of compressed lines, and an index of their digests. A price
 * rewrites one partition, of 27 kB at 20,000 products, and the indexes.
 */
import { BULK_FOLDER } from "../api/endpoints.ts";
import { RECORDS } from "../api/records.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { recordLines } from "../catalog/record-line.ts";
import { type ResourceName, resourceNamed } from "../catalog/resources.ts";
import { type Feed, type FeedFile, offers, showsDetail, type Written } from "./feed.ts";
import { gzip } from "./pieces.ts";

/** Raised when the indexes or the lines get another form. */
const FORMAT = 1;

/** A fixed number: a record that comes or goes touches one partition. */
const PARTITIONS = 256;

/** 12 → `0c` */
function partitionOf(id: number): string {
  return (id % PARTITIONS).toString(16).padStart(2, "0");
}

function partitionKey(resource: ResourceName, partition: string): string {
  return `${BULK_FOLDER}/${resource}/${partition}.ndjson.gz`;
}

function listIndexKey(resource: ResourceName): string {
  return `${BULK_FOLDER}/${resource}/index.json`;
}

/** Lists that the shop offers. */
export function bulkResources({ config }: Pick<Catalog, "config">): ResourceName[] {
  return RECORDS.filter(({ endpoint }) => offers(config, endpoint)).map(({ name }) => name);
}

/** Ids by their partition, each ascending, in order of partition. */
function idsByPartition({ db }: Catalog, resource: ResourceName): Map<string, number[]> {
  const partitions = new Map<string, number[]>();
  const ids = db.prepare<[], number>(`SELECT id FROM ${resource} ORDER BY id`).pluck();
  for (const id of ids.iterate()) {
    const name = partitionOf(id);
    const own = partitions.get(name);
    if (own === undefined) partitions.set(name, [id]);
    else own.push(id);
  }
  return partitions;
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

/** Partitions that are read together: in the order of their ids, in which the catalog holds them. */
function* readTogether(
  { db, config }: Catalog,
  resource: ResourceName,
  partitions: ReadonlyMap<string, readonly number[]>,
): Generator<FeedFile> {
  const pieces = new Map([...partitions.keys()].map((name) => [name, [] as Buffer[]]));
  const ids = [...partitions.values()].flat();
  for (const [id, line] of recordLines(db, resource, ids, showsDetail(config, resource)))
    pieces.get(partitionOf(id))?.push(...line);
  for (const [name, own] of pieces)
    yield { key: partitionKey(resource, name), make: () => gzip(Buffer.concat(own)) };
}

/** Those of a list's partitions that are wanted. */
function* partitionFiles(
  catalog: Catalog,
  resource: ResourceName,
  partitions: ReadonlyMap<string, readonly number[]>,
  isWanted: (name: string) => boolean,
): Generator<FeedFile> {
  const hasDetail = showsDetail(catalog.config, resource) && resourceNamed(resource).detail;
  const groups = Math.ceil(bytesOf(catalog, resource, hasDetail) / GROUP_BYTES);
  const size = Math.ceil(partitions.size / Math.max(1, groups));
  const wanted = [...partitions].filter(([name]) => isWanted(name));
  for (let at = 0; at < wanted.length; at += size)
    yield* readTogether(catalog, resource, new Map(wanted.slice(at, at + size)));
}

/** The first half of what `sha256sum` says of a file: its ETag has the same. */
function digestAt(written: Written, key: string): string | null {
  return written(key)?.slice(0, 32) ?? null;
}

/** A line for each partition: one that is larger than `grid.maxFileBytes` is missing. */
function listIndexFile(resource: ResourceName, ids: ReadonlyMap<string, readonly number[]>): FeedFile {
  const make = (written: Written) => {
    let records = 0;
    const lines: string[] = [];
    for (const [name, { length }] of [...ids].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const digest = digestAt(written, partitionKey(resource, name));
      if (digest === null) continue;
      records += length;
      lines.push(`"${name}":${JSON.stringify([length, digest])}`);
    }
    const head = `{"format":${FORMAT},"resource":"${resource}","records":${records},"buckets":{`;
    return `${head}\n${lines.join(",\n")}\n}}\n`;
  };
  return { key: listIndexKey(resource), make };
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
      return [name, { records, digest: digestAt(written, listIndexKey(name)) ?? "" }] as const;
    });
    const index = {
      format: FORMAT,
      catalog: { format, digest, isWhole: isWhole(catalog), config, store },
      resources: Object.fromEntries(resources),
    };
    return `${JSON.stringify(index)}\n`;
  };
  return { key: `${BULK_FOLDER}/index.json`, make };
}

export const bulk: Feed = {
  *files(catalog) {
    for (const resource of bulkResources(catalog)) {
      const partitions = idsByPartition(catalog, resource);
      yield* partitionFiles(catalog, resource, partitions, () => true);
      yield listIndexFile(resource, partitions);
    }
    yield bulkIndexFile(catalog);
  },
  *changed({ after, rows }) {
    for (const resource of bulkResources(after)) {
      const { put = [], deleted = [] } = rows.get(resource) ?? {};
      const touched = new Set([...put.map(({ id }) => id), ...deleted].map(partitionOf));
      if (touched.size === 0) continue;
      const partitions = idsByPartition(after, resource);
      for (const name of touched) if (!partitions.has(name)) yield { gone: partitionKey(resource, name) };
      yield* partitionFiles(after, resource, partitions, (name) => touched.has(name));
      yield listIndexFile(resource, partitions);
    }
    yield bulkIndexFile(after);
  },
  count: (catalog) =>
    bulkResources(catalog).reduce((sum, name) => sum + idsByPartition(catalog, name).size + 1, 1),
};

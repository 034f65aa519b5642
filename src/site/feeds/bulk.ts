/**
 * All records, for copies and analysis: of each list 256 partitions of compressed lines, and an index of their digests. A price
 * rewrites one partition, of 27 kB at 20,000 products, and the indexes.
 */
import { BULK_FOLDER } from "../../api/endpoints.ts";
import { RECORDS } from "../../api/records.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { recordLines } from "../../catalog/record-line.ts";
import type { ResourceName } from "../../catalog/resources.ts";
import type { MakePorts } from "../made-file.ts";
import { type Feed, feedFile, offers, partitionDigests, showsDetail } from "./feed.ts";
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
function bulkResources({ config }: Pick<Catalog, "config">): ResourceName[] {
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
  return new Map([...partitions].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The lines of a partition, compressed. */
function makePartition({ db, config }: Catalog, resource: ResourceName, ids: readonly number[]): Buffer {
  const pieces: Buffer[] = [];
  for (const [, line] of recordLines(db, resource, ids, showsDetail(config, resource))) pieces.push(...line);
  return gzip(Buffer.concat(pieces));
}

/** The first half of what `sha256sum` says of a file: its ETag has the same. */
function digestAt({ digestOf }: MakePorts, key: string): string | null {
  return digestOf(key)?.slice(0, 32) ?? null;
}

/** A line for each partition: one that is larger than `grid.maxFileBytes` is missing. */
function makeListIndex(
  resource: ResourceName,
  ids: ReadonlyMap<string, readonly number[]>,
  ports: MakePorts,
): string {
  let records = 0;
  const lines: string[] = [];
  for (const [name, { length }] of ids) {
    const digest = digestAt(ports, partitionKey(resource, name));
    if (digest === null) continue;
    records += length;
    lines.push(`"${name}":${JSON.stringify([length, digest])}`);
  }
  const head = `{"format":${FORMAT},"resource":"${resource}","records":${records},"buckets":{`;
  return `${head}\n${lines.join(",\n")}\n}}\n`;
}

/** True where the records of these files are all that the catalog holds. */
function isWhole({ config }: Catalog): boolean {
  return RECORDS.every(({ name, endpoint }) => offers(config, endpoint) && showsDetail(config, name));
}

function makeIndex(catalog: Catalog, ports: MakePorts): string {
  const { db, config, store, digest, format } = catalog;
  const resources = bulkResources(catalog).map((name) => {
    const records = db.prepare<[], number>(`SELECT COUNT(*) FROM ${name}`).pluck().get() ?? 0;
    return [name, { records, digest: digestAt(ports, listIndexKey(name)) ?? "" }] as const;
  });
  const index = {
    format: FORMAT,
    catalog: { format, digest, isWhole: isWhole(catalog), config, store },
    resources: Object.fromEntries(resources),
  };
  return `${JSON.stringify(index)}\n`;
}

export const bulk: Feed = {
  *files(inputs) {
    const { catalog, digests } = inputs;
    for (const resource of bulkResources(catalog)) {
      const partitions = idsByPartition(catalog, resource);
      const own = partitionDigests(inputs, resource, PARTITIONS);
      for (const [name, ids] of partitions) {
        const records = { [resource]: own[Number.parseInt(name, 16)] ?? "" };
        yield feedFile(inputs, partitionKey(resource, name), records, () =>
          makePartition(catalog, resource, ids),
        );
      }
      const records = { [resource]: digests.of(resource).whole };
      yield feedFile(inputs, listIndexKey(resource), records, (ports) =>
        makeListIndex(resource, partitions, ports),
      );
    }
    const records = { catalog: catalog.digest };
    yield feedFile(inputs, `${BULK_FOLDER}/index.json`, records, (ports) => makeIndex(catalog, ports));
  },
  count: (catalog) =>
    bulkResources(catalog).reduce((sum, name) => sum + idsByPartition(catalog, name).size + 1, 1),
};

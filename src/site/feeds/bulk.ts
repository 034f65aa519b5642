/**
 * All records, for copies and analysis: each list in partitions of about 100 records, as compressed lines, and one index of their
 * digests. A changed price rewrites one partition and the index. `vitrine fallback --from` reads them (release/public-source.ts).
 *
 *     bulk/index.json            {"format":2,"config":{…},"store":{…},"lists":{"product":["9a…",null,…],…}}
 *     bulk/product/12.ndjson.gz  the products with id % (number of partitions) = 12
 */
import { BULK_FOLDER, BULK_INDEX, offers } from "../../api/endpoints.ts";
import { RECORDS } from "../../api/records.ts";
import { FORMATS } from "../../base/formats.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { recordLines } from "../../catalog/record-line.ts";
import { idsOf, type ResourceName } from "../../catalog/resources.ts";
import { idsByPartition, partitionCount, partitionFingerprints } from "../../release/partitions.ts";
import type { MakePorts } from "../made-file.ts";
import { gzip } from "./bytes.ts";
import { type Feed, feedFile, showsDetail } from "./feed.ts";

export function bulkKey(resource: ResourceName, partition: number): string {
  return `${BULK_FOLDER}/${resource}/${partition}.ndjson.gz`;
}

/** The ids of each list that the shop offers, by partition. A file may depend on the catalog only, and so may the number of partitions. */
function* partitionedLists({
  db,
  config,
}: Catalog): Generator<[ResourceName, number[], readonly number[][]]> {
  for (const { name, endpoint } of RECORDS) {
    if (!offers(config, endpoint)) continue;
    const ids = idsOf(db, name);
    yield [name, ids, idsByPartition(ids, partitionCount(ids.length, null))];
  }
}

function makePartition({ db, config }: Catalog, resource: ResourceName, ids: readonly number[]): Buffer {
  const pieces: Buffer[] = [];
  for (const [, line] of recordLines(db, resource, ids, showsDetail(config, resource))) pieces.push(...line);
  return gzip(Buffer.concat(pieces));
}

/**
 * The index: for each partition the first half of its file's `sha256sum`, as in its ETag; null for a partition without records, or
 * whose file exceeds `grid.maxFileBytes` and is therefore left out.
 */
function makeIndex({ config, store }: Catalog, counts: ReadonlyMap<ResourceName, number>, ports: MakePorts) {
  const digestsOf = (resource: ResourceName, count: number) =>
    Array.from({ length: count }, (_, partition) => {
      return ports.putFile(bulkKey(resource, partition))?.digest.slice(0, 32) ?? null;
    });
  const lists = Object.fromEntries([...counts].map(([name, count]) => [name, digestsOf(name, count)]));
  return `${JSON.stringify({ format: FORMATS.bulk.newest, config, store, lists })}\n`;
}

export const bulk: Feed = {
  *files(inputs) {
    const { catalog, digests } = inputs;
    const counts = new Map<ResourceName, number>();
    for (const [resource, all, partitions] of partitionedLists(catalog)) {
      counts.set(resource, partitions.length);
      const fingerprints = partitionFingerprints(digests.of(resource), all, partitions.length);
      for (const [partition, ids] of partitions.entries()) {
        if (ids.length === 0) continue;
        const records = { [resource]: fingerprints[partition] ?? "" };
        yield feedFile(inputs, bulkKey(resource, partition), records, () =>
          makePartition(catalog, resource, ids),
        );
      }
    }
    yield feedFile(inputs, BULK_INDEX, { catalog: catalog.digest }, (ports) =>
      makeIndex(catalog, counts, ports),
    );
  },
  count: (catalog) =>
    [...partitionedLists(catalog)].flatMap(([, , partitions]) => partitions).filter((ids) => ids.length > 0)
      .length + 1,
};

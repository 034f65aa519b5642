/** Releases in memory, made of built catalogs: what a bucket or a public address shows to who follows it. */
import { openCatalog } from "../../src/catalog/catalog.ts";
import { RESOURCES, type ResourceName } from "../../src/catalog/resources.ts";
import { nameOfObject } from "../../src/release/objects.ts";
import { idsByPartition, partitionCount, recordPartition } from "../../src/release/partitions.ts";
import type { FoundRelease, ReleaseSource } from "../../src/release/source.ts";

export interface MemoryRelease extends FoundRelease {
  readonly lists: Record<ResourceName, (string | null)[]>;
  /** By name. */
  readonly objects: Map<string, Buffer>;
}

/** The release of a catalog, as it is now. `rows`: about so many records a partition. */
export function releaseOf(file: string, rows = 20): MemoryRelease {
  using catalog = openCatalog(file);
  const { db, digest, format, generatedAt } = catalog;
  const metaOf = (name: string) =>
    JSON.parse(
      db.prepare<[string], string>("SELECT value FROM meta WHERE name = ?").pluck().get(name) ?? "",
    ) as object;
  const objects = new Map<string, Buffer>();
  const namesOf = (resource: ResourceName) => {
    const ids = db.prepare<[], number>(`SELECT id FROM ${resource} ORDER BY id`).pluck().all();
    const count = partitionCount((ids.length * 100) / rows, null);
    return idsByPartition(ids, count).map((part) => {
      if (part.length === 0) return null;
      const lines = recordPartition(db, resource, part);
      objects.set(nameOfObject(lines), lines);
      return nameOfObject(lines);
    });
  };
  const lists = Object.fromEntries(RESOURCES.map(({ name }) => [name, namesOf(name)]));
  return {
    id: digest,
    version: digest,
    name: `release ${digest.slice(0, 12)}`,
    catalog: { format, digest, generatedAt, config: metaOf("config"), store: metaOf("store"), files: {} },
    lists: lists as MemoryRelease["lists"],
    objects,
    async read(resource, partition) {
      const lines = objects.get(this.lists[resource]?.[partition] ?? "");
      if (lines === undefined) throw new Error(`There is no partition ${partition} of ${resource}`);
      return lines;
    },
  };
}

export interface MemorySource extends ReleaseSource {
  /** What is live. */
  release: FoundRelease;
  /** How many partitions were read. */
  reads: number;
  /** What each reading waits for. */
  reading: (resource: ResourceName, partition: number) => Promise<void>;
}

export function memorySource(release: FoundRelease, pollMilliseconds = 3_600_000): MemorySource {
  const source: MemorySource = {
    pollMilliseconds,
    release,
    reads: 0,
    reading: async () => undefined,
    async find() {
      const { release } = source;
      return {
        ...release,
        async read(resource, partition) {
          source.reads += 1;
          await source.reading(resource, partition);
          return release.read(resource, partition);
        },
      };
    },
  };
  return source;
}

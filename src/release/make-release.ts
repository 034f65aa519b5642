/**
 * A snapshot → the objects of its release: partitions of the catalog's lists and of the manifest, and the index that names
 * them. Objects that the bucket already has are not made; the others are written to a folder, gzipped, each under its name.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FORMATS } from "../base/formats.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { RecordDigests } from "../catalog/record-digests.ts";
import { idsOf, RESOURCES, type ResourceName } from "../catalog/resources.ts";
import { nameOfObject, zipObject } from "./objects.ts";
import {
  cutEntries,
  entryPartition,
  idsByPartition,
  partitionCount,
  partitionFingerprints,
  type ReleasedEntry,
  recordPartition,
} from "./partitions.ts";
import { encodeIndex, type Partitions, type ReleaseIndex } from "./release-index.ts";

export interface MakeReleaseInputs {
  readonly catalog: Catalog;
  /** The manifest's entries, in order of key. */
  readonly entries: Iterable<ReleasedEntry>;
  /** The index of the live release: its numbers of partitions are kept if possible. */
  readonly previous: ReleaseIndex | null;
  /** True for an object that the bucket has. */
  readonly hasObject: (name: string) => boolean;
  /** Folder for the objects that are made. */
  readonly folder: string;
}

/** Remembers which object a partition was made into, by the partition's fingerprint. */
export interface MadeObjects {
  madeOf(list: string, partition: number, fingerprint: string): string | undefined;
  keepMade(list: string, partition: number, fingerprint: string, name: string): void;
}

export interface MadeRelease {
  readonly index: ReleaseIndex;
  /** Name of the index's own object. */
  readonly name: string;
  /** Names of the objects in the folder, the index first, with their sizes in bytes. */
  readonly objects: ReadonlyMap<string, number>;
}

/** The file of an object that waits to be put. */
export function objectFile(folder: string, name: string): string {
  return join(folder, `${name}.gz`);
}

export async function makeRelease(inputs: MakeReleaseInputs, made: MadeObjects): Promise<MadeRelease> {
  const { catalog, entries, previous, hasObject, folder } = inputs;
  const objects = new Map<string, number>();
  const put = async (content: Buffer): Promise<string> => {
    const name = nameOfObject(content);
    if (hasObject(name) || objects.has(name)) return name;
    const bytes = await zipObject(content);
    await writeFile(objectFile(folder, name), bytes);
    objects.set(name, bytes.length);
    return name;
  };

  const digests = new RecordDigests(catalog.db);
  const lists: Partial<Record<ResourceName, Partitions>> = {};
  for (const { name: list } of RESOURCES) {
    const ids = idsOf(catalog.db, list);
    const count = partitionCount(ids.length, previous?.lists[list]?.length ?? null);
    const partitions = idsByPartition(ids, count);
    const names: (string | null)[] = [];
    for (const [at, fingerprint] of partitionFingerprints(digests.of(list), ids, count).entries()) {
      const own = partitions[at] ?? [];
      const known = own.length === 0 ? null : made.madeOf(list, at, fingerprint);
      if (known === null || (known !== undefined && (hasObject(known) || objects.has(known)))) {
        names.push(known);
        continue;
      }
      const name = await put(recordPartition(catalog.db, list, own));
      made.keepMade(list, at, fingerprint, name);
      names.push(name);
    }
    lists[list] = names;
  }

  const manifest: string[] = [];
  for (const partition of cutEntries(entries)) manifest.push(await put(entryPartition(partition)));

  const index: ReleaseIndex = {
    format: FORMATS.releaseIndex.newest,
    catalog: catalogFacts(catalog),
    lists: lists as ReleaseIndex["lists"],
    manifest,
  };
  const name = await put(encodeIndex(index));
  return { index, name, objects };
}

function catalogFacts({
  db,
  digest,
  format,
  generatedAt,
  store,
  fileShapes,
}: Catalog): ReleaseIndex["catalog"] {
  // As stored: what a newer version adds when it reads the configuration is not part of the digest.
  const config = db.prepare<[], string>("SELECT value FROM meta WHERE name = 'config'").pluck().get() ?? "{}";
  return { format, digest, generatedAt, config: JSON.parse(config) as object, store, files: fileShapes };
}

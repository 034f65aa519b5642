/** Fetches the partitions of a release that differ from a catalog's, as files of lines to be applied later. */
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { forEachAtOnce } from "../base/at-once.ts";
import { makeFolder } from "../base/files.ts";
import { RESOURCES, type ResourceName } from "../catalog/resources.ts";
import type { PartitionLines, ReleaseChanges } from "./apply.ts";
import type { Partitions } from "./release-index.ts";
import type { FoundRelease } from "./source.ts";

/** Names of a catalog's partitions, by list. */
export type PartitionNames = Readonly<Partial<Record<ResourceName, Partitions>>>;

/** The partitions of a list that differ. */
export interface ChangedList {
  /** How many partitions the list has, including unchanged ones. */
  readonly count: number;
  /** Files of their lines; null for a partition without records. */
  readonly files: readonly (readonly [partition: number, file: string | null])[];
}

/** The changes for a catalog, as plain data that can be sent to a thread. */
export interface FetchedChanges extends Pick<ReleaseChanges, "name" | "catalog" | "withoutDetail"> {
  readonly lists: Readonly<Partial<Record<ResourceName, ChangedList>>>;
}

/** Concurrent fetches. Each partition is in memory until it is written. */
const FETCHES = 8;

/**
 * Fetches into a folder the partitions whose names differ from the catalog's; all of them if those are not known. Files of an
 * interrupted fetch are reused, and files that are not needed any more are deleted.
 */
export async function fetchChanges(
  release: FoundRelease,
  known: PartitionNames | null,
  folder: string,
  signal: AbortSignal,
): Promise<FetchedChanges> {
  const { name, catalog, withoutDetail } = release;
  const wanted = new Map<string, { readonly resource: ResourceName; readonly partition: number }>();
  const lists: Partial<Record<ResourceName, ChangedList>> = {};
  for (const { name: resource } of RESOURCES) {
    const names = release.lists[resource];
    if (names === undefined) continue;
    const before = known?.[resource];
    const files: [number, string | null][] = [];
    for (const [partition, object] of names.entries()) {
      if (before?.length === names.length && before[partition] === object) continue;
      // The names come from a public address: they must not become part of a path.
      const text = JSON.stringify([resource, names.length, partition, object]);
      const file = object === null ? null : hash("sha256", text, "hex");
      if (file !== null) wanted.set(file, { resource, partition });
      files.push([partition, file === null ? null : join(folder, file)]);
    }
    lists[resource] = { count: names.length, files };
  }
  makeFolder(folder);
  for (const file of readdirSync(folder)) if (!wanted.has(file)) rmSync(join(folder, file));
  await forEachAtOnce(wanted, FETCHES, async ([file, { resource, partition }]) => {
    signal.throwIfAborted();
    const path = join(folder, file);
    if (existsSync(path)) return;
    await writeFile(`${path}.part`, await release.read(resource, partition));
    renameSync(`${path}.part`, path);
  });
  return { name, catalog, lists, withoutDetail };
}

function* partitionsIn({ lists }: FetchedChanges): Generator<PartitionLines> {
  for (const { name: resource } of RESOURCES) {
    for (const [partition, file] of lists[resource]?.files ?? [])
      yield { resource, partition, lines: file === null ? null : readFileSync(file) };
  }
}

/** Changes whose lines are read from their files, one partition after the other. */
export function readChanges(fetched: FetchedChanges): ReleaseChanges {
  const { name, catalog, withoutDetail, lists } = fetched;
  const counts = Object.entries(lists).map(([resource, { count }]) => [resource, count]);
  return {
    name,
    catalog,
    withoutDetail,
    counts: Object.fromEntries(counts),
    partitions: partitionsIn(fetched),
  };
}

/**
 * What a place has: the objects of its kept releases, and the live manifest, as this machine remembers them. What it does not know is
 * fetched; what is missing or damaged fails a publish, except a repair, which replaces it.
 */

import { itemAt } from "../base/arrays.ts";
import { VitrineError } from "../base/error.ts";
import type { ReleasedEntry } from "../release/partitions.ts";
import { objectsOf, type ReleaseIndex } from "../release/release-index.ts";
import type { Pointer, ReleaseRecord } from "./documents.ts";
import { fetchPartitions, findIndex, missingObject } from "./fetch-release.ts";
import type { PublishRules } from "./options.ts";
import type { PlaceMemory } from "./place-memory.ts";
import type { Publication } from "./publication.ts";

export const NO_NAMES: ReadonlySet<string> = new Set();

/** Fetches the indexes of kept releases that this machine does not know; skips missing ones. */
export async function learnIndexes({ rules, ports, memory, state }: Publication): Promise<void> {
  for (const { index: name } of state.live?.pointer.releases ?? []) {
    if (memory.hasIndex(name)) continue;
    const index = await unlessDamaged(rules, () => findIndex(ports.bucket, name));
    if (index !== null) memory.keepIndex(name, index);
  }
}

/** While repairing, treats damaged objects as missing ones. */
async function unlessDamaged<Found>(
  { repair }: PublishRules,
  find: () => Promise<Found>,
): Promise<Found | null> {
  try {
    return await find();
  } catch (error) {
    if (repair && error instanceof VitrineError && error.code === "remote_invalid") return null;
    throw error;
  }
}

/** Names of all objects of a release, its index included. */
export function namesOf(memory: PlaceMemory, { index: name }: ReleaseRecord): string[] {
  const index = memory.indexOf(name);
  return index === undefined ? [name] : [name, ...objectsOf(index)];
}

/** Names of all objects of the kept releases, one release at a time. */
export function* namesOfAll(memory: PlaceMemory, pointer: Pointer | null): Generator<string> {
  for (const release of pointer?.releases ?? []) yield* namesOf(memory, release);
}

/** True if the place has all objects of a release. */
export function isWhole(
  memory: PlaceMemory,
  release: ReleaseRecord | undefined,
  lost: ReadonlySet<string>,
): boolean {
  if (release === undefined || !memory.hasIndex(release.index)) return false;
  return lost.size === 0 || namesOf(memory, release).every((name) => !lost.has(name));
}

/**
 * Brings the remembered live manifest up to date: fetches the partitions that are not remembered. Null if something of the manifest
 * is lost or damaged and the place is being repaired.
 * @throws VitrineError remote_failed, remote_invalid
 */
export function followLive(publication: Publication, live: Pointer): Promise<ReleaseIndex | null> {
  return unlessDamaged(publication.rules, () => followWhole(publication, live));
}

async function followWhole(
  { rules, ports, memory }: Publication,
  live: Pointer,
): Promise<ReleaseIndex | null> {
  const { bucket } = ports;
  const { index: name } = itemAt(live.releases, 0);
  const index = memory.indexOf(name) ?? (await findIndex(bucket, name));
  const lost = (object: string) => {
    if (rules.repair) return null;
    throw missingObject(bucket, object);
  };
  if (index === null) return lost(name);
  const wanted = new Set(index.manifest);
  const known = new Set<string>();
  const gone: string[] = [];
  for (const { name: partition, entries } of memory.partitions()) {
    if (wanted.has(partition)) known.add(partition);
    else for (const { key } of entries) gone.push(key);
  }
  const missing = index.manifest.filter((partition) => !known.has(partition));
  if (missing.length === 0 && gone.length === 0) return index;
  const put: ReleasedEntry[] = [];
  for await (const { name: partition, entries } of fetchPartitions(bucket, missing)) {
    if (entries === null) return lost(partition);
    for (const entry of entries) put.push(entry);
  }
  memory.replaceEntries(
    () => gone,
    () => put,
  );
  return index;
}

/** The keys in which other manifests, older or unfinished, differ from the live one. */
interface Difference {
  /** Keys of another manifest that are not live, or live with other content. */
  readonly others: ReadonlySet<string>;
  /** These, and live keys that another manifest does not have. */
  readonly touched: ReadonlySet<string>;
}

/**
 * Compares the manifests of these indexes with the live one, as it is remembered. One with missing objects is left out: of an attempt,
 * it has put no key; of an older release, it is being forgotten, and its keys were deleted and purged before.
 */
export async function compareWithLive(
  publication: Publication,
  names: Iterable<string>,
  live: ReleaseIndex | null,
): Promise<Difference> {
  const others = new Set<string>();
  const touched = new Set<string>();
  for (const name of names) {
    const found = await unlessDamaged(publication.rules, () => compareWhole(publication, name, live));
    for (const key of found?.others ?? []) others.add(key);
    for (const key of found?.touched ?? []) touched.add(key);
  }
  return { others, touched };
}

async function compareWhole(
  { ports, memory }: Publication,
  name: string,
  live: ReleaseIndex | null,
): Promise<Difference | null> {
  const { bucket } = ports;
  const index = memory.indexOf(name) ?? (await findIndex(bucket, name));
  if (index === null) return null;
  const own = new Set(index.manifest);
  const inLive = new Set(live?.manifest);
  const liveEtags = new Map<string, string>();
  if (live !== null) {
    for (const { name: partition, entries } of memory.partitions())
      if (!own.has(partition)) for (const { key, etag } of entries) liveEtags.set(key, etag);
  }
  const others = new Set<string>();
  const differing = index.manifest.filter((partition) => !inLive.has(partition));
  for await (const { entries } of fetchPartitions(bucket, differing)) {
    if (entries === null) return null;
    for (const { key, etag } of entries) {
      if (liveEtags.get(key) !== etag) others.add(key);
      if (liveEtags.get(key) === etag) liveEtags.delete(key);
    }
  }
  return { others, touched: new Set([...others, ...liveEtags.keys()]) };
}

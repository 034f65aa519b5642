/** Fetches objects of a release: its index, and the entries of its manifest. Everything is checked before it is used. */
import { pMapIterable } from "p-map";
import { VitrineError } from "../base/error.ts";
import type { ResourceName } from "../catalog/resources.ts";
import type { PartitionLines } from "../release/apply.ts";
import { MAX_CONTENT_BYTES, objectKey, unzipObject } from "../release/objects.ts";
import { MAX_ENTRIES_BYTES, parseEntries, type ReleasedEntry } from "../release/partitions.ts";
import {
  MAX_INDEX_BYTES,
  parseIndex,
  type ReleaseIndex,
  refuseNewerCatalog,
} from "../release/release-index.ts";
import { type Bucket, type PlaceReader, readingObject } from "./bucket.ts";

/** The content of an object; null if the bucket does not have it. @throws VitrineError remote_invalid */
export async function fetchObject(
  bucket: PlaceReader,
  name: string,
  mostBytes: number = MAX_CONTENT_BYTES,
): Promise<Buffer | null> {
  const found = await bucket.get(objectKey(name));
  return found === null ? null : readingNamed(bucket, name, () => unzipObject(name, found.body, mostBytes));
}

/** Reads an object. @throws VitrineError remote_invalid, newer_format, with its name */
function readingNamed<Result>(bucket: PlaceReader, name: string, read: () => Result): Result {
  return readingObject(`${bucket.url}/${objectKey(name)}`, read);
}

/** An object that a release needs. @throws VitrineError remote_failed if it is missing, remote_invalid */
export async function fetchNeeded(bucket: PlaceReader, name: string, mostBytes?: number): Promise<Buffer> {
  const content = await fetchObject(bucket, name, mostBytes);
  if (content !== null) return content;
  throw missingObject(bucket, name);
}

export function missingObject(bucket: PlaceReader, name: string): VitrineError {
  return new VitrineError(
    "remote_failed",
    `${bucket.url}/${objectKey(name)} is missing. Run vitrine publish --repair: it puts back what the live release needs.`,
  );
}

/** Null if the bucket does not have it. @throws VitrineError remote_invalid, newer_format */
export async function findIndex(bucket: Bucket, name: string): Promise<ReleaseIndex | null> {
  const content = await fetchObject(bucket, name, MAX_INDEX_BYTES);
  return content === null ? null : readingNamed(bucket, name, () => parseIndex(content));
}

/** An index that a release needs. @throws VitrineError remote_failed if it is missing, remote_invalid, newer_format */
export async function fetchIndex(bucket: Bucket, name: string): Promise<ReleaseIndex> {
  const index = await findIndex(bucket, name);
  if (index !== null) return index;
  throw missingObject(bucket, name);
}

/** Parses an index whose catalog will be read. @throws VitrineError remote_invalid, newer_format */
export function readIndex(bucket: PlaceReader, name: string, content: Buffer): ReleaseIndex {
  return readingNamed(bucket, name, () => {
    const index = parseIndex(content);
    refuseNewerCatalog(index);
    return index;
  });
}

/** An object to fetch; `name` is null for an empty partition, which has no object. */
interface Wanted {
  readonly name: string | null;
}

/** An object's bytes as the bucket has them; null if it is missing or has no name. */
type Fetched<Item extends Wanted> = readonly [item: Item, bytes: Buffer | null];

/** Fetches several objects at once and yields them in the order of `wanted`. The consumer unzips one at a time. */
function fetchInOrder<Item extends Wanted>(
  bucket: Bucket,
  wanted: Iterable<Item>,
): AsyncIterable<Fetched<Item>> {
  const fetchOne = async (item: Item): Promise<Fetched<Item>> => [
    item,
    item.name === null ? null : ((await bucket.get(objectKey(item.name)))?.body ?? null),
  ];
  return pMapIterable(wanted, fetchOne, { concurrency: 16, backpressure: 32 });
}

/** A partition of a manifest; `entries` is null if its object is missing. */
export interface FetchedPartition {
  readonly name: string;
  readonly entries: readonly ReleasedEntry[] | null;
}

/** Fetches partitions of a manifest by name, several at once, and yields them in the order of `names`. */
export async function* fetchPartitions(
  bucket: Bucket,
  names: readonly string[],
): AsyncGenerator<FetchedPartition> {
  const wanted = names.map((name) => ({ name }));
  let before = "";
  for await (const [{ name }, bytes] of fetchInOrder(bucket, wanted)) {
    const read = (zipped: Buffer) => () => {
      const entries = parseEntries(unzipObject(name, zipped, MAX_ENTRIES_BYTES));
      if ((entries[0]?.key ?? "") <= before)
        throw new Error("its keys come before those of the previous partition");
      before = entries.at(-1)?.key ?? before;
      return entries;
    };
    yield { name, entries: bytes === null ? null : readingNamed(bucket, name, read(bytes)) };
  }
}

/** All entries of a release's manifest, in order of key. @throws VitrineError remote_failed if one is missing */
export async function* fetchEntries(
  bucket: Bucket,
  { manifest }: ReleaseIndex,
): AsyncGenerator<ReleasedEntry> {
  for await (const { name, entries } of fetchPartitions(bucket, manifest)) {
    if (entries === null) throw missingObject(bucket, name);
    yield* entries;
  }
}

function* partitionsIn({ lists }: ReleaseIndex) {
  for (const [list, names] of Object.entries(lists))
    for (const [partition, name] of names.entries())
      if (name !== null) yield { resource: list as ResourceName, partition, name };
}

/** The lines of all records of a release, partition by partition. @throws VitrineError remote_failed if one is missing */
export async function* fetchRecords(bucket: Bucket, index: ReleaseIndex): AsyncGenerator<PartitionLines> {
  for await (const [{ resource, partition, name }, bytes] of fetchInOrder(bucket, partitionsIn(index))) {
    if (bytes === null) throw missingObject(bucket, name);
    const lines = readingNamed(bucket, name, () => unzipObject(name, bytes, MAX_CONTENT_BYTES));
    yield { resource, partition, lines };
  }
}

/** A release as a bucket holds it → its catalog and its manifest: a base, and the deltas since applied to it. */
import { renameSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { itemAt } from "../base/arrays.ts";
import { VitrineError } from "../base/error.ts";
import { mergeByKey } from "../base/merge.ts";
import { explainWriteFailure } from "../base/write-failure.ts";
import { type DeltaHeader, keysOf, openDelta, readHeader } from "../site/delta.ts";
import type { ManifestEntry } from "../site/manifest.ts";
import {
  type Bucket,
  catalogKey,
  deltaKey,
  invalidObject,
  manifestKey,
  POINTER_KEY,
  readingObject,
} from "./bucket.ts";
import { digestInId, type ReleasePart } from "./documents.ts";
import { type FetchedFile, makeCatalogInWorker } from "./make-catalog.ts";
import { type ReleasedEntry, readReleaseManifest, unzip } from "./release-files.ts";
import type { ReleaseCatalog } from "./releases.ts";

/** More than any catalog or manifest is, zipped, where the pointer does not say its size. */
const MOST_ZIPPED_BYTES = 8 * 1024 ** 3;

/** What is wrong with an object, or with the disk that it is written to. */
function explained(name: string, error: unknown, folder: string): unknown {
  return explainWriteFailure(invalidObject(name, error), folder);
}

/** Fetches an object, and unzips it; null where it is missing. */
async function fetchFile(
  bucket: Bucket,
  key: string,
  part: ReleasePart,
  file: string,
): Promise<FetchedFile | null> {
  const zipped = `${file}.gz`;
  const name = `${bucket.url}/${key}`;
  if (!(await bucket.getFile(key, zipped, part.sizeBytes || MOST_ZIPPED_BYTES))) return null;
  await unzip(zipped, file).catch((error: unknown) => {
    throw explained(name, error, dirname(file));
  });
  await rm(zipped);
  return { file, name };
}

/** As {@link fetchFile}, for one that is needed. @throws VitrineError remote_failed where it is missing */
async function fetchNeeded(
  bucket: Bucket,
  key: string,
  part: ReleasePart,
  file: string,
): Promise<FetchedFile> {
  const fetched = await fetchFile(bucket, key, part, file);
  if (fetched !== null) return fetched;
  throw new VitrineError("remote_failed", `${bucket.url}/${key} is missing: publish again.`);
}

/** Brings a part of a release to a folder: a catalog, or a delta; null where the bucket has lost it. */
export async function fetchPart(bucket: Bucket, part: ReleasePart, folder: string): Promise<string | null> {
  const key = part.kind === "base" ? catalogKey(part.id) : deltaKey(part.id);
  return (await fetchFile(bucket, key, part, join(folder, part.id)))?.file ?? null;
}

function assertLeads(
  before: string,
  after: string,
  { from, to }: DeltaHeader,
  was: DeltaHeader | null,
): void {
  const follows = was === null || (was.to.catalog === from.catalog && was.to.content === from.content);
  if (follows && from.catalog.startsWith(digestInId(before)) && to.catalog.startsWith(digestInId(after)))
    return;
  throw new Error(`it does not lead from ${before} to ${after}`);
}

/** Fetches the deltas that lead from the first of some parts to the last; files in their order. */
export async function fetchDeltas(
  bucket: Bucket,
  parts: readonly ReleasePart[],
  folder: string,
): Promise<FetchedFile[]> {
  const deltas: FetchedFile[] = [];
  let was: DeltaHeader | null = null;
  for (const [at, part] of parts.slice(1).entries()) {
    const delta = await fetchNeeded(bucket, deltaKey(part.id), part, join(folder, `${part.id}.ndjson`));
    was = readingObject(delta.name, () => {
      const header = readHeader(delta.file);
      assertLeads(itemAt(parts, at).id, part.id, header, was);
      return header;
    });
    deltas.push(delta);
  }
  return deltas;
}

/** Keys that deltas put, with their entries, or delete, with null; the last one of them says it. */
export function readKeyChanges(deltas: readonly FetchedFile[]): Map<string, ReleasedEntry | null> {
  const changes = new Map<string, ReleasedEntry | null>();
  for (const { file, name } of deltas) {
    readingObject(name, () => {
      for (const change of keysOf(openDelta(file))) {
        if ("gone" in change) changes.set(change.gone, null);
        else if (isReleased(change.file)) changes.set(change.file.key, change.file);
        else throw new Error(`it does not say the headers of ${change.file.key}`);
      }
    });
  }
  return changes;
}

function isReleased(entry: ManifestEntry): entry is ReleasedEntry {
  return "headers" in entry;
}

async function* changed(
  base: AsyncIterable<ReleasedEntry>,
  changes: ReadonlyMap<string, ReleasedEntry | null>,
): AsyncGenerator<ReleasedEntry> {
  const keys = [...changes.keys()].sort().map((key) => ({ key }));
  for await (const { key, left, right } of mergeByKey(base, keys)) {
    const entry = right === undefined ? left : changes.get(key);
    if (entry) yield entry;
  }
}

/**
 * Fetches a release's manifest to a folder; the function then reads it, as often as wanted. Null where there is none.
 */
export async function fetchManifest(
  bucket: Bucket,
  chain: readonly ReleasePart[],
  folder: string,
): Promise<(() => AsyncGenerator<ReleasedEntry>) | null> {
  const base = itemAt(chain, 0);
  const key = manifestKey(base.id);
  const file = join(folder, `${base.id}.tsv.gz`);
  if (!(await bucket.getFile(key, file, base.sizeBytes || MOST_ZIPPED_BYTES))) return null;
  const changes = readKeyChanges(await fetchDeltas(bucket, chain, folder));
  return () => changed(named(readReleaseManifest(file), `${bucket.url}/${key}`), changes);
}

/** What is wrong with entries is reported with their object's name. */
async function* named(entries: AsyncIterable<ReleasedEntry>, name: string): AsyncGenerator<ReleasedEntry> {
  try {
    yield* entries;
  } catch (error) {
    throw invalidObject(name, error);
  }
}

/**
 * Fetches a release's catalog to a file; what stood there stays until the new one is whole and all of it has been read.
 * @throws VitrineError remote_failed, remote_invalid
 */
export async function fetchCatalog(
  bucket: Bucket,
  { chain, digest }: ReleaseCatalog,
  file: string,
): Promise<void> {
  const folder = `${file}.${process.pid}`;
  const draft = join(folder, "catalog.sqlite");
  const base = itemAt(chain, 0);
  try {
    await mkdir(folder, { recursive: true });
    const { name } = await fetchNeeded(bucket, catalogKey(base.id), base, draft);
    const deltas = await fetchDeltas(bucket, chain, folder);
    await makeCatalogInWorker({
      catalog: draft,
      base: { name, digest: digestInId(base.id) },
      deltas,
      digest,
      digestBy: `${bucket.url}/${POINTER_KEY}`,
    });
    renameSync(draft, file);
  } catch (error) {
    throw explained(`${bucket.url}/${POINTER_KEY}`, error, dirname(file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

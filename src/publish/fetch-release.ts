/** A release as a bucket holds it → its catalog and its manifest: a base, and the deltas since applied to it. */
import { renameSync, rmSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemCodeOf, VitrineError } from "../base/error.ts";
import { itemAt } from "../base/item-at.ts";
import { applyRows } from "../catalog/apply.ts";
import { openCatalog } from "../catalog/catalog.ts";
import { type CatalogWriter, changeCatalog } from "../catalog/writer.ts";
import { type DeltaHeader, keysOf, openDelta, readHeader, rowsOf, stepOf } from "../snapshot/delta.ts";
import { type Bucket, catalogKey, deltaKey, manifestKey } from "./bucket.ts";
import { digestInId, type Part } from "./documents.ts";
import { unzip } from "./gzip.ts";
import { type ReleasedEntry, readReleaseManifest } from "./release-manifest.ts";

/** What a release is made of, its base first: parts.ts says which. */
type Chain = readonly Part[];

/** Fetches an object that is needed, and unzips it. @throws VitrineError remote_failed where it is missing */
async function fetchFile(bucket: Bucket, key: string, file: string): Promise<void> {
  const zipped = `${file}.gz`;
  if (!(await bucket.getFile(key, zipped)))
    throw new VitrineError("remote_failed", `${bucket.url}/${key} is missing: publish again.`);
  await unzip(zipped, file);
  await rm(zipped);
}

/** Brings a part of a release to a folder: a catalog, or a delta; null where the bucket has lost it. */
export async function fetchPart(bucket: Bucket, { id, kind }: Part, folder: string): Promise<string | null> {
  const file = join(folder, kind === "base" ? `${id}.sqlite` : `${id}.ndjson`);
  const zipped = `${file}.gz`;
  if (!(await bucket.getFile(kind === "base" ? catalogKey(id) : deltaKey(id), zipped))) return null;
  await unzip(zipped, file);
  await rm(zipped);
  return file;
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
  throw new VitrineError(
    "delta_refused",
    `The delta of release ${after} does not lead from ${before} to it: somebody replaced it. Nothing was changed. ` +
      "Publish a snapshot that was built whole.",
  );
}

/** Fetches the deltas that lead from the first of some parts to the last; files in their order. */
export async function fetchDeltas(bucket: Bucket, parts: Chain, folder: string): Promise<string[]> {
  const files: string[] = [];
  let was: DeltaHeader | null = null;
  for (const [at, { id }] of parts.slice(1).entries()) {
    const file = join(folder, `${id}.ndjson`);
    await fetchFile(bucket, deltaKey(id), file);
    const header = readHeader(file);
    assertLeads(itemAt(parts, at).id, id, header, was);
    was = header;
    files.push(file);
  }
  return files;
}

/** Keys that deltas put, with their entries, or delete, with null; the last one of them says it. */
export function readChanges(files: readonly string[]): Map<string, ReleasedEntry | null> {
  const changes = new Map<string, ReleasedEntry | null>();
  for (const file of files) {
    for (const change of keysOf(openDelta(file))) {
      if ("file" in change) changes.set(change.file.key, change.file as ReleasedEntry);
      else changes.set(change.gone, null);
    }
  }
  return changes;
}

async function* changed(
  base: AsyncIterable<ReleasedEntry>,
  changes: ReadonlyMap<string, ReleasedEntry | null>,
): AsyncGenerator<ReleasedEntry> {
  const keys = [...changes.keys()].sort().values();
  let next = keys.next();
  function* upTo(key: string | null) {
    for (; !next.done && (key === null || next.value <= key); next = keys.next()) {
      const entry = changes.get(next.value);
      if (entry) yield entry;
    }
  }
  for await (const entry of base) {
    yield* upTo(entry.key);
    if (!changes.has(entry.key)) yield entry;
  }
  yield* upTo(null);
}

/**
 * Fetches a release's manifest to a folder; the function then reads it, as often as wanted. Null where there is none.
 */
export async function fetchManifest(
  bucket: Bucket,
  chain: Chain,
  folder: string,
): Promise<(() => AsyncGenerator<ReleasedEntry>) | null> {
  const { id } = itemAt(chain, 0);
  const file = join(folder, `${id}.tsv.gz`);
  if (!(await bucket.getFile(manifestKey(id), file))) return null;
  const changes = readChanges(await fetchDeltas(bucket, chain, folder));
  return () => changed(readReleaseManifest(file), changes);
}

/** Applies deltas to a catalog's file in one transaction. @throws VitrineError delta_refused where it is another base */
export function applyDeltas(catalog: string, files: readonly string[]): void {
  const writer = changeCatalog(catalog);
  try {
    for (const file of files) {
      const delta = openDelta(file);
      applyRows(writer, rowsOf(delta), stepOf(delta.header));
    }
    writer.commit();
  } finally {
    writer.close();
  }
}

/** Takes a catalog for changing; null where nothing stands there that could be changed. */
function takeCatalog(file: string): CatalogWriter | null {
  try {
    return changeCatalog(file);
  } catch (error) {
    if (systemCodeOf(error) === "SQLITE_BUSY") throw error;
    return null;
  }
}

/** Whoever is in the middle of changing the file is waited for: what they left begun would spoil the next one. */
function replaceCatalog(draft: string, file: string): void {
  const present = takeCatalog(file);
  try {
    if (present === null) rmSync(`${file}-journal`, { force: true });
    renameSync(draft, file);
  } finally {
    present?.close();
  }
}

/** True where a catalog stands there; a change of it that was cut off is undone. */
export function restoreCatalog(file: string): boolean {
  const present = takeCatalog(file);
  present?.close();
  return present !== null;
}

/** Fetches a release's catalog to a file; what stood there stays until the new one is whole and can be opened. */
export async function fetchCatalog(bucket: Bucket, chain: Chain, file: string): Promise<void> {
  const folder = `${file}.${process.pid}`;
  const draft = join(folder, "catalog.sqlite");
  try {
    await mkdir(folder, { recursive: true });
    await fetchFile(bucket, catalogKey(itemAt(chain, 0).id), draft);
    const deltas = await fetchDeltas(bucket, chain, folder);
    if (deltas.length > 0) applyDeltas(draft, deltas);
    openCatalog(draft).close();
    replaceCatalog(draft, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

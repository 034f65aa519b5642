/** Chooses the release to go back to, and fetches its catalog and manifest. */
import { dirname, join } from "node:path";
import { VitrineError } from "../base/error.ts";
import { makeFolder } from "../base/files.ts";
import { FORMATS } from "../base/formats.ts";
import { createCatalog } from "../catalog/catalog-file.ts";
import { applyRelease } from "../release/apply.ts";
import { MAX_INDEX_BYTES } from "../release/release-index.ts";
import type { OutLayout } from "../site/layout.ts";
import { createManifest, type Manifest, openManifest } from "../site/manifest.ts";
import type { Bucket } from "./bucket.ts";
import { type Pointer, type ReleaseRecord, readLive, refuseNewer } from "./documents.ts";
import { fetchEntries, fetchNeeded, fetchRecords, readIndex } from "./fetch-release.ts";

/** The kept release with this id, or with the one id that begins so. @throws VitrineError usage */
export function findRelease({ releases }: Pointer, named: string): ReleaseRecord {
  const found = releases.filter(({ id }) => id === named || id.startsWith(named));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new VitrineError(
    "usage",
    `"${named}" matches ${found.length > 1 ? "several" : "none"} of the kept releases: ${idsOf(releases)}.`,
  );
}

function idsOf(releases: readonly ReleaseRecord[]): string {
  return releases.map(({ id }) => id).join(", ");
}

/**
 * The named release, or the one before the live one. The beginning of its id is enough. A rollback that holds is repeated: the release
 * before it is the mistake that it left, and a command that is run again must not bring it back. @throws VitrineError usage
 */
function chooseRelease(pointer: Pointer, named: string | undefined): ReleaseRecord {
  const { release: live, releases, held = false } = pointer;
  if (named === undefined) {
    const [first] = releases;
    const isRepeated = held && first?.rollbackOf !== undefined;
    const before = isRepeated ? first : releases.find(({ id }) => id < contentOf(releases, live));
    if (before !== undefined) return before;
    throw new VitrineError(
      "usage",
      `There is no older release to go back to: only ${idsOf(releases)} is kept.`,
      { hint: "correct the shop or the SQL files, then vitrine build and vitrine publish" },
    );
  }
  const found = findRelease(pointer, named);
  if (found.id !== live) return found;
  throw new VitrineError("usage", `${found.id} is live already: name an older one of ${idsOf(releases)}.`);
}

/** The id of the release that first had this one's content, as far as the records say: that of a rollback is an older one's. */
function contentOf(releases: readonly ReleaseRecord[], id: string): string {
  const target = releases.find((release) => release.id === id)?.rollbackOf;
  return target === undefined || target >= id ? id : contentOf(releases, target);
}

/** Why this version cannot go back to a release, judging by its record; null if it can. */
export function whyNotBack({ catalogFormat, by }: ReleaseRecord): string | null {
  const { oldest, newest } = FORMATS.catalog;
  if (catalogFormat >= oldest && catalogFormat <= newest) return null;
  const reads = oldest === newest ? `${newest}` : `${oldest} to ${newest}`;
  const made = `its catalog's format is ${catalogFormat}, and this version reads ${reads}`;
  return catalogFormat > newest
    ? `${made}: update Vitrine here`
    : `${made}: use the version that made it (${by})`;
}

/** @throws VitrineError newer_format, catalog_unreadable */
function refuseOtherFormat(record: ReleaseRecord, place: string): void {
  refuseNewer(record, place);
  const why = whyNotBack(record);
  if (why === null) return;
  throw new VitrineError(
    "catalog_unreadable",
    `Cannot go back to release ${record.id} of ${place}: ${why}. Or choose another: vitrine rollback --list shows all.`,
  );
}

/**
 * Fetches a kept release: its catalog into a new file, its manifest (which the caller closes) into a folder.
 * @throws VitrineError remote_failed, remote_invalid, newer_format
 */
export async function fetchRelease(
  bucket: Bucket,
  pointer: Pointer,
  release: string,
  catalog: string,
  folder: string,
): Promise<Manifest> {
  const record = pointer.releases.find(({ id }) => id === release);
  if (record === undefined) throw new Error(`${release} is not kept`);
  const index = readIndex(bucket, record.index, await fetchNeeded(bucket, record.index, MAX_INDEX_BYTES));
  makeFolder(dirname(catalog));
  const writer = createCatalog(catalog, index.catalog.format);
  try {
    await applyRelease(writer, {
      name: `release ${release} of ${bucket.url}`,
      catalog: index.catalog,
      counts: Object.fromEntries(Object.entries(index.lists).map(([list, names]) => [list, names.length])),
      partitions: fetchRecords(bucket, index),
    });
    writer.commit();
  } finally {
    writer.close();
  }
  const file = join(folder, "release.sqlite");
  const manifest = createManifest(file);
  // A release does not record the digests of its files' bytes.
  for await (const entry of fetchEntries(bucket, index)) manifest.add({ ...entry, digest: "" });
  manifest.finish({});
  return openManifest(file);
}

export interface OlderRelease {
  /** The live release itself if the rollback that made it live is repeated. */
  readonly record: ReleaseRecord;
  /** The id of the release that is gone back to. */
  readonly id: string;
  readonly manifest: Manifest;
}

/** Fetches an older release: its catalog into `layout.catalog`, and its manifest. */
export async function fetchOlderRelease(
  bucket: Bucket,
  named: string | undefined,
  layout: OutLayout,
  folder: string,
): Promise<OlderRelease> {
  const pointer = await readLive(bucket);
  const record = chooseRelease(pointer, named);
  refuseOtherFormat(record, bucket.url);
  const id = record.id === pointer.release ? (record.rollbackOf ?? record.id) : record.id;
  return { record, id, manifest: await fetchRelease(bucket, pointer, record.id, layout.catalog, folder) };
}

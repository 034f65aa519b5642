/** What is compared and reported on: an output folder, a catalog file, or a release, opened to be read. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type LogOption, SILENT } from "../base/log.ts";
import { type Catalog, openCatalog } from "../catalog/catalog.ts";
import { TOOL_VERSION } from "../package.ts";
import { type ReleaseRecord, readLive } from "../publish/documents.ts";
import { fetchRelease, findRelease } from "../publish/rollback.ts";
import { lockSnapshot, openSnapshot } from "../publish/snapshot.ts";
import { layoutOf } from "../snapshot/layout.ts";
import type { Manifest } from "../snapshot/manifest.ts";
import type { DiffSide } from "./diff-side.ts";
import { openPlace, type PlaceOptions } from "./publish.ts";

/** How a place is reached. */
export interface SideOptions extends LogOption, Omit<PlaceOptions, "to"> {}

export interface OpenSide extends DiffSide {
  readonly catalog: Catalog;
  /** Null of a catalog file, which does not say which files there are. */
  readonly manifest: Manifest | null;
  /** Of a release: what its publisher said of it. */
  readonly record: ReleaseRecord | null;
}

/** What has to be closed afterwards, in order of opening. */
export type Closers = (() => void)[];

function openSide(
  { place, record, file }: { place: string; record: ReleaseRecord | null; file: string },
  manifest: Manifest | null,
  closers: Closers,
): OpenSide {
  if (manifest !== null) closers.push(() => manifest.close());
  const catalog = openCatalog(file);
  closers.push(() => catalog.close());
  const { generatedAt, digest } = catalog;
  return { place, release: record?.id ?? null, record, generatedAt, digest, catalog, manifest };
}

/** No build replaces a folder's snapshot while it is read. */
async function openFolder(place: string, options: SideOptions, closers: Closers): Promise<OpenSide> {
  const layout = layoutOf(resolve(place));
  if (existsSync(layout.manifest)) closers.push((await lockSnapshot(layout, options))[Symbol.dispose]);
  const { manifest } = openSnapshot(layout, TOOL_VERSION);
  return openSide({ place, record: null, file: layout.catalog }, manifest, closers);
}

/** `s3://shop/api#00000007` → the place, and the release's name; undefined means the live one. */
function parsePlace(text: string): { readonly to: string; readonly named: string | undefined } {
  const at = text.lastIndexOf("#");
  if (at < 0) return { to: text, named: undefined };
  return { to: text.slice(0, at), named: text.slice(at + 1) || undefined };
}

async function openRelease(
  place: string,
  options: SideOptions,
  folder: string,
  closers: Closers,
): Promise<OpenSide> {
  const { to, named } = parsePlace(place);
  using bucket = await openPlace({ ...options, to });
  const pointer = await readLive(bucket);
  const record = findRelease(pointer, named ?? pointer.release);
  (options.log ?? SILENT).progress(() => `fetching release ${record.id}`);
  mkdirSync(folder);
  const file = join(folder, "catalog.sqlite");
  const manifest = await fetchRelease(bucket, pointer, record.id, file, folder);
  return openSide({ place, record, file }, manifest, closers);
}

/** Opens what is named; what is fetched goes to a folder that is not there yet. */
export async function openSideOf(
  place: string,
  options: SideOptions,
  folder: string,
  closers: Closers,
): Promise<OpenSide> {
  if (/^[a-z0-9]+:\/\//i.test(place)) return openRelease(place, options, folder, closers);
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory() === true)
    return openFolder(place, options, closers);
  return openSide({ place, record: null, file: resolve(place) }, null, closers);
}

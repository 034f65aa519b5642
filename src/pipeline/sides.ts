/** Opens one side of a diff for reading: an output folder, or a release. */
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type LogOption, SILENT } from "../base/log.ts";
import { type Catalog, openCatalog } from "../catalog/catalog.ts";
import { readLive } from "../publish/documents.ts";
import { fetchRelease, findRelease } from "../publish/rollback.ts";
import { layoutOf } from "../site/layout.ts";
import type { Manifest } from "../site/manifest.ts";
import { lockOut } from "../site/out.ts";
import { openBuilt } from "./built.ts";
import { openPlace, type PlaceOptions } from "./publish.ts";

/** How to reach a place. */
interface SideOptions extends LogOption, Omit<PlaceOptions, "to"> {}

export interface OpenSide {
  /** As the caller named it. */
  readonly place: string;
  /** The release's id; null for an output folder. */
  readonly release: string | null;
  readonly generatedAt: string;
  readonly digest: string;
  readonly catalog: Catalog;
  readonly manifest: Manifest;
}

/** Functions that close what was opened, in order of opening. */
export type Closers = (() => void)[];

function openSide(
  place: string,
  release: string | null,
  file: string,
  manifest: Manifest,
  closers: Closers,
): OpenSide {
  closers.push(() => manifest.close());
  const catalog = openCatalog(file);
  closers.push(() => catalog.close());
  const { generatedAt, digest } = catalog;
  return { place, release, generatedAt, digest, catalog, manifest };
}

/** Locks the folder, so that no build replaces its snapshot meanwhile. */
async function openFolder(place: string, options: SideOptions, closers: Closers): Promise<OpenSide> {
  const layout = layoutOf(resolve(place));
  if (existsSync(layout.manifest)) closers.push((await lockOut(layout, "shared", options))[Symbol.dispose]);
  const { manifest } = openBuilt(layout);
  return openSide(place, null, layout.catalog, manifest, closers);
}

/** `s3://shop/api#00000007` → the place, and the release's name; undefined for the live one. */
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
  const { id } = findRelease(pointer, named ?? pointer.release);
  (options.log ?? SILENT).progress(() => `fetching release ${id}`);
  mkdirSync(folder);
  const file = join(folder, "catalog.sqlite");
  const manifest = await fetchRelease(bucket, pointer, id, file, folder);
  return openSide(place, id, file, manifest, closers);
}

/** Opens a side; a release is fetched into `folder`, which must not exist yet. */
export async function openSideOf(
  place: string,
  options: SideOptions,
  folder: string,
  closers: Closers,
): Promise<OpenSide> {
  if (/^[a-z0-9]+:\/\//i.test(place)) return openRelease(place, options, folder, closers);
  return openFolder(place, options, closers);
}

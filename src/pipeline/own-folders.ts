/** Where nothing may be published: a web server serves that folder with all that is in it. */
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { VitrineError } from "../base/error.ts";
import { parsePlace } from "../publish/buckets/open.ts";
import type { Snapshot } from "../publish/options.ts";
import type { OutLayout } from "../site/layout.ts";
import { isServerAddress } from "../store/address.ts";

/**
 * A web server serves the published folder, and would send the store's file to everybody. @throws VitrineError guard_refused
 */
export function guardStore(store: string | undefined, to: string | undefined): void {
  if (store === undefined || to === undefined || isServerAddress(store)) return;
  const place = parsePlace(to);
  if (place.kind !== "directory" || !liesIn(store, place.path)) return;
  throw new VitrineError(
    "guard_refused",
    `${place.path} is no place to publish to: the store ${store} is in it, and a web server that serves it would also send the ` +
      "store. Nothing was written. Move the store out of it, or publish to a separate folder.",
  );
}

/** A web server serves `site/`, and a build never deletes what others put there. @throws VitrineError guard_refused */
export function guardSources(
  { store, queries }: { readonly store: string; readonly queries: string },
  { site }: Pick<OutLayout, "site">,
): void {
  const files = isServerAddress(store) ? [queries] : [store, queries];
  const found = files.find((path) => liesIn(path, site));
  if (found === undefined) return;
  throw new VitrineError(
    "guard_refused",
    `${found} is in ${site}, which a web server serves: everybody could read it. Nothing was written. Move it out of ${dirname(site)}.`,
  );
}

/**
 * A web server serves the published folder. The output folder has private files, and the store is often beside it; and a build replaces
 * `site/`. @throws VitrineError guard_refused
 */
export function guardFolder({ layout }: Pick<Snapshot, "layout">, { to }: { readonly to: string }): void {
  const place = parsePlace(to);
  if (place.kind !== "directory") return;
  const folder = realPath(place.path);
  const out = realPath(dirname(layout.manifest));
  const isSite = [layout.site, layout.next].some((own) => isWithin(folder, join(out, basename(own))));
  if (!isSite && !isWithin(out, folder)) return;
  const why = isSite
    ? "a build replaces its files"
    : `a web server that serves it could also serve what is private in ${out} and beside it`;
  throw new VitrineError(
    "guard_refused",
    `${place.path} is no place to publish to: ${why}. Nothing was written. Publish to a separate folder, like file://${join(out, "../live")}.`,
  );
}

/** A path without links, as far as it exists. */
function realPath(path: string): string {
  const isThere = existsSync(path) || dirname(path) === path;
  return isThere ? realpathSync(path) : join(realPath(dirname(path)), basename(path));
}

/** True if a path is in a folder, or is that folder: as it is written, or without its last link. */
function liesIn(path: string, folder: string): boolean {
  const root = realPath(folder);
  return [realPath(path), join(realPath(dirname(path)), basename(path))].some((real) => isWithin(real, root));
}

function isWithin(path: string, folder: string): boolean {
  return `${path}/`.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

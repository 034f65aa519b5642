/** The pages of a catalog, as its configuration wants them: where they stand, and what of the catalog they say. */
import type { Catalog } from "./catalog/catalog.ts";
import { PAGES_FOLDER } from "./package.ts";
import { Pages, showsImages } from "./pages/pages.ts";
import { type Pictures, picturesAfter, picturesOf } from "./pages/pictures.ts";

/** The pages of a whole catalog; null where its configuration wants none, or is older than they are. */
export function wholePages(catalog: Catalog): Pages | null {
  const { config } = catalog;
  if (!config.pages) return null;
  return new Pages(PAGES_FOLDER, showsImages(config) ? picturesOf(catalog) : {});
}

/** The pages after a change of a catalog; `pictures` are those before it. */
export function changedPages(change: Parameters<typeof picturesAfter>[1], pictures: Pictures): Pages | null {
  const { config } = change.after;
  if (!config.pages) return null;
  return new Pages(PAGES_FOLDER, showsImages(config) ? picturesAfter(pictures, change) : {});
}

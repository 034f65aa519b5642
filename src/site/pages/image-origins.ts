/** The origins of the catalog's images: the explorer may load them from there. */
import type { Catalog } from "../../catalog/catalog.ts";

/** Longer lists of origins are cut: a header of our own making must not grow with what a shop's rows say. */
const MOST_ORIGINS = 50;

/** Nothing that could end a policy's source and begin another: letters of host names, a port. */
const SAFE_ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/i;

const COUNT = `
  WITH picture (url) AS (
    SELECT json ->> '$.image' FROM product_list
    UNION ALL SELECT value FROM product_added, json_each(product_added.json, '$.gallery')
    UNION ALL SELECT json ->> '$.image' FROM post_list
  )
  SELECT substr(url, 1, instr(substr(url || '/', 9), '/') + 7) AS start, COUNT(*) AS images
  FROM picture WHERE url <> '' GROUP BY start`;

/** Origins as a policy names them: those with the most images, in order of their name. */
export function imageOriginsOf({ db }: Catalog): string[] {
  const rows = db.prepare<[], { start: string; images: number }>(COUNT).all();
  return rows
    .filter(({ start }) => SAFE_ORIGIN.test(start))
    .sort((a, b) => b.images - a.images || (a.start < b.start ? -1 : 1))
    .slice(0, MOST_ORIGINS)
    .map(({ start }) => start.toLowerCase())
    .sort();
}

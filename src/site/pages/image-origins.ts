/** The origins of the catalog's images: the explorer may load them from there. */
import { itemAt } from "../../base/arrays.ts";
import type { ResourceName } from "../../catalog/resources.ts";
import type { SiteInputs } from "../made-file.ts";

/** Longer lists of origins are cut: a header of our own making must not grow with what a shop's rows say. */
const MOST_ORIGINS = 50;

/** Nothing that could end a policy's source and begin another: letters of host names, a port. */
const SAFE_ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/i;

/** Records whose images are counted together: if one changes, those of so many are read again. */
const PART_ROWS = 2048;

/** The addresses of the images of records with ids from `:first` to `:last`. */
const PICTURES: Readonly<Partial<Record<ResourceName, string>>> = {
  product: `
    SELECT json ->> '$.image' AS url FROM product_list WHERE id BETWEEN :first AND :last
    UNION ALL SELECT value FROM product_added, json_each(product_added.json, '$.gallery')
    WHERE product_added.id BETWEEN :first AND :last`,
  post: "SELECT json ->> '$.image' AS url FROM post_list WHERE id BETWEEN :first AND :last",
};

/** Number of images by the beginning of their address, as far as it names an origin. */
type OriginCounts = readonly (readonly [start: string, images: number])[];

/** Origins as a policy names them: those with the most images, in order of their name. */
export function imageOriginsOf(inputs: SiteInputs): string[] {
  const counts = new Map<string, number>();
  for (const [name, pictures] of Object.entries(PICTURES))
    for (const [start, images] of originsIn(inputs, name as ResourceName, pictures))
      counts.set(start, (counts.get(start) ?? 0) + images);
  const rows = Array.from(counts, ([start, images]) => ({ start, images }));
  return rows
    .filter(({ start }) => SAFE_ORIGIN.test(start))
    .sort((a, b) => b.images - a.images || (a.start < b.start ? -1 : 1))
    .slice(0, MOST_ORIGINS)
    .map(({ start }) => start.toLowerCase())
    .sort();
}

/** The counts of a record's images, part by part: those of a part whose records are the same are remembered. */
function* originsIn({ catalog, digests, known }: SiteInputs, name: ResourceName, pictures: string) {
  const { ids } = catalog.list(name);
  const own = digests.of(name);
  const count = catalog.db
    .prepare<[{ first: number; last: number }], OriginCounts[number]>(
      `SELECT substr(url, 1, instr(substr(url || '/', 9), '/') + 7) AS start, COUNT(*) FROM (${pictures})
       WHERE url <> '' GROUP BY start`,
    )
    .raw();
  for (let from = 0; from < ids.length; from += PART_ROWS) {
    const end = Math.min(from + PART_ROWS, ids.length);
    const range = { first: itemAt(ids, from), last: itemAt(ids, end - 1) };
    const compute = (): OriginCounts => count.all(range);
    yield* known.of(`images of ${name} from ${from}`, own.digestOf(from, end), compute);
  }
}

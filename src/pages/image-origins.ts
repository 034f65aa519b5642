/**
 * Where the catalog's images stand: the origins that the explorer may load them from, each with how many images are there,
 * so that a change of some records changes the counts and nothing else is read.
 */
import type { Catalog } from "../catalog/catalog.ts";
import type { ResourceName } from "../catalog/resources.ts";

/** Images by the beginning of their address, up to the path: `{"https://shop.example": 480}` */
export type ImageOrigins = Readonly<Record<string, number>>;

/** Rows that a change puts and deletes, by resource. */
type ChangedRows = ReadonlyMap<
  string,
  {
    /** `isRelisted`: its own images are what they were. */
    readonly put: readonly { readonly id: number; readonly isRelisted?: boolean }[];
    readonly deleted: readonly number[];
  }
>;

interface RowsChange {
  readonly before: Catalog;
  readonly after: Catalog;
  readonly rows: ChangedRows;
}

/** Records that the explorer shows images of. */
const PICTURED: readonly ResourceName[] = ["product", "post"];

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

/** The scheme and host that an address begins with, as the statement above cuts it. */
function startOf(url: string): string {
  return url.slice(0, `${url}/`.indexOf("/", 8));
}

export function imageOriginsOf({ db }: Catalog): ImageOrigins {
  const rows = db.prepare<[], { start: string; images: number }>(COUNT).all();
  return Object.fromEntries(rows.map(({ start, images }) => [start, images]));
}

/** Addresses of the images of a record; none where it is not there. SQLite looks for them: the records' texts are long. */
function imagesIn({ db }: Catalog, name: ResourceName): (id: number) => string[] {
  const read = db
    .prepare<[number], [image: string, gallery: string | null]>(
      `SELECT json ->> '$.image', (SELECT json -> '$.gallery' FROM ${name}_added AS a WHERE a.id = l.id)
       FROM ${name}_list AS l WHERE id = ?`,
    )
    .raw();
  return (id) => {
    const [image = "", gallery = null] = read.get(id) ?? [];
    return [image, ...(JSON.parse(gallery ?? "[]") as string[])].filter((url) => url !== "");
  };
}

/** The pictures after a change. */
export function imageOriginsAfter(origins: ImageOrigins, { before, after, rows }: RowsChange): ImageOrigins {
  const counts: Record<string, number> = { ...origins };
  const add = (url: string, more: number) => {
    const start = startOf(url);
    counts[start] = (counts[start] ?? 0) + more;
  };
  for (const name of PICTURED) {
    const { put = [], deleted = [] } = rows.get(name) ?? {};
    const [imagesBefore, imagesAfter] = [imagesIn(before, name), imagesIn(after, name)];
    const own = put.filter(({ isRelisted = false }) => !isRelisted);
    for (const id of [...own.map((row) => row.id), ...deleted]) {
      for (const url of imagesBefore(id)) add(url, -1);
      for (const url of imagesAfter(id)) add(url, 1);
    }
  }
  return Object.fromEntries(Object.entries(counts).filter(([, images]) => images > 0));
}

/** Origins as a policy names them: those with the most images, in order of their name. */
export function originsOf(origins: ImageOrigins): string[] {
  return Object.entries(origins)
    .filter(([start]) => SAFE_ORIGIN.test(start))
    .sort(([a, images], [b, others]) => others - images || (a < b ? -1 : 1))
    .slice(0, MOST_ORIGINS)
    .map(([start]) => start.toLowerCase())
    .sort();
}

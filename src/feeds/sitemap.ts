/**
 * The pages of the shop for search engines (sitemaps.org, protocol 0.9): an index, and parts of about a thousand addresses,
 * so that one product that changes rewrites a part and not the list of all.
 */
import { toMetaTime } from "../base/time.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { ResourceName } from "../catalog/resources.ts";
import { type CatalogChange, type Feed, type FeedFile, offers, rootOf } from "./feed.ts";
import { asciiUrl, XML_HEAD, xmlElement } from "./text.ts";

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
/** Addresses of a part, on average; the protocol takes 50,000. */
const PART_SIZE = 1000;
/** Numbers of parts: primes, so that ids in steps fill all parts alike. */
const PART_COUNTS = [1, 2, 5, 11, 23, 47, 97, 197, 397, 797, 1597, 3203, 6421, 12853];
/** Of more than twelve million records parts are larger; an index takes 50,000. */
const MOST_PARTS = 25_703;
const INDEX_KEY = "feeds/sitemap.xml";

/** Records that have a page in the shop: which field names it, and SQL of the row `r` and its fragment `l` that says when it changed. */
const PAGES = [
  { resource: "product", endpoint: "products", url: "public_url", changed: "r.updated_at" },
  { resource: "category", endpoint: "categories", url: "url", changed: null },
  { resource: "post", endpoint: "blog", url: "url", changed: "l.json ->> '$.updated_at'" },
] as const;
type Page = (typeof PAGES)[number];

function pagesOf({ config }: Catalog): readonly Page[] {
  return PAGES.filter(({ endpoint }) => offers(config, endpoint));
}

function partsOf(rows: number): number {
  if (rows === 0) return 0;
  return PART_COUNTS.find((count) => rows <= count * PART_SIZE) ?? MOST_PARTS;
}

function countParts({ db }: Catalog, resource: ResourceName): number {
  return partsOf(db.prepare<[], number>(`SELECT COUNT(*) FROM ${resource}`).pluck().get() ?? 0);
}

function partKey({ endpoint }: Page, part: number): string {
  return `feeds/sitemap-${endpoint}-${part}.xml`;
}

function lastmod(time: string | null): string {
  return time === null ? "" : xmlElement("lastmod", toMetaTime(time));
}

function makePart({ db }: Catalog, { resource, url, changed }: Page, part: number, of: number): string {
  const rows = db
    .prepare<[number, number], { url: string; at: string | null }>(
      `SELECT l.json ->> '$.${url}' AS url, ${changed ?? "NULL"} AS at
       FROM ${resource} r CROSS JOIN ${resource}_list l ON l.id = r.id WHERE r.id % ? = ? ORDER BY r.id`,
    )
    .all(of, part);
  const urls = rows.flatMap((row) => {
    const address = asciiUrl(row.url);
    return address === null ? [] : [`<url>${xmlElement("loc", address)}${lastmod(row.at)}</url>\n`];
  });
  return `${XML_HEAD}<urlset ${NAMESPACE}>\n${urls.join("")}</urlset>\n`;
}

/** Names each part with the latest change in it. */
function makeIndex(catalog: Catalog): string {
  const lines = pagesOf(catalog).flatMap((page) => {
    const { resource, changed } = page;
    const of = countParts(catalog, resource);
    const join = changed?.startsWith("l.") ? `JOIN ${resource}_list l USING (id)` : "";
    const latest = new Map(
      catalog.db
        .prepare<[number], [part: number, at: string | null]>(
          `SELECT r.id % ? AS part, MAX(${changed ?? "NULL"}) FROM ${resource} r ${join} GROUP BY part`,
        )
        .raw()
        .all(Math.max(1, of)),
    );
    return Array.from({ length: of }, (_, part) => {
      const loc = xmlElement("loc", `${rootOf(catalog.config)}/${partKey(page, part)}`);
      return `<sitemap>${loc}${lastmod(latest.get(part) ?? null)}</sitemap>\n`;
    });
  });
  return `${XML_HEAD}<sitemapindex ${NAMESPACE}>\n${lines.join("")}</sitemapindex>\n`;
}

function part(catalog: Catalog, page: Page, number: number, of: number): FeedFile {
  return { key: partKey(page, number), make: () => makePart(catalog, page, number, of) };
}

/** Parts with rows that changed, or all where there are more or fewer of them. */
function* changedParts(change: CatalogChange, page: Page): Generator<FeedFile> {
  const { put = [], deleted = [] } = change.rows.get(page.resource) ?? {};
  const ids = [...put.map(({ id }) => id), ...deleted];
  if (ids.length === 0) return;
  // The rows before are in memory as they were; the file has those after already.
  const was = partsOf(change.before.table(page.resource).ids.length);
  const is = countParts(change.after, page.resource);
  const all = Array.from({ length: is }, (_, number) => number);
  const touched = was === is ? new Set(ids.map((id) => id % is)) : all;
  for (const number of touched) yield part(change.after, page, number, is);
  for (let number = is; number < was; number++) yield { gone: partKey(page, number) };
}

export const sitemap: Feed = {
  *files(catalog) {
    for (const page of pagesOf(catalog)) {
      const of = countParts(catalog, page.resource);
      for (let number = 0; number < of; number++) yield part(catalog, page, number, of);
    }
    yield { key: INDEX_KEY, make: () => makeIndex(catalog) };
  },
  *changed(change) {
    const { after, rows } = change;
    const pages = pagesOf(after).filter(({ resource }) => rows.has(resource));
    for (const page of pages) yield* changedParts(change, page);
    if (pages.length > 0) yield { key: INDEX_KEY, make: () => makeIndex(after) };
  },
  count: (catalog) => pagesOf(catalog).reduce((sum, { resource }) => sum + countParts(catalog, resource), 1),
};

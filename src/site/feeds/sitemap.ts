/**
 * The pages of the shop for search engines (sitemaps.org, protocol 0.9): an index, and parts of about a thousand addresses, so that
 * one changed product rewrites a part and not the whole list.
 */
import { SITEMAP_INDEX } from "../../api/endpoints.ts";
import { toMetaTime } from "../../base/time.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { ResourceName } from "../../catalog/resources.ts";
import { idsByPartition } from "../../release/partitions.ts";
import { type Feed, feedFile, offers, partitionDigests, rootOf } from "./feed.ts";
import { asciiUrl, XML_HEAD, xmlElement } from "./text.ts";

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
/** Average number of addresses in a part; the protocol allows 50,000. */
const PART_SIZE = 1000;
/** Numbers of parts: primes, so that ids at regular intervals fill all parts evenly. */
const PART_COUNTS = [1, 2, 5, 11, 23, 47, 97, 197, 397, 797, 1597, 3203, 6421, 12853];
/** Beyond twelve million records the parts grow; an index may name 50,000. */
const MOST_PARTS = 25_703;

/** Records that have a page in the shop: the field with its address, and SQL for the time of its last change (`r`: its row, `l`: its fragment). */
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

function makePart({ db }: Catalog, { resource, url, changed }: Page, ids: readonly number[]): string {
  const rows = db
    .prepare<[string], { url: string; at: string | null }>(
      `SELECT l.json ->> '$.${url}' AS url, ${changed ?? "NULL"} AS at FROM ${resource} r JOIN ${resource}_list l USING (id)
       WHERE r.id IN (SELECT value FROM json_each(?)) ORDER BY r.id`,
    )
    .all(JSON.stringify(ids));
  const urls = rows.flatMap((row) => {
    const address = asciiUrl(row.url);
    return address === null ? [] : [`<url>${xmlElement("loc", address)}${lastmod(row.at)}</url>\n`];
  });
  return `${XML_HEAD}<urlset ${NAMESPACE}>\n${urls.join("")}</urlset>\n`;
}

/** Lists each part with the time of its latest change. */
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

export const sitemap: Feed = {
  *files(inputs) {
    const { catalog, digests } = inputs;
    const wholes: Record<string, string> = {};
    for (const page of pagesOf(catalog)) {
      const { resource } = page;
      const of = countParts(catalog, resource);
      const own = partitionDigests(inputs, resource, of);
      for (const [part, ids] of idsByPartition(catalog.list(resource).ids, of).entries()) {
        const records = { [resource]: own[part] ?? "", parts: String(of) };
        yield feedFile(inputs, partKey(page, part), records, () => makePart(catalog, page, ids));
      }
      wholes[resource] = digests.of(resource).whole;
    }
    yield feedFile(inputs, SITEMAP_INDEX, wholes, () => makeIndex(catalog));
  },
  count: (catalog) => pagesOf(catalog).reduce((sum, { resource }) => sum + countParts(catalog, resource), 1),
};

/**
 * The pages of the shop for search engines (sitemaps.org, protocol 0.9): an index, and parts of about a thousand addresses, so that
 * one changed product rewrites a part and not the whole list. The protocol knows neither an index nor a part without entries, and
 * Search Console refuses both: they are not made.
 */
import { offers, SITEMAP_INDEX } from "../../api/endpoints.ts";
import { rootAddress } from "../../api/target.ts";
import { type MetaTime, toMetaTime } from "../../base/time.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { idsOf } from "../../catalog/resources.ts";
import { idsByPartition, partitionFingerprints } from "../../release/partitions.ts";
import type { MadeFile, MakePorts, SiteInputs } from "../made-file.ts";
import { type Feed, feedFile } from "./feed.ts";
import { asciiUrl, XML_HEAD, xmlElement } from "./text.ts";

export const sitemap: Feed = {
  *files(inputs) {
    const { catalog, digests } = inputs;
    const parts = partsOf(catalog);
    const wholes: Record<string, string> = {};
    const own: Record<string, readonly string[]> = {};
    for (const part of parts) {
      const { resource } = part.page;
      wholes[resource] = digests.of(resource).whole;
      own[resource] ??= partitionFingerprints(digests.of(resource), catalog.list(resource).ids, part.of);
      yield partFile(inputs, part, own[resource][part.number] ?? "");
    }
    if (parts.length > 0)
      yield feedFile(inputs, SITEMAP_INDEX, wholes, (ports) => makeIndex(catalog, parts, ports));
  },
  count(catalog) {
    const { length } = partsOf(catalog);
    return length === 0 ? 0 : length + 1;
  },
};

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
/** Average number of addresses in a part; the protocol allows 50,000. */
const PART_SIZE = 1000;
/** Numbers of parts: primes, so that ids at regular intervals fill all parts evenly. */
const PART_COUNTS = [1, 2, 5, 11, 23, 47, 97, 197, 397, 797, 1597, 3203, 6421, 12853];
/** Beyond twelve million records the parts grow; an index may name 50,000. */
const MOST_PARTS = 25_703;

/**
 * Records that have a page in the shop: the field with its address, and SQL for the time of its last change (`r`: its row, `l`: its
 * fragment). A page appears when it is published: what was written earlier counts as changed then.
 */
const PAGES = [
  {
    resource: "product",
    endpoint: "products",
    url: "public_url",
    changed: "MAX(r.created_at, r.updated_at)",
  },
  { resource: "category", endpoint: "categories", url: "url", changed: null },
  {
    resource: "post",
    endpoint: "blog",
    url: "url",
    changed: "MAX(r.published_at, l.json ->> '$.updated_at')",
  },
] as const;

type Page = (typeof PAGES)[number];

/** A part of the sitemap: the ids with id % `of` = `number`, and the key of its file. */
interface Part {
  readonly page: Page;
  readonly number: number;
  readonly of: number;
  readonly ids: readonly number[];
  readonly key: string;
}

/** The parts that have an address. */
function partsOf({ db, config }: Catalog): Part[] {
  return PAGES.filter(({ endpoint }) => offers(config, endpoint)).flatMap((page) => {
    const { resource, endpoint } = page;
    const ids = idsOf(db, resource);
    const of = countParts(ids.length);
    return idsByPartition(ids, of)
      .map((own, number) => ({ page, number, of, ids: own, key: `feeds/sitemap-${endpoint}-${number}.xml` }))
      .filter((part) => hasAddress(db, part));
  });
}

function countParts(rows: number): number {
  if (rows === 0) return 0;
  return PART_COUNTS.find((count) => rows <= count * PART_SIZE) ?? MOST_PARTS;
}

function hasAddress(db: Catalog["db"], part: Pick<Part, "page" | "ids">): boolean {
  for (const _ of addressesOf(db, part)) return true;
  return false;
}

/** The addresses of a part in order of id, each with the time of its last change. */
function* addressesOf(
  db: Catalog["db"],
  { page: { resource, url, changed }, ids }: Pick<Part, "page" | "ids">,
): Generator<{ readonly address: string; readonly at: MetaTime | null }> {
  const rows = db
    .prepare<[string], [url: string, at: string | null]>(
      `SELECT l.json ->> '$.${url}', ${changed ?? "NULL"} FROM ${resource} r JOIN ${resource}_list l USING (id)
       WHERE r.id IN (SELECT value FROM json_each(?)) ORDER BY r.id`,
    )
    .raw();
  for (const [text, at] of rows.iterate(JSON.stringify(ids))) {
    const address = asciiUrl(text);
    if (address !== null) yield { address, at: at === null ? null : toMetaTime(at) };
  }
}

function partFile(inputs: SiteInputs, part: Part, digest: string): MadeFile {
  const { catalog } = inputs;
  const records = { [part.page.resource]: digest, parts: String(part.of) };
  return {
    ...feedFile(inputs, part.key, records, () => makePart(catalog, part)),
    changedAt: () => latestIn(catalog, part),
  };
}

function makePart({ db }: Catalog, part: Part): string {
  const urls = Array.from(
    addressesOf(db, part),
    ({ address, at }) => `<url>${xmlElement("loc", address)}${lastmod(at)}</url>\n`,
  );
  return `${XML_HEAD}<urlset ${NAMESPACE}>\n${urls.join("")}</urlset>\n`;
}

/** The latest change in a part; undefined if its records have no times. */
function latestIn({ db }: Catalog, part: Part): MetaTime | undefined {
  let latest: MetaTime | undefined;
  for (const { at } of addressesOf(db, part)) if (at !== null && at > (latest ?? "")) latest = at;
  return latest;
}

/** Lists each part of the snapshot with the time of its file, which a withdrawal moves, too. */
function makeIndex({ config }: Catalog, parts: readonly Part[], ports: MakePorts): string {
  const lines = parts.flatMap(({ page, key }) => {
    const put = ports.putFile(key);
    const time = page.changed === null ? null : (put?.generatedAt ?? null);
    // A part larger than `grid.maxFileBytes` is not in the snapshot.
    const loc = xmlElement("loc", `${rootAddress(config.baseUrl)}/${key}`);
    return put === null ? [] : [`<sitemap>${loc}${lastmod(time)}</sitemap>\n`];
  });
  return `${XML_HEAD}<sitemapindex ${NAMESPACE}>\n${lines.join("")}</sitemapindex>\n`;
}

function lastmod(time: MetaTime | null): string {
  return time === null ? "" : xmlElement("lastmod", time);
}

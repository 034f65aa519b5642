/** The newest products, releases and posts, for feed readers: Atom (RFC 4287) and JSON Feed 1.1, at most fifty each. */
import { toMetaTime } from "../../base/time.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { MadeFile, SiteInputs } from "../made-file.ts";
import { type Feed, type FeedRecords, feedFile, offers, rootOf } from "./feed.ts";
import { asciiUrl, oneLine, plainText, XML_HEAD, xmlElement, xmlText } from "./text.ts";

const NEWEST = 50;
const MOST_LETTERS = 5000;
/** Time of an empty feed. */
const NEVER = "1970-01-01 00:00:00";

interface Entry {
  /** The record's address in the API, which stays when an address in the shop changes. */
  readonly id: string;
  readonly title: string;
  readonly url: string | null;
  readonly text: string;
  readonly published: string;
  readonly updated: string;
}

interface Kind<Name extends keyof FeedRecords = keyof FeedRecords> {
  readonly resource: Name;
  readonly endpoint: "products" | "releases" | "blog";
  readonly title: string;
  /** The column that sorts the newest first. */
  readonly order: string;
  entry(record: FeedRecords[Name], api: string): Entry;
}

const KINDS: readonly Kind[] = [
  {
    resource: "product",
    endpoint: "products",
    title: "New products",
    order: "created_at",
    entry: (product: FeedRecords["product"], api) => ({
      id: `${api}/product?id=${product.id}`,
      title: product.title,
      url: asciiUrl(product.public_url),
      text: product.excerpt || product.description_short,
      published: product.created_at,
      updated: product.updated_at,
    }),
  } satisfies Kind<"product"> as Kind,
  {
    resource: "release",
    endpoint: "releases",
    title: "Releases",
    order: "release_date",
    entry: (release: FeedRecords["release"], api) => ({
      id: `${api}/releases?product_id=${release.product_id}#${encodeURIComponent(release.version.toWellFormed())}`,
      title: [`${release.product_title} ${release.version}`, release.title]
        .filter((part) => part !== "")
        .join(": "),
      url: asciiUrl(release.public_url),
      text: release.notes,
      published: release.release_date,
      updated: release.release_date,
    }),
  } satisfies Kind<"release"> as Kind,
  {
    resource: "post",
    endpoint: "blog",
    title: "Blog",
    order: "published_at",
    entry: (post: FeedRecords["post"], api) => ({
      id: `${api}/blog?slug=${post.slug}`,
      title: post.title,
      url: asciiUrl(post.url),
      text: post.excerpt,
      published: post.published_at,
      updated: post.updated_at,
    }),
  } satisfies Kind<"post"> as Kind,
];

function kindsOf({ config }: Catalog): readonly Kind[] {
  return KINDS.filter(({ endpoint }) => offers(config, endpoint));
}

function readEntries({ db, config }: Catalog, { resource, order, entry }: Kind): Entry[] {
  const records = db
    .prepare<[], string>(
      `SELECT l.json FROM (SELECT id, ${order} AS at FROM ${resource} ORDER BY at DESC, id DESC LIMIT ${NEWEST}) r
       JOIN ${resource}_list l USING (id) ORDER BY r.at DESC, r.id DESC`,
    )
    .pluck()
    .all();
  return records.map((json) => {
    const { title, text, ...rest } = entry(JSON.parse(json) as never, config.baseUrl);
    return { ...rest, title: oneLine(title, MOST_LETTERS), text: plainText(text, MOST_LETTERS) };
  });
}

function linkTo(relation: string, href: string | null, type = ""): string {
  return href === null ? "" : `<link rel="${relation}" href="${xmlText(href)}"${type}/>`;
}

function atomEntry({ id, title, url, text, published, updated }: Entry): string {
  const elements = [
    xmlElement("id", asciiUrl(id) ?? id),
    `<title>${xmlText(title)}</title>`,
    linkTo("alternate", url),
    xmlElement("published", toMetaTime(published)),
    xmlElement("updated", toMetaTime(updated)),
    `<summary>${xmlText(text)}</summary>`,
  ];
  return `<entry>${elements.join("")}</entry>\n`;
}

function makeAtom({ store, config }: Catalog, kind: Kind, entries: readonly Entry[]): string {
  const self = `${rootOf(config)}/${atomKey(kind)}`;
  const updated = entries.reduce((latest, entry) => (entry.updated > latest ? entry.updated : latest), NEVER);
  const head = [
    xmlElement("id", self),
    `<title>${xmlText(`${store.store_name}: ${kind.title}`)}</title>`,
    linkTo("self", self, ' type="application/atom+xml"'),
    linkTo("alternate", asciiUrl(store.public_url)),
    xmlElement("updated", toMetaTime(updated)),
    `<author>${xmlElement("name", store.store_name)}</author>`,
  ];
  return `${XML_HEAD}<feed xmlns="http://www.w3.org/2005/Atom">\n${head.join("")}\n${entries.map(atomEntry).join("")}</feed>\n`;
}

function makeJsonFeed({ store, config }: Catalog, kind: Kind, entries: readonly Entry[]): string {
  const home = asciiUrl(store.public_url);
  const feed = {
    version: "https://jsonfeed.org/version/1.1",
    title: `${store.store_name}: ${kind.title}`,
    ...(home === null ? {} : { home_page_url: home }),
    feed_url: `${rootOf(config)}/${jsonKey(kind)}`,
    items: entries.map(({ id, title, url, text, published, updated }) => ({
      id,
      ...(url === null ? {} : { url }),
      title,
      content_text: text,
      date_published: toMetaTime(published),
      date_modified: toMetaTime(updated),
    })),
  };
  return `${JSON.stringify(feed)}\n`;
}

function atomKey({ endpoint }: Kind): string {
  return `feeds/${endpoint}.atom`;
}

function jsonKey({ endpoint }: Kind): string {
  return `feeds/${endpoint}.json`;
}

function filesOf(inputs: SiteInputs, kind: Kind): MadeFile[] {
  const { catalog, digests } = inputs;
  const records = { [kind.resource]: digests.of(kind.resource).whole };
  let entries: readonly Entry[] | undefined;
  const read = () => {
    entries ??= readEntries(catalog, kind);
    return entries;
  };
  return [
    feedFile(inputs, atomKey(kind), records, () => makeAtom(catalog, kind, read())),
    feedFile(inputs, jsonKey(kind), records, () => makeJsonFeed(catalog, kind, read())),
  ];
}

export const news: Feed = {
  files: (inputs) => kindsOf(inputs.catalog).flatMap((kind) => filesOf(inputs, kind)),
  count: (catalog) => 2 * kindsOf(catalog).length,
};

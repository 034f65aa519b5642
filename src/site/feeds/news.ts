/** The newest products, releases and posts, for feed readers: Atom (RFC 4287) and JSON Feed 1.1, at most fifty each. */
import type { PublicConfig } from "../../api/config.ts";
import { rootAddress } from "../../api/target.ts";
import { toMetaTime } from "../../base/time.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { hasAnswers } from "../../catalog/singles.ts";
import type { MadeFile, SiteInputs } from "../made-file.ts";
import { type Feed, type FeedRecords, feedFile } from "./feed.ts";
import { asciiUrl, oneLine, plainText, XML_HEAD, xmlElement, xmlText } from "./text.ts";

export const news: Feed = {
  files: (inputs) => kindsOf(inputs.catalog).flatMap((kind) => filesOf(inputs, kind)),
  count: (catalog) => 2 * kindsOf(catalog).length,
};

const NEWEST = 50;
const MOST_LETTERS = 5000;

interface Entry {
  readonly title: string;
  readonly url: string | null;
  readonly text: string;
  readonly published: string;
  /** The last change; may be earlier than the publication of what was written earlier. */
  readonly updated: string;
}

/** An entry as readers get it: changed when it was published, or later. */
interface ReadEntry extends Entry {
  readonly id: string;
}

interface Kind<Name extends keyof FeedRecords = keyof FeedRecords> {
  readonly resource: Name;
  readonly endpoint: "products" | "releases" | "blog";
  readonly title: string;
  /** The column that sorts the newest first. */
  readonly order: string;
  entry(record: FeedRecords[Name]): Entry;
}

const KINDS: readonly Kind[] = [
  {
    resource: "product",
    endpoint: "products",
    title: "New products",
    order: "created_at",
    entry: (product: FeedRecords["product"]) => ({
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
    entry: (release: FeedRecords["release"]) => ({
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
    entry: (post: FeedRecords["post"]) => ({
      title: post.title,
      url: asciiUrl(post.url),
      text: post.excerpt,
      published: post.published_at,
      updated: post.updated_at,
    }),
  } satisfies Kind<"post"> as Kind,
];

/** The kinds that have records: several readers refuse a feed without entries. */
function kindsOf(catalog: Catalog): readonly Kind[] {
  return KINDS.filter(({ endpoint: path }) => hasAnswers(catalog, { path }));
}

function filesOf(inputs: SiteInputs, kind: Kind): MadeFile[] {
  const { catalog, digests } = inputs;
  const records = { [kind.resource]: digests.of(kind.resource).whole };
  let entries: readonly ReadEntry[] | undefined;
  const read = () => {
    entries ??= readEntries(catalog, kind);
    return entries;
  };
  return [
    feedFile(inputs, atomKey(kind), records, () => makeAtom(catalog, kind, read())),
    feedFile(inputs, jsonKey(kind), records, () => makeJsonFeed(catalog, kind, read())),
  ];
}

function atomKey({ endpoint }: Kind): string {
  return `feeds/${endpoint}.atom`;
}

function jsonKey({ endpoint }: Kind): string {
  return `feeds/${endpoint}.json`;
}

function readEntries({ db, config }: Catalog, { resource, order, entry }: Kind): ReadEntry[] {
  const records = db
    .prepare<[], [id: number, json: string]>(
      `SELECT id, l.json FROM (SELECT id, ${order} AS at FROM ${resource} ORDER BY at DESC, id DESC LIMIT ${NEWEST}) r
       JOIN ${resource}_list l USING (id) ORDER BY r.at DESC, r.id DESC`,
    )
    .raw()
    .all();
  return records.map(([id, json]) => {
    const { title, url, text, published, updated } = entry(JSON.parse(json) as never);
    return {
      id: tagOf(config, `${resource}/${id}`),
      title: oneLine(title, MOST_LETTERS),
      url,
      text: plainText(text, MOST_LETTERS),
      published,
      updated: updated > published ? updated : published,
    };
  });
}

function makeAtom({ store, config }: Catalog, kind: Kind, entries: readonly ReadEntry[]): string {
  const self = `${rootAddress(config.baseUrl)}/${atomKey(kind)}`;
  const updated = entries.reduce((latest, entry) => (entry.updated > latest ? entry.updated : latest), "");
  const head = [
    xmlElement("id", tagOf(config, kind.endpoint)),
    `<title>${xmlText(`${store.store_name}: ${kind.title}`)}</title>`,
    linkTo("self", self, ' type="application/atom+xml"'),
    linkTo("alternate", asciiUrl(store.public_url)),
    xmlElement("updated", toMetaTime(updated)),
    `<author>${xmlElement("name", store.store_name)}</author>`,
  ];
  return `${XML_HEAD}<feed xmlns="http://www.w3.org/2005/Atom">\n${head.join("")}\n${entries.map(atomEntry).join("")}</feed>\n`;
}

function atomEntry({ id, title, url, text, published, updated }: ReadEntry): string {
  // RFC 4287 §4.1.2: an entry without a link must have its content.
  const element = url === null ? "content" : "summary";
  const elements = [
    xmlElement("id", id),
    `<title>${xmlText(title)}</title>`,
    linkTo("alternate", url),
    xmlElement("published", toMetaTime(published)),
    xmlElement("updated", toMetaTime(updated)),
    `<${element}>${xmlText(text)}</${element}>`,
  ];
  return `<entry>${elements.join("")}</entry>\n`;
}

function linkTo(relation: string, href: string | null, type = ""): string {
  return href === null ? "" : `<link rel="${relation}" href="${xmlText(href)}"${type}/>`;
}

/**
 * A permanent name (RFC 4151), for example `tag:shop.example,2026:product/12`. It depends on the shop's host and the record's id only: titles, slugs, versions
 * and the API's address may change, and two releases may have one version.
 */
function tagOf({ siteUrl }: PublicConfig, name: string): string {
  const { hostname, pathname } = new URL(siteUrl);
  return `tag:${hostname},2026:${pathname.slice(1).replace(/[^/]$/, "$&/")}${name}`;
}

function makeJsonFeed({ store, config }: Catalog, kind: Kind, entries: readonly ReadEntry[]): string {
  const home = asciiUrl(store.public_url);
  const feed = {
    version: "https://jsonfeed.org/version/1.1",
    title: `${store.store_name}: ${kind.title}`,
    ...(home === null ? {} : { home_page_url: home }),
    feed_url: `${rootAddress(config.baseUrl)}/${jsonKey(kind)}`,
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

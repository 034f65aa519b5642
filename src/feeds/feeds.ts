/**
 * The feeds of a snapshot, as its configuration turns them on: their files, those that a change may change, and what became of
 * the products in them. Small files follow each change. Large ones, with all products in each, are written again only when
 * they are old enough.
 */
import { hash } from "node:crypto";
import type { PublicConfig } from "../api/config.ts";
import { VitrineError } from "../base/error.ts";
import type { SqlTime } from "../base/time.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type Body, plainBody } from "../catalog/envelope.ts";
import { acp, openAi } from "./agents.ts";
import { bulk, gzip } from "./bulk.ts";
import {
  type CatalogChange,
  type FeedFile,
  isOtherStore,
  type Missing,
  offers,
  PRODUCT_FEEDS,
  type ProductFeed,
  type ProductFeedName,
  type ProductFile,
  type SmallFeed,
} from "./feed.ts";
import { google } from "./google.ts";
import { jsonLd } from "./json-ld.ts";
import { llms } from "./llms.ts";
import { news } from "./news.ts";
import { readProducts } from "./products.ts";
import type { FeedReport } from "./report.ts";
import { sitemap } from "./sitemap.ts";

/** Takes files. */
interface FeedWriter {
  put(key: string, body: Body): void;
  remove(key: string): void;
  digestOf(key: string): string | null;
}

/** When the large files were made, and whether a product has changed since. */
export interface FeedsAge {
  readonly madeAt: SqlTime;
  readonly isBehind: boolean;
}

const DEFAULT_REFRESH_HOURS = 24;
const HOUR_MILLISECONDS = 3_600_000;

/** True where the large files must be written again, if a product is another than they say. */
export function isFeedDue({ feeds }: PublicConfig, { madeAt }: FeedsAge, now: SqlTime): boolean {
  const hours = feeds?.refreshHours ?? DEFAULT_REFRESH_HOURS;
  const age = Date.parse(`${now}Z`) - Date.parse(`${madeAt}Z`);
  return !(age < hours * HOUR_MILLISECONDS);
}

const SMALL = { sitemap, news, llms, jsonLd, bulk } as const satisfies Readonly<Record<string, SmallFeed>>;

function smallFeeds({ config }: Catalog): SmallFeed[] {
  const { feeds = {} } = config;
  const isPossible = {
    ...{ sitemap: true, news: true, llms: true, bulk: true },
    jsonLd: offers(config, "products"),
  };
  const names = Object.keys(SMALL) as (keyof typeof SMALL)[];
  return names.filter((name) => feeds[name] && isPossible[name]).map((name) => SMALL[name]);
}

/** Null where the configuration says too little for it. */
function productFeed({ config, store }: Catalog, name: ProductFeedName): ProductFeed | null {
  const { acp: forAcp, openai: forOpenAi } = config.feeds ?? {};
  if (name === "google") return google() as ProductFeed;
  if (name === "acp") return forAcp === undefined ? null : (acp(forAcp, store.store_name) as ProductFeed);
  return forOpenAi === undefined ? null : (openAi(forOpenAi, store.store_name) as ProductFeed);
}

/** Those that the configuration turns on, where the shop offers products. */
function productFeeds(catalog: Catalog): ProductFeed[] {
  const { config } = catalog;
  const names = PRODUCT_FEEDS.filter((name) => config.feeds?.[name]);
  if (!offers(config, "products")) return [];
  return names.map((name) => productFeed(catalog, name)).filter((feed) => feed !== null);
}

/** @throws VitrineError config_invalid */
function requiredFeed(catalog: Catalog, name: ProductFeedName): ProductFeed {
  const feed = offers(catalog.config, "products") ? productFeed(catalog, name) : null;
  if (feed !== null) return feed;
  throw new VitrineError(
    "config_invalid",
    `The configuration of this catalog does not say enough for the feed ${name}: see docs/feeds.md, then vitrine build.`,
  );
}

/** Text is kept as bytes once there is so much of it. */
const PIECE_LETTERS = 1 << 18;

/** A large file while it is made. */
class FileText {
  readonly file: ProductFile<object>;
  readonly #pieces: Buffer[] = [];
  #text: string;

  constructor(file: ProductFile<object>) {
    this.file = file;
    this.#text = file.head;
  }

  add(item: object): void {
    this.#text += this.file.line(item);
    if (this.#text.length > PIECE_LETTERS) this.#keep();
  }

  finish(): Body {
    this.#text += this.file.tail;
    this.#keep();
    const bytes = Buffer.concat(this.#pieces);
    return { bytes: this.file.isCompressed ? gzip(bytes) : bytes, stamped: false };
  }

  #keep(): void {
    this.#pieces.push(Buffer.from(this.#text));
    this.#text = "";
  }
}

function isMissing(read: object | Missing): read is Missing {
  return "missing" in read;
}

/** Makes the large files in one reading of the products. */
export function putLargeFeeds(catalog: Catalog, writer: Pick<FeedWriter, "put">): FeedReport[] {
  return putProductFiles(catalog, productFeeds(catalog), writer);
}

/** The files of one feed, whether they are in the snapshot or not. @throws VitrineError config_invalid */
export function putFeed(
  catalog: Catalog,
  name: ProductFeedName,
  writer: Pick<FeedWriter, "put">,
): FeedReport[] {
  return putProductFiles(catalog, [requiredFeed(catalog, name)], writer);
}

/** A product that a feed leaves out. */
export interface LackingProduct extends Missing {
  readonly id: number;
  readonly title: string;
}

/** Products that lack what a feed requires. @throws VitrineError config_invalid */
export function* lackingProducts(catalog: Catalog, name: ProductFeedName): Generator<LackingProduct> {
  const feed = requiredFeed(catalog, name);
  for (const product of readProducts(catalog)) {
    const read = feed.read(product);
    if (isMissing(read)) yield { id: product.id, title: product.title, missing: read.missing };
  }
}

function putProductFiles(
  catalog: Catalog,
  wanted: readonly ProductFeed[],
  writer: Pick<FeedWriter, "put">,
): FeedReport[] {
  const feeds = wanted.map((feed) => ({
    ...{ feed, products: 0, leftOut: 0, missing: {} as Record<string, number> },
    texts: feed.files(catalog).map((file) => new FileText(file)),
  }));
  if (feeds.length === 0) return [];
  for (const product of readProducts(catalog))
    for (const made of feeds) {
      const read = made.feed.read(product);
      if (isMissing(read)) {
        made.leftOut += 1;
        for (const name of read.missing) made.missing[name] = (made.missing[name] ?? 0) + 1;
      } else {
        made.products += 1;
        for (const text of made.texts) text.add(read);
      }
    }
  return feeds.map(({ feed: { name }, products, leftOut, missing, texts }) => {
    const files: Record<string, number> = {};
    for (const text of texts) {
      const body = text.finish();
      files[text.file.key] = body.bytes.length;
      writer.put(text.file.key, body);
    }
    return { name, products, leftOut, missing, files };
  });
}

function bodyOf(made: string | Buffer): Body {
  return typeof made === "string" ? plainBody(made) : { bytes: made, stamped: false };
}

function putFile(file: FeedFile, writer: FeedWriter): void {
  if ("gone" in file) writer.remove(file.gone);
  else writer.put(file.key, bodyOf(file.make((key) => writer.digestOf(key))));
}

export function countFeedFiles(catalog: Catalog): number {
  const small = smallFeeds(catalog).reduce((sum, feed) => sum + feed.count(catalog), 0);
  return small + productFeeds(catalog).flatMap((feed) => feed.files(catalog)).length;
}

/** Makes all files. */
export function countFeedBytes(catalog: Catalog): number {
  let sum = 0;
  const digests = new Map<string, string>();
  const put = (key: string, { bytes }: Body) => {
    sum += bytes.length;
    digests.set(key, hash("sha256", bytes, "hex"));
  };
  putAllFeeds(catalog, { put, remove: () => undefined, digestOf: (key) => digests.get(key) ?? null });
  return sum;
}

export function putAllFeeds(catalog: Catalog, writer: FeedWriter): FeedReport[] {
  for (const feed of smallFeeds(catalog)) for (const file of feed.files(catalog)) putFile(file, writer);
  return putLargeFeeds(catalog, writer);
}

export function putSmallFeeds(change: CatalogChange, writer: FeedWriter): void {
  for (const feed of smallFeeds(change.after)) for (const file of feed.changed(change)) putFile(file, writer);
}

/** True where a change may be one of what large files say. */
export function touchesLargeFeeds(change: CatalogChange): boolean {
  const isRead = change.rows.has("product") || isOtherStore(change);
  return isRead && productFeeds(change.after).length > 0;
}

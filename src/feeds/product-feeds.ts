/** Feeds with all products in few large files: which there are, and how they are made in one reading of the products. */
import { VitrineError } from "../base/error.ts";
import type { OpenFile } from "../base/part-file.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { acp, openAi } from "./agents.ts";
import {
  type FeedProduct,
  type Missing,
  offers,
  PRODUCT_FEEDS,
  type ProductFeed,
  type ProductFeedName,
  type ProductFile,
} from "./feed.ts";
import { google } from "./google.ts";
import { type FileOpener, TextPieces, withFiles } from "./pieces.ts";
import { readProducts } from "./products.ts";
import type { FeedReport } from "./report.ts";

/** Null where the configuration says too little for it. */
function productFeed({ config, store }: Catalog, name: ProductFeedName): ProductFeed | null {
  const { acp: forAcp, openai: forOpenAi } = config.feeds ?? {};
  if (name === "google") return google() as ProductFeed;
  if (name === "acp") return forAcp === undefined ? null : (acp(forAcp, store.store_name) as ProductFeed);
  return forOpenAi === undefined ? null : (openAi(forOpenAi, store.store_name) as ProductFeed);
}

/** Those that the configuration turns on, where the shop offers products. */
export function productFeeds(catalog: Catalog): ProductFeed[] {
  const { config } = catalog;
  const names = PRODUCT_FEEDS.filter((name) => config.feeds?.[name]);
  if (!offers(config, "products")) return [];
  return names.map((name) => productFeed(catalog, name)).filter((feed) => feed !== null);
}

/** Whether it is turned on or not. @throws VitrineError config_invalid */
export function requiredFeed(catalog: Catalog, name: ProductFeedName): ProductFeed {
  const feed = offers(catalog.config, "products") ? productFeed(catalog, name) : null;
  if (feed !== null) return feed;
  throw new VitrineError(
    "config_invalid",
    `The configuration of this catalog does not say enough for the feed ${name}: see docs/feeds.md, then vitrine build.`,
  );
}

function isMissing(read: object | Missing): read is Missing {
  return "missing" in read;
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

/** A feed while it is made. */
class FeedInMaking {
  readonly #feed: ProductFeed;
  readonly #files: readonly {
    readonly made: ProductFile<object>;
    readonly file: OpenFile;
    readonly text: TextPieces;
  }[];
  readonly #missing: Record<string, number> = {};
  #records = 0;
  #leftOut = 0;

  constructor(feed: ProductFeed, catalog: Catalog, open: (key: string) => OpenFile) {
    this.#feed = feed;
    this.#files = feed.files(catalog).map((made) => {
      const file = open(made.key);
      return { made, file, text: new TextPieces((bytes) => file.add(bytes), made.head) };
    });
  }

  add(product: FeedProduct): void {
    const read = this.#feed.read(product);
    if (isMissing(read)) {
      this.#leftOut += 1;
      for (const name of read.missing) this.#missing[name] = (this.#missing[name] ?? 0) + 1;
    } else {
      this.#records += 1;
      for (const { made, text } of this.#files) text.add(made.line(read));
    }
  }

  finish(): FeedReport {
    const sizes = this.#files.map(({ made, file, text }) => {
      text.add(made.tail);
      text.finish();
      return [made.key, file.put()] as const;
    });
    const { name } = this.#feed;
    const counts = { records: this.#records, leftOut: this.#leftOut, missing: this.#missing };
    return { name, resource: "product", ...counts, files: Object.fromEntries(sizes) };
  }
}

/** Makes the files of some feeds in one reading of the products. */
export function putProductFeeds(
  catalog: Catalog,
  feeds: readonly ProductFeed[],
  opener: FileOpener,
): FeedReport[] {
  if (feeds.length === 0) return [];
  return withFiles(opener, (open) => {
    const making = feeds.map((feed) => new FeedInMaking(feed, catalog, open));
    for (const product of readProducts(catalog)) for (const feed of making) feed.add(product);
    return making.map((feed) => feed.finish());
  });
}

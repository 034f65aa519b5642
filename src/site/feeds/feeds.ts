/** The feeds of a snapshot that its configuration turns on: their files, and the products that they leave out. */
import { offers } from "../../api/endpoints.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import type { MadeFile, SiteInputs } from "../made-file.ts";
import type { FeedName, FeedReport } from "../write-report.ts";
import { bulk } from "./bulk.ts";
import { FEEDS, type Feed } from "./feed.ts";
import { type FeedLeftOutProduct, GOOGLE_FILES, googleFiles, leftOutByGoogle } from "./google.ts";
import { jsonLd } from "./json-ld.ts";
import { llms } from "./llms.ts";
import { news } from "./news.ts";
import { sitemap } from "./sitemap.ts";

/** Feeds without requirements: they leave no product out. */
const PLAIN: Readonly<Record<Exclude<FeedName, "google">, Feed>> = { sitemap, news, llms, jsonLd, bulk };

/** Feeds that the configuration turns on, if the shop offers what they list. */
function feedsOf({ config }: Catalog): FeedName[] {
  const names = Object.keys(FEEDS) as FeedName[];
  const listsProducts = (name: FeedName) => name === "jsonLd" || name === "google";
  return names.filter((name) => config.feeds?.[name] && (!listsProducts(name) || offers(config, "products")));
}

/** The files of all feeds. `onReport` is called for a feed with requirements when its files are made. */
export function* feedFiles(inputs: SiteInputs, onReport: (report: FeedReport) => void): Generator<MadeFile> {
  for (const name of feedsOf(inputs.catalog)) {
    if (name === "google") yield* googleFiles(inputs, onReport);
    else yield* PLAIN[name].files(inputs);
  }
}

export function countFeedFiles(catalog: Catalog): number {
  const count = (name: FeedName) => (name === "google" ? GOOGLE_FILES : PLAIN[name].count(catalog));
  return feedsOf(catalog).reduce((sum, name) => sum + count(name), 0);
}

/** Products that a feed leaves out. */
export interface FeedLeftOut {
  readonly name: FeedName;
  readonly leftOut: readonly FeedLeftOutProduct[];
}

/** Feeds that leave products out. */
export function leftOutOfFeeds(catalog: Catalog): FeedLeftOut[] {
  if (!feedsOf(catalog).includes("google")) return [];
  const leftOut = [...leftOutByGoogle(catalog)];
  return leftOut.length === 0 ? [] : [{ name: "google", leftOut }];
}

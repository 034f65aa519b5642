/**
 * The feeds of a snapshot, as its configuration turns them on: their files, those that a change may change, and what became of
 * the products in them.
 */
import { hash } from "node:crypto";
import type { Catalog } from "../catalog/catalog.ts";
import { type Body, plainBody } from "../catalog/envelope.ts";
import type { ResourceName } from "../catalog/resources.ts";
import { bulk, bulkResources } from "./bulk.ts";
import { type CatalogChange, FEEDS, type Feed, type FeedFile, isOtherStore, offers } from "./feed.ts";
import { GOOGLE_FILES, type LeftOutProduct, leftOutByGoogle, putGoogle } from "./google.ts";
import { jsonLd } from "./json-ld.ts";
import { llms } from "./llms.ts";
import { news } from "./news.ts";
import type { FileOpener } from "./pieces.ts";
import type { FeedName, FeedReport } from "./report.ts";
import { sitemap } from "./sitemap.ts";

/** Takes files. */
interface FeedWriter extends FileOpener {
  put(key: string, body: Body): void;
  remove(key: string): void;
  digestOf(key: string): string | null;
}

/** Those with small files. Google's are two of all products, which are written in pieces. */
const SMALL: Readonly<Record<Exclude<FeedName, "google">, Feed>> = { sitemap, news, llms, jsonLd, bulk };

/** Feeds that the configuration turns on, where the shop offers what they list. */
export function feedsOf({ config }: Catalog): FeedName[] {
  const names = Object.keys(FEEDS) as FeedName[];
  const listsProducts = (name: FeedName) => name === "jsonLd" || name === "google";
  return names.filter((name) => config.feeds?.[name] && (!listsProducts(name) || offers(config, "products")));
}

function bodyOf(made: string | Buffer): Body {
  return typeof made === "string" ? plainBody(made) : { bytes: made, stamped: false };
}

function putFile(file: FeedFile, writer: FeedWriter): void {
  if ("gone" in file) writer.remove(file.gone);
  else writer.put(file.key, bodyOf(file.make((key) => writer.digestOf(key))));
}

/** Makes all files of a feed. Null where it requires nothing of a product. */
export function putFeed(catalog: Catalog, name: FeedName, writer: FeedWriter): FeedReport | null {
  if (name === "google") return putGoogle(catalog, writer);
  for (const file of SMALL[name].files(catalog)) putFile(file, writer);
  return null;
}

/** Makes the files that a change may change. The reports of feeds that were made. */
export function putChangedFeeds(change: CatalogChange, writer: FeedWriter): FeedReport[] {
  const reports: FeedReport[] = [];
  for (const name of feedsOf(change.after)) {
    if (name !== "google") {
      for (const file of SMALL[name].changed(change)) putFile(file, writer);
    } else if (change.rows.has("product") || isOtherStore(change)) {
      reports.push(putGoogle(change.after, writer));
    }
  }
  return reports;
}

function countFiles(catalog: Catalog, name: FeedName): number {
  return name === "google" ? GOOGLE_FILES : SMALL[name].count(catalog);
}

/** What a record costs in a feed, as {@link weighFeed} says it, as measured. */
const WORK: Readonly<Record<FeedName, number>> = {
  sitemap: 0.05,
  news: 0,
  llms: 0,
  jsonLd: 1.5,
  google: 0.6,
  bulk: 0.4,
};

/** How many files a feed has, and what making them costs: 1 is a file of the API without its bytes. */
export function weighFeed(
  catalog: Catalog,
  name: FeedName,
): { readonly files: number; readonly work: number } {
  const rows = (list: ResourceName) =>
    catalog.db.prepare<[], number>(`SELECT COUNT(*) FROM ${list}`).pluck().get() ?? 0;
  const lists = name === "jsonLd" || name === "google" ? (["product"] as const) : bulkResources(catalog);
  const records = lists.reduce((sum, list) => sum + rows(list), 0);
  return { files: countFiles(catalog, name), work: WORK[name] * records };
}

export function countFeedFiles(catalog: Catalog): number {
  return feedsOf(catalog).reduce((sum, name) => sum + countFiles(catalog, name), 0);
}

/** Makes all files. */
export function countFeedBytes(catalog: Catalog): number {
  let sum = 0;
  const digests = new Map<string, string>();
  const count = ({ length }: Uint8Array) => {
    sum += length;
  };
  const put = (key: string, { bytes }: Body) => {
    count(bytes);
    digests.set(key, hash("sha256", bytes, "hex"));
  };
  const open = () => ({ add: count, put: () => 0, [Symbol.dispose]: () => undefined });
  const writer = {
    put,
    open,
    remove: () => undefined,
    digestOf: (key: string) => digests.get(key) ?? null,
  };
  for (const name of feedsOf(catalog)) putFeed(catalog, name, writer);
  return sum;
}

/** Products that a feed leaves out. */
export interface FeedLeftOut {
  readonly name: FeedName;
  readonly leftOut: readonly LeftOutProduct[];
}

/** Each feed that leaves some out. */
export function leftOutOfFeeds(catalog: Catalog): FeedLeftOut[] {
  if (!feedsOf(catalog).includes("google")) return [];
  const leftOut = [...leftOutByGoogle(catalog)];
  return leftOut.length === 0 ? [] : [{ name: "google", leftOut }];
}

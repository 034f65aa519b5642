/**
 * The feeds of a snapshot, as its configuration turns them on: their files, those that a change may change, and what became of
 * the records in them. Small files follow each change. Large ones, with all records of a list in each, are written again only
 * when they are old enough.
 */
import { hash } from "node:crypto";
import type { PublicConfig } from "../api/config.ts";
import { RECORDS } from "../api/records.ts";
import type { SqlTime } from "../base/time.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type Body, plainBody } from "../catalog/envelope.ts";
import type { ResourceName } from "../catalog/resources.ts";
import { bulk, bulkResources, putTables, TABLE_FORMATS, tableFormats } from "./bulk.ts";
import {
  type CatalogChange,
  type FeedFile,
  isOtherStore,
  type LargeFeedName,
  offers,
  type SmallFeed,
} from "./feed.ts";
import { jsonLd } from "./json-ld.ts";
import { llms } from "./llms.ts";
import { news } from "./news.ts";
import type { FileOpener } from "./pieces.ts";
import { productFeeds, putProductFeeds, requiredFeed } from "./product-feeds.ts";
import type { FeedReport } from "./report.ts";
import { sitemap } from "./sitemap.ts";

/** Takes files. */
interface FeedWriter extends FileOpener {
  put(key: string, body: Body): void;
  remove(key: string): void;
  digestOf(key: string): string | null;
}

/** When the large files of each list were made, and whether the list has changed since. */
export type FeedsAge = Readonly<
  Partial<Record<ResourceName, { readonly madeAt: SqlTime; readonly isBehind: boolean }>>
>;

const DEFAULT_REFRESH_HOURS = 24;
const HOUR_MILLISECONDS = 3_600_000;

/** True where the large files of a list must be written again, if it is another than they say. */
export function isFeedDue({ feeds }: PublicConfig, age: FeedsAge, list: ResourceName, now: SqlTime): boolean {
  const hours = feeds?.refreshHours ?? DEFAULT_REFRESH_HOURS;
  const since = Date.parse(`${now}Z`) - Date.parse(`${age[list]?.madeAt ?? ""}Z`);
  return !(since < hours * HOUR_MILLISECONDS);
}

const SMALL = { sitemap, news, llms, jsonLd, bulk } as const satisfies Readonly<Record<string, SmallFeed>>;

type SmallFeedName = keyof typeof SMALL;

function smallFeeds({ config }: Catalog): SmallFeedName[] {
  const { feeds = {} } = config;
  const isPossible = {
    ...{ sitemap: true, news: true, llms: true, bulk: true },
    jsonLd: offers(config, "products"),
  };
  const names = Object.keys(SMALL) as SmallFeedName[];
  return names.filter((name) => feeds[name] && isPossible[name]);
}

/** Lists of which large files tell, in the order of their reports. */
export function largeLists(catalog: Catalog): ResourceName[] {
  const hasProductFeeds = productFeeds(catalog).length > 0;
  const hasTables = tableFormats(catalog.config).length > 0;
  const lists = new Set(hasTables ? bulkResources(catalog) : []);
  return RECORDS.map(({ name }) => name).filter(
    (name) => lists.has(name) || (name === "product" && hasProductFeeds),
  );
}

/** Makes the large files of a list. */
export function putLargeFiles(catalog: Catalog, list: ResourceName, opener: FileOpener): FeedReport[] {
  const feeds = list === "product" ? putProductFeeds(catalog, productFeeds(catalog), opener) : [];
  const formats = tableFormats(catalog.config);
  const isTable = formats.length > 0 && bulkResources(catalog).includes(list);
  return isTable ? [...feeds, putTables(catalog, list, formats, opener)] : feeds;
}

/** The large files of one feed, whether they are in the snapshot or not. @throws VitrineError config_invalid */
export function putFeed(catalog: Catalog, name: LargeFeedName, opener: FileOpener): FeedReport[] {
  if (name !== "bulk") return putProductFeeds(catalog, [requiredFeed(catalog, name)], opener);
  return bulkResources(catalog).map((list) => putTables(catalog, list, TABLE_FORMATS, opener));
}

function bodyOf(made: string | Buffer): Body {
  return typeof made === "string" ? plainBody(made) : { bytes: made, stamped: false };
}

function putFile(file: FeedFile, writer: FeedWriter): void {
  if ("gone" in file) writer.remove(file.gone);
  else writer.put(file.key, bodyOf(file.make((key) => writer.digestOf(key))));
}

/** What a change does to the large files. */
export interface LargeFilesPlan {
  /** Lists whose files are made now. */
  readonly make: readonly ResourceName[];
  /** Lists that are other than their files say, which stay for now. */
  readonly behind: readonly ResourceName[];
}

/** `isDue`: whether the files of a list are old enough to be made again. */
export function planLargeFiles(
  change: CatalogChange,
  age: FeedsAge,
  isDue: (list: ResourceName) => boolean,
): LargeFilesPlan {
  const touched = largeLists(change.after).filter(
    (list) =>
      age[list]?.isBehind ||
      change.rows.has(list) ||
      // Product feeds say who sells.
      (list === "product" && isOtherStore(change)),
  );
  // What leaves stands in no file from then on, however young the file is.
  const isUrgent = (list: ResourceName) => (change.rows.get(list)?.deleted.length ?? 0) > 0;
  const make = touched.filter((list) => isUrgent(list) || isDue(list));
  return { make, behind: touched.filter((list) => !make.includes(list)) };
}

/** Feeds that are made after each other: a small one, or the large files of a list. No others wait for theirs. Data. */
export type FeedTask = { readonly small: SmallFeedName } | { readonly large: ResourceName };

export function feedTasks(catalog: Catalog): FeedTask[] {
  return [
    ...smallFeeds(catalog).map((small) => ({ small })),
    ...largeLists(catalog).map((large) => ({ large })),
  ];
}

function countTaskFiles(catalog: Catalog, task: FeedTask): number {
  if ("small" in task) return SMALL[task.small].count(catalog);
  const feeds = task.large === "product" ? productFeeds(catalog).flatMap((feed) => feed.files(catalog)) : [];
  const isTable = bulkResources(catalog).includes(task.large);
  return feeds.length + (isTable ? tableFormats(catalog.config).length : 0);
}

/** What a record costs in a feed, or in one of a list's large files: as {@link weighTask} says it, as measured. */
const WORK = { sitemap: 0.05, news: 0, llms: 0, jsonLd: 1.5, bulk: 0.4, large: 0.3 } as const;

/** How many files a task makes, and what that costs: 1 is a file of the API without its bytes. */
export function weighTask(
  catalog: Catalog,
  task: FeedTask,
): { readonly files: number; readonly work: number } {
  const files = countTaskFiles(catalog, task);
  const rows = (list: ResourceName) =>
    catalog.db.prepare<[], number>(`SELECT COUNT(*) FROM ${list}`).pluck().get() ?? 0;
  if ("large" in task) return { files, work: WORK.large * files * rows(task.large) };
  const lists = task.small === "jsonLd" ? (["product"] as const) : bulkResources(catalog);
  return { files, work: WORK[task.small] * lists.reduce((sum, list) => sum + rows(list), 0) };
}

export function putTask(catalog: Catalog, task: FeedTask, writer: FeedWriter): FeedReport[] {
  if ("large" in task) return putLargeFiles(catalog, task.large, writer);
  for (const file of SMALL[task.small].files(catalog)) putFile(file, writer);
  return [];
}

export function countFeedFiles(catalog: Catalog): number {
  return feedTasks(catalog).reduce((sum, task) => sum + countTaskFiles(catalog, task), 0);
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
  putAllFeeds(catalog, { put, open, remove: () => undefined, digestOf: (key) => digests.get(key) ?? null });
  return sum;
}

export function putAllFeeds(catalog: Catalog, writer: FeedWriter): FeedReport[] {
  return feedTasks(catalog).flatMap((task) => putTask(catalog, task, writer));
}

export function putSmallFeeds(change: CatalogChange, writer: FeedWriter): void {
  for (const name of smallFeeds(change.after))
    for (const file of SMALL[name].changed(change)) putFile(file, writer);
}

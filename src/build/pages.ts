/** What of a snapshot is no answer, as its configuration wants it: the pages for people, the files of its host, and feeds. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PublicConfig } from "../api/config.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { plainBody } from "../catalog/envelope.ts";
import type { ResourceName } from "../catalog/resources.ts";
import type { CatalogChange } from "../feeds/feed.ts";
import {
  countFeedBytes,
  countFeedFiles,
  type FeedsAge,
  type LargeFilesPlan,
  largeLists,
  planLargeFiles,
  putAllFeeds,
  putLargeFiles,
  putSmallFeeds,
} from "../feeds/feeds.ts";
import type { FeedReport } from "../feeds/report.ts";
import { type HostFile, hostFiles } from "../hosts/files.ts";
import { PAGES_FOLDER, templateFolder } from "../package.ts";
import { type ImageOrigins, imageOriginsAfter, imageOriginsOf } from "../pages/image-origins.ts";
import { PageFiles, type PageWriter, type SitePages, showsImages } from "../pages/pages.ts";

/** What a change does to the feeds, and how old the large ones are. */
interface FeedsChange {
  readonly change: CatalogChange;
  readonly age: FeedsAge;
  readonly isDue: (list: ResourceName) => boolean;
  readonly reports: readonly FeedReport[];
}

/** Pages, host files and feeds together. */
export class SiteFiles implements SitePages {
  readonly #pages: PageFiles | null;
  readonly #host: readonly HostFile[];
  readonly #feedsChange: FeedsChange | null;
  /** Of the feeds as they are once all is put. */
  feedReports: readonly FeedReport[] = [];
  /** Lists whose large feeds were made, and those that their feeds are behind. */
  feeds: LargeFilesPlan = { make: [], behind: [] };

  constructor(pages: PageFiles | null, host: readonly HostFile[], feedsChange: FeedsChange | null) {
    this.#pages = pages;
    this.#host = host;
    this.#feedsChange = feedsChange;
  }

  get imageOrigins(): ImageOrigins {
    return this.#pages?.imageOrigins ?? {};
  }

  countFiles(catalog: Catalog): number {
    return (this.#pages?.files ?? 0) + this.#host.length + countFeedFiles(catalog);
  }

  countBytes(catalog: Catalog): number {
    const hostBytes = this.#host.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    return (this.#pages?.sizeBytes ?? 0) + hostBytes + countFeedBytes(catalog);
  }

  putAll(writer: PageWriter, catalog: Catalog): void {
    this.#pages?.putAll(writer);
    for (const { name, text } of this.#host) writer.put(name, plainBody(text));
    this.feedReports = putAllFeeds(catalog, writer);
    this.feeds = { make: largeLists(catalog), behind: [] };
  }

  /** A host's files follow from the configuration: no change of the catalog changes one. */
  putFilled(writer: PageWriter): void {
    this.#pages?.putFilled(writer);
    if (this.#feedsChange === null) return;
    const { change, age, isDue, reports } = this.#feedsChange;
    putSmallFeeds(change, writer);
    this.feeds = planLargeFiles(change, age, isDue);
    this.feedReports = largeLists(change.after).flatMap((list) =>
      this.feeds.make.includes(list)
        ? putLargeFiles(change.after, list, writer)
        : reports.filter(({ resource }) => resource === list),
    );
  }
}

/** The files that a configuration's host reads or answers by. */
export function hostFilesOf(config: PublicConfig): HostFile[] {
  return hostFiles(config, (name) => readFileSync(join(templateFolder("hosts"), name), "utf8"));
}

/** A configuration that is older than pages are wants none. */
function pageFiles(config: PublicConfig, imageOrigins: () => ImageOrigins): PageFiles | null {
  return config.pages ? new PageFiles(PAGES_FOLDER, showsImages(config) ? imageOrigins() : {}) : null;
}

/** Of a whole catalog. */
export function wholePages(catalog: Catalog): SiteFiles {
  const { config } = catalog;
  const pages = pageFiles(config, () => imageOriginsOf(catalog));
  return new SiteFiles(pages, hostFilesOf(config), null);
}

/** After a change of a catalog; `pictures` are those before it. */
export function changedPages(
  change: CatalogChange & Parameters<typeof imageOriginsAfter>[1],
  imageOrigins: ImageOrigins,
  feeds: Omit<FeedsChange, "change">,
): SiteFiles {
  const { config } = change.after;
  const pages = pageFiles(config, () => imageOriginsAfter(imageOrigins, change));
  return new SiteFiles(pages, hostFilesOf(config), { ...feeds, change });
}

/** What of a snapshot is no answer, as its configuration wants it: the pages for people, the files of its host, and feeds. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PublicConfig } from "../api/config.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { plainBody } from "../catalog/envelope.ts";
import type { CatalogChange } from "../feeds/feed.ts";
import {
  countFeedBytes,
  countFeedFiles,
  type FeedsAge,
  putAllFeeds,
  putLargeFeeds,
  putSmallFeeds,
  touchesLargeFeeds,
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
  readonly isDue: boolean;
  readonly reports: readonly FeedReport[];
}

/** Pages, host files and feeds together. */
export class SiteFiles implements SitePages {
  readonly #pages: PageFiles | null;
  readonly #host: readonly HostFile[];
  readonly #feedsChange: FeedsChange | null;
  /** Of the feeds as they are once all is put. */
  feedReports: readonly FeedReport[] = [];
  /** True where the large feeds are older than the catalog. */
  areFeedsBehind = false;
  /** True where the large feeds were made. */
  areFeedsMade = false;

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
    this.#made(putAllFeeds(catalog, writer));
  }

  /** A host's files follow from the configuration: no change of the catalog changes one. */
  putFilled(writer: PageWriter): void {
    this.#pages?.putFilled(writer);
    if (this.#feedsChange === null) return;
    const { change, age, isDue, reports } = this.#feedsChange;
    putSmallFeeds(change, writer);
    const isBehind = age.isBehind || touchesLargeFeeds(change);
    // A product that leaves stands in no file from then on, however young the file is.
    const isUrgent = (change.rows.get("product")?.deleted.length ?? 0) > 0;
    if (isBehind && (isDue || isUrgent)) this.#made(putLargeFeeds(change.after, writer));
    else {
      this.feedReports = reports;
      this.areFeedsBehind = isBehind;
    }
  }

  #made(reports: readonly FeedReport[]): void {
    this.feedReports = reports;
    this.areFeedsMade = true;
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

/** What of a snapshot is no answer, as its configuration wants it: the pages for people, and feeds. */
import type { PublicConfig } from "../api/config.ts";
import { type Catalog, openCatalog } from "../catalog/catalog.ts";
import type { CatalogChange } from "../feeds/feed.ts";
import {
  countFeedBytes,
  countFeedFiles,
  feedsOf,
  putChangedFeeds,
  putFeed,
  weighFeed,
} from "../feeds/feeds.ts";
import type { FeedName, FeedReport } from "../feeds/report.ts";
import { PAGES_FOLDER } from "../package.ts";
import { type ImageOrigins, imageOriginsAfter, imageOriginsOf } from "../pages/image-origins.ts";
import { PageFiles, type PageWriter, showsImages } from "../pages/pages.ts";
import { type SitePages, type SitePart, withinFileLimit } from "../render/plan.ts";
import { openManifest } from "../snapshot/manifest.ts";
import { type PartOptions, SnapshotPart, type StagedPart } from "../snapshot/staging.ts";
import type { WorkerJob } from "../workers.ts";

interface FeedJob {
  readonly name: FeedName;
  readonly options: PartOptions;
}

interface FeedPart {
  readonly staged: StagedPart;
  readonly report: FeedReport | null;
}

const FEED: WorkerJob<FeedJob, FeedPart> = { name: "feed" };

/** In a worker. */
export function stageFeed({ name, options }: FeedJob): FeedPart {
  const { layout, hasPrevious } = options;
  const previous = hasPrevious ? openManifest(layout.manifest) : null;
  using catalog = openCatalog(layout.nextCatalog, { fragments: "file" });
  try {
    const part = new SnapshotPart(options, previous);
    const report = putFeed(catalog, name, withinFileLimit(part, catalog.config));
    return { staged: part.staged, report };
  } finally {
    previous?.close();
  }
}

/** Pages and feeds together. */
export class SiteFiles implements SitePages {
  readonly #pages: PageFiles | null;
  readonly #change: CatalogChange | null;
  readonly #reports: Map<FeedName, FeedReport>;

  /** `reports`: of the feeds before the change. */
  constructor(pages: PageFiles | null, change: CatalogChange | null, reports: readonly FeedReport[]) {
    this.#pages = pages;
    this.#change = change;
    this.#reports = new Map(reports.map((report) => [report.name, report]));
  }

  /** Of the feeds as they are once all is put. */
  get feedReports(): readonly FeedReport[] {
    return [...this.#reports.values()];
  }

  get imageOrigins(): ImageOrigins {
    return this.#pages?.imageOrigins ?? {};
  }

  countFiles(catalog: Catalog): number {
    return (this.#pages?.files ?? 0) + countFeedFiles(catalog);
  }

  /** Bytes of all; may take as long as making them. */
  countBytes(catalog: Catalog): number {
    return (this.#pages?.sizeBytes ?? 0) + countFeedBytes(catalog);
  }

  parts(catalog: Catalog): SitePart[] {
    return feedsOf(catalog).map((name) => ({
      ...weighFeed(catalog, name),
      put: (writer, catalog) => this.#note(putFeed(catalog, name, writer)),
      stage: async (workers, options) => {
        const { staged, report } = await workers.run(FEED, { name, options });
        this.#note(report);
        return staged;
      },
    }));
  }

  putOthers(writer: PageWriter): void {
    this.#pages?.putAll(writer);
  }

  putFilled(writer: PageWriter): void {
    this.#pages?.putFilled(writer);
    if (this.#change === null) return;
    for (const report of putChangedFeeds(this.#change, writer)) this.#note(report);
  }

  #note(report: FeedReport | null): void {
    if (report !== null) this.#reports.set(report.name, report);
  }
}

/** A configuration that is older than pages are wants none. */
function pageFiles(config: PublicConfig, imageOrigins: () => ImageOrigins): PageFiles | null {
  return config.pages ? new PageFiles(PAGES_FOLDER, showsImages(config) ? imageOrigins() : {}, config) : null;
}

/** Of a whole catalog. */
export function wholePages(catalog: Catalog): SiteFiles {
  const { config } = catalog;
  const pages = pageFiles(config, () => imageOriginsOf(catalog));
  return new SiteFiles(pages, null, []);
}

/** After a change of a catalog; `imageOrigins` and `reports` are those before it. */
export function changedPages(
  change: CatalogChange & Parameters<typeof imageOriginsAfter>[1],
  imageOrigins: ImageOrigins,
  reports: readonly FeedReport[],
): SiteFiles {
  const { config } = change.after;
  const pages = pageFiles(config, () => imageOriginsAfter(imageOrigins, change));
  return new SiteFiles(pages, change, reports);
}

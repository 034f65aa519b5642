/** What of a snapshot is no answer, as its configuration wants it: the pages for people, and feeds. */
import type { PublicConfig } from "../api/config.ts";
import { type Catalog, openCatalog } from "../catalog/catalog.ts";
import type { ResourceName } from "../catalog/resources.ts";
import type { CatalogChange } from "../feeds/feed.ts";
import {
  countFeedBytes,
  countFeedFiles,
  type FeedsAge,
  type FeedTask,
  feedTasks,
  type LargeFilesPlan,
  largeLists,
  planLargeFiles,
  putLargeFiles,
  putSmallFeeds,
  putTask,
  weighTask,
} from "../feeds/feeds.ts";
import type { FeedReport } from "../feeds/report.ts";
import { PAGES_FOLDER } from "../package.ts";
import { type ImageOrigins, imageOriginsAfter, imageOriginsOf } from "../pages/image-origins.ts";
import { PageFiles, type PageWriter, showsImages } from "../pages/pages.ts";
import { type SitePages, type SitePart, withinFileLimit } from "../render/plan.ts";
import { openManifest } from "../snapshot/manifest.ts";
import { type PartOptions, SnapshotPart, type StagedPart } from "../snapshot/staging.ts";
import type { WorkerJob } from "../workers.ts";

/** What a change does to the feeds, and how old the large ones are. */
interface FeedsChange {
  readonly change: CatalogChange;
  readonly age: FeedsAge;
  readonly isDue: (list: ResourceName) => boolean;
  readonly reports: readonly FeedReport[];
}

interface FeedsPart {
  readonly staged: StagedPart;
  readonly reports: readonly FeedReport[];
}

const FEEDS: WorkerJob<{ readonly task: FeedTask; readonly options: PartOptions }, FeedsPart> = {
  name: "feeds",
};

/** In a worker. */
export function stageFeeds({ task, options }: { task: FeedTask; options: PartOptions }): FeedsPart {
  const { layout, hasPrevious } = options;
  const previous = hasPrevious ? openManifest(layout.manifest) : null;
  using catalog = openCatalog(layout.nextCatalog, { fragments: "file" });
  try {
    const part = new SnapshotPart(options, previous);
    const reports = putTask(catalog, task, withinFileLimit(part, catalog.config));
    return { staged: part.staged, reports };
  } finally {
    previous?.close();
  }
}

/** Pages and feeds together. */
export class SiteFiles implements SitePages {
  readonly #pages: PageFiles | null;
  readonly #feedsChange: FeedsChange | null;
  #reports: readonly (readonly FeedReport[])[] = [];
  /** Lists whose large feeds were made, and those that their feeds are behind. */
  feeds: LargeFilesPlan = { make: [], behind: [] };

  constructor(pages: PageFiles | null, feedsChange: FeedsChange | null) {
    this.#pages = pages;
    this.#feedsChange = feedsChange;
  }

  /** Of the feeds as they are once all is put. */
  get feedReports(): readonly FeedReport[] {
    return this.#reports.flat();
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
    this.feeds = { make: largeLists(catalog), behind: [] };
    const tasks = feedTasks(catalog);
    const reports: (readonly FeedReport[])[] = tasks.map(() => []);
    this.#reports = reports;
    return tasks.map((task, at) => ({
      ...weighTask(catalog, task),
      put(writer, catalog) {
        reports[at] = putTask(catalog, task, writer);
      },
      async stage(workers, options) {
        const made = await workers.run(FEEDS, { task, options });
        reports[at] = made.reports;
        return made.staged;
      },
    }));
  }

  putOthers(writer: PageWriter): void {
    this.#pages?.putAll(writer);
  }

  putFilled(writer: PageWriter): void {
    this.#pages?.putFilled(writer);
    if (this.#feedsChange === null) return;
    const { change, age, isDue, reports } = this.#feedsChange;
    putSmallFeeds(change, writer);
    this.feeds = planLargeFiles(change, age, isDue);
    this.#reports = largeLists(change.after).map((list) =>
      this.feeds.make.includes(list)
        ? putLargeFiles(change.after, list, writer)
        : reports.filter(({ resource }) => resource === list),
    );
  }
}

/** A configuration that is older than pages are wants none. */
function pageFiles(config: PublicConfig, imageOrigins: () => ImageOrigins): PageFiles | null {
  return config.pages ? new PageFiles(PAGES_FOLDER, showsImages(config) ? imageOrigins() : {}) : null;
}

/** Of a whole catalog. */
export function wholePages(catalog: Catalog): SiteFiles {
  const { config } = catalog;
  const pages = pageFiles(config, () => imageOriginsOf(catalog));
  return new SiteFiles(pages, null);
}

/** After a change of a catalog; `pictures` are those before it. */
export function changedPages(
  change: CatalogChange & Parameters<typeof imageOriginsAfter>[1],
  imageOrigins: ImageOrigins,
  feeds: Omit<FeedsChange, "change">,
): SiteFiles {
  const { config } = change.after;
  const pages = pageFiles(config, () => imageOriginsAfter(imageOrigins, change));
  return new SiteFiles(pages, { ...feeds, change });
}

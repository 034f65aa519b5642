/** The files of a snapshot that are not answers, as configured: feeds, and the pages for people. */
import type { Catalog } from "../catalog/catalog.ts";
import { PAGES_FOLDER, templateFolder } from "../package.ts";
import { countFeedFiles, feedFiles } from "../site/feeds/feeds.ts";
import { siteInputs } from "../site/made-file.ts";
import { measureFiles } from "../site/measure.ts";
import { imageOriginsOf } from "../site/pages/image-origins.ts";
import { countPages, pageFiles, showsImages } from "../site/pages/pages.ts";
import { type OtherFiles, widgetFiles } from "../site/site.ts";
import type { FeedReport } from "../site/write-report.ts";

/** `onReport`: called for each feed that has requirements, when its files are made. */
export function otherFiles(onReport: (report: FeedReport) => void): OtherFiles {
  return {
    count: (catalog) =>
      (catalog.config.pages === false ? 0 : countPages(PAGES_FOLDER)) + countFeedFiles(catalog),
    *files(inputs) {
      const { catalog } = inputs;
      const { config } = catalog;
      yield* feedFiles(inputs, onReport);
      if (config.pages === false) return;
      yield* pageFiles(PAGES_FOLDER, showsImages(config) ? imageOriginsOf(inputs) : [], inputs);
    },
  };
}

/** Number and total bytes of all files that are not answers: these and the widgets. Takes as long as making them. */
export function weighOtherFiles(catalog: Catalog): { readonly files: number; readonly sizeBytes: number } {
  const others = otherFiles(() => undefined).files(siteInputs(catalog));
  const files = measureFiles([...others, ...widgetFiles(catalog, templateFolder("widgets"))]);
  return {
    files: files.size,
    sizeBytes: [...files.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  };
}

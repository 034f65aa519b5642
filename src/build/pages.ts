/** What of a snapshot is no answer, as its configuration wants it: the pages for people, and the files of its host. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PublicConfig } from "../api/config.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { plainBody } from "../catalog/envelope.ts";
import { type HostFile, hostFiles } from "../hosts/files.ts";
import { PAGES_FOLDER, templateFolder } from "../package.ts";
import { type ImageOrigins, imageOriginsAfter, imageOriginsOf } from "../pages/image-origins.ts";
import { Pages, type PageWriter, type SitePages, showsImages } from "../pages/pages.ts";

/** Pages and host files together. */
export class SiteFiles implements SitePages {
  readonly #pages: Pages | null;
  readonly #host: readonly HostFile[];

  constructor(pages: Pages | null, host: readonly HostFile[]) {
    this.#pages = pages;
    this.#host = host;
  }

  get imageOrigins(): ImageOrigins {
    return this.#pages?.imageOrigins ?? {};
  }

  get weight() {
    const { files, sizeBytes } = this.#pages?.weight ?? { files: 0, sizeBytes: 0 };
    const hostBytes = this.#host.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    return { files: files + this.#host.length, sizeBytes: sizeBytes + hostBytes };
  }

  putAll(writer: PageWriter): void {
    this.#pages?.putAll(writer);
    for (const { name, text } of this.#host) writer.put(name, plainBody(text));
  }

  /** A host's files follow from the configuration: no change of the catalog changes one. */
  putFilled(writer: PageWriter): void {
    this.#pages?.putFilled(writer);
  }
}

/** The files that a configuration's host reads or answers by. */
export function hostFilesOf(config: PublicConfig): HostFile[] {
  return hostFiles(config, (name) => readFileSync(join(templateFolder("hosts"), name), "utf8"));
}

function siteFiles(config: PublicConfig, imageOrigins: () => ImageOrigins): SiteFiles {
  // A configuration that is older than pages are wants none.
  const pages = config.pages ? new Pages(PAGES_FOLDER, showsImages(config) ? imageOrigins() : {}) : null;
  return new SiteFiles(pages, hostFilesOf(config));
}

/** Of a whole catalog. */
export function wholePages(catalog: Catalog): SiteFiles {
  return siteFiles(catalog.config, () => imageOriginsOf(catalog));
}

/** After a change of a catalog; `pictures` are those before it. */
export function changedPages(
  change: Parameters<typeof imageOriginsAfter>[1],
  imageOrigins: ImageOrigins,
): SiteFiles {
  return siteFiles(change.after.config, () => imageOriginsAfter(imageOrigins, change));
}

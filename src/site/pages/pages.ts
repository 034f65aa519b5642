/**
 * The pages for people in a snapshot: the explorer, as `npm run build` made it, with the origins of the catalog's images, and
 * the reference. Knows neither who renders nor where the files go.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PublicConfig } from "../../api/config.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { messageOf, VitrineError } from "../../base/error.ts";
import type { Catalog } from "../../catalog/catalog.ts";
import { plainBody } from "../../catalog/envelope.ts";
import { hasAnswers } from "../../catalog/singles.ts";
import { type MadeFile, madeFile } from "../made-file.ts";
import { makeReference, REFERENCE_KEY } from "./reference.ts";

/** `list.json`, in the folder of the explorer's files. */
export interface PageList {
  /** Of all files. */
  readonly digest: string;
  readonly files: readonly {
    /** In the snapshot, and below the folder. */
    readonly key: string;
    readonly sizeBytes: number;
    /** True where something of the catalog is written in: it differs from shop to shop. */
    readonly filled: boolean;
  }[];
}

/** @throws VitrineError config_invalid */
export function readPageList(folder: string): PageList {
  try {
    return JSON.parse(readFileSync(join(folder, "list.json"), "utf8")) as PageList;
  } catch (error) {
    throw new VitrineError(
      "config_invalid",
      `The explorer's files cannot be read: ${messageOf(error)}. In a checkout, npm run build makes them; "pages": false ` +
        "builds without.",
      { cause: error },
    );
  }
}

/** Where a page says which other origins its images may come from. */
const IMAGES = "{{IMAGES}}";

/** Where the explorer's page says which endpoints have something to show. */
const ENDPOINTS_SHOWN = "{{ENDPOINTS}}";

/** The pages of a snapshot. The reference follows from the configuration, the explorer's page from what the catalog has, too. */
export function pageFiles(folder: string, imageOrigins: readonly string[], catalog: Catalog): MadeFile[] {
  const shown = ENDPOINTS.filter((endpoint) => hasAnswers(catalog, endpoint)).map(({ path }) => path);
  const explorer = readPageList(folder).files.map(({ key, filled }) => {
    const bytes = readFileSync(join(folder, key));
    if (!filled) return madeFile(key, { bytes, stamped: false });
    const html = bytes
      .toString()
      .replaceAll(IMAGES, () => imageOrigins.join(" "))
      .replaceAll(ENDPOINTS_SHOWN, () => shown.join(" "));
    return madeFile(key, plainBody(html));
  });
  return [...explorer, madeFile(REFERENCE_KEY, plainBody(makeReference(catalog.config)))];
}

export function countPages(folder: string): number {
  return readPageList(folder).files.length + 1;
}

/** True where the explorer shows images from where they are. */
export function showsImages({ pages }: PublicConfig): boolean {
  return pages !== false && pages.images !== false;
}

/**
 * The pages for people in a snapshot, as `npm run build` made them: the explorer, with the origins of the catalog's images, and
 * the reference, with the shop's own endpoints and answers. Knows neither who renders nor where the files go.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PublicConfig } from "../../api/config.ts";
import { ENDPOINTS } from "../../api/endpoints.ts";
import { messageOf, VitrineError } from "../../base/error.ts";
import { escapeHtml } from "../../base/html.ts";
import { plainBody } from "../../catalog/envelope.ts";
import { hasAnswers } from "../../catalog/singles.ts";
import { type MadeFile, madeFile, type SiteInputs } from "../made-file.ts";
import { publicSite, referenceBody } from "./reference.ts";

export const REFERENCE_KEY = "docs/index.html";

/** `list.json`, in the folder of the pages' files. */
export interface PageList {
  /** Of all files. */
  readonly digest: string;
  readonly files: readonly {
    /** In the snapshot, and below the folder. */
    readonly key: string;
    readonly sizeBytes: number;
    /** True if the page contains something of the catalog, and so differs from shop to shop. */
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

/** The pages of a snapshot. */
export function* pageFiles(
  folder: string,
  imageOrigins: readonly string[],
  inputs: SiteInputs,
): Generator<MadeFile> {
  const { catalog } = inputs;
  // Each place is filled once: what a shop's text has between braces is left as it is.
  const words: Readonly<Record<string, () => string>> = {
    IMAGES: () => imageOrigins.join(" "),
    ENDPOINTS: () =>
      ENDPOINTS.filter((each) => each.path !== "" && hasAnswers(catalog, each))
        .map(({ path }) => path)
        .join(" "),
    SITE: () => escapeHtml(publicSite(catalog)),
    TITLE: () => escapeHtml(`${catalog.store.store_name}: API reference`),
    BODY: () => referenceBody(inputs).text,
  };
  for (const { key, filled } of readPageList(folder).files) {
    const bytes = readFileSync(join(folder, key));
    if (!filled) yield madeFile(key, { bytes, stamped: false });
    else
      yield madeFile(
        key,
        plainBody(
          bytes.toString().replace(/\{\{([A-Z]+)\}\}/g, (whole, name: string) => words[name]?.() ?? whole),
        ),
      );
  }
}

export function countPages(folder: string): number {
  return readPageList(folder).files.length;
}

/** True where the explorer shows images from where they are. */
export function showsImages({ pages }: PublicConfig): boolean {
  return pages !== false && pages.images !== false;
}

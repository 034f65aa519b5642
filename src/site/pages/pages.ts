/**
 * The pages for people in a snapshot: the explorer, as `npm run build` made it, with the origins of the catalog's images, and
 * the reference. Knows neither who renders nor where the files go.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PublicConfig } from "../../api/config.ts";
import { messageOf, VitrineError } from "../../base/error.ts";
import { plainBody } from "../../catalog/envelope.ts";
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

/** The pages of a snapshot. The reference follows from the configuration, the explorer's files from it and the images' origins. */
export function pageFiles(folder: string, imageOrigins: readonly string[], config: PublicConfig): MadeFile[] {
  const explorer = readPageList(folder).files.map(({ key, filled }) => {
    const bytes = readFileSync(join(folder, key));
    if (!filled) return madeFile(key, { bytes, stamped: false });
    return madeFile(key, plainBody(bytes.toString().replaceAll(IMAGES, () => imageOrigins.join(" "))));
  });
  return [...explorer, madeFile(REFERENCE_KEY, plainBody(makeReference(config)))];
}

export function countPages(folder: string): number {
  return readPageList(folder).files.length + 1;
}

/** True where the explorer shows images from where they are. */
export function showsImages({ pages }: PublicConfig): boolean {
  return pages !== false && pages.images !== false;
}

/**
 * The pages for people in a snapshot: the explorer, as `npm run build` made it, with the origins of the catalog's images, and
 * the reference. Knows neither who renders nor where the files go.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PublicConfig } from "../api/config.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import type { OpenFile } from "../base/part-file.ts";
import { type Body, plainBody } from "../catalog/envelope.ts";
import { type ImageOrigins, originsOf } from "./image-origins.ts";
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

/** Takes files. */
export interface PageWriter {
  put(key: string, body: Body): void;
  open(key: string): OpenFile;
  remove(key: string): void;
  /** SHA-256 of the file at a key as it is by now, hexadecimal; null where there is none. */
  digestOf(key: string): string | null;
}

/** The pages of one snapshot. */
export class PageFiles {
  readonly imageOrigins: ImageOrigins;
  readonly #folder: string;
  readonly #list: PageList;
  readonly #reference: Body;

  constructor(folder: string, imageOrigins: ImageOrigins, config: PublicConfig) {
    this.#folder = folder;
    this.#list = readPageList(folder);
    this.#reference = plainBody(makeReference(config));
    this.imageOrigins = imageOrigins;
  }

  get files(): number {
    return this.#list.files.length + 1;
  }

  get sizeBytes(): number {
    const sizeOf = ({ key, sizeBytes, filled }: PageList["files"][number]) =>
      filled ? this.#body(key, filled).bytes.length : sizeBytes;
    return this.#list.files.reduce((sum, file) => sum + sizeOf(file), this.#reference.bytes.length);
  }

  putAll(writer: PageWriter): void {
    for (const { key, filled } of this.#list.files) writer.put(key, this.#body(key, filled));
    writer.put(REFERENCE_KEY, this.#reference);
  }

  /** The reference follows from the configuration: no change of the catalog changes it. */
  putFilled(writer: PageWriter): void {
    for (const { key, filled } of this.#list.files) if (filled) writer.put(key, this.#body(key, filled));
  }

  #body(key: string, filled: boolean): Body {
    const bytes = readFileSync(join(this.#folder, key));
    if (!filled) return { bytes, stamped: false };
    return plainBody(bytes.toString().replaceAll(IMAGES, () => originsOf(this.imageOrigins).join(" ")));
  }
}

/** True where the explorer shows images from where they are. */
export function showsImages({ pages }: PublicConfig): boolean {
  return pages !== false && pages.images !== false;
}

/** What becomes of a file's slugs: refused, made of an address's escapes, or told apart by the id alone. */
import { MAX_SLUG_LENGTH } from "../api/endpoints.ts";
import { formatCount } from "../base/log.ts";
import { Slugs, slugify } from "../extract/slug.ts";
import type { StoreValue } from "../extract/store.ts";
import { isSlug } from "../key/bytes.ts";
import { type Found, problem, warning } from "./finding.ts";

const ESCAPE = /%[0-9a-f]{2}/i;

/** Gathers a file's rows. */
export class SlugCount {
  readonly #isSource: boolean;
  readonly #slugs = new Slugs();
  readonly #sources = new Map<number, string>();
  #escaped = 0;
  #refused = 0;
  #firstRefused: StoreValue = null;

  /** @param isSource false where the file gives the slugs themselves */
  constructor(isSource: boolean) {
    this.#isSource = isSource;
  }

  add(id: StoreValue, value: StoreValue): void {
    if (typeof value === "string" && ESCAPE.test(value)) this.#escaped += 1;
    if (!this.#isSource) {
      if (typeof value === "string" && isSlug(value, MAX_SLUG_LENGTH)) return;
      if (this.#refused === 0) this.#firstRefused = id;
      this.#refused += 1;
    } else if (typeof id === "number" && typeof value === "string") {
      this.#slugs.add(id, value);
      this.#sources.set(id, value);
    }
  }

  /** How many were made of more, or of something else, than their source. */
  get replaced(): number {
    let count = 0;
    for (const [id, source] of this.#sources) if (this.#slugs.of(id) !== slugify(source)) count += 1;
    return count;
  }

  found(file: string): Found[] {
    if (this.#refused > 0)
      return [
        problem(
          `${file}: ${formatCount(this.#refused)} slugs are none (first of id ${String(this.#firstRefused)})${this.#escaped > 0 ? `, ${formatCount(this.#escaped)} of them percent-encoded` : ""}`,
          "Give slug_source instead of slug: Vitrine makes slugs of it (docs/allow-list.md).",
        ),
      ];
    if (this.#escaped > 0)
      return [
        warning(
          `${file}: ${formatCount(this.#escaped)} sources of slugs are percent-encoded, and slugs are made of the codes`,
          "Give the title there where the source has a %, as templates/shops/woocommerce/queries does.",
        ),
      ];
    return [];
  }
}

/** Bands: pages of a family that are kept or left out together, in the order in which they fill the snapshot. */

import { AUTO, type PublicConfig } from "../api/config.ts";
import { type Family, planFamilies } from "./grid.ts";

/** `body`: a separate file; `link`: its alias by the product's id, with the same bytes. */
export type FileForm = "body" | "link";

export interface Band {
  readonly family: Family;
  readonly firstPage: number;
  /** Infinity: up to the last page. */
  readonly lastPage: number;
  readonly form: FileForm;
}

interface BandRow {
  readonly kind: Family["kind"];
  readonly pages: readonly [first: number, last: number];
  readonly form: FileForm;
}

/**
 * Most requested first, for all families of a kind in their order. Within a kind and form the pages have no gap, and links follow
 * their bodies. The lengths of the lists alone decide whether a band fits.
 */
const ROWS: readonly BandRow[] = [
  { kind: "single", pages: [1, 1], form: "body" },
  { kind: "detail", pages: [1, 1], form: "body" },
  { kind: "list", pages: [1, 10], form: "body" },
  { kind: "productList", pages: [1, 1], form: "body" },
  { kind: "detail", pages: [1, 1], form: "link" },
  { kind: "productList", pages: [1, 1], form: "link" },
  { kind: "list", pages: [11, 100], form: "body" },
  { kind: "productList", pages: [2, Infinity], form: "body" },
  { kind: "productList", pages: [2, Infinity], form: "link" },
  { kind: "list", pages: [101, Infinity], form: "body" },
  { kind: "narrowedProductList", pages: [1, Infinity], form: "body" },
  { kind: "narrowedProductList", pages: [1, Infinity], form: "link" },
];

/**
 * The last page of a list that may be a file, for a grid that would have `wholeFiles` files with all its pages. A pure function of
 * both: the previous snapshot has no influence.
 */
export function deepestPage({ grid }: PublicConfig, wholeFiles: number): number {
  const { pages = "auto" } = grid;
  if (pages === "auto") return wholeFiles <= AUTO.files ? Infinity : AUTO.pages;
  return pages === "all" ? Infinity : pages;
}

/** Splits a band's pages at the last one that may be a file; the deeper pages form a second band. */
function cutAt(most: number, [first, last]: BandRow["pages"]): BandRow["pages"][] {
  return first <= most && most < last
    ? [
        [first, most],
        [most + 1, last],
      ]
    : [[first, last]];
}

/** All bands of a configuration, the most important first; no band has pages on both sides of {@link deepestPage}. */
export function planBands(config: PublicConfig): Band[] {
  const families = planFamilies(config);
  const most = deepestPage(config, Infinity);
  return ROWS.flatMap(({ kind, pages, form }) =>
    cutAt(most, pages).flatMap(([firstPage, lastPage]) =>
      families
        .filter((family) => family.kind === kind && (form === "body" || family.alias !== null))
        .map((family) => ({ family, firstPage, lastPage, form })),
    ),
  );
}

/** `products category, pages 11 to 100`; `product, by id` */
export function bandName({ band }: { readonly band: Band }): string {
  const { family, firstPage, lastPage, form } = band;
  const pages =
    !family.endpoint.paginated || !("perPage" in family)
      ? ""
      : lastPage === Infinity
        ? `, pages from ${firstPage}`
        : firstPage === lastPage
          ? `, page ${firstPage}`
          : `, pages ${firstPage} to ${lastPage}`;
  return `${family.name}${pages}${form === "link" ? ", by id" : ""}`;
}

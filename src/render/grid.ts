/** The grid: which queries become files, as families in a declared order of importance (DESIGN: "the grid"). */

import { type Resource, resourceOf } from "../catalog/resources.ts";
import type { PublicConfig } from "../contract/config.ts";
import { DEFAULT_PER_PAGE, ENDPOINTS, type Endpoint } from "../contract/endpoints.ts";

/** Filters of which each value also has a file under the product's id: the same bytes, a hard link. */
export const TWINS: Readonly<Record<string, string>> = { product_slug: "product_id", slug: "id" };

interface FamilyBase {
  readonly endpoint: Endpoint;
  /** Name for people: `products category sort=price_asc`. */
  readonly name: string;
}

/** One file. */
export interface SingleFamily extends FamilyBase {
  readonly kind: "single";
}

/** A file for each record, selected by its slug. */
export interface DetailFamily extends FamilyBase {
  readonly kind: "detail";
  readonly resource: Resource;
  /** Also by id. */
  readonly twin: string | null;
}

/** All pages of a list, for every combination of its filters' values that has a result. */
export interface ListFamily extends FamilyBase {
  readonly kind: "list";
  readonly resource: Resource;
  readonly filters: readonly string[];
  /** A sort value other than the default, or null. */
  readonly sort: string | null;
  readonly perPage: number;
}

export type Family = SingleFamily | DetailFamily | ListFamily;

/** Endpoints that are one file whatever is asked of them. */
const SINGLES: readonly string[] = ["store", "categories", "widgets", "openapi.json", ""];

function productDetails(endpoint: Endpoint): DetailFamily[] {
  const resource = resourceOf("products");
  return resource === undefined ? [] : [{ kind: "detail", endpoint, name: "product", resource, twin: "id" }];
}

function recordDetails(endpoint: Endpoint): DetailFamily[] {
  const resource = resourceOf(endpoint.path);
  const selects = endpoint.params.some((param) => param.selects);
  if (resource === undefined || !selects) return [];
  return [{ kind: "detail", endpoint, name: `${endpoint.path} slug`, resource, twin: null }];
}

/** Subsets of a size, in order: `pairs of [a,b,c]` → ab, ac, bc. */
function subsets(names: readonly string[], size: number): string[][] {
  if (size === 0) return [[]];
  return names.flatMap((name, at) => subsets(names.slice(at + 1), size - 1).map((rest) => [name, ...rest]));
}

function listFamily(
  endpoint: Endpoint,
  filters: readonly string[],
  sort: string | null,
  perPage: number,
): ListFamily {
  const resource = resourceOf(endpoint.path);
  if (resource === undefined) throw new Error(`/${endpoint.path} lists nothing`);
  const words = [endpoint.path, ...filters];
  if (sort !== null) words.push(`sort=${sort}`);
  if (perPage !== DEFAULT_PER_PAGE) words.push(`per_page=${perPage}`);
  return { kind: "list", endpoint, resource, filters, sort, perPage, name: words.join(" ") };
}

function filterNames(endpoint: Endpoint): string[] {
  const twins = Object.values(TWINS);
  return endpoint.params
    .filter((param) => param.role === "filter" && !twins.includes(param.name))
    .map((p) => p.name);
}

function otherSorts(endpoint: Endpoint): string[] {
  const sort = endpoint.params.find((param) => param.role === "sort");
  return (sort?.values ?? []).filter((value) => value !== sort?.default);
}

function hasPages(endpoint: Endpoint): boolean {
  return endpoint.paginated && endpoint.path !== "search";
}

/** Lists by number of filters: first in their default order, then in the others. */
function listFamilies(lists: readonly Endpoint[], depth: number, perPage: number): ListFamily[] {
  const families: ListFamily[] = [];
  for (let size = 0; size <= depth; size++) {
    const combined = lists.flatMap((endpoint) =>
      subsets(filterNames(endpoint), size).map((filters) => ({ endpoint, filters })),
    );
    families.push(...combined.map(({ endpoint, filters }) => listFamily(endpoint, filters, null, perPage)));
    families.push(
      ...combined.flatMap(({ endpoint, filters }) =>
        otherSorts(endpoint).map((sort) => listFamily(endpoint, filters, sort, perPage)),
      ),
    );
  }
  return families;
}

function isOfProduct(family: ListFamily): boolean {
  return family.filters.includes("product_slug");
}

/** The list that a product page asks for: one product's records, in their default order. */
function isPlainOfProduct(family: ListFamily): boolean {
  return isOfProduct(family) && family.filters.length === 1 && family.sort === null;
}

/** All families of a configuration, the most important first. */
export function planFamilies(config: PublicConfig): Family[] {
  const enabled = ENDPOINTS.filter(
    (endpoint) => endpoint.path === "" || config.endpoints.some((path) => path === endpoint.path),
  );
  const lists = enabled.filter((endpoint) => hasPages(endpoint) || endpoint.path === "faqs");
  const plain = listFamilies(lists, config.grid.depth, DEFAULT_PER_PAGE);
  const otherSizes = config.pageSizes
    .filter((size) => size !== DEFAULT_PER_PAGE)
    .flatMap((size) => listFamilies(lists.filter(hasPages), config.grid.depth, size));
  return [
    ...enabled
      .filter((endpoint) => SINGLES.includes(endpoint.path))
      .map((endpoint): SingleFamily => ({ kind: "single", endpoint, name: endpoint.path || "status" })),
    ...enabled.filter((endpoint) => endpoint.path === "product").flatMap(productDetails),
    ...plain.filter(isPlainOfProduct),
    ...enabled.flatMap(recordDetails),
    ...plain.filter((family) => !isOfProduct(family)),
    ...otherSizes.filter((family) => !isOfProduct(family)),
    // As many files as products, and seldom asked for: behind all that every visitor asks for.
    ...plain.filter((family) => isOfProduct(family) && !isPlainOfProduct(family)),
    ...otherSizes.filter(isOfProduct),
  ];
}

/** The grid: which queries may become files, grouped into families. Bands decide which pages of a family do. */
import type { PublicConfig } from "../api/config.ts";
import { DEFAULT_PER_PAGE, ENDPOINTS, type Endpoint, offers } from "../api/endpoints.ts";
import { pageOf } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { RowsGroup } from "../catalog/record-list.ts";
import { type Resource, resourceOf } from "../catalog/resources.ts";
import type { Query } from "../key/query.ts";

/** Filters that name a product by its slug → the parameter that names it by its id: the same bytes, a hard link. */
export const ALIASES: Readonly<Record<string, string>> = { product_slug: "product_id", slug: "id" };

interface FamilyBase {
  readonly endpoint: Endpoint;
  /** Name for people: `products category sort=price_asc`. */
  readonly name: string;
  /** The key of {@link ALIASES} that selects its answers; null if they have no alias by id. */
  readonly alias: string | null;
}

/** One file. */
export interface SingleFamily extends FamilyBase {
  readonly kind: "single";
}

/** A file for each record, selected by its slug. */
export interface DetailFamily extends FamilyBase {
  readonly kind: "detail";
  readonly resource: Resource;
}

/** All pages of a list, for every combination of its filters' values that has a result. */
export interface ListFamily extends FamilyBase {
  /**
   * `productList`: one product's records as the product's page requests them; `narrowedProductList`: the same with more filters,
   * another order or another page size. Each exists once per product.
   */
  readonly kind: "list" | "productList" | "narrowedProductList";
  readonly resource: Resource;
  readonly filters: readonly string[];
  /** A sort value other than the default, or null. */
  readonly sort: string | null;
  readonly perPage: number;
}

export type Family = SingleFamily | DetailFamily | ListFamily;

/** All families of a configuration; within each kind the most important first. */
export function planFamilies(config: PublicConfig): Family[] {
  const enabled = ENDPOINTS.filter(({ path }) => offers(config, path));
  const paged = enabled.filter(hasPages);
  // FAQs come last: a product's FAQs are in its details as well.
  const lists = [...paged, ...enabled.filter(isWholeList)];
  const { depth } = config.grid;
  const otherSizes = config.pageSizes.filter((size) => size !== DEFAULT_PER_PAGE);
  return [
    ...enabled.filter(isSingle).map(
      (endpoint): SingleFamily => ({
        kind: "single",
        endpoint,
        name: endpoint.path || "status",
        alias: null,
      }),
    ),
    ...enabled.filter((endpoint) => endpoint.path === "product").flatMap(productDetails),
    ...enabled.flatMap(recordDetails),
    ...listFamilies(lists, depth, DEFAULT_PER_PAGE),
    ...otherSizes.flatMap((size) => listFamilies(paged, depth, size)),
  ];
}

function hasPages(endpoint: Endpoint): boolean {
  return endpoint.paginated === true && endpoint.path !== "search";
}

/** True for a list without pages: the questions (FAQs). */
function isWholeList({ paginated, params }: Endpoint): boolean {
  return !paginated && params.some(({ role }) => role === "filter");
}

/** True for an endpoint without parameters: it has one file. */
function isSingle({ params }: Endpoint): boolean {
  return params.length === 0;
}

function productDetails(endpoint: Endpoint): DetailFamily[] {
  const resource = resourceOf("products");
  return resource === undefined
    ? []
    : [{ kind: "detail", endpoint, name: "product", resource, alias: "slug" }];
}

function recordDetails(endpoint: Endpoint): DetailFamily[] {
  const resource = resourceOf(endpoint.path);
  const selects = endpoint.params.some((param) => param.selects);
  if (resource === undefined || !selects) return [];
  return [{ kind: "detail", endpoint, name: `${endpoint.path} slug`, resource, alias: null }];
}

function listFamilies(lists: readonly Endpoint[], depth: number, perPage: number): ListFamily[] {
  const families: ListFamily[] = [];
  for (let size = 0; size <= depth; size++) {
    for (const endpoint of lists) {
      for (const filters of subsets(filterNames(endpoint), size)) {
        for (const sort of [null, ...otherSorts(endpoint)])
          families.push(listFamily(endpoint, filters, sort, perPage));
      }
    }
  }
  return families.sort((a, b) => familyRank(a) - familyRank(b));
}

/** Subsets of a size, in order: `pairs of [a,b,c]` → ab, ac, bc. */
function subsets(names: readonly string[], size: number): string[][] {
  if (size === 0) return [[]];
  return names.flatMap((name, at) => subsets(names.slice(at + 1), size - 1).map((rest) => [name, ...rest]));
}

function filterNames(endpoint: Endpoint): string[] {
  const aliases = Object.values(ALIASES);
  return endpoint.params
    .filter((param) => param.role === "filter" && !aliases.includes(param.name))
    .map((p) => p.name);
}

function otherSorts(endpoint: Endpoint): string[] {
  const sort = endpoint.params.find((param) => param.role === "sort");
  return (sort?.values ?? []).filter((value) => value !== sort?.default);
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
  const alias = filters.find((param) => ALIASES[param] !== undefined) ?? null;
  const asAsked = filters.length === 1 && sort === null && perPage === DEFAULT_PER_PAGE;
  const kind = alias === null ? "list" : asAsked ? "productList" : "narrowedProductList";
  return { kind, endpoint, resource, filters, sort, perPage, alias, name: words.join(" ") };
}

/** Smaller is more important: the plain list, one filter, the other sorts of both, two filters, their sorts, … */
function familyRank({ filters, sort }: ListFamily): number {
  return sort === null ? filters.length : Math.max(1, filters.length) + 0.5;
}

/** Values → query, for values that are canonical already: `queryFor(products, {category: "scripts", page: "2"})`. Omits values that equal their default, as every query does. */
export function queryFor(endpoint: Endpoint, values: Readonly<Record<string, string>>): Query {
  return {
    endpoint,
    values: endpoint.params.map((param) => {
      const value = values[param.name];
      return value === undefined || value === param.default ? null : value;
    }),
  };
}

/** Records per page in a family's lists. */
export function pageSizeOf({ endpoint, perPage }: ListFamily): number {
  return pageOf(queryFor(endpoint, { per_page: String(perPage) })).size;
}

/** The non-empty lists of a family, in order of their filter values; rows in the family's order. */
export function listsOf(
  catalog: Catalog,
  { endpoint, resource, filters, sort }: ListFamily,
): Iterable<RowsGroup> {
  const defaults = new Map(endpoint.params.map((param) => [param.name, param.default]));
  const isDefault = (param: string, value: string) => defaults.get(param) === value;
  return catalog.list(resource.name).groups(filters, sort, isDefault);
}

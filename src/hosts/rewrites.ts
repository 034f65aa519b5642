/**
 * Requests with a query and the files that answer them, for hosts that are told of each form: which parameters are named and
 * where the file stands. Knows no host's spelling of it.
 */
import type { PublicConfig } from "../api/config.ts";
import { API_PATH, DEFAULT_PER_PAGE, ENDPOINTS, type Endpoint, type Param } from "../api/endpoints.ts";
import { keyOf } from "../key/key.ts";

export interface Rewrite {
  /** `/api/v1/products` */
  readonly path: string;
  /** Parameters that the query names. */
  readonly named: readonly Param[];
  /** `/api/v1/products/category=:category/page=:page.json`; null where no file answers. */
  readonly target: string | null;
}

function subsets<Item>(items: readonly Item[], most: number): Item[][] {
  if (most === 0) return [[]];
  return [
    [],
    ...items.flatMap((item, at) => subsets(items.slice(at + 1), most - 1).map((rest) => [item, ...rest])),
  ];
}

/** The file of a form of query: a value that stands for itself is spelled in a key as it is, and then made `:name`. */
function targetOf(endpoint: Endpoint, named: readonly Param[]): string {
  const values = endpoint.params.map((param) => (named.includes(param) ? `__${param.name}__` : null));
  return `/${keyOf({ endpoint, values })}`.replaceAll(/__(\w+?)__/g, ":$1");
}

function rewriteOf(endpoint: Endpoint, named: readonly Param[]): Rewrite {
  return {
    path: endpoint.path === "" ? API_PATH : `${API_PATH}/${endpoint.path}`,
    named,
    target: targetOf(endpoint, named),
  };
}

/** Parameters with which there may be a file: filters, and what stands beside them. */
function filed({ params }: Endpoint, { pageSizes }: PublicConfig) {
  const hasSizes = pageSizes.some((size) => size !== DEFAULT_PER_PAGE);
  return {
    filters: params.filter(({ role }) => role === "filter"),
    others: params.filter(
      ({ name, role }) => role === "sort" || name === "page" || (name === "per_page" && hasSizes),
    ),
  };
}

function ofList(endpoint: Endpoint, config: PublicConfig): Rewrite[] {
  const { filters, others } = filed(endpoint, config);
  const { depth } = config.grid;
  const none = (named: readonly Param[]): Rewrite => ({ ...rewriteOf(endpoint, named), target: null });
  const known = new Set([...filters, ...others]);
  const selecting = endpoint.params.filter((param) => param.selects);
  const never = endpoint.params.filter((param) => !known.has(param) && !param.selects);
  const forms = subsets(filters, depth).flatMap((some) =>
    subsets(others, others.length).map((rest) => [...some, ...rest]),
  );
  return [
    ...selecting.map((param) => rewriteOf(endpoint, [param])),
    ...never.map((param) => none([param])),
    ...subsets(filters, depth + 1)
      .filter((some) => some.length > depth)
      .map(none),
    ...forms.sort((a, b) => b.length - a.length).map((named) => rewriteOf(endpoint, named)),
  ];
}

/**
 * All of a configuration, those that name most first: a host that takes a query for one which names less finds the right
 * one before it, and what no file answers before that.
 */
export function planRewrites(config: PublicConfig): Rewrite[] {
  const enabled = ENDPOINTS.filter(({ path }) => path === "" || config.endpoints.some((one) => one === path));
  return enabled.flatMap((endpoint) => {
    if (endpoint.path === "search") return [];
    if (endpoint.needs !== undefined) return endpoint.params.map((param) => rewriteOf(endpoint, [param]));
    const rewrites = ofList(endpoint, config);
    // A path with its extension is the file's own.
    return rewrites.filter(({ path, target }) => path !== target);
  });
}

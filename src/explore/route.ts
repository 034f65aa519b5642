/** The part of the page's address that names a view: `#/product/invoice-kit?tab=reviews`. No server reads it, so it works in a bucket and on a laptop. */

export interface Route {
  /** `["product", "invoice-kit"]`; never empty. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

const START = "home";

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A broken escape, typed by hand.
    return part;
  }
}

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split(/\?(.*)/s, 2);
  const parts = path.split("/").filter((part) => part !== "");
  return {
    path: parts.length === 0 ? [START] : parts.map(decoded),
    query: new URLSearchParams(query),
  };
}

/** A query of the given values, without empty values and null. */
export type QueryValues = Readonly<Record<string, string | number | null | undefined>>;

export function queryText(values: QueryValues): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== null && value !== undefined && value !== "") query.set(name, String(value));
  return query.toString();
}

/** `(["product", "a b"], { tab: "reviews" })` → `#/product/a%20b?tab=reviews` */
export function hrefOf(path: readonly string[], values: QueryValues = {}): string {
  const query = queryText(values);
  return `#/${path.map(encodeURIComponent).join("/")}${query === "" ? "" : `?${query}`}`;
}

/** True if two addresses differ only in the page of a list. */
export function isOtherPage(a: Route, b: Route): boolean {
  const list = ({ path, query }: Route) => hrefOf(path, { ...valuesOf(query), page: null });
  return list(a) === list(b) && a.query.get("page") !== b.query.get("page");
}

/** The values of a query as an object, the last of each name. */
export function valuesOf(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries(query);
}

/** A view's title: `Products, category scripts, page 2 · Northlight Digital`; a request is its own title. */
export function titleOf(heading: string, query: URLSearchParams, shop: string): string {
  const path = query.get("path");
  const parts = [...query].map(([name, value]) =>
    name === "tab" ? value : `${name.replace(/_/g, " ")} ${value}`,
  );
  const view = path === null ? [heading, ...parts].join(", ") : `/${path}`;
  return shop === "" ? view : `${view} · ${shop}`;
}

/**
 * Which addresses have a file in the release that a catalog belongs to. The build's plan says it (`shapesOf` in site/plan.ts), the
 * catalog's meta and the release's index keep it, and a fallback answers such an address for a short time only: it is asked for one
 * only if the file is gone from a newer release.
 */
import type { Query } from "../key/query.ts";

/** The last page that is a file, by the shape of a query; null if all pages are: `{"products category": 10, "product slug": null}`. */
export type FileShapes = Readonly<Record<string, number | null>>;

/** Parameters that tell shapes apart by their value. */
const BY_VALUE: ReadonlySet<string> = new Set(["sort", "per_page"]);

/** `("products", ["sort=rating", "category"])` → `products category sort=rating` */
export function shapeOf(path: string, words: readonly string[]): string {
  return [path, ...[...words].sort()].join(" ");
}

/** The shape's word for a parameter that has a value. */
export function shapeWord(param: string, value: string): string {
  return BY_VALUE.has(param) ? `${param}=${value}` : param;
}

/** True if the release has a file for a valid query: for its shape and page, whether or not records match. */
export function hasFile(shapes: FileShapes, { endpoint, values }: Query): boolean {
  const words: string[] = [];
  let page = 1;
  for (const [at, { name }] of endpoint.params.entries()) {
    const value = values[at] ?? null;
    if (value === null) continue;
    if (name === "page") page = Number(value);
    else words.push(shapeWord(name, value));
  }
  const lastPage = shapes[shapeOf(endpoint.path, words)];
  return lastPage === null || (lastPage !== undefined && page <= lastPage);
}

/** What a request means: the file that may answer it, and why none can. The same key function runs at every edge. */
import { API_PATH, ENDPOINTS } from "../api/endpoints.ts";
import { readTarget } from "../key/key.ts";
import type { Query } from "../key/query.ts";
import { type QueryValues, queryText } from "./route.ts";

export interface FileWord {
  /** Key of the file that may answer, below the API's path; null where none can. */
  readonly key: string | null;
  /** Why none can, as the end of a sentence; "" where one may. */
  readonly reason: string;
}

function reasonOf(query: Query): string {
  const kinds = new Set(
    query.endpoint.params.filter((_, at) => query.values[at] !== null).map(({ kind }) => kind),
  );
  if (kinds.has("text")) return "search text has no file";
  if (kinds.has("price")) return "a price bound has no file";
  return "its key is too long for a file";
}

/** `rest` is what follows the API's path: `products?category=scripts`. */
export function fileOf(rest: string): FileWord {
  const [path = "", query = ""] = rest.split(/\?(.*)/s, 2);
  const { read, key, file } = readTarget(
    { path: path === "" ? API_PATH : `${API_PATH}/${path}`, query },
    (bytes) => bytes,
  );
  if (file !== null) return { key: file.slice(API_PATH.length), reason: "" };
  if (read === null) return { key: null, reason: "there is no such endpoint" };
  return { key: null, reason: key === null ? "the request is not valid" : reasonOf(read.query) };
}

/**
 * What follows the base address for an endpoint and values: parameters in the API's own order, so that the same question has
 * one address; names that it does not know come last, and its answer says so.
 */
export function restOf(path: string, values: QueryValues): string {
  const params = ENDPOINTS.find((endpoint) => endpoint.path === path)?.params ?? [];
  const known = params.map(({ name }) => name).filter((name) => Object.hasOwn(values, name));
  const others = Object.keys(values).filter((name) => !known.includes(name));
  const query = queryText(Object.fromEntries([...known, ...others].map((name) => [name, values[name]])));
  return query === "" ? path : `${path}?${query}`;
}

/** What a request means: the file that may answer it, and why none can. The same key function runs at every edge. */
import { API_PATH, ENDPOINTS, type ParamKind } from "../api/endpoints.ts";
import { readTarget } from "../key/key.ts";
import type { Query } from "../key/query.ts";
import { type QueryValues, queryText } from "./route.ts";

/** Parameters that no file can be made for, in words. */
export interface Free {
  readonly words: string;
  readonly names: readonly string[];
  /** False where the endpoint asks for one of them. */
  readonly canGo: boolean;
}

export interface FileWord {
  /** Key of the file that may answer, below the API's path; null where none can. */
  readonly key: string | null;
  /** Why none can, as a sentence without its end; "" where one may. */
  readonly reason: string;
  /** What only a server can answer; null where nothing is of that kind. */
  readonly free: Free | null;
  /** A page of a list: no server of the API says "not found" to it, so who does holds files alone. */
  readonly isList: boolean;
}

const FREE_KINDS: readonly (readonly [ParamKind, string])[] = [
  ["text", "search text"],
  ["price", "price bound"],
];

function freeOf({ endpoint, values }: Query): Free | null {
  const given = endpoint.params.filter((_, at) => values[at] !== null);
  for (const [kind, words] of FREE_KINDS) {
    const names = given.filter((param) => param.kind === kind).map(({ name }) => name);
    const canGo = !names.some((name) => endpoint.needs?.includes(name));
    if (names.length > 0) return { words, names, canGo };
  }
  return null;
}

function isListPage({ endpoint, values }: Query): boolean {
  return (
    endpoint.paginated === true && !endpoint.params.some(({ selects }, at) => selects && values[at] !== null)
  );
}

/** `rest` is what follows the API's path: `products?category=scripts`. */
export function fileOf(rest: string): FileWord {
  const [path = "", query = ""] = rest.split(/\?(.*)/s, 2);
  const { read, key, file } = readTarget(
    { path: path === "" ? API_PATH : `${API_PATH}/${path}`, query },
    (bytes) => bytes,
  );
  if (read === null || key === null) {
    const reason = read === null ? "there is no such endpoint" : "the request is not valid";
    return { key: null, reason, free: null, isList: false };
  }
  const isList = isListPage(read.query);
  if (file !== null) return { key: file.slice(API_PATH.length), reason: "", free: null, isList };
  const free = freeOf(read.query);
  const reason = free === null ? "its key is too long for a file" : `a ${free.words} has no file`;
  return { key: null, reason, free, isList };
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

/** What somebody typed or pasted, as what follows the base address: `/api/v1/products?page=2` → `products?page=2` */
export function restFrom(typed: string, base: string): string {
  const text = typed.trim();
  const known = [base, new URL(base).pathname].find((start) => text.startsWith(start));
  return (known === undefined ? text : text.slice(known.length)).replace(/^\/+/, "").replace(/#.*/s, "");
}

/** The text that a request searches for; "" where it searches for none. */
export function soughtIn(rest: string): string {
  const query = new URLSearchParams(rest.split(/\?(.*)/s, 2)[1]);
  return query.get("search") ?? query.get("q") ?? "";
}

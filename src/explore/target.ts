/** The file that may answer a request, or the reason why no file can. Every edge runs the same key function. */
import { API_PATH, ENDPOINTS, type ParamKind } from "../api/endpoints.ts";
import { readTarget } from "../key/key.ts";
import type { Query } from "../key/query.ts";
import { type QueryValues, queryText } from "./route.ts";

/** Parameters that no file can answer, with their names for people. */
export interface Free {
  readonly words: string;
  readonly names: readonly string[];
  /** False if the endpoint requires one of them. */
  readonly canGo: boolean;
}

export interface FileWord {
  /** Key of the file that may answer, below the API's path; null if no file can. */
  readonly key: string | null;
  /** The reason why no file can, as a sentence without its full stop; "" if one may. */
  readonly reason: string;
  /** The parameter that only a server can answer; null without one. */
  readonly free: Free | null;
  /** True for a page of a list: the API never answers it with 404, so a host that does has only files. */
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

/** `rest` is the part after the API's path: `products?category=scripts`. */
export function fileOf(rest: string): FileWord {
  const [path = "", query = ""] = rest.split(/\?(.*)/s, 2);
  const { read, key, file } = readTarget(
    { path: path === "" ? API_PATH : `${API_PATH}/${path}`, query },
    (bytes) => bytes,
  );
  if (read === null || key === null) {
    const reason = read === null ? "the endpoint does not exist" : "the request is not valid";
    return { key: null, reason, free: null, isList: false };
  }
  const isList = isListPage(read.query);
  if (file !== null) return { key: file.slice(API_PATH.length), reason: "", free: null, isList };
  const free = freeOf(read.query);
  const reason = free === null ? "its key is too long for a file" : `a ${free.words} has no file`;
  return { key: null, reason, free, isList };
}

/**
 * The part after the base address for an endpoint and values. Parameters are in the API's order, so that the same question
 * has one address; unknown names come last, and the API's answer reports them.
 */
export function restOf(path: string, values: QueryValues): string {
  const params = ENDPOINTS.find((endpoint) => endpoint.path === path)?.params ?? [];
  const known = params.map(({ name }) => name).filter((name) => Object.hasOwn(values, name));
  const others = Object.keys(values).filter((name) => !known.includes(name));
  const query = queryText(Object.fromEntries([...known, ...others].map((name) => [name, values[name]])));
  return query === "" ? path : `${path}?${query}`;
}

/** Typed or pasted text → the part after the base address: `/api/v1/products?page=2` → `products?page=2` */
export function restFrom(typed: string, base: string): string {
  const text = typed.trim();
  const known = [base, new URL(base).pathname].find((start) => text.startsWith(start));
  return (known === undefined ? text : text.slice(known.length)).replace(/^\/+/, "").replace(/#.*/s, "");
}

/** The search text of a request; "" without one. */
export function soughtIn(rest: string): string {
  const query = new URLSearchParams(rest.split(/\?(.*)/s, 2)[1]);
  return query.get("search") ?? query.get("q") ?? "";
}

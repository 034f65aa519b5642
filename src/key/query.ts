/**
 * Request → query: the endpoint, and each parameter's canonical value. Pure, and the same in every edge. It reports
 * problems by name and kind; the caller words them.
 */
import {
  API_PATH,
  ENDPOINTS,
  type Endpoint,
  IGNORED_NAMES,
  IGNORED_PREFIXES,
  MCP_PATH,
  type Param,
} from "../api/endpoints.ts";
import { decodeFormPart, escapedByte, isUnreserved } from "./bytes.ts";
import { readValue, type TextReader } from "./value.ts";

/** A query: the endpoint and the canonical value of each of its parameters; null means absent or the default. */
export interface Query {
  readonly endpoint: Endpoint;
  readonly values: readonly (string | null)[];
}

/** One thing that is wrong with a request. */
export interface Problem {
  readonly kind: "unknown" | "repeated" | "malformed" | "missing";
  /** The parameter's name as sent (a byte string); for `missing` the names of which one is needed. */
  readonly name: string;
}

export interface ReadQuery {
  readonly query: Query;
  readonly problems: readonly Problem[];
}

/** A request target in its two parts, as raw bytes: `"/a?b=c"` → path `"/a"`, query `"b=c"`. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

/** Splits a request target; from an absolute form (RFC 9112 §3.2.2) scheme and authority are removed. */
export function splitTarget(target: string): Target {
  let text = target;
  const fragment = text.indexOf("#");
  if (fragment >= 0) text = text.slice(0, fragment);
  const scheme = text.indexOf("://");
  if (scheme > 0 && text.charAt(0) !== "/" && text.lastIndexOf("?", scheme) < 0) {
    const path = text.indexOf("/", scheme + 3);
    const query = text.indexOf("?", scheme + 3);
    if (path >= 0 && (query < 0 || path < query)) text = text.slice(path);
    else text = query >= 0 ? `/${text.slice(query)}` : "/";
  }
  const mark = text.indexOf("?");
  return mark < 0 ? { path: text, query: "" } : { path: text.slice(0, mark), query: text.slice(mark + 1) };
}

/** Decodes escapes of unreserved bytes, so that `/%70roducts` is `/products` and `%2f` is kept. */
export function decodePath(path: string): string {
  if (path.indexOf("%") < 0) return path;
  let out = "";
  for (let i = 0; i < path.length; i++) {
    const byte = path.charCodeAt(i) === 37 ? escapedByte(path, i) : -1;
    if (byte >= 0 && isUnreserved(byte)) {
      out += String.fromCharCode(byte);
      i += 2;
    } else {
      out += path.charAt(i);
    }
  }
  return out;
}

/** The endpoint at a raw path, or null: `"/api/v1/products/"` → products. */
export function findEndpoint(rawPath: string): Endpoint | null {
  const path = decodePath(rawPath);
  if (path.indexOf(API_PATH) !== 0) return null;
  let rest = path.slice(API_PATH.length);
  if (rest === "") rest = "/";
  if (rest.charAt(0) !== "/") return null;
  rest = rest.slice(1);
  if (rest.length > 1 && rest.charAt(rest.length - 1) === "/") rest = rest.slice(0, -1);
  for (let i = 0; i < ENDPOINTS.length; i++) {
    const endpoint = ENDPOINTS[i] as Endpoint;
    if (endpoint.path === rest) return endpoint;
  }
  return null;
}

/** True where agents ask: `/mcp`, as paths are read here. */
export function isAgentTarget(target: string): boolean {
  const path = decodePath(splitTarget(target).path);
  return path === MCP_PATH || path === `${MCP_PATH}/`;
}

export function paramIndex(endpoint: Endpoint, name: string): number {
  for (let i = 0; i < endpoint.params.length; i++) {
    if ((endpoint.params[i] as Param).name === name) return i;
  }
  return -1;
}

function isIgnored(name: string): boolean {
  for (let i = 0; i < IGNORED_PREFIXES.length; i++) {
    if (name.indexOf(IGNORED_PREFIXES[i] as string) === 0) return true;
  }
  return IGNORED_NAMES.indexOf(name) >= 0;
}

/** Raw values in the order of the endpoint's parameters: "" if absent, null if an escape is broken. */
interface RawValues {
  readonly texts: (string | null)[];
  readonly repeated: boolean[];
  readonly problems: Problem[];
}

function collect(endpoint: Endpoint, query: string): RawValues {
  const raw: RawValues = { texts: [], repeated: [], problems: [] };
  const given: boolean[] = [];
  for (let i = 0; i < endpoint.params.length; i++) {
    raw.texts.push("");
    raw.repeated.push(false);
    given.push(false);
  }
  let from = 0;
  while (from < query.length) {
    let end = query.indexOf("&", from);
    if (end < 0) end = query.length;
    const part = query.slice(from, end);
    from = end + 1;
    if (part === "") continue;
    const equals = part.indexOf("=");
    const rawName = equals < 0 ? part : part.slice(0, equals);
    const name = decodeFormPart(rawName);
    if (name !== null && isIgnored(name)) continue;
    const at = name === null ? -1 : paramIndex(endpoint, name);
    if (at < 0) raw.problems.push({ kind: "unknown", name: name === null ? rawName : name });
    else if (given[at]) raw.repeated[at] = true;
    else {
      given[at] = true;
      raw.texts[at] = equals < 0 ? "" : decodeFormPart(part.slice(equals + 1));
    }
  }
  return raw;
}

/** True if an alias is given together with the parameter it stands for. Its value is ignored, but must be well-formed. */
function isOverruled(param: Param, endpoint: Endpoint, raw: RawValues): boolean {
  return param.aliasOf !== undefined && raw.texts[paramIndex(endpoint, param.aliasOf)] !== "";
}

/** The default of a parameter; some defaults differ when there is a search text. */
function defaultOf(endpoint: Endpoint, index: number, withText: boolean): string | null {
  const param = endpoint.params[index] as Param;
  if (withText && param.textDefault !== undefined) return param.textDefault;
  return param.default === undefined ? null : param.default;
}

function findParam(endpoint: Endpoint, raw: RawValues, is: (param: Param) => boolean): number {
  for (let i = 0; i < endpoint.params.length; i++)
    if (raw.texts[i] !== "" && is(endpoint.params[i] as Param)) return i;
  return -1;
}

function readValues(endpoint: Endpoint, raw: RawValues, readText: TextReader): (string | null)[] {
  const withText = findParam(endpoint, raw, (param) => param.kind === "text") >= 0;
  const selecting = findParam(endpoint, raw, (param) => param.selects === true);
  const values: (string | null)[] = [];
  for (let i = 0; i < endpoint.params.length; i++) values.push(null);
  for (let i = 0; i < endpoint.params.length; i++) {
    const param = endpoint.params[i] as Param;
    // When one parameter selects a record, all others are ignored without a look.
    if (selecting >= 0 && i !== selecting) continue;
    if (raw.repeated[i]) raw.problems.push({ kind: "repeated", name: param.name });
    const text = raw.texts[i] as string | null;
    if (text === "") continue;
    const value = text === null ? null : readValue(param, text, withText, readText);
    if (value === null) raw.problems.push({ kind: "malformed", name: param.name });
    if (isOverruled(param, endpoint, raw)) continue;
    const slot = param.aliasOf === undefined ? i : paramIndex(endpoint, param.aliasOf);
    values[slot] = value === defaultOf(endpoint, slot, withText) ? null : value;
  }
  return values;
}

/** Reads a raw query string for an endpoint. All problems are reported, in the order of the request. */
export function readQuery(endpoint: Endpoint, query: string, readText: TextReader): ReadQuery {
  const raw = collect(endpoint, query);
  const values = readValues(endpoint, raw, readText);
  const needs = endpoint.needs;
  if (needs !== undefined) {
    let given = false;
    for (let i = 0; i < needs.length; i++) {
      const at = paramIndex(endpoint, needs[i] as string);
      if (raw.texts[at] !== "" || raw.repeated[at]) given = true;
    }
    if (!given) raw.problems.push({ kind: "missing", name: needs.join(" or ") });
  }
  return { query: { endpoint: endpoint, values: values }, problems: raw.problems };
}

/**
 * Query ↔ key: the only place that knows how a snapshot is laid out.
 * `/api/v1/products?page=2&category=Scripts` → `api/v1/products/category=scripts/page=2.json`
 */
import {
  API_PATH,
  ASSETS,
  ENDPOINTS,
  type Endpoint,
  FILE_FOLDERS,
  INDEX_FILE,
  LLMS_FILE,
  MAX_TARGET_BYTES,
  type Param,
} from "../api/endpoints.ts";
import { encodeFormPart, escapeValue, isUnreserved, unescapeValue } from "./bytes.ts";
import {
  decodePath,
  findEndpoint,
  paramIndex,
  type Query,
  type ReadQuery,
  readQuery,
  splitTarget,
  type Target,
} from "./query.ts";
import type { TextReader } from "./value.ts";

const MAX_SEGMENT_BYTES = 255;
const MAX_KEY_BYTES = 900;

function fileStem(endpoint: Endpoint): string {
  if (endpoint.path === "") return "index";
  return endpoint.path === "openapi.json" ? "openapi" : endpoint.path;
}

/** The key of a query's answer: equivalent queries have the same key. Search texts are byte strings in it (UTF-8). */
export function keyOf(query: Query): string {
  const endpoint = query.endpoint;
  let key = `${API_PATH.slice(1)}/${fileStem(endpoint)}`;
  let page = "1";
  let selected = false;
  for (let i = 0; i < endpoint.params.length; i++) {
    const param = endpoint.params[i] as Param;
    const value = query.values[i] as string | null;
    if (value === null) continue;
    if (param.selects === true) selected = true;
    if (param.name === "page") page = value;
    else key += `/${param.name}=${escapeValue(value)}`;
  }
  if (endpoint.paginated && !selected) key += `/page=${page}`;
  return `${key}.json`;
}

/** False if no file can answer: search text, price bounds, and keys too long for a file system or bucket. */
export function mayHaveFile(query: Query, key: string): boolean {
  const params = query.endpoint.params;
  for (let i = 0; i < params.length; i++) {
    const param = params[i] as Param;
    if (query.values[i] === null) continue;
    if (param.kind === "text" || param.kind === "price") return false;
  }
  if (key.length > MAX_KEY_BYTES) return false;
  let from = 0;
  for (;;) {
    const end = key.indexOf("/", from);
    if ((end < 0 ? key.length : end) - from > MAX_SEGMENT_BYTES) return false;
    if (end < 0) return true;
    from = end + 1;
  }
}

/** Edges don't decode search text: a request that has one has no file. */
function anyText(bytes: string): string {
  return bytes;
}

/** A parsed request target. */
export interface ReadTarget {
  /** Its path, as raw bytes. */
  readonly path: string;
  /** Null if no endpoint has this path. */
  readonly read: ReadQuery | null;
  /** The canonical key, or null if something is wrong with the request. */
  readonly key: string | null;
  /** The key of the file that may answer, or null if none can. */
  readonly file: string | null;
}

/** Parses a request target once, for its query and its key. */
export function readTarget(target: Target, readText: TextReader): ReadTarget {
  const path = target.path;
  const endpoint = findEndpoint(path);
  const isShort = path.length + target.query.length < MAX_TARGET_BYTES; // Otherwise the fallback answers 414.
  if (endpoint === null) return { path: path, read: null, key: null, file: isShort ? assetKey(path) : null };
  const read = readQuery(endpoint, target.query, readText);
  const key = read.problems.length > 0 ? null : keyOf(read.query);
  const hasFile = key !== null && isShort && mayHaveFile(read.query, key);
  return { path: path, read: read, key: key, file: hasFile ? key : null };
}

/**
 * The key of the file that may answer a raw request, or null if none can: then the fallback answers, also with errors.
 * Every edge runs this. `"/api/v1/store", ""` → `"api/v1/store.json"`
 */
export function canonicalKey(path: string, query: string): string | null {
  return readTarget({ path: path, query: query }, anyText).file;
}

/** A raw request target as edges parse it. */
export function readEdgeTarget(target: string): ReadTarget {
  return readTarget(splitTarget(target), anyText);
}

/** The key for a raw request target: `"/api/v1/faqs?limit=100"` → `"api/v1/faqs.json"`. */
export function targetKey(target: string): string | null {
  return readEdgeTarget(target).file;
}

/**
 * The key of a file that is not an answer of the API, or null: `"/widgets/reviews.js"`, `"/explore/"` →
 * `"explore/index.html"`. The query is ignored.
 */
function assetKey(rawPath: string): string | null {
  const path = decodePath(rawPath).slice(1);
  if (rawPath.charAt(0) !== "/") return null;
  return ASSETS.indexOf(path) >= 0 || path === LLMS_FILE ? path : pageKey(path);
}

/** The key of a page's or a feed's file: its path, if that needs no escape and no segment is empty or begins with a dot. */
function pageKey(path: string): string | null {
  if (FILE_FOLDERS.indexOf(path.slice(0, path.indexOf("/"))) < 0 || path.length > MAX_SEGMENT_BYTES)
    return null;
  let before = "";
  for (let i = 0; i < path.length; i++) {
    const letter = path.charAt(i);
    if (letter !== "/" && !isUnreserved(letter.charCodeAt(0))) return null;
    if (before === "/" && (letter === "/" || letter === ".")) return null;
    before = letter;
  }
  return before === "/" ? path + INDEX_FILE : path;
}

/** The query that a key answers; null for an asset's key, and for text that is not a canonical key. */
export function queryOfKey(key: string): Query | null {
  const prefix = `${API_PATH.slice(1)}/`;
  if (key.indexOf(prefix) !== 0 || key.slice(-5) !== ".json") return null;
  const segments = key.slice(prefix.length, -5).split("/");
  for (let i = 0; i < ENDPOINTS.length; i++) {
    const endpoint = ENDPOINTS[i] as Endpoint;
    if (fileStem(endpoint) !== segments[0]) continue;
    const query = readSegments(endpoint, segments);
    return query !== null && keyOf(query) === key ? query : null;
  }
  return null;
}

function readSegments(endpoint: Endpoint, segments: readonly string[]): Query | null {
  const values: (string | null)[] = endpoint.params.map(() => null);
  for (let i = 1; i < segments.length; i++) {
    const segment = segments[i] as string;
    const equals = segment.indexOf("=");
    const at = equals < 0 ? -1 : paramIndex(endpoint, segment.slice(0, equals));
    const value = at < 0 ? null : unescapeValue(segment.slice(equals + 1));
    if (value === null) return null;
    values[at] = at === paramIndex(endpoint, "page") && value === "1" ? null : value;
  }
  return { endpoint: endpoint, values: values };
}

/** The canonical request target of a query: `/api/v1/products?category=scripts&page=2`. */
export function targetOf(query: Query): string {
  let target = query.endpoint.path === "" ? API_PATH : `${API_PATH}/${query.endpoint.path}`;
  let separator = "?";
  for (let i = 0; i < query.endpoint.params.length; i++) {
    const param = query.endpoint.params[i] as Param;
    const value = query.values[i] as string | null;
    if (value === null) continue;
    target += `${separator}${param.name}=${encodeFormPart(value)}`;
    separator = "&";
  }
  return target;
}

/** The longest possible key. */
const MAX_KEY_LENGTH = 900;

/**
 * True for a key that this version could have made: an answer's, a page's or a widget's. Every key that a remote names is checked
 * with this before anything is put or deleted.
 */
export function isSiteKey(text: string): boolean {
  if (text.length > MAX_KEY_LENGTH) return false;
  const query = queryOfKey(text);
  return targetKey(query === null ? `/${text}` : targetOf(query)) === text;
}

// Made from src/edge/cloudflare/pages.ts by scripts/bundle-edge.ts. Do not edit.
// <define:TYPES>
var define_TYPES_default = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8", html: "text/html; charset=utf-8", txt: "text/plain; charset=utf-8", xml: "application/xml", atom: "application/atom+xml", tsv: "text/tab-separated-values; charset=utf-8", gz: "application/gzip", jsonld: "application/ld+json" };

// src/api/endpoints.ts
var API_PATH = "/api/v1";
var MAX_SLUG_LENGTH = 150;
var MAX_TARGET_BYTES = 8192;
var MAX_PER_PAGE = 100;
var DEFAULT_FAQ_LIMIT = 100;
var page = { name: "page", kind: "integer", min: 1, default: "1" };
var perPage = {
  name: "per_page",
  kind: "integer",
  min: 1,
  clamp: MAX_PER_PAGE,
  default: "20"
};
var limitAlias = {
  name: "limit",
  kind: "integer",
  min: 1,
  clamp: MAX_PER_PAGE,
  aliasOf: "per_page"
};
var productId = { name: "product_id", kind: "integer", min: 1, role: "filter" };
var productSlug = { name: "product_slug", kind: "slug", role: "filter" };
var selectingSlug = { name: "slug", kind: "slug", selects: true };
function flag(name) {
  return { name, kind: "flag", role: "filter" };
}
function slugFilter(name) {
  return { name, kind: "slug", role: "filter" };
}
function text(name) {
  return { name, kind: "text" };
}
var TABLE = [
  { path: "", params: [] },
  { path: "store", params: [] },
  {
    path: "products",
    params: [
      page,
      perPage,
      text("search"),
      slugFilter("category"),
      slugFilter("type"),
      {
        name: "status",
        kind: "choice",
        role: "filter",
        values: ["published", "coming_soon", "preorder"]
      },
      {
        name: "sort",
        kind: "choice",
        role: "sort",
        values: [
          "newest",
          "oldest",
          "updated",
          "price_asc",
          "price_desc",
          "title_asc",
          "title_desc",
          "rating"
        ],
        default: "newest",
        textDefault: "relevance"
      },
      { name: "min_price", kind: "price", default: "0" },
      { name: "max_price", kind: "price" },
      flag("featured"),
      flag("coming_soon"),
      flag("preorder")
    ],
    paginated: true
  },
  {
    path: "product",
    params: [
      { name: "slug", kind: "slug" },
      { name: "id", kind: "integer", min: 1 }
    ],
    needs: ["slug", "id"]
  },
  { path: "categories", params: [] },
  {
    path: "faqs",
    params: [
      productId,
      productSlug,
      slugFilter("type"),
      {
        name: "limit",
        kind: "integer",
        min: 1,
        clamp: DEFAULT_FAQ_LIMIT,
        default: "100"
      }
    ]
  },
  {
    path: "reviews",
    params: [
      productId,
      productSlug,
      { name: "rating", kind: "integer", role: "filter", min: 1, max: 5 },
      { name: "min_rating", kind: "integer", role: "filter", min: 1, max: 5, default: "1" },
      page,
      perPage,
      limitAlias,
      {
        name: "sort",
        kind: "choice",
        role: "sort",
        values: ["newest", "oldest", "highest", "lowest"],
        default: "newest"
      }
    ],
    paginated: true
  },
  { path: "releases", params: [productId, productSlug, limitAlias, page, perPage], paginated: true },
  { path: "blog", params: [page, perPage, text("q"), selectingSlug], paginated: true },
  {
    path: "forum",
    params: [
      page,
      perPage,
      selectingSlug,
      slugFilter("subforum"),
      slugFilter("category"),
      slugFilter("type"),
      flag("solved"),
      text("q")
    ],
    paginated: true
  },
  {
    path: "search",
    params: [
      text("q"),
      { name: "type", kind: "choice", values: ["product", "category", "blog"] },
      page,
      perPage
    ],
    paginated: true,
    needs: ["q"]
  },
  { path: "widgets", params: [] },
  { path: "openapi.json", params: [] }
];
var ENDPOINTS = TABLE;
var IGNORED_PREFIXES = ["_", "utm_"];
var IGNORED_NAMES = ["fbclid", "gclid"];
var WIDGETS = ["reviews", "badge", "card", "grid", "faq"];
var CLIENT_FILE = "widgets/client.js";
var JSON_LD_FILE = "widgets/json-ld.js";
var WIDGET_LANGUAGES = ["de", "fr", "es", "it", "pt", "nl", "pl", "ja", "ar"];
var ASSETS = WIDGETS.map((name) => `widgets/${name}.js`).concat(
  CLIENT_FILE,
  JSON_LD_FILE,
  WIDGET_LANGUAGES.map((language) => `widgets/${language}.json`)
);
var PAGE_FOLDERS = ["explore", "docs"];
var FEEDS_FOLDER = "feeds";
var SITEMAP_INDEX = `${FEEDS_FOLDER}/sitemap.xml`;
var BULK_FOLDER = "bulk";
var BULK_INDEX = `${BULK_FOLDER}/index.json`;
var FILE_FOLDERS = PAGE_FOLDERS.concat(FEEDS_FOLDER, BULK_FOLDER);
var LLMS_FILE = "llms.txt";
var INDEX_FILE = "index.html";

// src/api/errors.ts
var NOT_FOUND = 404;
var METHOD_NOT_ALLOWED = 405;
var ERROR_STATUS = {
  invalid_parameter: 400,
  missing_parameter: 400,
  not_found: NOT_FOUND,
  unknown_endpoint: NOT_FOUND,
  method_not_allowed: METHOD_NOT_ALLOWED,
  request_timeout: 408,
  precondition_failed: 412,
  uri_too_long: 414,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503
};

// src/api/responses.ts
var JSON_TYPE = "application/json; charset=utf-8";
var ALLOWED_METHODS = "GET, HEAD, OPTIONS";
var EXPOSED_HEADERS = "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Window";
var PREFLIGHT_SECONDS = 86400;
var UNAVAILABLE_RETRY_SECONDS = 5;
var TARGET_HEADER = "x-vitrine-target";
var MESSAGES = {
  invalid_parameter: "The server cannot read this request.",
  not_found: "This site has no file for this request.",
  request_timeout: "The request took too long to arrive.",
  precondition_failed: "The current answer does not match If-Match or If-Unmodified-Since.",
  internal_error: "The server failed. Please try again later.",
  service_unavailable: "The server cannot answer now. Please try again later."
};
var TARGET_TOO_LONG = `The address is longer than ${MAX_TARGET_BYTES} bytes.`;
var NO_STORE = "no-store";
function bodyHeaders(contentType, cacheControlValue) {
  return {
    "Content-Type": contentType,
    "X-Content-Type-Options": "nosniff",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": EXPOSED_HEADERS,
    "Cache-Control": cacheControlValue
  };
}
function cdnCacheControl(cacheControlValue) {
  const found = /s-maxage=([0-9]+), (stale-if-error=[1-9][0-9]*)$/.exec(cacheControlValue);
  return found === null ? "" : `max-age=${found[1]}, ${found[2]}`;
}
function successHeaders(contentType, cacheControlValue, etag) {
  const headers = bodyHeaders(contentType, cacheControlValue);
  const forCdn = cdnCacheControl(cacheControlValue);
  if (forCdn !== "") headers["CDN-Cache-Control"] = forCdn;
  headers["ETag"] = etag;
  headers["Vary"] = "Accept-Encoding";
  return headers;
}
function withError(status, code, message, cacheControlValue) {
  return {
    status,
    headers: bodyHeaders(JSON_TYPE, cacheControlValue),
    body: JSON.stringify({ success: false, error: { code, message } })
  };
}
function errorResponse(code, message, clientErrorCache) {
  const status = ERROR_STATUS[code];
  const isOneClients = status === 412 || status === 429;
  const cache = isOneClients || status >= 500 ? NO_STORE : clientErrorCache;
  const response = withError(status, code, message, cache);
  if (status === 503) response.headers["Retry-After"] = `${UNAVAILABLE_RETRY_SECONDS}`;
  return response;
}
function standardError(code, clientErrorCache) {
  return errorResponse(code, MESSAGES[code], clientErrorCache);
}
function tooLongResponse(clientErrorCache) {
  return errorResponse("uri_too_long", TARGET_TOO_LONG, clientErrorCache);
}
function notAllowedResponse(method, clientErrorCache) {
  const message = `${method} is not allowed. This API only reads: use GET.`;
  const response = withError(METHOD_NOT_ALLOWED, "method_not_allowed", message, clientErrorCache);
  response.headers["Allow"] = ALLOWED_METHODS;
  return response;
}
function preflightResponse() {
  const headers = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": ALLOWED_METHODS,
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": `${PREFLIGHT_SECONDS}`,
    Allow: ALLOWED_METHODS
  };
  return { status: 204, headers, body: "" };
}
function unknownEndpointResponse(baseUrl, clientErrorCache) {
  const message = `This endpoint does not exist. ${baseUrl} lists all endpoints.`;
  return withError(NOT_FOUND, "unknown_endpoint", message, clientErrorCache);
}
function methodResponse(method, clientErrorCache) {
  if (method === "GET" || method === "HEAD") return null;
  return method === "OPTIONS" ? preflightResponse() : notAllowedResponse(method, clientErrorCache);
}

// src/key/bytes.ts
var HEX = "0123456789abcdef";
function hexDigit(code) {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
function escapedByte(text2, at) {
  if (at + 2 >= text2.length) return -1;
  const high = hexDigit(text2.charCodeAt(at + 1));
  const low = hexDigit(text2.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}
function decodeFormPart(text2) {
  if (text2.indexOf("%") < 0 && text2.indexOf("+") < 0) return text2;
  let out = "";
  for (let i = 0; i < text2.length; i++) {
    const code = text2.charCodeAt(i);
    if (code === 43) {
      out += " ";
    } else if (code === 37) {
      const byte = escapedByte(text2, i);
      if (byte < 0) return null;
      out += String.fromCharCode(byte);
      i += 2;
    } else {
      out += text2.charAt(i);
    }
  }
  return out;
}
function isAlphanumeric(code) {
  return code >= 97 && code <= 122 || code >= 48 && code <= 57;
}
function isPlain(code) {
  return isAlphanumeric(code) || code === 45 || code === 46 || code === 95;
}
function isUnreserved(code) {
  return isPlain(code) || code >= 65 && code <= 90 || code === 126;
}
function isSlug(text2, maxLength) {
  if (text2.length === 0 || text2.length > maxLength || !isAlphanumeric(text2.charCodeAt(0))) return false;
  for (let i = 1; i < text2.length; i++) if (!isPlain(text2.charCodeAt(i))) return false;
  return true;
}
function lowerAscii(text2) {
  let out = "";
  let from = 0;
  for (let i = 0; i < text2.length; i++) {
    const code = text2.charCodeAt(i);
    if (code < 65 || code > 90) continue;
    out += text2.slice(from, i) + String.fromCharCode(code + 32);
    from = i + 1;
  }
  return from === 0 ? text2 : out + text2.slice(from);
}
function escapeValue(bytes) {
  let out = "";
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes.charCodeAt(i);
    out += isPlain(code) ? bytes.charAt(i) : `!${HEX.charAt(code >> 4 & 15)}${HEX.charAt(code & 15)}`;
  }
  return out;
}

// src/key/value.ts
var TRUE_WORDS = ["1", "true", "yes", "on"];
var FALSE_WORDS = ["0", "false", "no", "off"];
function isDigits(text2) {
  for (let i = 0; i < text2.length; i++) {
    const code = text2.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return text2.length > 0;
}
function dropLeadingZeros(digits) {
  let from = 0;
  while (from < digits.length - 1 && digits.charCodeAt(from) === 48) from++;
  return from === 0 ? digits : digits.slice(from);
}
function readInteger(param, text2) {
  if (!isDigits(text2)) return null;
  const digits = dropLeadingZeros(text2);
  if (digits.length > 15) return param.clamp === void 0 ? null : `${param.clamp}`;
  const value = Number(digits);
  if (param.clamp !== void 0 && value > param.clamp) return `${param.clamp}`;
  if (param.min !== void 0 && value < param.min) return null;
  return param.max !== void 0 && value > param.max ? null : digits;
}
function readFlag(text2) {
  const word = lowerAscii(text2);
  if (TRUE_WORDS.indexOf(word) >= 0) return "1";
  return FALSE_WORDS.indexOf(word) >= 0 ? "0" : null;
}
function readPrice(text2) {
  const point = text2.indexOf(".");
  const whole = point < 0 ? text2 : text2.slice(0, point);
  const part = point < 0 ? "00" : text2.slice(point + 1);
  if (!isDigits(whole) || !isDigits(part) || part.length > 2) return null;
  const digits = dropLeadingZeros(whole);
  if (digits.length > 12) return null;
  let end = part.length;
  while (end > 0 && part.charCodeAt(end - 1) === 48) end--;
  return end === 0 ? digits : `${digits}.${part.slice(0, end)}`;
}
function readChoice(param, text2, withText) {
  if (withText && text2 === param.textDefault) return text2;
  return param.values !== void 0 && param.values.indexOf(text2) >= 0 ? text2 : null;
}
function readValue(param, text2, withText, readText) {
  if (param.kind === "integer") return readInteger(param, text2);
  if (param.kind === "flag") return readFlag(text2);
  if (param.kind === "choice") return readChoice(param, text2, withText);
  if (param.kind === "price") return readPrice(text2);
  if (param.kind === "text") return readText(text2);
  const slug = lowerAscii(text2);
  return isSlug(slug, MAX_SLUG_LENGTH) ? slug : null;
}

// src/key/query.ts
function splitTarget(target) {
  let text2 = target;
  const fragment = text2.indexOf("#");
  if (fragment >= 0) text2 = text2.slice(0, fragment);
  const scheme = text2.indexOf("://");
  if (scheme > 0 && text2.charAt(0) !== "/" && text2.lastIndexOf("?", scheme) < 0) {
    const path = text2.indexOf("/", scheme + 3);
    const query = text2.indexOf("?", scheme + 3);
    if (path >= 0 && (query < 0 || path < query)) text2 = text2.slice(path);
    else text2 = query >= 0 ? `/${text2.slice(query)}` : "/";
  }
  const mark = text2.indexOf("?");
  return mark < 0 ? { path: text2, query: "" } : { path: text2.slice(0, mark), query: text2.slice(mark + 1) };
}
function decodePath(path) {
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
function findEndpoint(rawPath) {
  const path = decodePath(rawPath);
  if (path.indexOf(API_PATH) !== 0) return null;
  let rest = path.slice(API_PATH.length);
  if (rest === "") rest = "/";
  if (rest.charAt(0) !== "/") return null;
  rest = rest.slice(1);
  if (rest.length > 1 && rest.charAt(rest.length - 1) === "/") rest = rest.slice(0, -1);
  for (let i = 0; i < ENDPOINTS.length; i++) {
    const endpoint = ENDPOINTS[i];
    if (endpoint.path === rest) return endpoint;
  }
  return null;
}
function paramIndex(endpoint, name) {
  for (let i = 0; i < endpoint.params.length; i++) {
    if (endpoint.params[i].name === name) return i;
  }
  return -1;
}
function isIgnored(name) {
  for (let i = 0; i < IGNORED_PREFIXES.length; i++) {
    if (name.indexOf(IGNORED_PREFIXES[i]) === 0) return true;
  }
  return IGNORED_NAMES.indexOf(name) >= 0;
}
function collect(endpoint, query) {
  const raw = { texts: [], repeated: [], problems: [] };
  const given = [];
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
function isOverruled(param, endpoint, raw) {
  return param.aliasOf !== void 0 && raw.texts[paramIndex(endpoint, param.aliasOf)] !== "";
}
function defaultOf(endpoint, index, withText) {
  const param = endpoint.params[index];
  if (withText && param.textDefault !== void 0) return param.textDefault;
  return param.default === void 0 ? null : param.default;
}
function findParam(endpoint, raw, is) {
  for (let i = 0; i < endpoint.params.length; i++)
    if (raw.texts[i] !== "" && is(endpoint.params[i])) return i;
  return -1;
}
function readValues(endpoint, raw, readText) {
  const withText = findParam(endpoint, raw, (param) => param.kind === "text") >= 0;
  const selecting = findParam(endpoint, raw, (param) => param.selects === true);
  const values = [];
  for (let i = 0; i < endpoint.params.length; i++) values.push(null);
  for (let i = 0; i < endpoint.params.length; i++) {
    const param = endpoint.params[i];
    if (selecting >= 0 && i !== selecting) continue;
    if (raw.repeated[i]) raw.problems.push({ kind: "repeated", name: param.name });
    const text2 = raw.texts[i];
    if (text2 === "") continue;
    const value = text2 === null ? null : readValue(param, text2, withText, readText);
    if (value === null) raw.problems.push({ kind: "malformed", name: param.name });
    if (isOverruled(param, endpoint, raw)) continue;
    const slot = param.aliasOf === void 0 ? i : paramIndex(endpoint, param.aliasOf);
    values[slot] = value === defaultOf(endpoint, slot, withText) ? null : value;
  }
  return values;
}
function readQuery(endpoint, query, readText) {
  const raw = collect(endpoint, query);
  const values = readValues(endpoint, raw, readText);
  const needs = endpoint.needs;
  if (needs !== void 0) {
    let given = false;
    for (let i = 0; i < needs.length; i++) {
      const at = paramIndex(endpoint, needs[i]);
      if (raw.texts[at] !== "" || raw.repeated[at]) given = true;
    }
    if (!given) raw.problems.push({ kind: "missing", name: needs.join(" or ") });
  }
  return { query: { endpoint, values }, problems: raw.problems };
}

// src/key/key.ts
var MAX_SEGMENT_BYTES = 255;
var MAX_KEY_BYTES = 900;
function fileStem(endpoint) {
  if (endpoint.path === "") return "index";
  return endpoint.path === "openapi.json" ? "openapi" : endpoint.path;
}
function keyOf(query) {
  const endpoint = query.endpoint;
  let key = `${API_PATH.slice(1)}/${fileStem(endpoint)}`;
  let page2 = "1";
  let selected = false;
  for (let i = 0; i < endpoint.params.length; i++) {
    const param = endpoint.params[i];
    const value = query.values[i];
    if (value === null) continue;
    if (param.selects === true) selected = true;
    if (param.name === "page") page2 = value;
    else key += `/${param.name}=${escapeValue(value)}`;
  }
  if (endpoint.paginated && !selected) key += `/page=${page2}`;
  return `${key}.json`;
}
function mayHaveFile(query, key) {
  const params = query.endpoint.params;
  for (let i = 0; i < params.length; i++) {
    const param = params[i];
    if (query.values[i] === null) continue;
    if (param.kind === "text" || param.kind === "price") return false;
  }
  if (key.length > MAX_KEY_BYTES) return false;
  let from = 0;
  for (; ; ) {
    const end = key.indexOf("/", from);
    if ((end < 0 ? key.length : end) - from > MAX_SEGMENT_BYTES) return false;
    if (end < 0) return true;
    from = end + 1;
  }
}
function anyText(bytes) {
  return bytes;
}
function readTarget(target, readText) {
  const path = target.path;
  const endpoint = findEndpoint(path);
  const isShort = path.length + target.query.length < MAX_TARGET_BYTES;
  if (endpoint === null) return { path, read: null, key: null, file: isShort ? assetKey(path) : null };
  const read = readQuery(endpoint, target.query, readText);
  const key = read.problems.length > 0 ? null : keyOf(read.query);
  const hasFile = key !== null && isShort && mayHaveFile(read.query, key);
  return { path, read, key, file: hasFile ? key : null };
}
function readEdgeTarget(target) {
  return readTarget(splitTarget(target), anyText);
}
function assetKey(rawPath) {
  const path = decodePath(rawPath).slice(1);
  if (rawPath.charAt(0) !== "/") return null;
  return ASSETS.indexOf(path) >= 0 || path === LLMS_FILE ? path : pageKey(path);
}
function pageKey(path) {
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

// src/api/validator.ts
var STAMP_BYTES = 28;
function isStamped(key) {
  return key.indexOf("api/") === 0 && key.slice(-13) !== "/openapi.json";
}
function contentOf(bytes, stamped) {
  return stamped ? bytes.subarray(0, bytes.length - STAMP_BYTES) : bytes;
}
function etagOfDigest(sha256) {
  return `W/"${sha256.slice(0, 32)}"`;
}
var ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
function isWeak(tag) {
  return tag.indexOf("W/") === 0;
}
function opaque(tag) {
  return isWeak(tag) ? tag.slice(2) : tag;
}
function tagsIn(list) {
  return list.match(ENTITY_TAG) || [];
}
function isMatch(list, etag) {
  if (list.trim() === "*") return true;
  return !isWeak(etag) && tagsIn(list).indexOf(etag) >= 0;
}
var TAG_END = /^(?:[-;:+]{1,2}(?:gzip|br|zstd|deflate))?"/;
var TAG_END_BYTES = 12;
function isKnown(list, etag) {
  if (list.trim() === "*") return true;
  const tag = opaque(etag).slice(0, -1);
  for (let at = list.indexOf(tag); at >= 0; at = list.indexOf(tag, at + 1)) {
    const end = at + tag.length;
    if (TAG_END.test(list.slice(end, end + TAG_END_BYTES))) return true;
  }
  return false;
}
function preconditionStatus(ifMatch, ifNoneMatch, etag) {
  if (etag === void 0) return 200;
  if (ifMatch !== void 0 && !isMatch(ifMatch, etag)) return 412;
  return ifNoneMatch !== void 0 && isKnown(ifNoneMatch, etag) ? 304 : 200;
}

// src/edge/cloudflare/responses.ts
function responseOf({ status, headers, body }) {
  return new Response(body === "" ? null : body, { status, headers });
}
async function etagOf(key, bytes) {
  const digest = await crypto.subtle.digest("SHA-256", contentOf(bytes, isStamped(key)));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return etagOfDigest(hex.join(""));
}
async function fileResponse(key, buffer, cacheControl) {
  const type = define_TYPES_default[key.slice(key.lastIndexOf(".") + 1)] ?? JSON_TYPE;
  const bytes = new Uint8Array(buffer);
  return new Response(bytes, { headers: successHeaders(type, cacheControl, await etagOf(key, bytes)) });
}
function conditionalResponse(response, request) {
  if (response.status !== 200) return response;
  const of = ({ headers: headers2 }, name) => headers2.get(name) ?? void 0;
  const status = preconditionStatus(
    of(request, "if-match"),
    of(request, "if-none-match"),
    of(response, "etag")
  );
  if (status === 200) return response;
  if (status === 412) return responseOf(standardError("precondition_failed", ""));
  const headers = new Headers(response.headers);
  headers.delete("content-type");
  headers.delete("content-length");
  return new Response(null, { status: 304, headers });
}
var OBJECT_NAME = "shop";
var FALLBACK_MILLISECONDS = 2e3;
function askFallback(env, target, asked) {
  const url = (env.FALLBACK_URL ?? "http://fallback") + target;
  const signal = AbortSignal.timeout(FALLBACK_MILLISECONDS);
  const headers = new Headers(asked?.headers);
  headers.set(TARGET_HEADER, target);
  const options = { ...asked, headers, redirect: "manual", signal };
  const answer2 = env.FALLBACK === void 0 ? fetch(url, options) : env.FALLBACK.fetch(url, options);
  const late = new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  return Promise.race([answer2, late]);
}

// src/edge/cloudflare/pages.ts
var CACHE_CONTROL = "{{CACHE_CONTROL}}";
var ERROR_CACHE_CONTROL = "{{ERROR_CACHE_CONTROL}}";
var BASE_URL = "{{BASE_URL}}";
async function askFiles({ ASSETS: ASSETS2 }, key, base) {
  const path = key.split("/").map(encodeURIComponent).join("/");
  const asset = await ASSETS2.fetch(new URL(`/${path}`, base));
  return asset.status === 200 ? fileResponse(key, await asset.arrayBuffer(), CACHE_CONTROL) : null;
}
function noAnswer({ problems }) {
  const names = problems.map(({ kind, name }) => `${name} is ${kind}`).join(", ");
  const error = names === "" ? standardError("not_found", ERROR_CACHE_CONTROL) : errorResponse("invalid_parameter", `Wrong parameters: ${names}.`, ERROR_CACHE_CONTROL);
  return responseOf(error);
}
async function answer(request, env) {
  const { path, query } = splitTarget(request.url);
  const target = query === "" ? path : `${path}?${query}`;
  if (target.length > MAX_TARGET_BYTES) return responseOf(tooLongResponse(ERROR_CACHE_CONTROL));
  const { read, file: key } = readEdgeTarget(target);
  const file = key === null ? null : await askFiles(env, key, request.url);
  if (file !== null) return file;
  if (read === null) return responseOf(unknownEndpointResponse(BASE_URL, ERROR_CACHE_CONTROL));
  const { CATALOG, FALLBACK = CATALOG?.get(CATALOG.idFromName(OBJECT_NAME)), FALLBACK_URL } = env;
  if (FALLBACK === void 0 && FALLBACK_URL === void 0) return noAnswer(read);
  try {
    return await askFallback(FALLBACK === void 0 ? env : { ...env, FALLBACK }, target);
  } catch {
    return responseOf(standardError("service_unavailable", ERROR_CACHE_CONTROL));
  }
}
var pages_default = {
  async fetch(request, env) {
    const other = methodResponse(request.method, ERROR_CACHE_CONTROL);
    if (other !== null) return responseOf(other);
    return conditionalResponse(await answer(request, env), request);
  }
};
export {
  pages_default as default
};

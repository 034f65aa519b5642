// Made from src/edge/cloudflare/entry.ts by scripts/bundle-edge.ts. Do not edit.
// <define:TYPES>
var define_TYPES_default = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8", html: "text/html; charset=utf-8", txt: "text/plain; charset=utf-8", xml: "application/xml", atom: "application/atom+xml", tsv: "text/tab-separated-values; charset=utf-8", gz: "application/gzip", jsonld: "application/ld+json" };

// src/api/endpoints.ts
var API_PATH = "/api/v1";
var MCP_PATH = "/mcp";
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
var RATE_LIMIT = { windowSeconds: 60, message: "Too many requests." };

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
function rateLimitedResponse(requests, retryAfterSeconds) {
  const response = errorResponse("rate_limited", RATE_LIMIT.message, NO_STORE);
  response.headers["X-RateLimit-Limit"] = requests;
  response.headers["X-RateLimit-Window"] = `${RATE_LIMIT.windowSeconds}`;
  response.headers["Retry-After"] = retryAfterSeconds;
  return response;
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
function redirectsOf(pages) {
  const root = {
    path: "/",
    status: 302,
    location: pages ? `${PAGE_FOLDERS[0]}/` : API_PATH.slice(1)
  };
  if (!pages) return [root];
  return [root].concat(
    PAGE_FOLDERS.map((folder) => ({ path: `/${folder}`, status: 308, location: `${folder}/` }))
  );
}
function unknownEndpointResponse(baseUrl, clientErrorCache) {
  const message = `This endpoint does not exist. ${baseUrl} lists all endpoints.`;
  return withError(NOT_FOUND, "unknown_endpoint", message, clientErrorCache);
}
function pathResponse(path, site) {
  const redirects = redirectsOf(site.pages);
  for (let i = 0; i < redirects.length; i++) {
    const redirect = redirects[i];
    if (redirect.path !== path) continue;
    const headers = { Location: redirect.location, "Cache-Control": site.answerCache };
    return { status: redirect.status, headers, body: "" };
  }
  return unknownEndpointResponse(site.baseUrl, site.clientErrorCache);
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
function encodeFormPart(bytes) {
  let out = "";
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes.charCodeAt(i);
    out += isUnreserved(code) ? bytes.charAt(i) : `%${(HEX.charAt(code >> 4 & 15) + HEX.charAt(code & 15)).toUpperCase()}`;
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
function isAgentTarget(target) {
  const path = decodePath(splitTarget(target).path);
  return path === MCP_PATH || path === `${MCP_PATH}/`;
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
function targetOf(query) {
  let target = query.endpoint.path === "" ? API_PATH : `${API_PATH}/${query.endpoint.path}`;
  let separator = "?";
  for (let i = 0; i < query.endpoint.params.length; i++) {
    const param = query.endpoint.params[i];
    const value = query.values[i];
    if (value === null) continue;
    target += `${separator}${param.name}=${encodeFormPart(value)}`;
    separator = "&";
  }
  return target;
}

// src/edge/cloudflare/cache.ts
var FRESH_UNTIL = "x-vitrine-fresh-until";
var CLIENT_CACHE_CONTROL = "x-vitrine-cache-control";
var CDN_CACHE_CONTROL = "cdn-cache-control";
var INTERNAL = [FRESH_UNTIL, CLIENT_CACHE_CONTROL, "cf-cache-status", "age", "expires"];
function seconds(cacheControl, directive) {
  const found = new RegExp(`(?:^|[ ,])${directive}=([0-9]+)`).exec(cacheControl);
  return Number(found?.[1] ?? 0);
}
function freshSeconds(cacheControl) {
  return seconds(cacheControl, "s-maxage") || seconds(cacheControl, "max-age");
}
function keepable(response, now) {
  const forClients = response.headers.get("cache-control") ?? "";
  const fresh = forClients.includes("no-store") ? 0 : freshSeconds(forClients);
  if (fresh === 0) return null;
  const copy = new Response(response.clone().body, response);
  copy.headers.set(FRESH_UNTIL, String(now + fresh * 1e3));
  copy.headers.set(CLIENT_CACHE_CONTROL, forClients);
  copy.headers.delete(CDN_CACHE_CONTROL);
  copy.headers.set("cache-control", `max-age=${fresh + seconds(forClients, "stale-if-error")}`);
  return copy;
}
function restored(kept, now) {
  const response = new Response(kept.body, kept);
  const forClients = kept.headers.get(CLIENT_CACHE_CONTROL) ?? "";
  const since = Number(kept.headers.get(FRESH_UNTIL)) - freshSeconds(forClients) * 1e3;
  for (const name of INTERNAL) response.headers.delete(name);
  response.headers.set("cache-control", forClients);
  const forCdn = cdnCacheControl(forClients);
  if (forCdn !== "") response.headers.set(CDN_CACHE_CONTROL, forCdn);
  response.headers.set("age", `${Math.max(0, Math.floor((now - since) / 1e3))}`);
  return response;
}
async function made(make) {
  try {
    const response = await make();
    return response !== null && response.status >= 500 ? "failed" : response;
  } catch {
    return "failed";
  }
}
async function cached(url, make, ports) {
  const kept = await ports.cache.match(url);
  if (kept !== void 0 && ports.now() < Number(kept.headers.get(FRESH_UNTIL)))
    return restored(kept, ports.now());
  const response = await made(make);
  if (response === "failed") return kept === void 0 ? "failed" : restored(kept, ports.now());
  const copy = response === null ? null : keepable(response, ports.now());
  if (copy !== null) ports.later(ports.cache.put(url, copy));
  return response;
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

// src/key/client.ts
function ipv4Groups(text2) {
  const bytes = text2.split(".");
  if (bytes.length !== 4) return null;
  for (let i = 0; i < 4; i++) {
    const byte = bytes[i];
    if (!/^(?:0|[1-9][0-9]{0,2})$/.test(byte) || Number(byte) > 255) return null;
  }
  return [Number(bytes[0]) * 256 + Number(bytes[1]), Number(bytes[2]) * 256 + Number(bytes[3])];
}
function ipv6Groups(text2, isEnd) {
  const groups = [];
  if (text2 === "") return groups;
  const parts = text2.split(":");
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(parseInt(part, 16));
      continue;
    }
    const ipv4 = isEnd && i === parts.length - 1 ? ipv4Groups(part) : null;
    if (ipv4 === null) return null;
    groups.push(ipv4[0], ipv4[1]);
  }
  return groups;
}
function readAddress(address) {
  const text2 = address.trim();
  const ipv4 = ipv4Groups(text2);
  if (ipv4 !== null) return [0, 0, 0, 0, 0, 65535].concat(ipv4);
  const halves = text2.replace(/%[0-9A-Za-z._-]{1,32}$/, "").split("::");
  const head = ipv6Groups(halves[0], halves.length === 1);
  const tail = halves.length === 2 ? ipv6Groups(halves[1], true) : [];
  if (halves.length > 2 || head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  for (let i = 0; i < missing; i++) head.push(0);
  return head.concat(tail);
}
function clientKey(address) {
  const groups = readAddress(address);
  if (groups === null) return "unknown";
  if (groups.slice(0, 6).join() === "0,0,0,0,0,65535") {
    const bytes = groups.slice(6).map((group) => `${Math.floor(group / 256)}.${group % 256}`);
    return bytes.join(".");
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(":")}::/64`;
}

// src/edge/cloudflare/responses.ts
async function limited({ headers }, env) {
  const key = clientKey(headers.get("cf-connecting-ip") ?? "");
  const { success } = await env.RATE_LIMIT.limit({ key });
  return success ? null : responseOf(rateLimitedResponse(env.RATE_LIMIT_REQUESTS, `${RATE_LIMIT.windowSeconds}`));
}
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

// src/edge/cloudflare/entry.ts
function pathSettingsOf(env) {
  return {
    baseUrl: env.BASE_URL,
    pages: env.PAGES === "true",
    answerCache: env.CACHE_CONTROL,
    clientErrorCache: env.ERROR_CACHE_CONTROL
  };
}
async function askSite(env, key) {
  const object = await env.SITE.get(key);
  return object === null ? null : fileResponse(key, await object.arrayBuffer(), env.CACHE_CONTROL);
}
async function answer(request, env, ports) {
  const { path, query } = splitTarget(request.url);
  const target = query === "" ? path : `${path}?${query}`;
  if (target.length > MAX_TARGET_BYTES) return responseOf(tooLongResponse(env.ERROR_CACHE_CONTROL));
  const host = new URL(request.url).origin;
  const { read, file: key } = readEdgeTarget(target);
  const file = key === null ? null : await cached(`${host}/${key}`, () => askSite(env, key), ports);
  if (file !== null && file !== "failed") return file;
  if (file === null && read === null) return responseOf(pathResponse(path, pathSettingsOf(env)));
  const address = key === null || read === null ? target : targetOf(read.query);
  const kept = await cached(host + address, () => askFallback(env, target), ports);
  return kept === null || kept === "failed" ? responseOf(standardError("service_unavailable", env.ERROR_CACHE_CONTROL)) : kept;
}
async function relayAgent({ method, headers, body }, env) {
  const sent = [...headers].filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name));
  try {
    return await askFallback(env, MCP_PATH, { method, headers: sent, body });
  } catch {
    return responseOf(standardError("service_unavailable", env.ERROR_CACHE_CONTROL));
  }
}
var entry_default = {
  async fetch(request, env, context) {
    const tooMany = await limited(request, env);
    if (tooMany !== null) return tooMany;
    if (isAgentTarget(request.url)) return relayAgent(request, env);
    const other = methodResponse(request.method, env.ERROR_CACHE_CONTROL);
    if (other !== null) return responseOf(other);
    const ports = {
      cache: caches.default,
      now: Date.now,
      later: (work) => context.waitUntil(work)
    };
    return conditionalResponse(await answer(request, env, ports), request);
  }
};
export {
  entry_default as default
};

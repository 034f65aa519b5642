// Made from src/edge/nginx/entry.ts by scripts/bundle-edge.ts. Do not edit.
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
var EXPOSED_HEADERS = "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Window";
var UNAVAILABLE_RETRY_SECONDS = 5;
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
function tooLongResponse(clientErrorCache) {
  return errorResponse("uri_too_long", TARGET_TOO_LONG, clientErrorCache);
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

// src/api/validator.ts
function isWeak(tag) {
  return tag.indexOf("W/") === 0;
}
function opaque(tag) {
  return isWeak(tag) ? tag.slice(2) : tag;
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
var PROXY_HEADERS = [
  "X-Forwarded-For",
  "Forwarded",
  "Via",
  "CF-Connecting-IP",
  "True-Client-IP",
  "Fastly-Client-IP",
  "X-Real-IP"
];
function proxyHeader(header, counted, peer) {
  if (clientKey(counted) === clientKey(peer)) {
    for (let i = 0; i < PROXY_HEADERS.length; i++)
      if (header(PROXY_HEADERS[i]) !== void 0) return PROXY_HEADERS[i];
    return null;
  }
  const first = (header("X-Forwarded-For") || "").split(",")[0];
  return first === "" || clientKey(first) === clientKey(counted) ? null : "X-Forwarded-For";
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

// src/edge/nginx/entry.ts
var ERROR_CACHE_CONTROL = "{{ERROR_CACHE_CONTROL}}";
var STALE_SECONDS = "{{STALE_SECONDS}}";
function targetOf(request) {
  return request.variables.request_uri;
}
function file(request) {
  const key = readEdgeTarget(targetOf(request)).file;
  return key === null ? "/none" : `/${key}`;
}
function isOwn(request) {
  const target = targetOf(request);
  return target.length > MAX_TARGET_BYTES || readEdgeTarget(target).read === null ? "1" : "";
}
function own(request) {
  const target = targetOf(request);
  const response = target.length > MAX_TARGET_BYTES ? tooLongResponse(ERROR_CACHE_CONTROL) : pathResponse(readEdgeTarget(target).path, {
    baseUrl: "{{BASE_URL}}",
    // Not `===`: the bundler would evaluate it.
    pages: "{{PAGES}}".indexOf("true") === 0,
    answerCache: "{{CACHE_CONTROL}}",
    clientErrorCache: ERROR_CACHE_CONTROL
  });
  request.status = response.status;
  for (const name in response.headers) request.headersOut[name] = response.headers[name];
  request.headersOut["Content-Length"] = `${Buffer.byteLength(response.body)}`;
  request.sendHeader();
  if (request.method !== "HEAD" && response.body !== "") request.send(response.body);
  request.finish();
}
function conditional(request) {
  const known = request.headersIn["If-None-Match"];
  const etag = request.headersOut["ETag"];
  if (request.status !== 200 || known === void 0 || etag === void 0) return;
  if (!isKnown(known, etag)) return;
  request.status = 304;
  delete request.headersOut["Content-Type"];
  delete request.headersOut["Content-Encoding"];
  delete request.headersOut["Content-Length"];
}
function period() {
  return `${Math.floor(Date.now() / 1e3 / Number(STALE_SECONDS))}`;
}
function age(request) {
  const status = request.variables.upstream_cache_status;
  const before = request.variables.upstream_http_age;
  if (status !== "HIT" && status !== "STALE") return before === void 0 ? "" : before;
  const since = Date.parse(request.variables.upstream_http_date || "");
  if (!(since > 0)) return STALE_SECONDS;
  return `${Math.max(0, Math.floor((Date.now() - since) / 1e3)) + (Number(before) || 0)}`;
}
function advice(request) {
  const counted = request.variables.remote_addr || "";
  const peer = request.variables.realip_remote_addr || counted;
  if (request.variables.vitrine_trusted === "1") {
    return `${counted} is trusted, and names no reader: if it asks for readers, all count as one client. Let it append its client's address to X-Forwarded-For; a TLS program that adds no header, such as Hitch or stunnel, tells the cache behind it by the PROXY protocol`;
  }
  const found = proxyHeader((name) => request.headersIn[name], counted, peer);
  if (found === null) return "";
  return `${counted} sends ${found}: if it is a cache, proxy or CDN of yours, all its readers count as one client. Write these files again with vitrine edge nginx --trust ${counted}, and let it append its client's address to X-Forwarded-For`;
}
var entry_default = {
  file,
  isOwn,
  own,
  conditional,
  period,
  age,
  advice
};
export default entry_default;

// Made from src/edge/cloudflare.ts by scripts/bundle-edge.ts. Do not edit.
// src/contract/http.ts
var JSON_TYPE = "application/json; charset=utf-8";
var ALLOWED_METHODS = "GET, HEAD, OPTIONS";
var EXPOSED_HEADERS = "ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Window";
var TARGET_HEADER = "x-vitrine-target";
var UNAVAILABLE_RETRY_SECONDS = 5;
var UNAVAILABLE_MESSAGE = "The server cannot answer now. Please try again later.";
function methodMessage(method) {
  return `${method} is not allowed. This API only reads: use GET.`;
}

// src/contract/endpoints.ts
var API_PATH = "/api/v1";
var MAX_SLUG_LENGTH = 150;
var MAX_INTEGER = 999999999999999;
var MAX_TARGET_BYTES = 8192;
var MAX_PER_PAGE = 100;
var DEFAULT_FAQ_LIMIT = 100;
var page = { name: "page", kind: "integer", min: 1, max: MAX_INTEGER, default: "1" };
var perPage = {
  name: "per_page",
  kind: "integer",
  min: 1,
  max: MAX_INTEGER,
  clamp: MAX_PER_PAGE,
  default: "20"
};
var limitAlias = {
  name: "limit",
  kind: "integer",
  min: 1,
  max: MAX_INTEGER,
  clamp: MAX_PER_PAGE,
  aliasOf: "per_page"
};
var productId = { name: "product_id", kind: "integer", min: 1, max: MAX_INTEGER, role: "filter" };
var productSlug = { name: "product_slug", kind: "slug", role: "filter" };
function flag(name) {
  return { name, kind: "flag", role: "filter" };
}
function slugFilter(name) {
  return { name, kind: "slug", role: "filter" };
}
function text(name) {
  return { name, kind: "text" };
}
var PRODUCT_SORTS = [
  "newest",
  "oldest",
  "updated",
  "price_asc",
  "price_desc",
  "title_asc",
  "title_desc",
  "rating"
];
var REVIEW_SORTS = ["newest", "oldest", "highest", "lowest"];
var PRODUCT_STATUSES = ["published", "coming_soon", "preorder"];
var SEARCH_TYPES = ["product", "category", "blog"];
var productParams = [
  page,
  perPage,
  text("search"),
  slugFilter("category"),
  slugFilter("type"),
  { name: "status", kind: "choice", role: "filter", values: PRODUCT_STATUSES },
  {
    name: "sort",
    kind: "choice",
    role: "sort",
    values: PRODUCT_SORTS,
    default: "newest",
    textDefault: "relevance"
  },
  { name: "min_price", kind: "price", default: "0" },
  { name: "max_price", kind: "price" },
  flag("featured"),
  flag("coming_soon"),
  flag("preorder")
];
var reviewParams = [
  productId,
  productSlug,
  { name: "rating", kind: "integer", role: "filter", min: 1, max: 5 },
  { name: "min_rating", kind: "integer", role: "filter", min: 1, max: 5, default: "1" },
  page,
  perPage,
  limitAlias,
  { name: "sort", kind: "choice", role: "sort", values: REVIEW_SORTS, default: "newest" }
];
var forumParams = [
  page,
  perPage,
  { name: "slug", kind: "slug", selects: true },
  slugFilter("subforum"),
  slugFilter("category"),
  slugFilter("type"),
  flag("solved"),
  text("q")
];
var ENDPOINTS = [
  { path: "", params: [], paginated: false },
  { path: "store", params: [], paginated: false },
  { path: "products", params: productParams, paginated: true },
  {
    path: "product",
    params: [
      { name: "slug", kind: "slug" },
      { name: "id", kind: "integer", min: 1, max: MAX_INTEGER }
    ],
    paginated: false,
    needs: ["slug", "id"]
  },
  { path: "categories", params: [], paginated: false },
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
        max: MAX_INTEGER,
        clamp: DEFAULT_FAQ_LIMIT,
        default: "100"
      }
    ],
    paginated: false
  },
  { path: "reviews", params: reviewParams, paginated: true },
  { path: "releases", params: [productId, productSlug, limitAlias, page, perPage], paginated: true },
  {
    path: "blog",
    params: [page, perPage, text("q"), { name: "slug", kind: "slug", selects: true }],
    paginated: true
  },
  { path: "forum", params: forumParams, paginated: true },
  {
    path: "search",
    params: [text("q"), { name: "type", kind: "choice", values: SEARCH_TYPES }, page, perPage],
    paginated: true,
    needs: ["q"]
  },
  { path: "widgets", params: [], paginated: false },
  { path: "openapi.json", params: [], paginated: false }
];
var IGNORED_PREFIXES = ["_", "utm_"];
var IGNORED_NAMES = ["fbclid", "gclid"];
var ASSETS = ["widgets/reviews.js"];

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
    const param = endpoint.params[i];
    if (param !== void 0 && param.name === name) return i;
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
  if (param === void 0) return null;
  if (withText && param.textDefault !== void 0) return param.textDefault;
  return param.default === void 0 ? null : param.default;
}
function findParam(endpoint, raw, is) {
  for (let i = 0; i < endpoint.params.length; i++) if (raw.texts[i] !== "" && is(i)) return i;
  return -1;
}
function readValues(endpoint, raw, readText) {
  const withText = findParam(endpoint, raw, (i) => endpoint.params[i]?.kind === "text") >= 0;
  const selecting = findParam(endpoint, raw, (i) => endpoint.params[i]?.selects === true);
  const values = [];
  for (let i = 0; i < endpoint.params.length; i++) values.push(null);
  for (let i = 0; i < endpoint.params.length; i++) {
    const param = endpoint.params[i];
    if (param === void 0 || selecting >= 0 && i !== selecting) continue;
    if (raw.repeated[i]) raw.problems.push({ kind: "repeated", name: param.name });
    const text2 = raw.texts[i];
    if (text2 === "" || text2 === void 0) continue;
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
    if (param === void 0 || value === null || value === void 0) continue;
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
    if (query.values[i] === null || param === void 0) continue;
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
function canonicalKey(path, query) {
  if (path.length + query.length >= MAX_TARGET_BYTES) return null;
  const endpoint = findEndpoint(path);
  if (endpoint === null) return assetKey(path);
  const read = readQuery(endpoint, query, anyText);
  if (read.problems.length > 0) return null;
  const key = keyOf(read.query);
  return mayHaveFile(read.query, key) ? key : null;
}
function targetKey(target) {
  const parts = splitTarget(target);
  return canonicalKey(parts.path, parts.query);
}
function assetKey(rawPath) {
  const path = decodePath(rawPath).slice(1);
  return rawPath.charAt(0) === "/" && ASSETS.indexOf(path) >= 0 ? path : null;
}

// src/edge/address.ts
function ipv6Groups(address) {
  const halves = address.split("::");
  if (halves.length > 2) return null;
  const head = halves[0] === "" ? [] : (halves[0] ?? "").split(":");
  const tail = halves[1] === void 0 || halves[1] === "" ? [] : halves[1].split(":");
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  const groups = head.concat(new Array(missing).fill("0"), tail);
  return groups.every((group) => /^[0-9a-f]{1,4}$/.test(group)) ? groups.map((group) => group.replace(/^0+(?=.)/, "")) : null;
}
function bucketOf(address) {
  const text2 = address.trim().toLowerCase();
  const mapped = text2.startsWith("::ffff:") && text2.includes(".") ? text2.slice(7) : text2;
  if (/^[0-9]{1,3}(\.[0-9]{1,3}){3}$/.test(mapped)) return mapped;
  const groups = ipv6Groups(text2);
  return groups === null ? "unknown" : `${groups.slice(0, 4).join(":")}::/64`;
}

// src/edge/recall.ts
var FRESH_UNTIL = "x-vitrine-fresh-until";
var CLIENT_CACHE_CONTROL = "x-vitrine-cache-control";
var INTERNAL = [FRESH_UNTIL, CLIENT_CACHE_CONTROL, "cf-cache-status", "age", "expires"];
function seconds(cacheControl, directive) {
  const found = new RegExp(`(?:^|[ ,])${directive}=([0-9]+)`).exec(cacheControl);
  return Number(found?.[1] ?? 0);
}
function freshSeconds(cacheControl) {
  return seconds(cacheControl, "s-maxage") || seconds(cacheControl, "max-age");
}
function keepable(answer2, now) {
  const forClients = answer2.headers.get("cache-control") ?? "";
  const fresh = forClients.includes("no-store") ? 0 : freshSeconds(forClients);
  if (fresh === 0) return null;
  const copy = new Response(answer2.clone().body, answer2);
  copy.headers.set(FRESH_UNTIL, String(now + fresh * 1e3));
  copy.headers.set(CLIENT_CACHE_CONTROL, forClients);
  copy.headers.set("cache-control", `max-age=${fresh + seconds(forClients, "stale-if-error")}`);
  return copy;
}
function restored(kept) {
  const answer2 = new Response(kept.body, kept);
  answer2.headers.set("cache-control", kept.headers.get(CLIENT_CACHE_CONTROL) ?? "");
  for (const name of INTERNAL) answer2.headers.delete(name);
  return answer2;
}
async function made(make) {
  try {
    const answer2 = await make();
    return answer2 !== null && answer2.status >= 500 ? "failed" : answer2;
  } catch {
    return "failed";
  }
}
async function recall(url, make, ports) {
  const kept = await ports.cache.match(url);
  if (kept !== void 0 && ports.now() < Number(kept.headers.get(FRESH_UNTIL))) return restored(kept);
  const answer2 = await made(make);
  if (answer2 === "failed") return kept === void 0 ? "failed" : restored(kept);
  const copy = answer2 === null ? null : keepable(answer2, ports.now());
  if (copy !== null) ports.later(ports.cache.put(url, copy));
  return answer2;
}

// src/contract/errors.ts
var ERROR_STATUS = {
  invalid_parameter: 400,
  missing_parameter: 400,
  not_found: 404,
  unknown_endpoint: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  uri_too_long: 414,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503
};
var RATE_LIMIT = { windowSeconds: 60, message: "Too many requests." };

// src/contract/validator.ts
var STAMP_BYTES = 28;
function isStamped(key) {
  return key.startsWith("api/") && !key.endsWith("/openapi.json");
}
function contentOf(bytes, stamped) {
  return stamped ? bytes.subarray(0, bytes.length - STAMP_BYTES) : bytes;
}
function etagOfDigest(sha256) {
  return `W/"${sha256.slice(0, 32)}"`;
}
var ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
function opaque(tag) {
  return tag.startsWith("W/") ? tag.slice(2) : tag;
}
function isNotModified(ifNoneMatch, etag) {
  if (ifNoneMatch === void 0 || etag === void 0) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return (ifNoneMatch.match(ENTITY_TAG) ?? []).some((tag) => opaque(tag) === opaque(etag));
}

// src/edge/worker-answers.ts
function common(contentType, cacheControl) {
  return {
    "Content-Type": contentType,
    "X-Content-Type-Options": "nosniff",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": EXPOSED_HEADERS,
    "Cache-Control": cacheControl
  };
}
function errorAnswer(code, message, cacheControl, headers) {
  const body = JSON.stringify({ success: false, error: { code, message } });
  const status = ERROR_STATUS[code];
  return new Response(body, { status, headers: { ...common(JSON_TYPE, cacheControl), ...headers } });
}
function rateLimitedAnswer(requests) {
  return errorAnswer("rate_limited", RATE_LIMIT.message, "no-store", {
    "X-RateLimit-Limit": requests,
    "X-RateLimit-Window": String(RATE_LIMIT.windowSeconds),
    "Retry-After": String(RATE_LIMIT.windowSeconds)
  });
}
function unavailableAnswer() {
  return errorAnswer("service_unavailable", UNAVAILABLE_MESSAGE, "no-store", {
    "Retry-After": String(UNAVAILABLE_RETRY_SECONDS)
  });
}
function methodAnswer(method, errorCacheControl) {
  if (method === "GET" || method === "HEAD") return null;
  if (method !== "OPTIONS") {
    return errorAnswer("method_not_allowed", methodMessage(method), errorCacheControl, {
      Allow: ALLOWED_METHODS
    });
  }
  const headers = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": ALLOWED_METHODS,
    "Access-Control-Allow-Headers": "*",
    "Access-Control-Max-Age": "86400",
    Allow: ALLOWED_METHODS
  };
  return new Response(null, { status: 204, headers });
}
async function etagOf(key, bytes) {
  const digest = await crypto.subtle.digest("SHA-256", contentOf(bytes, isStamped(key)));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return etagOfDigest(hex.join(""));
}
async function fileAnswer(key, buffer, cacheControl) {
  const type = key.endsWith(".js") ? "text/javascript; charset=utf-8" : JSON_TYPE;
  const bytes = new Uint8Array(buffer);
  const headers = {
    ...common(type, cacheControl),
    ETag: await etagOf(key, bytes),
    Vary: "Accept-Encoding"
  };
  return new Response(bytes, { headers });
}
function fitAnswer(answer2, ifNoneMatch) {
  const etag = answer2.headers.get("etag");
  if (answer2.status !== 200 || !isNotModified(ifNoneMatch ?? void 0, etag ?? void 0)) return answer2;
  const headers = new globalThis.Headers(answer2.headers);
  headers.delete("content-type");
  headers.delete("content-length");
  return new Response(null, { status: 304, headers });
}

// src/edge/cloudflare.ts
async function askSite(env, key) {
  const object = await env.SITE.get(key);
  return object === null ? null : fileAnswer(key, await object.arrayBuffer(), env.CACHE_CONTROL);
}
function askFallback(env, target) {
  const url = (env.FALLBACK_URL ?? "http://fallback") + target;
  const options = { headers: { [TARGET_HEADER]: target }, redirect: "manual" };
  return env.FALLBACK === void 0 ? fetch(url, options) : env.FALLBACK.fetch(url, options);
}
async function answer(request, env, ports) {
  const { path, query } = splitTarget(request.url);
  const target = query === "" ? path : `${path}?${query}`;
  const host = new URL(request.url).origin;
  const key = targetKey(target);
  const file = key === null ? null : await recall(`${host}/${key}`, () => askSite(env, key), ports);
  if (file !== null && file !== "failed") return file;
  const kept = await recall(`${host}/fallback${target}`, () => askFallback(env, target), ports);
  return kept === null || kept === "failed" ? unavailableAnswer() : kept;
}
var cloudflare_default = {
  async fetch(request, env, context) {
    const address = request.headers.get("cf-connecting-ip") ?? "";
    const { success } = await env.RATE_LIMIT.limit({ key: bucketOf(address) });
    if (!success) return rateLimitedAnswer(env.RATE_LIMIT_REQUESTS);
    const settled = methodAnswer(request.method, env.ERROR_CACHE_CONTROL);
    if (settled !== null) return settled;
    const ports = {
      cache: caches.default,
      now: Date.now,
      later: (work) => context.waitUntil(work)
    };
    return fitAnswer(await answer(request, env, ports), request.headers.get("if-none-match"));
  }
};
export {
  cloudflare_default as default
};

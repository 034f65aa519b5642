/** The list of requests that every way of serving must answer alike. */
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import type { Request } from "./wire.ts";

export interface Case extends Request {
  readonly name: string;
  /** Ask twice, the second time with this If-None-Match, made of the first answer's ETag. */
  readonly again?: (etag: string) => string;
}

const API = "/api/v1";

function get(...targets: readonly string[]): Case[] {
  return targets.map((target) => ({ name: `GET ${target.slice(0, 80)}`, target }));
}

function ask(method: string, ...targets: readonly string[]): Case[] {
  return targets.map((target) => ({ name: `${method} ${target}`, method, target }));
}

/** An ETag as a client may have it, also from behind a server that compresses. */
const KNOWN: readonly (readonly [string, (etag: string) => string])[] = [
  ["its ETag", (etag) => etag],
  ["its ETag in a list", (etag) => `"x-gzip", ${etag}, W/"y"`],
  ["its ETag in Apache's form", (etag) => etag.replace(/"$/, '-gzip"')],
  ["its ETag in Jetty's form", (etag) => `"x", ${etag.replace(/"$/, '--br"')}`],
  ["an ETag that begins alike", (etag) => etag.replace(/"$/, '0-gzip"')],
];

function conditional(...targets: readonly string[]): Case[] {
  return targets.flatMap((target) =>
    KNOWN.map(([words, again]) => ({ name: `GET ${target} again with ${words}`, target, again })),
  );
}

const FILES = [
  ...ENDPOINTS.filter(({ needs }) => needs === undefined).map(({ path }) => `${API}/${path}`),
  API,
  `${API}/products/`,
  `${API}/%70roducts`,
  `${API}/products?page=2`,
  `${API}/products?category=scripts&sort=price_asc`,
  `${API}/products?sort=price_asc&category=SCRIPTS&utm_source=x`,
  `${API}/products?featured=yes&per_page=20&page=01`,
  `${API}/product?slug=invoice-kit`,
  `${API}/product?id=5`,
  `${API}/reviews?product_slug=invoice-kit&min_rating=4`,
  `${API}/blog?slug=`,
  "/widgets/reviews.js",
  "/widgets/reviews.js?v=2",
  "/widgets/client.js",
];

const NO_FILES = [
  `${API}/products?search=kit`,
  `${API}/products?search=kit&sort=price_asc&per_page=2`,
  `${API}/products?min_price=5&max_price=50.5`,
  `${API}/products?page=999`,
  `${API}/products?per_page=7&category=scripts`,
  `${API}/reviews?page=999&limit=3`,
  `${API}/search?q=invoice`,
  `${API}/search?q=invoce%20kit`,
  `${API}/products?search=invoce`,
  `${API}/search?q=%f0%9f%98%80`,
  `${API}/blog?q=the`,
  `${API}/products?category=nothing-has-this`,
];

const ERRORS = [
  `${API}/products?page=0`,
  `${API}/products?page=2%0A`,
  `${API}/products?categroy=scripts`,
  `${API}/products?page=2&page=2`,
  `${API}/products?%zz=1`,
  `${API}/products?category=%ff`,
  `${API}/product`,
  `${API}/product?slug=nobody-has-this`,
  `${API}/blog?slug=nobody-has-this`,
  `${API}/search`,
  `${API}/search?q=%20`,
  `${API}/nothing`,
  `${API}/Products`,
  `${API}/products/page=1.json`,
  `${API}//products`,
  `/${API}/products`,
  `${API}%2fproducts`,
  "/",
  "/?utm_source=x",
  "/favicon.ico",
  "/.vitrine/current.json",
  "/catalog.sqlite",
  "/fallback/api/v1/store",
  "/none",
  `${API}/products?${Array.from({ length: 64 }, (_, at) => `p${at}=1`).join("&")}`,
  `${API}/products?utm_content=${"x".repeat(8300)}`,
];

/** Requests that edges inevitably answer differently: HTTP servers rewrite or refuse their paths before anything else. */
const ODD_PATHS = [`${API}/%zz`, `${API}/./products`, `${API}/products#top`, `${API}/products?category=\xff`];

export const CASES: readonly Case[] = [
  ...get(...FILES, ...NO_FILES, ...ERRORS, ...ODD_PATHS),
  ...ask("HEAD", `${API}/products`, `${API}/products?search=kit`, `${API}/nothing`, `${API}/product`),
  ...ask("OPTIONS", `${API}/products`, `${API}/search?q=kit`, `${API}/nothing`),
  ...["POST", "PUT", "PATCH", "DELETE"].flatMap((method) => ask(method, `${API}/products`, `${API}/nothing`)),
  ...conditional(
    `${API}/products`,
    `${API}/products?category=scripts`,
    `${API}/products?search=kit`,
    `${API}/openapi.json`,
  ),
  {
    name: "GET a file of which the client has another version",
    target: `${API}/store`,
    headers: { "If-None-Match": '"x"' },
  },
  { name: "GET a file with If-None-Match: *", target: `${API}/store`, headers: { "If-None-Match": "*" } },
  {
    name: "GET with an untrusted client's X-Vitrine-Target",
    target: `${API}/products?search=theme`,
    headers: { "X-Vitrine-Target": `${API}/store` },
  },
];

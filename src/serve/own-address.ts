/**
 * What `vitrine serve` does beyond an edge: a snapshot contains the addresses that it was built for, and here it is served from
 * another one. The few answers that contain them are made again; links to the shop's own pages stay. If the shop's own address is
 * this server's, as the demo's is, those pages are the explorer's views.
 */

import type { PublicConfig } from "../api/config.ts";
import { API_PATH, ASSETS, PAGE_FOLDERS } from "../api/endpoints.ts";
import { widgetCall } from "../api/records/widget.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { etagOf, plainBody } from "../catalog/envelope.ts";
import { type ApiResponse, answerRequest, readRequest, withoutSource } from "./answer.ts";
import { answerRequestAtEdge, fileResponse, readSiteFile } from "./edge.ts";

/** Keys of the answers that contain baseUrl or siteUrl. The OpenAPI document is made again like any other. */
const NAMING_KEYS: readonly string[] = ["index", "store", "widgets", "openapi"].map(
  (name) => `${API_PATH.slice(1)}/${name}.json`,
);

/** True if the snapshot was built for the address that it is served at. */
export function isBuiltFor({ config }: Pick<Catalog, "config">, origin: string): boolean {
  return config.baseUrl === origin + API_PATH && config.siteUrl === origin;
}

const moved = new WeakMap<Catalog, Catalog>();

/** The same catalog with its API and widgets at another address. */
function catalogAt(catalog: Catalog, origin: string): Catalog {
  const known = moved.get(catalog);
  if (known?.config.siteUrl === origin) return known;
  const made = {
    ...catalog,
    config: { ...catalog.config, baseUrl: origin + API_PATH, siteUrl: origin },
  };
  moved.set(catalog, made);
  return made;
}

/** Replaces the base address in the call that starts a widget. */
function widgetAt(response: ApiResponse, { baseUrl }: PublicConfig, to: string): ApiResponse {
  const call = widgetCall(baseUrl);
  const body = plainBody(response.body.toString().replace(call, () => widgetCall(to)));
  return { ...response, headers: { ...response.headers, ETag: etagOf(body) }, body: body.bytes };
}

/** A file with the body that it has at this address. */
function renamed(file: ApiResponse, made: ApiResponse): ApiResponse {
  if (made.status !== 200) return made;
  const headers = { ...made.headers, "Last-Modified": file.headers["Last-Modified"] ?? "" };
  return { ...file, headers, body: made.body };
}

/** The address of `vitrine serve`, and what it serves besides the catalog. */
export interface OwnPlace {
  readonly origin: string;
  /** The snapshot's files. */
  readonly site: string;
  /** A folder that replaces the shop's own images, below `/media/`. */
  readonly media?: string | undefined;
}

const MEDIA_PATH = "/media/";

/** An image of the shop, or null. Snapshots contain no images: the shop's own site serves them. */
function imageAt(folder: string | undefined, path: string): ApiResponse | null {
  if (folder === undefined || !path.startsWith(MEDIA_PATH)) return null;
  const name = path.slice(MEDIA_PATH.length);
  const file = /^[\w./-]+$/.test(name) ? readSiteFile(folder, name) : null;
  return file === null
    ? null
    : { ...fileResponse(file, name, "public, max-age=3600"), key: null, source: "none" };
}

type AnyRecord = Readonly<Record<string, string | undefined>>;

/**
 * The records that have a page in the shop's site: the request that may answer with such a record, the field with the page's
 * address, and the explorer's view. `slug` is a part of that address.
 */
const SHOP_PAGES: readonly {
  readonly request: (slug: string) => string;
  readonly field: string;
  readonly view: (slug: string) => string;
}[] = [
  { request: (slug) => `product?slug=${slug}`, field: "public_url", view: (slug) => `product/${slug}` },
  { request: (slug) => `blog?slug=${slug}`, field: "url", view: (slug) => `blog/${slug}` },
  { request: (slug) => `forum?slug=${slug}`, field: "url", view: (slug) => `forum/${slug}` },
  { request: () => "categories", field: "url", view: (slug) => `products?category=${slug}` },
  {
    request: (slug) => `releases?product_slug=${slug}`,
    field: "public_url",
    view: (slug) => `product/${slug}?tab=releases`,
  },
  { request: () => "store", field: "blog_url", view: () => "blog" },
  { request: () => "store", field: "support_url", view: () => "forum" },
];

/** Leads from the address of a page in the shop's site to its view in the explorer, or null. */
function viewAt(catalog: Catalog, path: string): ApiResponse | null {
  // A release's page is below its product's.
  const slugs = (path.match(/(?<=\/)[\w.-]+/g) ?? []).slice(-2).reverse();
  if (!catalog.config.pages) return null;
  const address = catalog.config.siteUrl + path;
  for (const slug of slugs) {
    for (const { request, field, view } of SHOP_PAGES) {
      const { status, body } = answerRequest(catalog, readRequest(`${API_PATH}/${request(slug)}`));
      if (status !== 200) continue;
      const { data } = JSON.parse(body.toString()) as { data: AnyRecord | AnyRecord[] };
      const found = [data].flat().find((record) => `${record[field]}`.replace(/#.*$/, "") === address);
      if (found === undefined) continue;
      const Location = `/${PAGE_FOLDERS[0]}/#/${view(found["slug"] ?? slug)}`;
      return withoutSource({ status: 302, headers: { Location, "Cache-Control": "no-store" }, body: "" });
    }
  }
  return null;
}

/** Answers a GET or HEAD of a raw request target as `vitrine serve` does. */
export function answerAtOwnAddress(
  catalog: Catalog,
  target: string,
  { origin, site, media }: OwnPlace,
): ApiResponse {
  const request = readRequest(target);
  const image = imageAt(media, request.path);
  if (image !== null) return image;
  if (isBuiltFor(catalog, origin)) {
    const response = answerRequestAtEdge(catalog, site, request);
    return response.status === 404 ? (viewAt(catalog, request.path) ?? response) : response;
  }
  const own = catalogAt(catalog, origin);
  const key = request.file ?? "";
  const response = answerRequestAtEdge(own, site, request);
  if (response.source !== "file") return response;
  if (NAMING_KEYS.includes(key)) return renamed(response, answerRequest(own, request));
  return ASSETS.includes(key) ? widgetAt(response, catalog.config, own.config.baseUrl) : response;
}

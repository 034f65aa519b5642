/**
 * What `vitrine serve` does beyond an edge: a snapshot names the addresses it was built for, and here it is tried at
 * another. The few answers that name them are made anew; links to the shop's own pages are left as they are.
 */

import { API_PATH, ASSETS } from "../api/endpoints.ts";
import { widgetCall } from "../api/records/widget.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { etagOf, plainBody } from "../catalog/envelope.ts";
import { type ApiResponse, answerRequest, readRequest } from "./answer.ts";
import { answerRequestAtEdge } from "./edge.ts";

/** Keys of the answers that name baseUrl or siteUrl. The OpenAPI document is made anew like any other. */
const NAMING_KEYS: readonly string[] = ["index", "store", "widgets", "openapi"].map(
  (name) => `${API_PATH.slice(1)}/${name}.json`,
);

/** True where the snapshot was built for the address it is served at. */
export function isBuiltFor({ config }: Pick<Catalog, "config">, origin: string): boolean {
  return config.baseUrl === origin + API_PATH && config.siteUrl === origin;
}

const moved = new WeakMap<Catalog, Catalog>();

/** The same catalog, its API and widgets at another address. */
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

/** Puts another base address into the call that starts a widget. */
function widgetAt(response: ApiResponse, from: string, to: string): ApiResponse {
  const body = plainBody(response.body.toString().replace(widgetCall(from), () => widgetCall(to)));
  return { ...response, headers: { ...response.headers, ETag: etagOf(body) }, body: body.bytes };
}

/** The root has nothing of the API's: people who open it are led to the API's status. */
function rootResponse(): ApiResponse {
  const headers = { Location: API_PATH, "Cache-Control": "no-store" };
  return { status: 302, headers, body: Buffer.alloc(0), key: null, source: "none" };
}

/** What `vitrine serve` at `origin` answers to a GET or HEAD of a raw request target. */
export function answerAtOwnAddress(
  catalog: Catalog,
  site: string,
  target: string,
  origin: string,
): ApiResponse {
  const request = readRequest(target);
  if (request.path === "/") return rootResponse();
  if (isBuiltFor(catalog, origin)) return answerRequestAtEdge(catalog, site, request);
  const own = catalogAt(catalog, origin);
  const key = request.file ?? "";
  if (NAMING_KEYS.includes(key)) return answerRequest(own, request);
  const response = answerRequestAtEdge(own, site, request);
  const isWidget = ASSETS.includes(key) && response.source === "file";
  return isWidget ? widgetAt(response, catalog.config.baseUrl, own.config.baseUrl) : response;
}

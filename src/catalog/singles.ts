/** Answers that are no list of the store's: the status, the widgets, the OpenAPI document. */

import { ANSWERS } from "../api/answers.ts";
import { cacheControl } from "../api/cache-control.ts";
import { API_VERSION, ASSETS, ENDPOINTS, type Endpoint } from "../api/endpoints.ts";
import { RATE_LIMIT } from "../api/errors.ts";
import { openApiDocument } from "../api/openapi.ts";
import type { Status, Widget } from "../api/records.ts";
import type { Catalog } from "./catalog.ts";
import { type Body, plainBody } from "./envelope.ts";
import { RESOURCES } from "./resources.ts";

/** True where the store offers the endpoint; the status always is. */
export function isEnabled(catalog: Pick<Catalog, "config">, endpoint: Endpoint): boolean {
  return endpoint.path === "" || catalog.config.endpoints.some((path) => path === endpoint.path);
}

export function statusOf(catalog: Catalog): Status {
  const { config, store } = catalog;
  return {
    name: `${store.store_name} catalog API`,
    status: "ok",
    api_version: API_VERSION,
    store: { store_name: store.store_name, public_url: store.public_url },
    endpoints: ENDPOINTS.map((endpoint) => ({
      path: `/${endpoint.path}`,
      url: endpoint.path === "" ? config.baseUrl : `${config.baseUrl}/${endpoint.path}`,
      parameters: endpoint.params.map((param) => param.name),
      enabled: isEnabled(catalog, endpoint),
    })),
    documentation: { openapi_url: `${config.baseUrl}/openapi.json`, docs_url: store.docs_url },
  };
}

/** The widgets that a site offers, with their addresses. */
export function widgetsOfSite(siteUrl: string): Widget[] {
  const script = `${siteUrl}/${ASSETS[0]}`;
  return [
    {
      key: "reviews",
      name: "Product reviews",
      script,
      description: "Approved reviews of one product with their average rating, in a light or a dark theme.",
      data_attributes: ["data-product-slug", "data-limit", "data-theme", "data-container"],
      embed_example:
        `<div id="product-reviews"></div>\n<script async src="${script}" data-product-slug="PRODUCT-SLUG" ` +
        'data-limit="5" data-theme="light" data-container="product-reviews"></script>',
    },
  ];
}

/** A record of each kind, for the examples of the OpenAPI document: those with the smallest ids. */
function examplesOf(catalog: Catalog): Record<string, unknown> {
  const examples: Record<string, unknown> = { Store: catalog.store, Status: statusOf(catalog) };
  for (const widget of widgetsOfSite(catalog.config.siteUrl)) examples["Widget"] = widget;
  for (const resource of RESOURCES) {
    const table = catalog.table(resource.name);
    const schemas = ANSWERS[resource.endpoint];
    if (table.size === 0 || schemas === undefined) continue;
    const title = (schema: unknown) => String((schema as { title?: string }).title);
    examples[title(schemas.list)] = JSON.parse(catalog.fragments(resource.name).at(0).toString());
    if (!resource.detail) continue;
    const one = resource.name === "product" ? ANSWERS["product"]?.one : schemas.one;
    examples[title(one)] = JSON.parse(catalog.detail(resource, table.idAt(0)) ?? "null");
  }
  return examples;
}

const openApiBodies = new WeakMap<Catalog, Body>();

/** The OpenAPI document itself, without the envelope: made once for each open catalog. */
export function openApiBody(catalog: Catalog): Body {
  const known = openApiBodies.get(catalog);
  if (known !== undefined) return known;
  const { config, store } = catalog;
  const document = openApiDocument({
    baseUrl: config.baseUrl,
    siteUrl: config.siteUrl,
    storeName: store.store_name,
    endpoints: ENDPOINTS.filter((endpoint) => isEnabled(catalog, endpoint)),
    examples: examplesOf(catalog),
    cacheControl: cacheControl(config),
    rateLimit: { ...RATE_LIMIT, ...config.rateLimit },
  });
  const body = plainBody(JSON.stringify(document));
  openApiBodies.set(catalog, body);
  return body;
}

/** Answers that are not lists: the status, the store, the widgets, the OpenAPI document. */
import { API_VERSION, ENDPOINTS, type Endpoint, offers } from "../api/endpoints.ts";
import { RATE_LIMIT } from "../api/errors.ts";
import { type OpenApiOptions, openApiDocument, titleOf } from "../api/openapi.ts";
import type { ExampleValues } from "../api/parameters.ts";
import type { Product } from "../api/records/product.ts";
import type { Review } from "../api/records/review.ts";
import type { Status } from "../api/records/status.ts";
import type { Store } from "../api/records/store.ts";
import { type Widget, widgetsOfSite } from "../api/records/widget.ts";
import { RECORDS } from "../api/records.ts";
import { cacheControl } from "../api/responses.ts";
import type { Values } from "../api/row.ts";
import type { Catalog } from "./catalog.ts";
import { type Body, plainBody } from "./envelope.ts";
import { hasRecords, resourceNamed, resourceOf } from "./resources.ts";
import { exampleResult, SEARCH_TYPES } from "./search.ts";
import type { CatalogView } from "./view.ts";

/** Whether the store offers an endpoint and, for a list, has a record in it. */
export function hasAnswers(
  { config, db }: Pick<Catalog, "config" | "db">,
  { path }: Pick<Endpoint, "path">,
): boolean {
  const resource = resourceOf(path);
  return (resource === undefined || hasRecords(db, resource.name)) && offers(config, path);
}

/** The widgets, with working examples: for the product of the first review, or else for the first product. */
export function widgetsOf(catalog: CatalogView): Widget[] {
  const { siteUrl } = catalog.config;
  const [review, product] = [catalog.first(resourceNamed("review")), catalog.first(resourceNamed("product"))];
  if (product === null) return widgetsOfSite(siteUrl);
  const { slug, category } = JSON.parse(product.list) as Product;
  const rated = review === null ? slug : (JSON.parse(review.list) as Review).product_slug;
  return widgetsOfSite(siteUrl, { slug: rated, category: category.slug });
}

export function storeOf(catalog: CatalogView): Store {
  return { ...catalog.store, available_widgets: widgetsOf(catalog) };
}

export function statusRecord(catalog: CatalogView): Status {
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
      enabled: offers(config, endpoint.path),
    })),
    documentation: { openapi_url: `${config.baseUrl}/openapi.json`, docs_url: store.docs_url },
  };
}

/** Examples for the OpenAPI document, and the values of filters that find them. A search looks for the first product, post or category. */
function examplesOf(catalog: CatalogView): Required<Pick<OpenApiOptions, "examples" | "filters">> {
  const examples: Record<string, unknown> = { Store: storeOf(catalog), Status: statusRecord(catalog) };
  for (const widget of widgetsOf(catalog)) examples["Widget"] = widget;
  const filters: Record<string, ExampleValues> = {};
  const records = new Map<string, Values>();
  for (const { name, endpoint, list, detail } of RECORDS) {
    const first = catalog.first(resourceNamed(name));
    if (first === null) continue;
    const record = JSON.parse(first.list) as Values;
    records.set(name, record);
    examples[titleOf(list) ?? ""] = record;
    if (detail !== null) examples[titleOf(detail) ?? ""] = JSON.parse(first.detail ?? "null");
    filters[endpoint] = first.filters;
  }
  for (const [type, name] of Object.entries(SEARCH_TYPES)) {
    const record = records.get(name);
    if (record === undefined) continue;
    filters["search"] ??= { type, title: record["title"] ?? record["name"] };
    examples["SearchResult"] ??= exampleResult(type, record);
  }
  return { examples, filters };
}

const openApiBodies = new WeakMap<CatalogView, Body>();

/** The OpenAPI document itself, without an envelope: made once per open catalog. */
export function openApiBody(catalog: CatalogView): Body {
  const known = openApiBodies.get(catalog);
  if (known !== undefined) return known;
  const { config, store } = catalog;
  const document = openApiDocument({
    baseUrl: config.baseUrl,
    siteUrl: config.siteUrl,
    storeName: store.store_name,
    endpoints: ENDPOINTS.filter((endpoint) => offers(config, endpoint.path)),
    ...examplesOf(catalog),
    cacheControl: cacheControl(config.cache),
    rateLimit: { ...RATE_LIMIT, ...config.rateLimit },
  });
  const body = plainBody(JSON.stringify(document));
  openApiBodies.set(catalog, body);
  return body;
}

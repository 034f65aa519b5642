/** Query → body: the code with which both the generator and the fallback answer. */

import { DEFAULT_FAQ_LIMIT, DEFAULT_PER_PAGE, type Endpoint } from "../api/endpoints.ts";
import type { Pagination } from "../api/envelope.ts";
import { itemAt } from "../base/arrays.ts";
import { encodeJson, type Json } from "../base/json.ts";
import { paramIndex, type Query } from "../key/query.ts";
import { type Allocate, type Body, dataBody, envelopeSize, listBody } from "./envelope.ts";
import type { Conditions } from "./record-list.ts";
import { type Resource, resourceNamed, resourceOf } from "./resources.ts";
import { searchCatalog, searchRows } from "./search.ts";
import { openApiBody, statusRecord, storeOf, widgetsOf } from "./singles.ts";
import type { CatalogView } from "./view.ts";

/** The canonical value of a query's parameter, or null if it is absent or the default. */
function paramValue(query: Query, param: string): string | null {
  return query.values[paramIndex(query.endpoint, param)] ?? null;
}

/** A search text, decoded: a query has it as a byte string, one character a byte, as keys do. */
function textValue(query: Query, param: string): string | null {
  const bytes = paramValue(query, param);
  return bytes === null ? null : Buffer.from(bytes, "latin1").toString("utf8");
}

/** The body of a query's answer; null if the record that it selects does not exist. */
export function answerQuery(catalog: CatalogView, query: Query): Body | null {
  switch (query.endpoint.path) {
    case "":
      return dataBody(encodeJson(statusRecord(catalog)));
    case "store":
      return dataBody(encodeJson(storeOf(catalog)));
    case "widgets":
      return dataBody(encodeJson(widgetsOf(catalog)));
    case "openapi.json":
      return openApiBody(catalog);
    case "search":
      return searchBody(catalog, query);
    case "product":
      return selectedBody(
        catalog,
        resourceNamed("product"),
        paramValue(query, "slug"),
        paramValue(query, "id"),
      );
    default:
      return resourceBody(catalog, query);
  }
}

function selectedBody(
  catalog: CatalogView,
  resource: Resource,
  slug: string | null,
  id: string | null,
): Body | null {
  const found = slug === null ? Number(id) : catalog.idOfSlug(resource, slug);
  if (found === null || (id !== null && found !== Number(id))) return null;
  const json = catalog.detail(resource, found);
  return json === null ? null : detailBody(json);
}

/** The body of the one record that a query selects. */
export function detailBody(json: Json, allocate?: Allocate): Body {
  return dataBody(json, null, allocate);
}

/** Size in bytes of such a body without the record. */
export const DETAIL_OVERHEAD: number = envelopeSize(null);

function resourceBody(catalog: CatalogView, query: Query): Body | null {
  const resource = resourceOf(query.endpoint.path);
  if (resource === undefined) throw new Error(`Nothing answers /${query.endpoint.path}`);
  const slug = resource.detail ? paramValue(query, "slug") : null;
  if (slug !== null) return selectedBody(catalog, resource, slug, null);
  return listPageBody(catalog, resource, query);
}

/** The requested page of a list. Past the end it is empty, with the true totals. */
function listPageBody(catalog: CatalogView, resource: Resource, query: Query): Body {
  const text = textValue(query, "search") ?? textValue(query, "q");
  const sort = paramValue(query, "sort");
  const found = text === null ? null : searchRows(catalog, resource, text);
  const conditions: Conditions = {
    equal: Object.keys(resource.filters).flatMap((param) => {
      const value = paramValue(query, param);
      return value === null ? [] : [[param, value] as const];
    }),
    ...bound("min", paramValue(query, "min_price")),
    ...bound("max", paramValue(query, "max_price")),
    ...(found === null ? {} : { found: found.rows }),
  };
  const page = pageOf(query);
  const offset = (page.number - 1) * page.size;
  const list = catalog.list(resource.name);
  const { total, rows } = list.page(conditions, sort, offset, page.size);
  const body = rowsBody(catalog, resource, rows, paginationOf(query.endpoint, total, page));
  return { ...body, corrected: total > 0 ? (found?.corrected ?? null) : null };
}

/** The body of a page with these rows: fragments joined by commas. */
function rowsBody(
  catalog: CatalogView,
  { name }: Resource,
  rows: Uint32Array,
  pagination: Pagination | null,
  allocate?: Allocate,
): Body {
  const { ids } = catalog.list(name);
  const wanted = [...rows].map((row) => itemAt(ids, row));
  return listBody(catalog.fragments(name, wanted), pagination, allocate);
}

function bound<Name extends string>(name: Name, value: string | null): Partial<Record<Name, number>> {
  return value === null ? {} : ({ [name]: Number(value) } as Record<Name, number>);
}

export interface Page {
  readonly number: number;
  readonly size: number;
}

/** The requested page. An endpoint without pages has one, as long as its limit allows. */
export function pageOf(query: Query): Page {
  const { endpoint } = query;
  if (endpoint.paginated) {
    return {
      number: Number(paramValue(query, "page") ?? 1),
      size: Number(paramValue(query, "per_page") ?? DEFAULT_PER_PAGE),
    };
  }
  const limited = paramIndex(endpoint, "limit") >= 0;
  return {
    number: 1,
    size: limited ? Number(paramValue(query, "limit") ?? DEFAULT_FAQ_LIMIT) : Number.MAX_SAFE_INTEGER,
  };
}

/** How many pages of a list have different content: 1 for an empty list and for an endpoint without pages. */
export function pageCount(endpoint: Endpoint, total: number, size: number): number {
  return endpoint.paginated ? Math.max(1, Math.ceil(total / size)) : 1;
}

/** The page of a whole list that a query asks for. */
export function pageBody(
  catalog: CatalogView,
  resource: Resource,
  query: Query,
  list: Uint32Array,
  allocate: Allocate,
): Body {
  const page = pageOf(query);
  const offset = (page.number - 1) * page.size;
  const pagination = paginationOf(query.endpoint, list.length, page);
  return rowsBody(catalog, resource, list.subarray(offset, offset + page.size), pagination, allocate);
}

/** Size in bytes of a page of a list with `total` records, without the records and the commas between them. */
export function pageOverhead(endpoint: Endpoint, total: number, page: Page): number {
  return "[]".length + envelopeSize(paginationOf(endpoint, total, page));
}

function paginationOf(endpoint: Endpoint, total: number, page: Page): Pagination | null {
  if (!endpoint.paginated) return null;
  return { page: page.number, per_page: page.size, total, total_pages: Math.ceil(total / page.size) };
}

function searchBody(catalog: CatalogView, query: Query): Body {
  const page = pageOf(query);
  const found = searchCatalog(catalog, textValue(query, "q") ?? "", paramValue(query, "type"), page);
  const body = dataBody(encodeJson(found.results), paginationOf(query.endpoint, found.total, page));
  return { ...body, corrected: found.corrected };
}

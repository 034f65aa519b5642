/** Search text → records, best first. */

import type { SEARCHED, SearchResult } from "../api/records/search-result.ts";
import { itemAt } from "../base/arrays.ts";
import type { Hits } from "../search/search-index.ts";
import { documentOwner, documentRange } from "../search/search-texts.ts";
import { makeSnippet, type Snippet } from "../search/snippet.ts";
import { readTerms } from "../search/terms.ts";

import type { Resource, ResourceName } from "./resources.ts";
import type { CatalogView } from "./view.ts";

/** The records that /search finds, by the contract's names. */
export const SEARCH_TYPES: Readonly<Record<(typeof SEARCHED)[number], ResourceName>> = {
  product: "product",
  category: "category",
  blog: "post",
};

function typeOf(resource: ResourceName): SearchResult["type"] {
  for (const [type, of] of Object.entries(SEARCH_TYPES))
    if (of === resource) return type as SearchResult["type"];
  throw new Error(`/search does not find ${resource}`);
}

/** Rows of a list that have all words of a text, or of its correction, best first. */
export function searchRows(
  catalog: CatalogView,
  resource: Resource,
  text: string,
): { rows: Uint32Array; corrected: string | null } {
  const range = documentRange([resource.name]);
  const { ids, best, corrected } = catalog.searchIndex().find(text, range);
  const rows = catalog.list(resource.name).rowsOf(ids.map((id) => id - range.first));
  return { rows: best.map((place) => itemAt(rows, place)), corrected };
}

/** One page of /search; `type` narrows it to one kind. */
export function searchCatalog(
  catalog: CatalogView,
  text: string,
  type: string | null,
  page: { number: number; size: number },
): { total: number; results: SearchResult[]; corrected: string | null } {
  const resources = Object.entries(SEARCH_TYPES).flatMap(([name, resource]) =>
    type === null || type === name ? [resource] : [],
  );
  const hits = catalog.searchIndex().find(text, documentRange(resources));
  const offset = (page.number - 1) * page.size;
  const results = resultsAt(catalog, hits, offset, Math.min(offset + page.size, hits.best.length));
  return { total: hits.best.length, results, corrected: hits.corrected };
}

function resultsAt(catalog: CatalogView, hits: Hits, from: number, to: number): SearchResult[] {
  const found = [...hits.best.slice(Math.min(from, to), to)].map((place) => {
    const id = itemAt(hits.ids, place);
    return { id, level: itemAt(hits.levels, place), ...documentOwner(id) };
  });
  if (found.length === 0) return [];
  const records = new Map<number, Record<string, unknown>>();
  for (const name of new Set(found.map(({ resource }) => resource))) {
    const own = found.filter(({ resource }) => resource === name);
    const ids = own.map(({ recordId }) => recordId);
    for (const [at, json] of catalog.fragments(name, ids).entries())
      records.set(itemAt(own, at).id, JSON.parse(json.toString()) as Record<string, unknown>);
  }
  const texts = catalog.searchIndex().texts(found.map(({ id }) => id));
  const best = itemAt(hits.levels, itemAt(hits.best, 0));
  return found.map(({ id, level, resource }, at) => {
    const record = records.get(id) ?? {};
    const { excerpt, text } = itemAt(texts, at);
    const score = best === 0 ? 1 : Math.round((level / best) * 10_000) / 10_000;
    return resultOf(typeOf(resource), record, makeSnippet(excerpt, text, hits.terms), score);
  });
}

function resultOf(
  type: SearchResult["type"],
  record: Readonly<Record<string, unknown>>,
  snippet: Snippet,
  score: number,
): SearchResult {
  return {
    type,
    id: Number(record["id"]),
    title: String(record["title"] ?? record["name"]),
    slug: String(record["slug"]),
    ...snippet,
    url: String(record["public_url"] ?? record["url"]),
    image: typeof record["image"] === "string" ? record["image"] : null,
    score,
  };
}

/** A record as a search for its own title may show it, made without the index. */
export function exampleResult(
  type: SearchResult["type"],
  record: Readonly<Record<string, unknown>>,
): SearchResult {
  const terms = readTerms(String(record["title"] ?? record["name"]));
  const excerpt = String(record["excerpt"] ?? record["description"] ?? "");
  return resultOf(type, record, makeSnippet(excerpt, excerpt, terms), 1);
}

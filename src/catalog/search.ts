/** Text → records, best first. Input is only ever words in quotes, never the index's own query language. */
import type { SearchResult } from "../contract/records.ts";
import type { Catalog } from "./catalog.ts";
import { wordsOf } from "./documents.ts";
import type { Resource, ResourceName } from "./resources.ts";

/** What /search finds, in the order that breaks ties; the contract's word for each kind. */
const KINDS: readonly { type: SearchResult["type"]; resource: ResourceName }[] = [
  { type: "product", resource: "product" },
  { type: "category", resource: "category" },
  { type: "blog", resource: "post" },
];

interface Hit {
  readonly resource: ResourceName;
  readonly record: number;
  readonly rank: number;
  readonly excerpt: string;
  readonly text: string;
}

const MATCH = `
SELECT resource, record, document.excerpt, document.text, bm25(document_text, 10.0, 4.0, 1.0) AS rank
FROM document_text JOIN document ON document.id = document_text.rowid
WHERE document_text MATCH ? AND resource IN (SELECT value FROM json_each(?))
ORDER BY rank, CASE resource WHEN 'product' THEN 1 WHEN 'category' THEN 2 ELSE 3 END, record DESC`;

function findHits(catalog: Catalog, words: readonly string[], resources: readonly ResourceName[]): Hit[] {
  if (words.length === 0) return [];
  const match = words.map((word, at) => (at === words.length - 1 ? `"${word}" *` : `"${word}"`)).join(" ");
  return catalog.db.prepare<[string, string], Hit>(MATCH).all(match, JSON.stringify(resources));
}

/** Rows of a list that have all words of a text, best first. */
export function searchRows(catalog: Catalog, resource: Resource, text: string): Uint32Array {
  const table = catalog.table(resource.name);
  const hits = findHits(catalog, wordsOf(text), [resource.name]);
  return Uint32Array.from(hits, (hit) => table.rowOf(hit.record));
}

/** One page of /search; `type` narrows it to one kind. */
export function search(
  catalog: Catalog,
  text: string,
  type: string | null,
  page: { number: number; size: number },
): { total: number; results: SearchResult[] } {
  const words = wordsOf(text);
  const kinds = KINDS.filter((kind) => type === null || kind.type === type);
  const hits = findHits(
    catalog,
    words,
    kinds.map((kind) => kind.resource),
  );
  const offset = (page.number - 1) * page.size;
  const best = hits[0]?.rank ?? 0;
  const results = hits.slice(offset, offset + page.size).map((hit) => toResult(catalog, hit, words, best));
  return { total: hits.length, results };
}

function toResult(catalog: Catalog, hit: Hit, words: readonly string[], best: number): SearchResult {
  const row = catalog.table(hit.resource).rowOf(hit.record);
  const record = JSON.parse(catalog.fragments(hit.resource).at(row).toString()) as Record<string, unknown>;
  const kind = KINDS.find((candidate) => candidate.resource === hit.resource);
  const snippet = cutSnippet(hit.excerpt || hit.text, words);
  return {
    type: kind?.type ?? "product",
    id: hit.record,
    title: String(record["title"] ?? record["name"]),
    slug: String(record["slug"]),
    snippet,
    highlight: highlight(snippet, words),
    url: String(record["public_url"] ?? record["url"]),
    image: typeof record["image"] === "string" ? record["image"] : null,
    score: best === 0 ? 0 : Math.round((hit.rank / best) * 10_000) / 10_000,
  };
}

const SNIPPET_LENGTH = 180;

function cutSnippet(text: string, _words: readonly string[]): string {
  const letters = [...text];
  return letters.length <= SNIPPET_LENGTH ? text : `${letters.slice(0, SNIPPET_LENGTH - 1).join("")}…`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
}

/** The snippet as HTML that is safe to insert: escaped, words that begin as a word asked for in `<mark>`. */
function highlight(snippet: string, words: readonly string[]): string {
  return snippet
    .split(/([\p{L}\p{N}\p{M}]+)/u)
    .map((part, at) => {
      const escaped = escapeHtml(part);
      if (at % 2 === 0) return escaped;
      const folded = wordsOf(part).join("");
      return words.some((word) => folded.startsWith(word)) ? `<mark>${escaped}</mark>` : escaped;
    })
    .join("");
}

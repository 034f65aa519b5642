/** Two search engines over the same documents, each with the settings that suit it best. */
import MiniSearch from "minisearch";
import type { SearchTexts } from "../../src/api/record.ts";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { documentOwner, splitWords } from "../../src/search/documents.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import type { Judged } from "./judged.ts";

export interface Engine {
  readonly name: string;
  /** At most ten records, best first. */
  search(judged: Judged): readonly string[];
}

/** A record's texts under its name, `type/slug`. */
export interface NamedDocument extends SearchTexts {
  readonly id: string;
  readonly type: string;
}

const TYPES: Readonly<Record<string, string>> = { post: "blog" };
const LIST_TYPES = { products: ["product"], blog: ["blog"], forum: ["thread"] } as const;
const LIMIT = 10;

function typesOf({ endpoint }: Judged): readonly string[] {
  return endpoint === undefined ? ["product", "category", "blog"] : LIST_TYPES[endpoint];
}

/** All documents of a catalog. Titles are read from the records: the catalog's index only has their words. */
export function readDocuments(catalog: Catalog): NamedDocument[] {
  const rows = catalog.db
    .prepare<[], { id: number; excerpt: string; text: string }>("SELECT id, excerpt, text FROM document")
    .all();
  return rows.map(({ id, excerpt, text }) => {
    const { resource, recordId } = documentOwner(id);
    const row = catalog.table(resource).rowOf(recordId);
    const record = JSON.parse(catalog.fragments(resource).at(row).toString()) as Record<string, unknown>;
    const type = TYPES[resource] ?? resource;
    return {
      id: `${type}/${record["slug"]}`,
      type,
      title: String(record["title"] ?? record["name"]),
      excerpt,
      text,
    };
  });
}

/** Whole answers, as a client gets them: snippets, highlights and JSON are part of the time. */
export function openOurs(catalog: Catalog): Engine {
  catalog.warm();
  const params = { products: "search", blog: "q", forum: "q" } as const;
  return {
    name: "Vitrine",
    search(judged) {
      const { endpoint, query } = judged;
      const path = endpoint === undefined ? "search?q" : `${endpoint}?${params[endpoint]}`;
      const { body } = answerTarget(
        catalog,
        `/api/v1/${path}=${encodeURIComponent(query)}&per_page=${LIMIT}`,
      );
      const { data } = JSON.parse(body.toString()) as { data: { type: string; slug: string }[] };
      const [listed] = typesOf(judged);
      return data.map(({ type, slug }) => `${endpoint === undefined ? type : listed}/${slug}`);
    },
  };
}

/** Words are cut and folded by our own function in all engines: what is compared is finding and ranking them. */
export function openMiniSearch(documents: readonly NamedDocument[], combineWith: "AND" | "OR"): Engine {
  const engine = new MiniSearch<NamedDocument>({
    fields: ["title", "excerpt", "text"],
    storeFields: ["type"],
    tokenize: splitWords,
    processTerm: (word) => word,
    searchOptions: { prefix: true, fuzzy: 0.2, boost: { title: 10, excerpt: 4 }, combineWith },
  });
  engine.addAll(documents);
  return {
    name: `MiniSearch (${combineWith})`,
    search(judged) {
      const types = typesOf(judged);
      const found = engine.search(judged.query, {
        filter: (result) => types.includes(String(result["type"])),
      });
      return found.slice(0, LIMIT).map((result) => String(result.id));
    },
  };
}

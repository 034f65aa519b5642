/** A catalog of a few records, for cases that the demo store lacks. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SearchTexts } from "../../src/api/record.ts";
import { encodeJson } from "../../src/base/json.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { createCatalog } from "../../src/catalog/catalog-file.ts";
import { type ResourceName, resourceNamed } from "../../src/catalog/resources.ts";
import { storedDocument } from "../../src/catalog/row.ts";
import { loadConfig } from "../../src/config/load.ts";
import { answerTarget } from "../../src/serve/answer.ts";

export interface TinyRecord extends Partial<SearchTexts> {
  readonly resource: ResourceName;
  readonly id: number;
}

export interface Tiny {
  readonly catalog: Catalog;
  close(): void;
}

/** Records of one resource must come in order of id. */
export function openTiny(records: readonly TinyRecord[]): Tiny {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-tiny-"));
  const file = join(folder, "catalog.sqlite");
  const writer = createCatalog(file);
  for (const { resource, id, title = "", excerpt = "", text = "" } of records) {
    const slug = `${resource}-${id}`;
    const { columns, detail } = resourceNamed(resource);
    const list = encodeJson({ id, title, slug, url: `https://shop.example/${slug}` });
    writer.put(resource, {
      id,
      cells: Object.entries(columns).map(([column, type]) =>
        type !== "TEXT" ? 0 : column === "slug" ? slug : "",
      ),
      list,
      added: detail ? encodeJson({ about: title }) : null,
      document: storedDocument({ title, excerpt, text }),
    });
  }
  const { config } = loadConfig("vitrine.config.json");
  writer.finish({ config: JSON.stringify(config), store: "{}" }, "2026-06-01T00:00:00+00:00");
  writer.commit();
  const catalog = openCatalog(file);
  return {
    catalog,
    close: () => {
      catalog.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Found {
  readonly status: number;
  readonly total: number;
  readonly results: readonly Readonly<Record<string, string | number>>[];
}

/** Asks an endpoint, for example `ask(catalog, "products", { search: "kit", sort: "price_asc" })`. */
export function ask(catalog: Catalog, endpoint: string, params: Readonly<Record<string, string>>): Found {
  const query = Object.entries(params).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const { status, body } = answerTarget(catalog, `/api/v1/${endpoint}?${query.join("&")}`);
  const answer = JSON.parse(body.toString());
  return { status, total: answer.pagination?.total ?? 0, results: answer.data ?? [] };
}

/** Slugs of the results of /search, best first. */
export function slugsOf(
  catalog: Catalog,
  q: string,
  params: Readonly<Record<string, string>> = {},
): string[] {
  return ask(catalog, "search", { q, ...params }).results.map(({ slug }) => String(slug));
}

/** Stage 2, catalog → snapshot: every answer of the plan, details first, then lists, then what is one file, the status last. */
import { readFileSync } from "node:fs";
import { ASSETS } from "../api/endpoints.ts";
import { widgetCall } from "../api/records/widget.ts";
import { answerQuery, detailBody, pageBody, pageCount, pageOf } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type Body, plainBody } from "../catalog/envelope.ts";
import { resourceNamed } from "../catalog/resources.ts";
import { keyOf, mayHaveFile } from "../key/key.ts";
import type { SnapshotWriter } from "../snapshot/writer.ts";
import { ALIASES, type DetailFamily, type Family, type ListFamily, type SingleFamily } from "./grid.ts";
import { createGrouper, type Group } from "./groups.ts";
import { type Plan, type Reach, reachOf } from "./plan.ts";
import { queryFor } from "./queries.ts";

/** Takes part of the snapshot; told after each family how many files are done. */
export interface RenderPorts {
  readonly writer: SnapshotWriter;
  /** Folder of the widgets' sources. */
  readonly widgets: string;
  readonly progress: (doneFiles: number, family: string) => void;
}

/** Renders all that a plan keeps. */
export function renderPlan(catalog: Catalog, plan: Plan, ports: RenderPorts): void {
  const { writer } = ports;
  const kept = [...reachOf(plan)];
  let done = 0;
  const render = (kinds: readonly Family["kind"][], write: (family: Family, reach: Reach) => void) => {
    for (const [family, reach] of kept) {
      if (!kinds.includes(family.kind)) continue;
      write(family, reach);
      done += reach.files;
      ports.progress(done, family.name);
    }
  };
  render(["detail"], (family, reach) => renderDetails(catalog, family as DetailFamily, reach, writer));
  const groupsOf = createGrouper(catalog);
  render(["list", "productList", "narrowedProductList"], (family, reach) => {
    const list = family as ListFamily;
    for (const group of groupsOf(list)) renderGroup(catalog, list, group, reach, writer);
  });
  for (const key of ASSETS) writer.put(key, widgetBody(catalog, ports.widgets, key));
  render(["single"], (family) => renderSingle(catalog, family as SingleFamily, writer));
}

function renderDetails(
  catalog: Catalog,
  family: DetailFamily,
  { pages }: Reach,
  writer: SnapshotWriter,
): void {
  const { endpoint, resource } = family;
  const alias = pages.link > 0 && family.alias !== null ? ALIASES[family.alias] : undefined;
  for (const { id, slug, json } of catalog.details(resource)) {
    writer.put(keyOf(queryFor(endpoint, { slug })), detailBody(json));
    if (alias !== undefined) writer.link(keyOf(queryFor(endpoint, { [alias]: String(id) })));
  }
}

/** What is asked for where a list of a family is meant. */
export function askedOf(
  { filters, sort, perPage }: ListFamily,
  values: readonly string[],
): Record<string, string> {
  return {
    per_page: String(perPage),
    ...(sort === null ? {} : { sort }),
    ...Object.fromEntries(filters.map((param, at) => [param, values[at] ?? ""])),
  };
}

/** The pages of one list, as far as they reach. */
function renderGroup(
  catalog: Catalog,
  family: ListFamily,
  { values, selection }: Group,
  { pages }: Reach,
  writer: SnapshotWriter,
): void {
  const { endpoint, resource } = family;
  const asked = askedOf(family, values);
  const alias = pages.link > 0 ? aliasValues(catalog, family, asked) : null;
  const { size } = pageOf(queryFor(endpoint, asked));
  const last = Math.min(pages.body, pageCount(endpoint, selection.total, size));
  for (let number = 1; number <= last; number++) {
    const page = String(number);
    const query = queryFor(endpoint, { ...asked, page });
    const key = keyOf(query);
    if (!mayHaveFile(query, key)) continue;
    writer.put(key, pageBody(catalog, resource, query, selection));
    if (alias !== null && number <= pages.link) writer.link(keyOf(queryFor(endpoint, { ...alias, page })));
  }
}

/** The same selection by the product's id, or null where it does not select a product by slug. */
export function aliasValues(
  catalog: Catalog,
  family: ListFamily,
  values: Readonly<Record<string, string>>,
): Record<string, string> | null {
  if (family.alias === null) return null;
  const { [family.alias]: slug, ...rest } = values;
  const id = catalog.idOfSlug(resourceNamed("product"), slug ?? "");
  return id === null ? null : { ...rest, [ALIASES[family.alias] as string]: String(id) };
}

export function renderSingle(catalog: Catalog, family: SingleFamily, writer: SnapshotWriter): void {
  const query = queryFor(family.endpoint, {});
  const body = answerQuery(catalog, query);
  if (body === null) throw new Error(`/${family.endpoint.path} has no answer`);
  writer.put(keyOf(query), body);
}

/** A widget is its source and the call that starts it with this store's base address. */
export function widgetBody(catalog: Catalog, folder: string, key: string): Body {
  const name = key.slice(key.lastIndexOf("/") + 1);
  const source = readFileSync(`${folder}/${name}`, "utf8");
  return plainBody(`${source}${widgetCall(catalog.config.baseUrl)}\n`);
}

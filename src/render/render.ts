/** Stage 2, catalog → snapshot: every answer of the plan, details first, then lists, then what is one file, the status last. */
import { readFileSync } from "node:fs";
import { answerQuery, paginationOf } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type Body, dataBody, listBody, plainBody } from "../catalog/envelope.ts";
import { resourceNamed } from "../catalog/resources.ts";
import { ASSETS, DEFAULT_FAQ_LIMIT } from "../contract/endpoints.ts";
import { keyOf, mayHaveFile } from "../key/key.ts";
import type { SnapshotWriter } from "../snapshot/writer.ts";
import { type DetailFamily, type Family, type ListFamily, type SingleFamily, TWINS } from "./grid.ts";
import { type Group, groupsOf } from "./groups.ts";
import { type Plan, pagesOf } from "./plan.ts";
import { queryFor } from "./queries.ts";

/** Takes part of the snapshot; told after each family how many files are done. */
export interface RenderPorts {
  readonly writer: SnapshotWriter;
  /** Folder of the widgets' sources. */
  readonly widgets: string;
  readonly progress: (doneFiles: number, family: string) => void;
}

/** Renders every kept family of a plan. */
export function renderPlan(catalog: Catalog, plan: Plan, ports: RenderPorts): void {
  const kept = plan.families.filter((planned) => planned.kept);
  let done = 0;
  const render = (kind: Family["kind"], write: (family: Family) => void) => {
    for (const { family, files } of kept) {
      if (family.kind !== kind) continue;
      write(family);
      done += files;
      ports.progress(done, family.name);
    }
  };
  render("detail", (family) => renderDetails(catalog, family as DetailFamily, ports.writer));
  render("list", (family) => renderLists(catalog, family as ListFamily, ports.writer));
  for (const key of ASSETS) ports.writer.put(key, widgetBody(catalog, ports.widgets, key));
  render("single", (family) => renderSingle(catalog, family as SingleFamily, ports.writer));
}

function renderDetails(catalog: Catalog, family: DetailFamily, writer: SnapshotWriter): void {
  for (const { id, slug, json } of catalog.details(family.resource)) {
    writer.put(keyOf(queryFor(family.endpoint, { slug })), dataBody(json));
    if (family.twin !== null) writer.link(keyOf(queryFor(family.endpoint, { [family.twin]: String(id) })));
  }
}

function renderLists(catalog: Catalog, family: ListFamily, writer: SnapshotWriter): void {
  for (const group of groupsOf(catalog, family)) renderGroup(catalog, family, group, writer);
}

function renderGroup(catalog: Catalog, family: ListFamily, group: Group, writer: SnapshotWriter): void {
  const { endpoint, perPage, resource } = family;
  const pool = catalog.fragments(resource.name);
  const values: Record<string, string> = { per_page: String(perPage) };
  if (family.sort !== null) values["sort"] = family.sort;
  family.filters.forEach((param, at) => {
    values[param] = group.values[at] ?? "";
  });
  const twin = twinValues(catalog, family, values);
  const pages = endpoint.paginated ? pagesOf(group, perPage) : 1;
  for (let number = 1; number <= pages; number++) {
    const offset = (number - 1) * perPage;
    const query = queryFor(endpoint, { ...values, page: String(number) });
    const key = keyOf(query);
    if (!mayHaveFile(query, key)) continue;
    const body = endpoint.paginated
      ? listBody(
          pool,
          group.rows.subarray(offset, offset + perPage),
          paginationOf(group.rows.length, { number, size: perPage }),
        )
      : listBody(pool, group.rows.subarray(0, DEFAULT_FAQ_LIMIT), null);
    writer.put(key, body);
    if (twin !== null) writer.link(keyOf(queryFor(endpoint, { ...twin, page: String(number) })));
  }
}

/** The same selection by the product's id, or null where it does not select a product by slug. */
function twinValues(
  catalog: Catalog,
  family: ListFamily,
  values: Readonly<Record<string, string>>,
): Record<string, string> | null {
  const param = family.filters.find((name) => TWINS[name] !== undefined);
  if (param === undefined) return null;
  const { [param]: slug, ...rest } = values;
  const id = catalog.idOfSlug(resourceNamed("product"), slug ?? "");
  return id === null ? null : { ...rest, [TWINS[param] as string]: String(id) };
}

function renderSingle(catalog: Catalog, family: SingleFamily, writer: SnapshotWriter): void {
  const query = queryFor(family.endpoint, {});
  const body = answerQuery(catalog, query);
  if (body === null) throw new Error(`/${family.endpoint.path} has no answer`);
  writer.put(keyOf(query), body);
}

/** A widget is its source and the call that starts it with this store's base address. */
function widgetBody(catalog: Catalog, folder: string, key: string): Body {
  const name = key.slice(key.lastIndexOf("/") + 1);
  const source = readFileSync(`${folder}/${name}`, "utf8");
  return plainBody(`${source}vitrineReviews(${JSON.stringify(catalog.config.baseUrl)});\n`);
}

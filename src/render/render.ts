/** Stage 2, catalog → snapshot: every answer of the plan, details first, then lists, then what is one file, the status last. */
import { readFileSync } from "node:fs";
import { ASSETS } from "../api/endpoints.ts";
import { widgetCall } from "../api/records/widget.ts";
import { itemAt } from "../base/item-at.ts";
import { answerQuery, detailBody, pageBody, pageCount, pageOf } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type Allocate, type Body, plainBody, reusedMemory } from "../catalog/envelope.ts";
import { resourceNamed } from "../catalog/resources.ts";
import { isByPath } from "../hosts/hosts.ts";
import { keyOf, mayHaveFile } from "../key/key.ts";
import type { SitePages } from "../pages/pages.ts";
import type { SnapshotWriter } from "../snapshot/staging.ts";
import { fitWriter } from "./fit-writer.ts";
import { ALIASES, type DetailFamily, type Family, type ListFamily, type SingleFamily } from "./grid.ts";
import { createGrouper, type Group, type Part, rangeOf } from "./groups.ts";
import { type Plan, type Reach, reachOf } from "./plan.ts";
import { queryFor } from "./queries.ts";

/**
 * Families that are rendered after each other, or an equal part of one. Data: it goes from thread to thread. The
 * order of tasks is the order in which files are put in place, wherever they are made.
 */
export interface RenderTask extends Part {
  /** Places among the families that the plan keeps. */
  readonly families: readonly number[];
  /** For people: what is being made. */
  readonly name: string;
  /** Files that it makes, about. */
  readonly files: number;
}

/** So many files are worth a message to another thread. */
const TASK_FILES = 2000;

/** A family that a plan keeps, by its place among these. */
interface KeptFamily {
  readonly family: Family;
  readonly place: number;
  readonly files: number;
}

/** The details and the lists of a plan, in tasks. */
export function tasksOf(plan: Plan): RenderTask[] {
  const kept = [...reachOf(plan)].map(([family, { files }], place) => ({ family, files, place }));
  const details = kept.filter(({ family }) => family.kind === "detail");
  const lists = kept.filter(({ family }) => "filters" in family);
  // Lists with the same filters follow each other: a thread keeps what splits their rows from one to the next.
  const byFilters: Record<string, KeptFamily[]> = {};
  for (const each of lists) {
    const { family } = each;
    const name = "filters" in family ? `${family.resource.name} ${family.filters.join()}` : "";
    byFilters[name] = [...(byFilters[name] ?? []), each];
  }
  return [...details.map((each) => [each]), ...Object.values(byFilters)].flatMap(tasksOfAlike);
}

/** Tasks of about as many files each: parts of a large family, or small ones together. */
function tasksOfAlike(families: readonly KeptFamily[]): RenderTask[] {
  const tasks: RenderTask[] = [];
  let together: KeptFamily[] = [];
  let files = 0;
  for (const each of families) {
    if (files + each.files > TASK_FILES && together.length > 0) {
      tasks.push(...inParts(together, files));
      together = [];
      files = 0;
    }
    together.push(each);
    files += each.files;
  }
  return [...tasks, ...inParts(together, files)];
}

function inParts(families: readonly KeptFamily[], files: number): RenderTask[] {
  const isOneList = families.some(({ family }) => "filters" in family && family.filters.length === 0);
  const parts = isOneList ? 1 : Math.max(1, Math.ceil(files / TASK_FILES));
  const task = { families: families.map(({ place }) => place), name: families[0]?.family.name ?? "" };
  return Array.from({ length: parts }, (_, part) => ({ ...task, part, parts, files: files / parts }));
}

/** Makes what a task asks for. */
export function createRenderer(
  catalog: Catalog,
  plan: Plan,
): (task: RenderTask, writer: SnapshotWriter) => void {
  const kept = [...reachOf(plan)];
  const groupsOf = createGrouper(catalog);
  const allocate = reusedMemory();
  return (task, all) => {
    const target = { writer: fitWriter(all, catalog.config), allocate };
    for (const place of task.families) {
      const [family, reach] = itemAt(kept, place);
      if (family.kind === "detail") renderDetails(catalog, family, task, reach, target);
      else if (family.kind !== "single")
        for (const group of groupsOf(family, task)) renderGroup(catalog, family, group, reach, target);
    }
  };
}

/** What of a snapshot is no answer, and where it comes from. */
export interface Assets {
  /** Folder of the widgets' sources. */
  readonly widgets: string;
  readonly pages: SitePages;
}

/** Takes part of the snapshot; told after each task. */
export interface RenderPorts extends Assets {
  readonly writer: SnapshotWriter;
  readonly tell: (task: RenderTask) => void;
}

/** Renders all that a plan keeps, here. */
export function renderPlan(catalog: Catalog, plan: Plan, { writer, tell, ...assets }: RenderPorts): void {
  const render = createRenderer(catalog, plan);
  for (const task of tasksOf(plan)) {
    render(task, writer);
    tell(task);
  }
  renderSingles(catalog, plan, assets, writer);
}

/** Makes what is one file: after all that it speaks of. */
export function renderSingles(
  catalog: Catalog,
  plan: Plan,
  { widgets, pages }: Assets,
  all: SnapshotWriter,
): void {
  const writer = fitWriter(all, catalog.config);
  for (const key of ASSETS) writer.put(key, widgetBody(catalog, widgets, key));
  pages.putAll(writer);
  for (const family of reachOf(plan).keys())
    if (family.kind === "single") renderSingle(catalog, family, writer);
}

/** Who takes answers, each before the next is made, and the memory for them. */
interface Target {
  readonly writer: SnapshotWriter;
  readonly allocate: Allocate;
}

function renderDetails(
  catalog: Catalog,
  { endpoint, resource, alias: by }: DetailFamily,
  part: Part,
  { pages }: Reach,
  { writer, allocate }: Target,
): void {
  const alias = pages.link > 0 && by !== null ? ALIASES[by] : undefined;
  const { ids } = catalog.rowLists(resource.name);
  const [from, to] = rangeOf(part, ids.length);
  if (from === to) return;
  for (const { id, slug, json } of catalog.details(resource, itemAt(ids, from), itemAt(ids, to - 1))) {
    writer.put(keyOf(queryFor(endpoint, { slug })), detailBody(json, allocate));
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
  { writer, allocate }: Target,
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
    writer.put(key, pageBody(catalog, resource, query, selection, allocate));
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
  const { baseUrl, for: host } = catalog.config;
  return plainBody(`${source}${widgetCall(baseUrl, isByPath(host))}\n`);
}

/**
 * Stage 2, catalog → snapshot: every answer of the plan, or those that change with some rows. Details first, then lists, then
 * what is one file, the status last.
 */
import { readFileSync } from "node:fs";
import { ASSETS } from "../api/endpoints.ts";
import { widgetCall } from "../api/records/widget.ts";
import { itemAt } from "../base/arrays.ts";
import { answerQuery } from "../catalog/answer.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { type Body, plainBody } from "../catalog/envelope.ts";
import { keyOf } from "../key/key.ts";
import type { SnapshotWriter } from "../snapshot/staging.ts";
import { bandId, planBands } from "./bands.ts";
import {
  allPages,
  type ChangedCatalog,
  createFinder,
  type DirtyList,
  dirtyDetails,
  dirtyPages,
  NO_REACH,
  type Reaches,
  writeFiles,
} from "./dirty-pages.ts";
import { type Family, type ListFamily, queryFor, type SingleFamily } from "./grid.ts";
import { createGrouper, rangeOf, type Share } from "./groups.ts";
import {
  type BandWeights,
  filesOfList,
  type Plan,
  planFromBands,
  type Reach,
  reachOf,
  type SitePages,
  type SitePart,
  type Work,
  withinFileLimit,
  withPages,
} from "./plan.ts";

/**
 * Families that are rendered after each other, or an equal part of one. Data: it goes from thread to thread. The
 * order of tasks is the order in which files are put in place, wherever they are made.
 */
export interface RenderTask extends Share, Work {
  /** Places among the families that the plan keeps. */
  readonly families: readonly number[];
}

/** So many files are worth a message to another thread. */
const TASK_FILES = 2000;

/** A family that a plan keeps, by its place among these. */
interface KeptFamily {
  readonly family: Family;
  readonly place: number;
  readonly files: number;
  readonly work: number;
}

/** The details and the lists of a plan, in tasks. */
export function tasksOf(plan: Plan): RenderTask[] {
  const works = worksOf(plan);
  const kept = [...reachOf(plan)].map(([family, { files }], place) => ({
    family,
    files,
    place,
    work: works.get(family) ?? 0,
  }));
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

/** So many bytes cost as much as a file does beside its bytes; a link costs half of that. Measured at 20,000 and 100,000 products. */
const FILE_BYTES = 12_000;

function worksOf(plan: Plan): Map<Family, number> {
  const works = new Map<Family, number>();
  for (const { band, files, sizeBytes, kept } of plan.bands) {
    const work = band.form === "link" ? files / 2 : files + sizeBytes / FILE_BYTES;
    if (kept) works.set(band.family, (works.get(band.family) ?? 0) + work);
  }
  return works;
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
  const count = isOneList ? 1 : Math.max(1, Math.ceil(files / TASK_FILES));
  const places = families.map(({ place }) => place);
  const work = families.reduce((sum, each) => sum + each.work, 0);
  return Array.from({ length: count }, (_, index) => ({
    families: places,
    index,
    count,
    files: files / count,
    work: work / count,
  }));
}

/** Makes what a task asks for. */
export function createRenderer(
  catalog: Catalog,
  plan: Plan,
): (task: RenderTask, writer: SnapshotWriter) => void {
  const kept = [...reachOf(plan)];
  const groupsOf = createGrouper(catalog);
  return (task, all) => {
    const writer = withinFileLimit(all, catalog.config);
    for (const place of task.families) {
      const [family, after] = itemAt(kept, place);
      if (family.kind === "detail") {
        const { ids } = catalog.table(family.resource.name);
        const own = ids.subarray(...rangeOf(task, ids.length));
        const catalogs = { before: null, after: catalog };
        writeFiles(dirtyDetails(catalogs, family, { before: NO_REACH, after }, own), writer);
      } else if (family.kind !== "single")
        writeFiles(allPages(catalog, family, after, groupsOf(family, task)), writer);
    }
  };
}

/** What of a snapshot is no answer, and where it comes from. */
export interface Assets {
  /** Folder of the widgets' sources. */
  readonly widgets: string;
  readonly pages: SitePages;
}

/** Takes part of the snapshot; `onDone` is called after each part of the work. */
export interface RenderPorts extends Assets {
  readonly writer: SnapshotWriter;
  /** Of the pages. */
  readonly parts: readonly SitePart[];
  readonly onDone: (work: Work) => void;
}

/** Renders all that a plan keeps, here. */
export function renderPlan(
  catalog: Catalog,
  plan: Plan,
  { writer, parts, onDone, ...assets }: RenderPorts,
): void {
  const render = createRenderer(catalog, plan);
  for (const task of tasksOf(plan)) {
    render(task, writer);
    onDone(task);
  }
  const limited = withinFileLimit(writer, catalog.config);
  for (const part of parts) {
    part.put(limited, catalog);
    onDone(part);
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
  const writer = withinFileLimit(all, catalog.config);
  for (const key of ASSETS) writer.put(key, widgetBody(catalog, widgets, key));
  pages.putOthers(writer);
  for (const family of reachOf(plan).keys())
    if (family.kind === "single") renderSingle(catalog, family, writer);
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
  return plainBody(`${source}${widgetCall(catalog.config.baseUrl)}\n`);
}

/** How many files each band is after a change, of how many it was before. */
function countFiles(
  change: ChangedCatalog,
  before: BandWeights,
  find: (family: ListFamily) => readonly DirtyList[],
): BandWeights {
  const bands: Record<string, number> = { ...before };
  for (const band of planBands(change.after.config)) {
    const { family } = band;
    const id = bandId(band);
    let more = 0;
    if (family.kind === "detail") {
      const { put = [], deleted = [] } = change.rows.get(family.resource.name) ?? {};
      const old = change.before.table(family.resource.name);
      if (put.length > 0) more = put.filter(({ id }) => old.rowOf(id) < 0).length;
      more -= deleted.length;
    } else if (family.kind !== "single") {
      for (const { before: was, after: is } of find(family)) {
        if (is !== null) more += filesOfList(family, band, is);
        if (was !== null) more -= filesOfList(family, band, was);
      }
    }
    if (more !== 0) bands[id] = (bands[id] ?? 0) + more;
  }
  return bands;
}

/** Families by what they are: those of two plans are not the same objects. */
function pairReaches(
  before: ReadonlyMap<Family, Reach>,
  after: ReadonlyMap<Family, Reach>,
): (Reaches & { readonly family: Family })[] {
  const named = (map: ReadonlyMap<Family, Reach>) =>
    new Map([...map].map(([family, reach]) => [`${family.kind} ${family.name}`, { family, reach }]));
  const [old, next] = [named(before), named(after)];
  return [...new Map([...old, ...next])].map(([name, { family }]) => ({
    family,
    before: old.get(name)?.reach ?? NO_REACH,
    after: next.get(name)?.reach ?? NO_REACH,
  }));
}

/** Renders what a change changes, and nothing else is looked at; `bandsBefore`: what each band was before it. */
export function renderChange(
  change: ChangedCatalog,
  bandsBefore: BandWeights,
  { writer: all, widgets, pages }: Assets & { readonly writer: SnapshotWriter },
): { readonly plan: Plan; readonly bands: BandWeights } {
  const { before, after, rows } = change;
  const { config } = after;
  const writer = withinFileLimit(all, config);
  const find = createFinder(change);
  const bands = withPages(countFiles(change, bandsBefore, find), pages.countFiles(after));
  const plan = planFromBands(config, bands);
  const reaches = pairReaches(reachOf(planFromBands(before.config, bandsBefore)), reachOf(plan));
  for (const { family, ...both } of reaches) {
    if (family.kind !== "detail") continue;
    const { put = [], deleted = [] } = rows.get(family.resource.name) ?? {};
    const ids = [...put.map(({ id }) => id), ...deleted];
    writeFiles(dirtyDetails(change, family, both, ids), writer);
  }
  const groupsOf = createGrouper(after);
  for (const { family, ...both } of reaches)
    if (family.kind !== "single" && family.kind !== "detail")
      writeFiles(
        dirtyPages(change, family, both, find(family), () => groupsOf(family)),
        writer,
      );
  for (const key of ASSETS) writer.put(key, widgetBody(after, widgets, key));
  pages.putFilled(writer);
  for (const { family } of reaches) if (family.kind === "single") renderSingle(after, family, writer);
  return { plan, bands };
}

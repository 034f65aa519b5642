/** A whole catalog → all files of its snapshot: here, or in threads where they are many. */
import type { PublicConfig } from "../api/config.ts";
import { itemAt } from "../base/arrays.ts";
import type { Threads } from "../base/thread-pool.ts";
import { type Catalog, type CatalogOptions, openCatalog } from "../catalog/catalog.ts";
import { copyFragments, type FragmentCopies } from "../catalog/fragments.ts";
import { type Piece, READ_LIST } from "../catalog/lists.ts";
import { RESOURCES } from "../catalog/resources.ts";
import type { OutLayout } from "../snapshot/layout.ts";
import { type Manifest, openManifest } from "../snapshot/manifest.ts";
import { SnapshotPart, type StagedPart, type StagedSnapshot } from "../snapshot/staging.ts";
import type { NextSnapshot } from "../snapshot/writer.ts";
import { type WorkerJob, WorkerPool } from "../workers.ts";
import { countGroups, type ListCount } from "./groups.ts";
import {
  type BandWeights,
  bandWeights,
  countedFamilies,
  type ListCounts,
  listsOf,
  type Plan,
  planCatalog,
  planFromBands,
  type SitePages,
  type SitePart,
  type Work,
} from "./plan.ts";
import { createRenderer, type RenderTask, renderPlan, renderSingles, tasksOf } from "./render.ts";

/** What is rendered, and who takes it. */
export interface WholeRendering<Files extends SitePages> extends StagedSnapshot {
  readonly writer: NextSnapshot;
  /** Folder of the widgets' sources. */
  readonly widgets: string;
  /** What of a catalog's snapshot is no answer. */
  readonly pagesOf: (catalog: Catalog) => Files;
  readonly threads: Threads;
  /** `share`: of the work, from 0 to 1. */
  readonly progress: (doneFiles: number, share: number, plan: Plan) => void;
}

export interface WholeResult<Files extends SitePages> {
  readonly plan: Plan;
  readonly pages: Files;
}

/** The next catalog, opened for each step: what one holds of it is let go before the next. */
type WithCatalog = <Result>(work: (catalog: Catalog) => Result) => Result;

/** Plans the next catalog and renders all that the plan keeps. */
export async function renderWhole<Files extends SitePages>(
  rendering: WholeRendering<Files>,
): Promise<WholeResult<Files>> {
  const { layout, threads, writer, widgets } = rendering;
  const rows = catalogOpener(layout, { fragments: "file" })(countRows);
  if (threads.count > 0 && rows >= threads.fromRows) return renderInThreads(rendering);
  const fragments = copyFragments(layout.nextCatalog, layout.nextFragments);
  return catalogOpener(layout, { fragments })((catalog) => {
    const pages = rendering.pagesOf(catalog);
    const plan = planCatalog(catalog, pages.countFiles(catalog));
    const parts = pages.parts(catalog);
    const onDone = progressReporter(rendering, plan, parts);
    renderPlan(catalog, plan, { writer, widgets, pages, parts, onDone });
    return { plan, pages };
  });
}

function countRows({ db }: Catalog): number {
  const count = (name: string) => db.prepare<[], number>(`SELECT COUNT(*) FROM ${name}`).pluck().get() ?? 0;
  return RESOURCES.reduce((sum, { name }) => sum + count(name), 0);
}

function catalogOpener({ nextCatalog }: OutLayout, options: CatalogOptions): WithCatalog {
  return (work) => {
    const catalog = openCatalog(nextCatalog, options);
    try {
      return work(catalog);
    } finally {
      catalog.close();
    }
  };
}

function progressReporter(
  { progress }: Pick<WholeRendering<SitePages>, "progress">,
  plan: Plan,
  parts: readonly SitePart[],
): (work: Work) => void {
  const whole = [...parts, ...tasksOf(plan)].reduce((sum, { work }) => sum + work, 0);
  let [done, worked] = [0, 0];
  const report = () => progress(Math.round(done), whole === 0 ? 1 : worked / whole, plan);
  report();
  return ({ files, work }) => {
    done += files;
    worked += work;
    report();
  };
}

/** What workers are sent first. */
interface RenderData extends StagedSnapshot {
  readonly fragments: FragmentCopies;
  readonly pieces: readonly Piece[];
}

/**
 * First the data, then what is to be counted, by its place among {@link countedFamilies}, then the plan by its bands, then
 * tasks, each with its place from 0.
 */
type RenderOrder =
  | { readonly data: RenderData }
  | { readonly count: number }
  | { readonly bands: BandWeights }
  | { readonly task: RenderTask; readonly place: number };

interface RenderAnswer {
  readonly counts?: ReadonlyMap<number, ListCount>;
  readonly staged?: StagedPart;
}

const RENDER: WorkerJob<RenderOrder, RenderAnswer> = { name: "render" };

/** Tasks that a thread may have at once. They are taken in their order: one that takes long holds up no other thread's next. */
const TASKS_UNDER_WAY = 8;

async function renderInThreads<Files extends SitePages>(
  rendering: WholeRendering<Files>,
): Promise<WholeResult<Files>> {
  const { layout, now, hasPrevious, threads, writer, widgets } = rendering;
  const workers = new WorkerPool(threads.count);
  try {
    const reading = RESOURCES.map(({ name }) => workers.run(READ_LIST, { file: layout.nextCatalog, name }));
    const fragments = copyFragments(layout.nextCatalog, layout.nextFragments);
    const { pages, parts } = catalogOpener(layout, { fragments: "file" })((catalog) => {
      const pages = rendering.pagesOf(catalog);
      return { pages, parts: pages.parts(catalog) };
    });
    const pieces = await Promise.all(reading);
    await workers.broadcast(RENDER, { data: { layout, fragments, pieces, hasPrevious, now } });
    const withCatalog = catalogOpener(layout, { fragments, pieces });
    const config = withCatalog((catalog) => catalog.config);
    const counts = await countLists(workers, config);
    const plan = withCatalog((catalog) => planCatalog(catalog, pages.countFiles(catalog), counts));
    await workers.broadcast(RENDER, { bands: bandWeights(plan) });
    await renderTasks(workers, rendering, plan, parts);
    withCatalog((catalog) => renderSingles(catalog, plan, { widgets, pages }, writer));
    return { plan, pages };
  } finally {
    await workers.close();
  }
}

async function countLists(workers: WorkerPool, config: PublicConfig): Promise<ListCounts> {
  const families = countedFamilies(config);
  const counted = families.map(async (family, count) => {
    const { counts } = await workers.run(RENDER, { count });
    return [listsOf(family), counts ?? new Map()] as const;
  });
  return new Map(await Promise.all(counted));
}

async function renderTasks(
  workers: WorkerPool,
  rendering: WholeRendering<SitePages>,
  plan: Plan,
  parts: readonly SitePart[],
): Promise<void> {
  const { threads, writer, layout, hasPrevious, now } = rendering;
  const report = progressReporter(rendering, plan, parts);
  const underWay: (() => Promise<void>)[] = [];
  const take = async (work: Work, answer: Promise<StagedPart | undefined>) => {
    const done = answer.then((staged) => {
      report(work);
      return staged;
    });
    // It is waited for in its turn; until then nobody may take its failure for forgotten.
    done.catch(() => undefined);
    underWay.push(async () => {
      const staged = await done;
      if (staged !== undefined) writer.take(staged);
    });
    while (underWay.length >= threads.count * TASKS_UNDER_WAY) await underWay.shift()?.();
  };
  const stage = async (order: RenderOrder) => (await workers.run(RENDER, order)).staged;
  const tasks = tasksOf(plan);
  for (const [place, task] of tasks.entries()) await take(task, stage({ task, place }));
  // The dearest first: at the end all threads have something to do.
  const byWork = [...parts.entries()].sort(([, a], [, b]) => b.work - a.work);
  for (const [at, part] of byWork)
    await take(part, part.stage(workers, { layout, hasPrevious, now, place: tasks.length + at }));
  for (const each of underWay) await each();
}

/** A worker that renders: it opens the catalog for itself, counts lists for the plan, and stages the files of each task. */
class RenderWorker {
  readonly #data: RenderData;
  readonly #catalog: Catalog;
  readonly #previous: Manifest | null;
  #render: ReturnType<typeof createRenderer> | undefined;

  constructor(data: RenderData) {
    const { layout, fragments, pieces, hasPrevious } = data;
    this.#data = data;
    this.#catalog = openCatalog(layout.nextCatalog, { fragments, pieces });
    this.#previous = hasPrevious ? openManifest(layout.manifest) : null;
  }

  answer(order: Exclude<RenderOrder, { data: RenderData }>): RenderAnswer {
    const { config } = this.#catalog;
    if ("count" in order)
      return { counts: countGroups(this.#catalog, itemAt(countedFamilies(config), order.count)) };
    if ("bands" in order) {
      this.#render = createRenderer(this.#catalog, planFromBands(config, order.bands));
      return {};
    }
    const part = new SnapshotPart({ ...this.#data, place: order.place }, this.#previous);
    this.#render?.(order.task, part);
    return { staged: part.staged };
  }
}

let worker: RenderWorker | undefined;

/** In a worker. */
export function renderInWorker(order: RenderOrder): RenderAnswer {
  if (!("data" in order)) return worker?.answer(order) ?? {};
  worker = new RenderWorker(order.data);
  return {};
}

/** A whole catalog → all files of its snapshot: here, or in threads where they are many. */
import type { PublicConfig } from "../api/config.ts";
import { ThreadPool, type Threads } from "../base/thread-pool.ts";
import type { MetaTime } from "../base/time.ts";
import { type Catalog, type CatalogOptions, openCatalog } from "../catalog/catalog.ts";
import { copyFragments } from "../catalog/fragment-copy.ts";
import { makeRowLists } from "../catalog/lists.ts";
import { RESOURCES } from "../catalog/resources.ts";
import { startedModule } from "../package.ts";
import type { SitePages } from "../pages/pages.ts";
import type { OutLayout } from "../snapshot/layout.ts";
import type { NextSnapshot } from "../snapshot/writer.ts";
import { bandWeights, countedFamilies, listsOf, type Plan, planCatalog, type Tallies } from "./plan.ts";
import { type RenderTask, renderPlan, renderSingles, tasksOf } from "./render.ts";
import type { RenderAnswer, RenderData, RenderOrder } from "./render-thread.ts";

/** What is rendered, and who takes it. */
export interface WholeRendering<Files extends SitePages> {
  readonly layout: OutLayout;
  readonly now: MetaTime;
  readonly hasPrevious: boolean;
  readonly writer: NextSnapshot;
  /** Folder of the widgets' sources. */
  readonly widgets: string;
  /** What of a catalog's snapshot is no answer. */
  readonly pagesOf: (catalog: Catalog) => Files;
  readonly threads: Threads;
  readonly progress: (doneFiles: number, plan: Plan, family: string) => void;
}

export interface WholeResult<Files extends SitePages> {
  readonly plan: Plan;
  readonly pages: Files;
}

/** The next catalog, opened for each step: what one holds of it is let go before the next. */
type Within = <Result>(work: (catalog: Catalog) => Result) => Result;

/** Plans the next catalog and renders all that the plan keeps. */
export async function renderWhole<Files extends SitePages>(
  rendering: WholeRendering<Files>,
): Promise<WholeResult<Files>> {
  const { layout, threads, writer, widgets } = rendering;
  const rows = createWithin(layout, { fragments: "file" })(countRows);
  if (threads.count > 0 && rows >= threads.fromRows) return renderInThreads(rendering);
  const fragments = copyFragments(layout.nextCatalog, layout.nextFragments);
  return createWithin(layout, { fragments })((catalog) => {
    const pages = rendering.pagesOf(catalog);
    const plan = planCatalog(catalog, pages.weight);
    renderPlan(catalog, plan, { writer, widgets, pages, tell: createTeller(rendering, plan) });
    return { plan, pages };
  });
}

function countRows({ db }: Catalog): number {
  const count = (name: string) => db.prepare<[], number>(`SELECT COUNT(*) FROM ${name}`).pluck().get() ?? 0;
  return RESOURCES.reduce((sum, { name }) => sum + count(name), 0);
}

function createWithin({ nextCatalog }: OutLayout, options: CatalogOptions): Within {
  return (work) => {
    const catalog = openCatalog(nextCatalog, options);
    try {
      return work(catalog);
    } finally {
      catalog.close();
    }
  };
}

function createTeller(
  { progress }: Pick<WholeRendering<SitePages>, "progress">,
  plan: Plan,
): (task: RenderTask) => void {
  let done = 0;
  return ({ files, name }) => {
    done += files;
    progress(Math.round(done), plan, name);
  };
}

type Pool = ThreadPool<RenderOrder, RenderAnswer>;

/** Tasks that a thread may have at once. They are taken in their order: one that takes long holds up no other thread's next. */
const TASKS_UNDER_WAY = 4;

async function renderInThreads<Files extends SitePages>(
  rendering: WholeRendering<Files>,
): Promise<WholeResult<Files>> {
  const { layout, now, hasPrevious, threads, writer, widgets } = rendering;
  const making = makeRowLists(layout.nextCatalog);
  // It is waited for below; until then nobody may take its failure for forgotten.
  making.catch(() => undefined);
  const fragments = copyFragments(layout.nextCatalog, layout.nextFragments);
  const pages = createWithin(layout, { fragments: "file" })(rendering.pagesOf);
  const rowLists = await making;
  const within = createWithin(layout, { fragments, rowLists });
  const data: RenderData = { layout, fragments, rowLists, hasPrevious, now };
  const pool: Pool = new ThreadPool(startedModule("render/render-thread"), threads.count, data);
  try {
    const config = within((catalog) => catalog.config);
    const tallies = await countLists(pool, config);
    const plan = within((catalog) => planCatalog(catalog, pages.weight, tallies));
    await pool.tell({ bands: bandWeights(plan, config) });
    await renderTasks(pool, rendering, plan);
    within((catalog) => renderSingles(catalog, plan, { widgets, pages }, writer));
    return { plan, pages };
  } finally {
    await pool.close();
  }
}

async function countLists(pool: Pool, config: PublicConfig): Promise<Tallies> {
  const families = countedFamilies(config);
  const counted = families.map(async (family, count) => {
    const { tallies } = await pool.run({ count });
    return [listsOf(family), tallies ?? new Map()] as const;
  });
  return new Map(await Promise.all(counted));
}

async function renderTasks(pool: Pool, rendering: WholeRendering<SitePages>, plan: Plan): Promise<void> {
  const { threads, writer } = rendering;
  const tell = createTeller(rendering, plan);
  const underWay: (() => Promise<void>)[] = [];
  for (const [place, task] of tasksOf(plan).entries()) {
    const answer = pool.run({ task, place });
    // It is waited for in its turn; until then nobody may take its failure for forgotten.
    answer.catch(() => undefined);
    underWay.push(async () => {
      const { staged } = await answer;
      if (staged !== undefined) writer.take(staged);
      tell(task);
    });
    while (underWay.length >= threads.count * TASKS_UNDER_WAY) await underWay.shift()?.();
  }
  for (const take of underWay) await take();
}

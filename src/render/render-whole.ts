/** A whole catalog → all files of its snapshot: here, or in threads where they are many. */
import { extname } from "node:path";
import { ThreadPool, type Threads, UNDER_WAY } from "../base/thread-pool.ts";
import type { MetaTime } from "../base/time.ts";
import { type Catalog, openCatalog } from "../catalog/catalog.ts";
import { copyFragments, type FragmentCopies } from "../catalog/fragment-copy.ts";
import type { Pages } from "../pages/pages.ts";
import type { OutLayout } from "../snapshot/layout.ts";
import type { StagedPart } from "../snapshot/staging.ts";
import type { NextSnapshot } from "../snapshot/writer.ts";
import { bandFiles, type Plan, planCatalog } from "./plan.ts";
import { type RenderTask, renderPlan, renderSingles, tasksOf } from "./render.ts";
import type { RenderData, RenderOrder } from "./render-thread.ts";

/** What is rendered, and who takes it. */
export interface WholeRendering {
  readonly layout: OutLayout;
  readonly now: MetaTime;
  readonly hasPrevious: boolean;
  readonly writer: NextSnapshot;
  /** Folder of the widgets' sources. */
  readonly widgets: string;
  /** The pages of a catalog; null where it has none. */
  readonly pagesOf: (catalog: Catalog) => Pages | null;
  readonly threads: Threads;
  readonly progress: (doneFiles: number, plan: Plan, family: string) => void;
}

export interface WholeResult {
  readonly plan: Plan;
  readonly pages: Pages | null;
}

/** Plans the next catalog and renders all that the plan keeps. */
export async function renderWhole(rendering: WholeRendering): Promise<WholeResult> {
  const { layout, threads, writer, widgets } = rendering;
  const fragments = copyFragments(layout.nextCatalog, layout.nextFragments);
  // Opened for each step: threads open it for themselves, and what planning holds of it is let go by then.
  const within = <Result>(work: (catalog: Catalog) => Result): Result => {
    const catalog = openCatalog(layout.nextCatalog, { fragments });
    try {
      return work(catalog);
    } finally {
      catalog.close();
    }
  };
  const pages = within(rendering.pagesOf);
  const plan = within((catalog) => planCatalog(catalog, pages?.weight));
  const tell = createTeller(rendering, plan);
  if (threads.count === 0 || plan.files < threads.fromFiles) {
    within((catalog) => renderPlan(catalog, plan, { writer, widgets, pages, tell }));
  } else {
    await renderInThreads(rendering, plan, fragments, tell);
    within((catalog) => renderSingles(catalog, plan, { widgets, pages }, writer));
  }
  return { plan, pages };
}

function createTeller({ progress }: WholeRendering, plan: Plan): (task: RenderTask) => void {
  let done = 0;
  return ({ files, name }) => {
    done += files;
    progress(Math.round(done), plan, name);
  };
}

async function renderInThreads(
  { layout, now, hasPrevious, threads, writer }: WholeRendering,
  plan: Plan,
  fragments: FragmentCopies,
  tell: (task: RenderTask) => void,
): Promise<void> {
  const data: RenderData = { layout, fragments, files: bandFiles(plan), hasPrevious, now };
  const module = new URL(`./render-thread${extname(import.meta.filename)}`, import.meta.url);
  const pool = new ThreadPool<RenderOrder, StagedPart>(module, threads.count, data);
  try {
    const underWay: (() => Promise<void>)[] = [];
    for (const [place, task] of tasksOf(plan).entries()) {
      const staged = pool.run({ task, place });
      // It is waited for in its turn; until then nobody may take its failure for forgotten.
      staged.catch(() => undefined);
      underWay.push(async () => {
        writer.take(await staged);
        tell(task);
      });
      while (underWay.length >= threads.count * UNDER_WAY) await underWay.shift()?.();
    }
    for (const take of underWay) await take();
  } finally {
    await pool.close();
  }
}

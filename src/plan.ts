/** Store → catalog → plan: what a build from nothing would make, and nothing stays behind. */

import { DEFAULT_MAX_LEFT_OUT } from "./api/config.ts";
import { allCores } from "./base/thread-pool.ts";
import { openCatalog } from "./catalog/catalog.ts";
import { createCatalog } from "./catalog/writer.ts";
import type { BuildInputs } from "./config/inputs.ts";
import { readAllowList } from "./extract/allow-list.ts";
import { extractWhole } from "./extract/extract.ts";
import { fitAllowList, withSlugs } from "./extract/fit.ts";
import { createMakers } from "./extract/makers.ts";
import type { ExtractReport } from "./extract/report.ts";
import { openStore } from "./open-store.ts";
import { wholePages } from "./pages-of.ts";
import { type Plan, planCatalog } from "./render/plan.ts";
import { withOut } from "./snapshot/out.ts";

/** Makes a catalog of a store in a new file. @throws VitrineError store_unreadable, allow_list_invalid, rows_invalid */
export async function makeCatalog(
  {
    store: file,
    queries,
    config,
    maxLeftOut = DEFAULT_MAX_LEFT_OUT,
    now,
  }: Pick<BuildInputs, "store" | "queries" | "config" | "now"> & Partial<Pick<BuildInputs, "maxLeftOut">>,
  target: string,
): Promise<ExtractReport> {
  const list = readAllowList(queries);
  const reader = await openStore(file, now);
  const writer = createCatalog(target);
  const makers = createMakers(allCores());
  try {
    const [store, fitted] = [withSlugs(reader), await fitAllowList(reader, list)];
    const report = await extractWhole({
      ...{ store, queries: fitted, config, maxLeftOut, now, writer, makers },
      keep: () => undefined,
    });
    writer.commit();
    return report;
  } finally {
    await makers.close();
    writer.close();
    await reader.close();
  }
}

/** What reading one file of the allow-list takes. */
export interface ReadingPlan {
  readonly file: string;
  readonly rows: number;
  readonly seconds: number;
  /** How the database reads it, in its own words. */
  readonly plan: readonly string[];
}

/** Reads each file of the allow-list as a build would, and says what that takes. @throws VitrineError allow_list_invalid */
export async function explainStore({
  store: file,
  queries,
  now,
}: Pick<BuildInputs, "store" | "queries" | "now">): Promise<ReadingPlan[]> {
  const store = await openStore(file, now);
  try {
    const plans: ReadingPlan[] = [];
    for (const query of Object.values(await fitAllowList(store, readAllowList(queries)))) {
      const plan = await store.explain(query);
      const started = performance.now();
      let rows = 0;
      for await (const batch of store.batches(query)) rows += batch.length;
      plans.push({ file: query.file, rows, seconds: (performance.now() - started) / 1000, plan });
    }
    return plans;
  } finally {
    await store.close();
  }
}

/** What a build would make, and what it would leave out of what it read. */
export interface BuildPlan extends Plan, Pick<ExtractReport, "leftOut" | "wrong"> {}

export function planBuild(inputs: BuildInputs): Promise<BuildPlan> {
  return withOut(inputs.out, async (layout) => {
    const { leftOut, wrong } = await makeCatalog(inputs, layout.nextCatalog);
    const catalog = openCatalog(layout.nextCatalog, { fragments: "file" });
    try {
      return { ...planCatalog(catalog, wholePages(catalog).weight), leftOut, wrong };
    } finally {
      catalog.close();
    }
  });
}

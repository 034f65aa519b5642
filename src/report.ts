/** A report on a snapshot or a release: what it is made of, as one page to look at. */
import { basename, join, resolve } from "node:path";
import { VitrineError } from "./base/error.ts";
import type { BuildReport } from "./build/report.ts";
import { type Closers, type OpenSide, openSideOf, type SideOptions } from "./build/sides.ts";
import { planCatalog } from "./render/plan.ts";
import { summarise, uploadDollarsOf } from "./render/plan-summary.ts";
import { gatherFacts } from "./report/facts.ts";
import { type ReportFacts, renderReport } from "./report/page.ts";
import { keysOf, openDelta, rowsOf } from "./snapshot/delta.ts";
import { layoutOf, type OutLayout } from "./snapshot/layout.ts";
import { endsOf, type Manifest } from "./snapshot/manifest.ts";
import { deltaFiles } from "./snapshot/writer.ts";

/** What the newest delta of a folder did, where it leads to what stands there. */
function changesOfFolder(layout: OutLayout, manifest: Manifest): ReportFacts["changes"] {
  const name = deltaFiles(layout).at(-1);
  if (name === undefined) return null;
  const file = join(layout.deltas, name);
  const { to } = openDelta(file).header;
  if (to.content !== endsOf(manifest.meta).content) return null;
  const rows = new Map<string, number>();
  for (const { resource } of rowsOf(openDelta(file))) rows.set(resource, (rows.get(resource) ?? 0) + 1);
  let [put, deleted] = [0, 0];
  for (const line of keysOf(openDelta(file))) {
    if ("file" in line) put += 1;
    else deleted += 1;
  }
  return {
    put,
    deleted,
    records: [...rows].map(([resource, count]) => `${count} of ${resource}`),
  };
}

function changesOf({ place, record }: OpenSide, manifest: Manifest): ReportFacts["changes"] {
  if (record !== null) return { put: record.put, deleted: record.deleted, records: [] };
  return changesOfFolder(layoutOf(place), manifest);
}

function factsOf(side: OpenSide, build: BuildReport | null): ReportFacts {
  const { catalog, manifest, place, release, generatedAt } = side;
  if (manifest === null)
    throw new VitrineError(
      "usage",
      `${place} is a catalog file: a report is of an output folder or a release.`,
    );
  const facts = gatherFacts(manifest.entries());
  return {
    ...facts,
    // Of a folder its name alone: the page may be handed on, and must not say where on a machine it was made.
    place: release === null ? basename(resolve(place)) : place,
    ...{ release, generatedAt },
    storeName: catalog.store.store_name,
    nextChangeAt: manifest.meta["next_change_at"] || null,
    host: catalog.config.for ?? null,
    grid: summarise(planCatalog(catalog), catalog.config),
    build: build === null ? null : stagesOf(build),
    changes: changesOf(side, manifest),
    uploadDollars: uploadDollarsOf(facts.files),
  };
}

function stagesOf({ seconds, peakBytes }: BuildReport) {
  return [
    { name: "extract", seconds: seconds.extract, peakBytes: peakBytes.extract },
    { name: "render", seconds: seconds.render, peakBytes: peakBytes.render },
    { name: "put in place", seconds: seconds.commit, peakBytes: peakBytes.commit },
  ];
}

/** The page, of an output folder or a release; what is fetched goes to an empty folder. */
export async function makeReport(
  place: string,
  folder: string,
  options: SideOptions,
  build: BuildReport | null = null,
): Promise<string> {
  const closers: Closers = [];
  try {
    return renderReport(factsOf(await openSideOf(place, options, join(folder, "release"), closers), build));
  } finally {
    for (const close of closers.reverse()) close();
  }
}

/** The whole store → the whole snapshot. Answers that come out as they are stay untouched. */
import { formatCount } from "./base/log.ts";
import { type MetaTime, toMetaTime } from "./base/time.ts";
import { type BuildJob, guardBuild, madeOf, remember, reportOf, stageSeconds } from "./build-job.ts";
import { type Catalog, openCatalog } from "./catalog/catalog.ts";
import { type CatalogWriter, createCatalog } from "./catalog/writer.ts";
import { type Extracted, extractWhole } from "./extract/extract.ts";
import { HERE } from "./extract/makers.ts";
import type { StoreReader } from "./extract/store.ts";
import { templateFolder } from "./package.ts";
import { type BuildReport, openPresentManifest } from "./present.ts";
import { bandFiles, type Plan, planCatalog } from "./render/plan.ts";
import { leftOutBands } from "./render/plan-summary.ts";
import { renderPlan } from "./render/render.ts";
import { type Difference, keepDifference } from "./snapshot/difference.ts";
import { type Manifest, metaOf } from "./snapshot/manifest.ts";
import { createSnapshot, type NextSnapshot } from "./snapshot/writer.ts";

/** A catalog of the same content keeps its time, and so do the answers that are made of it. */
function keepTime({ layout, inputs }: BuildJob, writer: CatalogWriter, digest: string): MetaTime {
  let present: Catalog | undefined;
  try {
    present = openCatalog(layout.catalog, { fragments: "file" });
    if (present.digest === digest) writer.setGeneratedAt(present.generatedAt);
  } catch {
    // There is none, or it is of another format.
  } finally {
    present?.close();
  }
  return writer.meta("generated_at") ?? toMetaTime(inputs.now);
}

function renderAll({ layout, log }: BuildJob, writer: NextSnapshot): Plan {
  const catalog = openCatalog(layout.nextCatalog, { fragments: "file" });
  try {
    const plan = planCatalog(catalog);
    renderPlan(catalog, plan, {
      writer,
      widgets: templateFolder("widgets"),
      progress: (done, family) => {
        log.progress(() => `rendering ${formatCount(done)} of ${formatCount(plan.files)} files: ${family}`);
      },
    });
    return plan;
  } finally {
    catalog.close();
  }
}

/**
 * Reads and makes everything. `byDelta`: what deltas just made of the same picture of the store, which is what should come
 * out; null where nothing stood that could be changed.
 */
export async function buildWhole(
  job: BuildJob,
  store: StoreReader,
  byDelta: BuildReport | null,
): Promise<BuildReport> {
  const { layout, inputs, queries } = job;
  const { config, now } = inputs;
  const { fingerprint } = await store.changesSince(null, Object.values(queries));
  const catalog = createCatalog(layout.nextCatalog);
  let extracted: Extracted;
  let generatedAt: MetaTime;
  try {
    extracted = await extractWhole({ store, queries, config, now, writer: catalog, makers: HERE });
    generatedAt = keepTime(job, catalog, extracted.digest);
    catalog.commit();
  } finally {
    catalog.close();
  }
  const extractedAt = performance.now();
  const previous = openPresentManifest(layout);
  const writer = createSnapshot(layout, previous, toMetaTime(now));
  try {
    const plan = renderAll(job, writer);
    guardBuild(job, previous, { files: plan.files, deletions: writer.deletions.length });
    const difference = byDelta === null ? null : differenceOf(job, previous, writer, extracted);
    const renderedAt = performance.now();
    const report = { ...reportOf(extracted), generatedAt, leftToFallback: leftOutBands(plan) };
    const words = new Map([
      ["bands", JSON.stringify(bandFiles(plan))],
      ["read_at", new Date().toISOString()],
    ]);
    remember(job, { extracted, fingerprint, report, words, known: null }, layout.nextReadings);
    const written = writer.commit(metaOf(madeOf(extracted)));
    const before = byDelta === null ? {} : { written: byDelta.written, deleted: byDelta.deleted };
    const seconds = stageSeconds(job, extractedAt, renderedAt);
    return { ...report, ...written, ...before, work: "whole", out: inputs.out, difference, seconds };
  } catch (error) {
    writer.discard();
    throw error;
  }
}

function differenceOf(
  { layout }: BuildJob,
  previous: Manifest | null,
  writer: NextSnapshot,
  { digest }: Extracted,
): Difference | null {
  return keepDifference(layout, writer, { before: previous?.meta["catalog_digest"] ?? "", after: digest });
}

/** The whole store → the whole snapshot. Answers that come out as they are stay untouched. */
import { type MetaTime, toMetaTime } from "./base/time.ts";
import { type BuildJob, costOf, endStage, guardBuild, madeOf, remember, reportOf } from "./build-job.ts";
import type { BuildReport } from "./build-report.ts";
import { type Catalog, openCatalog } from "./catalog/catalog.ts";
import { type CatalogWriter, createCatalog } from "./catalog/writer.ts";
import { type Extracted, extractWhole } from "./extract/extract.ts";
import { createMakers } from "./extract/makers.ts";
import { saveReadings } from "./extract/readings.ts";
import type { StoreReader } from "./extract/store.ts";
import { templateFolder } from "./package.ts";
import { wholePages } from "./pages-of.ts";
import { openPresentManifest } from "./present.ts";
import { bandWeights } from "./render/plan.ts";
import { leftOutBands } from "./render/plan-summary.ts";
import { renderWhole } from "./render/render-whole.ts";
import { type Difference, keepDifference } from "./snapshot/difference.ts";
import { type Manifest, metaOf } from "./snapshot/manifest.ts";
import { beginStaging } from "./snapshot/out.ts";
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

async function makeCatalog(job: BuildJob, store: StoreReader): Promise<Made> {
  const { layout, inputs, queries, threads } = job;
  const { config, maxLeftOut, now } = inputs;
  const writer = createCatalog(layout.nextCatalog);
  const makers = createMakers(threads);
  try {
    const keep = (blobs: Extracted["blobs"]) =>
      saveReadings(layout.nextReadings, { words: new Map(), blobs }, null);
    const extracted = await extractWhole({ store, queries, config, maxLeftOut, now, writer, makers, keep });
    await store.close();
    const generatedAt = keepTime(job, writer, extracted.digest);
    writer.commit();
    return { extracted, generatedAt };
  } finally {
    await makers.close();
    writer.close();
  }
}

interface Made {
  readonly extracted: Extracted;
  readonly generatedAt: MetaTime;
}

function renderAll({ layout, log, inputs, threads }: BuildJob, writer: NextSnapshot, hasPrevious: boolean) {
  return renderWhole({
    ...{ layout, writer, threads, hasPrevious, now: toMetaTime(inputs.now) },
    widgets: templateFolder("widgets"),
    pagesOf: wholePages,
    progress: (done, { files }) => {
      log.progress(() => ({ what: "rendering", done: Math.round(done), of: files, unit: "files" }));
    },
  });
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
  const { layout, inputs } = job;
  beginStaging(layout);
  const { extracted, generatedAt } = await makeCatalog(job, store);
  const extractedEnd = endStage();
  const previous = openPresentManifest(layout);
  const writer = createSnapshot(layout, previous, toMetaTime(inputs.now));
  try {
    const { plan, pages } = await renderAll(job, writer, previous !== null);
    guardBuild(job, previous, { files: plan.files, deletions: writer.deletions });
    const difference = byDelta === null ? null : differenceOf(job, previous, writer, extracted);
    const renderedEnd = endStage();
    const report = { ...reportOf(extracted), generatedAt, leftToFallback: leftOutBands(plan) };
    const words = new Map([
      ["bands", JSON.stringify(bandWeights(plan, inputs.config))],
      ["pictures", JSON.stringify(pages.pictures)],
      ["read_at", new Date().toISOString()],
    ]);
    const known = { words: new Map(), file: layout.nextReadings };
    remember(job, { extracted, report, words, known }, layout.nextReadings);
    const written = writer.commit(metaOf(madeOf(extracted)));
    const before = byDelta === null ? {} : { written: byDelta.written, deleted: byDelta.deleted };
    const cost = costOf(job, extractedEnd, renderedEnd);
    const missed = [...job.missed];
    return { ...report, ...written, ...before, work: "whole", missed, out: inputs.out, difference, ...cost };
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

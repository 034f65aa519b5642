/**
 * The stages in a row: has anything changed? → extract → make the files → commit, and remember the inputs. Over a previous snapshot a
 * build changes what differs; without one it makes everything, in the same steps.
 */
import { setImmediate } from "node:timers/promises";
import { messageOf } from "../base/error.ts";
import { type Log, SILENT } from "../base/log.ts";
import { allCores, type Threads } from "../base/thread-pool.ts";
import { type MetaTime, toMetaTime } from "../base/time.ts";
import { catalogOver, openCatalog } from "../catalog/catalog.ts";
import { type CatalogWriter, changeCatalog, createCatalog, removeRemains } from "../catalog/writer.ts";
import { type BuildInputs, type BuildOptions, checkOptions, resolveInputs } from "../config/inputs.ts";
import { type AllowList, readAllowList, usesNow } from "../extract/allow-list.ts";
import { resolveColumns, withSlugs } from "../extract/columns.ts";
import { type Extracted, extract } from "../extract/extract.ts";
import type { ExtractReport } from "../extract/report.ts";
import type { StoreReader } from "../extract/store.ts";
import { TOOL_VERSION, templateFolder } from "../package.ts";
import type { FeedReport } from "../site/feeds/report.ts";
import type { OutLayout } from "../site/layout.ts";
import { fingerprintOf, siteInputs } from "../site/made-file.ts";
import { changeMeta, type MadeOf, metaOf } from "../site/manifest.ts";
import { beginStaging, withOut } from "../site/out.ts";
import { type Plan, planCatalog } from "../site/plan.ts";
import { leftOutBands } from "../site/plan-summary.ts";
import { countDeepPages, guardShrink } from "../site/shrink.ts";
import { siteFiles } from "../site/site.ts";
import { NextSnapshot } from "../site/writer.ts";
import { checkChanged } from "../store/look.ts";
import { openStore } from "../store/open.ts";
import { stampOf } from "../store/sqlite-stamp.ts";
import { guardClosed } from "./closed.ts";
import { otherFiles } from "./other-files.ts";
import { type BuildFacts, inputsDigestOf, openPreviousManifest, Previous, remember } from "./previous.ts";
import { type BuildReport, costOf, endStage } from "./report.ts";

export type { BuildReport } from "./report.ts";

/** Number of files that are made between two pauses. */
const PROGRESS_FILES = 500;

/** What a build works with. Its output folder is locked. */
interface Ports {
  readonly inputs: BuildInputs;
  readonly layout: OutLayout;
  readonly log: Log;
  readonly threads: Threads;
}

/** What all steps of one build share. */
interface BuildJob extends Ports, BuildFacts {
  readonly store: StoreReader;
  readonly queries: AllowList;
  /** Allow-list files with an added, removed or changed row. */
  readonly changedFiles: Set<string>;
  /** True if the clock alone may have changed rows since the last build. */
  readonly isByClock: boolean;
}

/** The previous snapshot, whose catalog is changed in place. */
interface InPlace {
  readonly previous: Previous;
  /** The catalog's writer, inside a transaction. */
  readonly writer: CatalogWriter;
}

/** The next snapshot, ready to be put in place. */
interface NextSite {
  readonly generatedAt: MetaTime;
  readonly plan: Plan;
  readonly feeds: readonly FeedReport[];
  readonly snapshot: NextSnapshot;
  /** Number of files in the previous snapshot. */
  readonly liveFiles: number;
}

async function buildIn(ports: Ports): Promise<BuildReport> {
  const { inputs, layout, log } = ports;
  const started = performance.now();
  const queries = readAllowList(inputs.queries);
  const previous = Previous.open(inputs, layout, queries);
  try {
    if (previous !== null && !inputs.full && previous.isUntouched) return previous.unchanged({}, started);
    log.progress(() => "extracting");
    const stamp = stampOf(inputs.store) ?? "";
    // Before the store's transaction begins: nothing that is committed before this moment is missed.
    const readAt = new Date().toISOString();
    const reader = await openStore(inputs.store, inputs.now);
    try {
      await guardClosed(reader, inputs, log);
      const fitted = await resolveColumns(reader, queries);
      const store = withSlugs(reader);
      const words = new Map([
        ["fingerprint", inputsDigestOf(inputs, queries)],
        ["now", inputs.now],
        ["stamp", stamp],
        ["read_at", readAt],
      ]);
      const job = {
        ...ports,
        started,
        store,
        queries: fitted,
        words,
        changedFiles: new Set<string>(),
        isByClock: previous?.isByClock ?? false,
      };
      return await make(job, inputs.full ? null : decide(job, previous));
    } finally {
      await reader.close();
    }
  } finally {
    previous?.close();
  }
}

/** What can be changed in place; null if everything must be made. */
function decide({ layout }: BuildJob, previous: Previous | null): InPlace | null {
  if (previous === null) return null;
  const writer = openWriter(layout, previous.readings.words.get("catalog") ?? "");
  return writer === null ? null : { previous, writer };
}

function openWriter({ catalog }: OutLayout, digest: string): CatalogWriter | null {
  try {
    const writer = changeCatalog(catalog);
    if (writer.meta("digest") === digest) return writer;
    writer.close();
  } catch {
    // Another format, or damaged: it will be replaced.
  }
  return null;
}

/** Extracts, makes the files and commits: only what changed, or everything if `inPlace` is null. */
async function make(job: BuildJob, inPlace: InPlace | null): Promise<BuildReport> {
  const { inputs, layout, store } = job;
  if (inPlace === null) beginStaging(layout);
  const writer = inPlace?.writer ?? createCatalog(layout.nextCatalog);
  try {
    const extracted = await extractInto(job, inPlace, writer);
    await store.close();
    if (inPlace?.previous.manifest.meta["catalog_digest"] === extracted.digest)
      return leave(job, inPlace, extracted);
    const extractedEnd = endStage();
    const next = await makeSite(job, inPlace, writer, extracted);
    try {
      guardBuild(inputs, next);
      const renderedEnd = endStage();
      const { plan, feeds, generatedAt, snapshot } = next;
      const report = {
        ...reportOf(extracted),
        generatedAt,
        leftToFallback: leftOutBands(plan),
        plannedFiles: plan.files,
        feeds,
      };
      remember(job, { extracted, report }, { file: layout.nextReadings, previous: inPlace?.previous });
      const written = snapshot.commit(metaOf(madeOf(job, extracted)), inPlace?.writer ?? null);
      if (inPlace?.writer.hasDeleted) cleanCatalog(job);
      return {
        ...report,
        ...written,
        work: inPlace === null ? "whole" : "part",
        ...changedFilesOf(job),
        changed: inPlace === null ? null : Object.fromEntries(extracted.changes),
        out: inputs.out,
        ...costOf(job.started, extractedEnd, renderedEnd),
      };
    } catch (error) {
      next.snapshot.discard();
      throw error;
    }
  } finally {
    writer.close();
  }
}

function extractInto(job: BuildJob, inPlace: InPlace | null, writer: CatalogWriter): Promise<Extracted> {
  const { inputs, store, queries, threads, changedFiles } = job;
  const { config, maxLeftOut, now } = inputs;
  const sources = { store, queries, config, maxLeftOut, now, writer, threads };
  if (inPlace === null) return extract(sources, null);
  const { readings } = inPlace.previous;
  return extract(sources, { readings, differs: (file) => changedFiles.add(file) });
}

/** Allow-list files whose changes the clock alone does not explain. */
function changedFilesOf({ changedFiles, isByClock, queries }: BuildJob): Pick<BuildReport, "changedFiles"> {
  const files = Object.values(queries).filter(
    (query) => changedFiles.has(query.name) && !(isByClock && usesNow(query)),
  );
  return { changedFiles: files.map(({ file }) => file) };
}

/** No public content changed: updates only what is remembered of the store. */
function leave(job: BuildJob, inPlace: InPlace, extracted: Extracted): BuildReport {
  const { layout, started } = job;
  const { previous } = inPlace;
  changeMeta(layout.manifest, metaOf(madeOf(job, extracted)));
  const report = { ...previous.unchanged(reportOf(extracted), started), ...changedFilesOf(job) };
  const remembered = { extracted, report: { ...previous.report, ...reportOf(extracted) } };
  remember(job, remembered, { file: layout.readings, previous });
  return report;
}

/** Removes text of deleted records from unused bytes of the committed catalog. The snapshot is whole, even if that fails. */
function cleanCatalog({ layout: { catalog }, log }: BuildJob): void {
  try {
    removeRemains(catalog);
  } catch (error) {
    const why = messageOf(error);
    log.warn(`unused bytes of ${catalog} may still hold text of deleted records, erase removes it: ${why}`);
  }
}

/** Makes the files of the next snapshot from the catalog as its writer has it. */
async function makeSite(
  job: BuildJob,
  inPlace: InPlace | null,
  writer: CatalogWriter,
  extracted: Extracted,
): Promise<NextSite> {
  const { layout, log, inputs } = job;
  const generatedAt = inPlace === null ? keepTime(job, writer, extracted.digest) : toMetaTime(inputs.now);
  const previous = openPreviousManifest(layout);
  const snapshot = new NextSnapshot(layout, previous, {
    now: toMetaTime(inputs.now),
    mostFileBytes: inputs.config.grid.maxFileBytes,
    remembers: inPlace !== null,
  });
  try {
    const catalog = catalogOver(writer.db, layout.nextCatalog);
    const feeds = new Map(inPlace?.previous.report.feeds.map((report) => [report.name, report]));
    const others = otherFiles((report) => feeds.set(report.name, report));
    const plan = planCatalog(catalog, others.count(catalog));
    const code = fingerprintOf(TOOL_VERSION, JSON.stringify(inputs.config));
    const files = siteInputs(catalog, code);
    let reported = 0;
    for (const file of siteFiles(files, plan, others, templateFolder("widgets"))) {
      snapshot.put(file);
      const done = snapshot.files;
      if (done < reported + PROGRESS_FILES) continue;
      reported = done;
      log.progress(() => ({ what: "rendering", done, of: plan.files, unit: "files" }));
      // Lets signal handlers run.
      await setImmediate();
    }
    // A new catalog is complete. A changed one is committed together with its files.
    if (inPlace === null) writer.commit();
    const liveFiles = previous?.totals().files ?? 0;
    return { generatedAt, plan, feeds: [...feeds.values()], snapshot, liveFiles };
  } catch (error) {
    snapshot.discard();
    throw error;
  }
}

/** Keeps the previous catalog's time if the content is the same, and so the times in its answers. */
function keepTime({ layout, inputs }: BuildJob, writer: CatalogWriter, digest: string): MetaTime {
  try {
    using previous = openCatalog(layout.catalog);
    if (previous.digest === digest) writer.setGeneratedAt(previous.generatedAt);
  } catch {
    // Missing, or in another format.
  }
  return writer.meta("generated_at") ?? toMetaTime(inputs.now);
}

function reportOf(report: ExtractReport): ExtractReport {
  const { records, leftOut, wrong, shortened, nextChangeAt, summary } = report;
  return { records, leftOut, wrong, shortened, nextChangeAt, summary };
}

function madeOf({ words }: BuildJob, { digest, nextChangeAt }: Extracted): MadeOf {
  return { digest, nextChangeAt, readAt: words.get("read_at") ?? "", vitrine: TOOL_VERSION };
}

/** @throws VitrineError guard_refused */
function guardBuild({ allowShrink }: BuildInputs, { snapshot, liveFiles }: NextSite): void {
  const { files, deletions } = snapshot;
  const vanished = deletions.length - countDeepPages(deletions);
  guardShrink({ what: "Building", files, deletions: vanished, liveFiles, allowed: allowShrink });
}

/**
 * Builds from inputs that are already checked. Waits while another process uses the folder; `signal` ends the wait, but a build that
 * has begun is finished.
 * @throws VitrineError; the snapshot is then unchanged
 */
export function runBuild(
  inputs: BuildInputs,
  log: Log,
  threads: Threads = allCores(),
  signal?: AbortSignal,
): Promise<BuildReport> {
  const { waitSeconds } = inputs;
  return withOut(inputs.out, { waitSeconds, log, signal }, (layout) =>
    buildIn({ inputs, log, threads, layout }),
  );
}

/** Like {@link runBuild}, and runs `changed.sql` once, so that an error in it is reported. */
export async function buildSnapshot(
  inputs: BuildInputs,
  log: Log,
  threads: Threads = allCores(),
): Promise<BuildReport> {
  await checkChanged(inputs);
  return runBuild(inputs, log, threads);
}

/**
 * Builds a store's snapshot: its catalog and its files. After any error the previous snapshot is unchanged.
 * @throws VitrineError
 */
export async function build(options: BuildOptions = {}): Promise<BuildReport> {
  checkOptions(options);
  return buildSnapshot(await resolveInputs(options), options.log ?? SILENT);
}

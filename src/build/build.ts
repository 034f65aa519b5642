/**
 * The stages in a row: decide what may have changed → extract → render → commit, and remember it for the next time. A build over a
 * snapshot changes what changed in the store; one from nothing makes everything, in the same steps.
 */
import { statSync } from "node:fs";
import { product } from "../api/records/product.ts";
import { type Log, SILENT } from "../base/log.ts";
import { allCores, type Threads } from "../base/thread-pool.ts";
import { type MetaTime, toMetaTime } from "../base/time.ts";
import { type Catalog, openCatalog } from "../catalog/catalog.ts";
import { ListsAhead } from "../catalog/lists.ts";
import { type CatalogWriter, changeCatalog, createCatalog } from "../catalog/writer.ts";
import { type BuildInputs, type BuildOptions, checkOptions, resolveInputs } from "../config/inputs.ts";
import { type AllowList, readAllowList, usesNow } from "../extract/allow-list.ts";
import { resolveColumns, withSlugs } from "../extract/columns.ts";
import { type Extracted, extract } from "../extract/extract.ts";
import type { ExtractReport } from "../extract/report.ts";
import type { StoreReader } from "../extract/store.ts";
import { TOOL_VERSION, templateFolder } from "../package.ts";
import type { ImageOrigins } from "../pages/image-origins.ts";
import { type BandWeights, bandWeights, type Plan } from "../render/plan.ts";
import { leftOutBands } from "../render/plan-summary.ts";
import { renderChange } from "../render/render.ts";
import { renderWhole } from "../render/render-whole.ts";
import { RowLines } from "../snapshot/delta.ts";
import { keepDifference } from "../snapshot/difference.ts";
import type { OutLayout } from "../snapshot/layout.ts";
import { changeManifest, isMadeOf, type MadeOf, metaOf } from "../snapshot/manifest.ts";
import { beginStaging, withOut } from "../snapshot/out.ts";
import type { Difference, WriteReport } from "../snapshot/report.ts";
import { countDeepPages, guardShrink } from "../snapshot/shrink.ts";
import { createSnapshot, SnapshotDelta } from "../snapshot/writer.ts";
import { checkChanged } from "../store/look.ts";
import { openStore } from "../store/open.ts";
import { stampOf } from "../store/sqlite-stamp.ts";
import { guardClosed } from "./closed.ts";
import { changedPages, type SiteFiles, wholePages } from "./pages.ts";
import { type BuildFacts, inputsDigestOf, openPresentManifest, Present, remember } from "./present.ts";
import { type BuildReport, costOf, endStage } from "./report.ts";

export type { BuildReport } from "./report.ts";

/** What a build gets. Its output folder is locked. */
interface Ports {
  readonly inputs: BuildInputs;
  readonly layout: OutLayout;
  readonly log: Log;
  readonly threads: Threads;
  readonly kept: KeptCatalog;
}

/** What all steps of one build have in common. */
interface BuildJob extends Ports, BuildFacts {
  readonly store: StoreReader;
  readonly queries: AllowList;
  /** Files of which the extraction finds a row that came, went or is another. */
  readonly changedFiles: Set<string>;
  /** True where the clock alone may have changed rows since the last build. */
  readonly isByClock: boolean;
}

/** The catalog of the last build, kept in memory by a process that makes several. */
class KeptCatalog {
  #catalog: Catalog | null = null;
  #file = "";

  /** The catalog that stands, with those of its lists that were needed: as it was kept where it is that very file. */
  open(file: string, digest: string): Catalog {
    if (this.#catalog?.digest === digest && this.#file === identityOf(file)) return this.#catalog;
    this.close();
    return this.keep(openCatalog(file, { fragments: "file" }), file);
  }

  keep(catalog: Catalog, file: string): Catalog {
    this.#catalog = catalog;
    this.#file = identityOf(file);
    return catalog;
  }

  get isKept(): boolean {
    return this.#catalog !== null;
  }

  close(): void {
    this.#catalog?.close();
    this.#catalog = null;
  }
}

/** Tells a file that is changed in place from one that took its place. */
function identityOf(file: string): string {
  const { dev, ino, birthtimeMs } = statSync(file);
  return `${dev} ${ino} ${birthtimeMs}`;
}

/** What stands and is to be changed. */
interface Standing {
  readonly present: Present;
  readonly catalog: Catalog;
  /** The catalog's, in a transaction. */
  readonly writer: CatalogWriter;
  /** Takes the rows that change, for the delta's file. */
  readonly lines: RowLines;
  /** Reads lists of the catalog meanwhile; null where they are few, or in memory. */
  readonly ahead: ListsAhead | null;
}

/** The next snapshot, ready to be put in place. */
interface Rendered {
  readonly generatedAt: MetaTime;
  readonly plan: Plan;
  readonly bands: BandWeights;
  readonly pages: SiteFiles;
  readonly files: number;
  readonly deletions: readonly string[];
  /** Files of the present one. */
  readonly liveFiles: number;
  /** What it makes otherwise than the present one; null where nothing, or where it is made of that. */
  difference(): Difference | null;
  commit(): WriteReport;
  discard(): void;
}

async function buildIn(ports: Ports): Promise<BuildReport> {
  const { inputs, layout, log } = ports;
  const started = performance.now();
  const queries = readAllowList(inputs.queries);
  const present = Present.open(inputs, layout, queries);
  try {
    if (present !== null && !inputs.full && present.isUntouched) return present.unchanged({}, started);
    log.progress(() => "extracting");
    const stamp = stampOf(inputs.store) ?? "";
    const reader = await openStore(inputs.store, inputs.now);
    try {
      await guardClosed(reader, inputs, log);
      const fitted = await resolveColumns(reader, queries);
      const store = withSlugs(reader);
      const words = new Map([
        ["fingerprint", inputsDigestOf(inputs, queries)],
        ["now", inputs.now],
        ["stamp", stamp],
      ]);
      const job = {
        ...ports,
        started,
        store,
        queries: fitted,
        words,
        changedFiles: new Set<string>(),
        isByClock: present?.isByClock ?? false,
      };
      const standing = decide(job, present);
      const changed = standing === null ? null : await make(job, standing);
      if (changed !== null && !inputs.full) return changed;
      return await make(job, null, changed);
    } finally {
      await reader.close();
    }
  } finally {
    present?.close();
  }
}

/** What can be changed; null where everything is to be made. */
function decide(job: BuildJob, present: Present | null): Standing | null {
  const { layout, kept } = job;
  if (present === null) return null;
  const digest = present.readings.words.get("catalog") ?? "";
  const writer = openWriter(layout, digest);
  if (writer === null) return null;
  try {
    return {
      present,
      writer,
      catalog: kept.open(layout.catalog, digest),
      lines: new RowLines(layout.nextRows),
      ahead: readAhead(job, present),
    };
  } catch (error) {
    writer.close();
    throw error;
  }
}

function openWriter({ catalog }: OutLayout, digest: string): CatalogWriter | null {
  try {
    const writer = changeCatalog(catalog);
    if (writer.meta("digest") === digest) return writer;
    writer.close();
  } catch {
    // Of another format, or broken: it is replaced.
  }
  return null;
}

/** Only where there is much of both; else null. */
function readAhead({ threads, layout, kept }: BuildJob, { recordCount }: Present): ListsAhead | null {
  const isMuch = threads.count > 1 && recordCount >= threads.fromRows;
  if (!isMuch || kept.isKept) return null;
  const ahead = new ListsAhead(layout.catalog);
  // Most changes are a product's, or change one: its list need not wait until that is known.
  ahead.want(product.name);
  return ahead;
}

/**
 * Extracts, renders and puts in place: what changes of what stands, or everything where nothing does. `byChange`: what changing
 * has just made of the same rows, which is what should come out.
 */
async function make(
  job: BuildJob,
  standing: Standing | null,
  byChange: BuildReport | null = null,
): Promise<BuildReport> {
  const { inputs, layout, store } = job;
  if (standing === null) beginStaging(layout);
  const writer = standing?.writer ?? createCatalog(layout.nextCatalog);
  try {
    const extracted = await extractInto(job, standing, writer);
    if (standing === null || !inputs.full) await store.close();
    if (standing?.catalog.digest === extracted.digest) return leave(job, standing, extracted);
    const extractedEnd = endStage();
    const next = await (standing === null
      ? renderAll(job, writer, extracted)
      : renderChanges(job, standing, extracted));
    try {
      guardBuild(inputs, next);
      const difference = byChange === null ? null : next.difference();
      const renderedEnd = endStage();
      const { plan, bands, pages, generatedAt } = next;
      const report = {
        ...reportOf(extracted),
        generatedAt,
        leftToFallback: leftOutBands(plan),
        plannedFiles: plan.files,
        feeds: pages.feedReports,
      };
      const words = [
        ["bands", JSON.stringify(bands)],
        ["pictures", JSON.stringify(pages.imageOrigins)],
      ] as const;
      remember(job, { extracted, report, words }, { file: layout.nextReadings, present: standing?.present });
      const written = next.commit();
      return {
        ...report,
        ...written,
        work: standing === null ? "whole" : "delta",
        ...changedFilesOf(job),
        changed: standing === null ? null : countsOf(extracted.changes),
        ...(byChange === null
          ? {}
          : { written: byChange.written, deleted: byChange.deleted, changed: byChange.changed }),
        out: inputs.out,
        difference,
        ...costOf(job.started, extractedEnd, renderedEnd),
      };
    } catch (error) {
      next.discard();
      throw error;
    }
  } finally {
    await standing?.ahead?.close();
    writer.close();
  }
}

function extractInto(job: BuildJob, standing: Standing | null, writer: CatalogWriter): Promise<Extracted> {
  const { inputs, store, queries, threads, changedFiles } = job;
  const { config, maxLeftOut, now } = inputs;
  const sources = { store, queries, config, maxLeftOut, now, writer, threads };
  if (standing === null) return extract(sources, null);
  const { present, lines, ahead } = standing;
  return extract(sources, {
    sink: lines,
    readings: present.readings,
    changing: (name) => ahead?.want(name),
    differs: (file) => changedFiles.add(file),
  });
}

/** Those whose rows the clock alone does not explain. */
function changedFilesOf({ changedFiles, isByClock, queries }: BuildJob): Pick<BuildReport, "changedFiles"> {
  const files = Object.values(queries).filter(
    (query) => changedFiles.has(query.name) && !(isByClock && usesNow(query)),
  );
  return { changedFiles: files.map(({ file }) => file) };
}

/** Everything public came out as it was: only what is remembered of the store changes. */
function leave(job: BuildJob, standing: Standing, extracted: Extracted): BuildReport {
  const { layout, started } = job;
  const { present } = standing;
  const made = madeOf(extracted);
  if (!isMadeOf(present.manifest.meta, made))
    changeManifest(layout.manifest, { put: [], gone: [], meta: metaOf(made) });
  const report = { ...present.unchanged(reportOf(extracted), started), ...changedFilesOf(job) };
  const remembered = { extracted, report: { ...present.report, ...reportOf(extracted) }, words: [] };
  remember(job, remembered, { file: layout.readings, present });
  return report;
}

/** The new catalog → all files. Answers that come out as they are stay untouched. */
async function renderAll(job: BuildJob, catalog: CatalogWriter, extracted: Extracted): Promise<Rendered> {
  const { layout, log, inputs, threads } = job;
  const generatedAt = keepTime(job, catalog, extracted.digest);
  catalog.commit();
  const previous = openPresentManifest(layout);
  const writer = createSnapshot(layout, previous, toMetaTime(inputs.now));
  try {
    const { plan, pages } = await renderWhole({
      layout,
      writer,
      threads,
      hasPrevious: previous !== null,
      now: toMetaTime(inputs.now),
      widgets: templateFolder("widgets"),
      pagesOf: wholePages,
      progress: (done, share, { files }) => {
        log.progress(() => ({ what: "rendering", done, of: files, unit: "files", share }));
      },
    });
    const catalogs = { before: previous?.meta["catalog_digest"] ?? "", after: extracted.digest };
    return {
      generatedAt,
      plan,
      bands: bandWeights(plan),
      pages,
      files: plan.files,
      deletions: writer.deletions,
      liveFiles: previous?.totals().files ?? 0,
      difference: () => keepDifference(layout, writer, catalogs),
      commit: () => writer.commit(metaOf(madeOf(extracted))),
      discard: () => writer.discard(),
    };
  } catch (error) {
    writer.discard();
    throw error;
  }
}

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

/** What changed in the catalog that stands → what changes of its files, and nothing else is looked at. */
async function renderChanges(job: BuildJob, standing: Standing, extracted: Extracted): Promise<Rendered> {
  const { layout, inputs, kept } = job;
  const { present, writer, lines, ahead, catalog: before } = standing;
  const { changes } = extracted;
  const generatedAt = toMetaTime(inputs.now);
  await ahead?.give(before, changes.keys());
  await ahead?.close();
  const after = changedCatalog(before, writer, changes);
  const change = { before, after, rows: changes };
  const wordOf = (name: string) => JSON.parse(present.readings.words.get(name) ?? "{}");
  const pages = changedPages(change, wordOf("pictures") as ImageOrigins, present.report.feeds);
  const delta = new SnapshotDelta(layout, present.manifest, generatedAt);
  const ports = { writer: delta, widgets: templateFolder("widgets"), pages };
  const { plan, bands } = renderChange(change, wordOf("bands") as BandWeights, ports);
  const liveFiles = present.manifest.totals().files;
  return {
    generatedAt,
    plan,
    bands,
    pages,
    files: delta.files,
    deletions: delta.deletions,
    liveFiles,
    difference: () => null,
    commit: () => {
      const meta = { config: writer.meta("config") ?? "", store: writer.meta("store") ?? "" };
      const header = { meta, generatedAt, vitrine: TOOL_VERSION };
      const written = delta.commit(metaOf(madeOf(extracted)), header, lines, writer);
      kept.keep(after.next({ changes: {}, meta: {} }, before.db), layout.catalog);
      return written;
    },
    discard: () => undefined,
  };
}

/** The catalog with the rows of the writer's transaction. What changed is in memory as it was before that is seen. */
function changedCatalog(before: Catalog, writer: CatalogWriter, rows: Extracted["changes"]): Catalog {
  for (const name of rows.keys()) before.table(name);
  const names = ["config", "store", "digest", "generated_at"];
  const meta = Object.fromEntries(names.map((name) => [name, writer.meta(name) ?? ""]));
  return before.next({ changes: Object.fromEntries(rows), meta, words: null }, writer.db);
}

function countsOf(changes: Extracted["changes"]): NonNullable<BuildReport["changed"]> {
  const counts = [...changes].map(([name, { put, deleted }]) => {
    return [name, put.length + deleted.length] as const;
  });
  return Object.fromEntries(counts);
}

function reportOf(report: ExtractReport): ExtractReport {
  const { records, leftOut, wrong, shortened, nextChangeAt, summary } = report;
  return { records, leftOut, wrong, shortened, nextChangeAt, summary };
}

function madeOf({ digest, nextChangeAt }: Extracted): MadeOf {
  return { digest, nextChangeAt, vitrine: TOOL_VERSION };
}

/** @throws VitrineError guard_refused */
function guardBuild({ allowShrink }: BuildInputs, { files, deletions, liveFiles }: Rendered): void {
  const vanished = deletions.length - countDeepPages(deletions);
  guardShrink({ what: "Building", files, deletions: vanished, liveFiles, allowed: allowShrink });
}

/** Builds one snapshot again and again: what it needed once stays in memory, so that a change costs what changed. */
export class Builder {
  readonly #kept = new KeptCatalog();
  readonly #threads: Threads;

  constructor(threads: Threads = allCores()) {
    this.#threads = threads;
  }

  /** @throws VitrineError; the snapshot is as it was then */
  build(inputs: BuildInputs, log: Log): Promise<BuildReport> {
    const ports = { inputs, log, threads: this.#threads, kept: this.#kept };
    return withOut(inputs.out, (layout) => buildIn({ ...ports, layout }));
  }

  close(): void {
    this.#kept.close();
  }
}

/** Builds a snapshot from inputs that are checked already. */
export async function buildSnapshot(
  inputs: BuildInputs,
  log: Log,
  threads: Threads = allCores(),
): Promise<BuildReport> {
  await checkChanged(inputs);
  const builder = new Builder(threads);
  try {
    return await builder.build(inputs, log);
  } finally {
    builder.close();
  }
}

/**
 * Builds a store's snapshot: its catalog and its files. On any error the present one is as it was.
 * @throws VitrineError
 */
export async function build(options: BuildOptions = {}): Promise<BuildReport> {
  checkOptions(options);
  return buildSnapshot(await resolveInputs(options), options.log ?? SILENT);
}

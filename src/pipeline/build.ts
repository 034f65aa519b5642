/**
 * The stages in a row: has anything changed? → extract → make the files → commit, and remember the inputs. Over a previous snapshot a
 * build changes what differs; without one it makes everything, in the same steps.
 */
import { existsSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { CLOCK } from "../base/clock.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { type Log, SILENT } from "../base/log.ts";
import { isMachineTrouble } from "../base/memory.ts";
import { type MetaTime, toMetaTime } from "../base/time.ts";
import { catalogOver, openCatalog } from "../catalog/catalog.ts";
import {
  type CatalogFileWriter,
  changeCatalog,
  createCatalog,
  removeRemains,
} from "../catalog/catalog-file.ts";
import { type BuildInputs, type BuildOptions, checkOptions, resolveInputs } from "../config/inputs.ts";
import {
  type AllowList,
  type AllowListQuery,
  type BesideFiles,
  readAllowList,
  readBeside,
  usesNow,
} from "../extract/allow-list.ts";
import { reasonClosed, resolveColumns, withSlugs } from "../extract/columns.ts";
import { type Extracted, extract } from "../extract/extract.ts";
import type { ExtractReport } from "../extract/extract-report.ts";
import type { KnownRows } from "../extract/extraction.ts";
import type { StoreReader } from "../extract/store.ts";
import { TOOL_VERSION, templateFolder } from "../package.ts";
import { KnownValues, type SavedValues } from "../site/known-values.ts";
import type { OutLayout } from "../site/layout.ts";
import { fingerprintOf, siteInputs } from "../site/made-file.ts";
import { changeMeta, isMadeOf, type MadeOf, metaOf } from "../site/manifest.ts";
import { beginStaging, withOut } from "../site/out.ts";
import { type Plan, planCatalog, shapesOf } from "../site/plan.ts";
import { leftOutBands } from "../site/plan-summary.ts";
import { countDeepPages, guardShrink } from "../site/shrink.ts";
import { isFileOf, keptEndpoints, siteFiles } from "../site/site.ts";
import type { FeedReport } from "../site/write-report.ts";
import { moveReadings, NextSnapshot } from "../site/writer.ts";
import { openStore } from "../store/open.ts";
import { stampOf } from "../store/sqlite-stamp.ts";
import { untilStill } from "./again.ts";
import { type BuildReport, costOf, endStage, type NotPublic, type SnapshotReport } from "./build-report.ts";
import { countNotPublic } from "./left-out.ts";
import { otherFiles } from "./other-files.ts";
import { guardSources } from "./own-folders.ts";
import { enforce, objectToClosed, objectToNothing } from "./policies.ts";
import { besideDigestOf, inputsDigestOf, openPreviousManifest, Previous } from "./previous.ts";
import { readAgain } from "./read-again.ts";
import { openRemembered, type Remembered, saveRemembered } from "./remembered.ts";

export type { BuildReport } from "./build-report.ts";

/**
 * Builds a store's snapshot: its catalog and its files. After any error the previous snapshot is unchanged.
 * @throws VitrineError
 */
export async function build(options: BuildOptions = {}): Promise<BuildReport> {
  checkOptions(options);
  return buildSnapshot(await resolveInputs(options), options.log ?? SILENT);
}

/** Like {@link runBuild}, and refuses a `changed.sql` that fails: nothing else would report it. */
export function buildSnapshot(inputs: BuildInputs, log: Log): Promise<BuildReport> {
  return buildLocked({ inputs, log, refusesChanged: true });
}

/**
 * Builds for a watch, from inputs that are already checked. Waits while another process uses the folder, and tries again if the store
 * moved; `signal` ends the wait, but a build that has begun is finished. The watch runs `changed.sql` itself, and goes on if it fails.
 * @param saw called with the row of `changed.sql` in the state that is read, unless it fails
 * @throws VitrineError; the snapshot is then unchanged
 */
export function runBuild(
  inputs: BuildInputs,
  log: Log,
  signal?: AbortSignal,
  saw?: (row: string) => void,
): Promise<BuildReport> {
  return buildLocked({ inputs, log, refusesChanged: false, saw }, signal);
}

function buildLocked(ports: Omit<Ports, "layout">, signal?: AbortSignal): Promise<BuildReport> {
  const { inputs, log } = ports;
  const { out, waitSeconds } = inputs;
  return untilStill({ log, signal }, () =>
    withOut(out, { waitSeconds, log, signal }, (layout) => {
      guardSources(inputs, layout);
      return buildIn({ ...ports, layout });
    }),
  );
}

/** Number of files that are made between two pauses. */
const PROGRESS_FILES = 500;

/** What a build works with. Its output folder is locked. */
interface Ports {
  readonly inputs: BuildInputs;
  readonly layout: OutLayout;
  readonly log: Log;
  /** False if the caller goes on without `changed.sql` if it fails. */
  readonly refusesChanged: boolean;
  /** Takes the row of `changed.sql`. */
  readonly saw?: ((row: string) => void) | undefined;
}

/** What all steps of one build share. */
interface BuildJob extends Ports {
  /** When it began, from `Clock.elapsed`. */
  readonly started: number;
  readonly store: StoreReader;
  readonly queries: AllowList;
  readonly beside: BesideFiles;
  /** Known before a row is read; the next build remembers it. */
  readonly facts: Omit<Remembered, keyof KnownRows | "catalog" | "report" | "values">;
  /** True if the clock alone may have changed rows since the last build. */
  readonly isByClock: boolean;
}

/** The previous snapshot, whose catalog is changed in place. */
interface InPlace {
  readonly previous: Previous;
  /** The catalog's writer, inside a transaction. */
  readonly writer: CatalogFileWriter;
}

/** What a build reports of the rows that it read. */
interface Found extends ExtractReport {
  readonly notPublic: NotPublic;
}

/** The next snapshot, ready to be put in place. */
interface NextSite {
  readonly generatedAt: MetaTime;
  readonly plan: Plan;
  readonly feeds: readonly FeedReport[];
  readonly snapshot: NextSnapshot;
  readonly values: SavedValues;
  /** Number of files in the previous snapshot. */
  readonly liveFiles: number;
}

async function buildIn(ports: Ports): Promise<BuildReport> {
  const { inputs, layout, log } = ports;
  const started = CLOCK.elapsed();
  const queries = readAllowList(inputs.queries);
  const previous = Previous.open(inputs, layout, queries, log);
  try {
    if (previous !== null && !inputs.full && previous.isUntouched) return previous.unchanged({}, started);
    log.progress(() => "extracting");
    const stamp = stampOf(inputs.store) ?? "";
    const beside = readBeside(inputs.queries);
    const others = [beside.closed, beside.leftOut, ports.refusesChanged ? beside.changed : null];
    const read = [...Object.values(queries), ...others.filter((query) => query !== null)];
    // Before the store's transaction begins: nothing that is committed before this moment is missed.
    const readAt = CLOCK.now().toISOString();
    const reader = await openStore(inputs.store, inputs.now, read);
    try {
      if (beside.changed !== null) await seeRow(reader, beside.changed, ports);
      const isForced = enforce(objectToClosed(await reasonClosed(reader, beside.closed)), inputs, log);
      const fitted = await resolveColumns(reader, queries);
      const store = withSlugs(reader);
      const facts = {
        inputs: inputsDigestOf(inputs, queries),
        columns: Object.fromEntries(Object.values(fitted).map(({ name, columns = [] }) => [name, columns])),
        beside: besideDigestOf(beside),
        now: inputs.now,
        readAt,
        stamp,
        isForced,
      };
      const job = {
        ...ports,
        started,
        store,
        beside,
        queries: fitted,
        facts,
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

/** Before the files, so that a table without transactions is not older in them than in this row. */
async function seeRow(
  reader: StoreReader,
  query: AllowListQuery,
  { refusesChanged, saw }: Ports,
): Promise<void> {
  try {
    const row = await reader.row(query);
    saw?.(row);
  } catch (error) {
    const isOfFile = error instanceof VitrineError && error.code !== "store_unreadable";
    if (refusesChanged || !isOfFile) throw error;
  }
}

/** Extracts, makes the files and commits: only what changed, or everything if `inPlace` is null. */
async function make(job: BuildJob, inPlace: InPlace | null): Promise<BuildReport> {
  const { inputs, layout, store } = job;
  if (inPlace === null) beginStaging(layout);
  const writer = inPlace?.writer ?? createCatalog(layout.nextCatalog);
  try {
    const extracted = await extractInto(job, inPlace, writer);
    const found = { ...reportOf(extracted), notPublic: await countNotPublic(store, job.beside.leftOut) };
    await store.close();
    if (existsSync(layout.manifest))
      await readAgain(job, inPlace?.previous.remembered ?? openRemembered(layout.readings), extracted);
    const isForced = refuseNothing(job, found, inPlace?.previous ?? null) || job.facts.isForced;
    const facts = { ...job.facts, isForced };
    if (inPlace?.previous.manifest.meta["catalog_digest"] === extracted.digest)
      return leave({ ...job, facts }, inPlace, extracted, found);
    const extractedEnd = endStage();
    const next = await makeSite(job, inPlace, writer, extracted);
    try {
      guardBuild(inputs, next);
      const renderedEnd = endStage();
      const { plan, feeds, generatedAt, snapshot, values } = next;
      const report = {
        ...found,
        generatedAt,
        leftToFallback: leftOutBands(plan),
        plannedFiles: plan.files,
        feeds,
      };
      remember({ ...job, facts }, extracted, report, values);
      const written = snapshot.commit(metaOf(madeOf(extracted)), inPlace?.writer ?? null, job.log);
      if (inPlace?.writer.hasDeleted) cleanCatalog(job);
      return {
        ...report,
        ...written,
        work: inPlace === null ? "whole" : "part",
        ...changedFilesOf(job, inPlace, extracted),
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

function extractInto(job: BuildJob, inPlace: InPlace | null, writer: CatalogFileWriter): Promise<Extracted> {
  const { inputs, store, queries } = job;
  const { config, maxLeftOut, now } = inputs;
  const sources = { store, queries, config, maxLeftOut, now, writer };
  return extract(sources, inPlace?.previous.remembered ?? null);
}

function reportOf(report: ExtractReport): ExtractReport {
  const { records, leftOut, wrong, shortened, nextChangeAt, summary } = report;
  return { records, leftOut, wrong, shortened, nextChangeAt, summary };
}

/** @returns true if no product becomes public, and that is forced @throws VitrineError rows_invalid if it is not forced */
function refuseNothing({ inputs, log }: BuildJob, found: Found, previous: Previous | null): boolean {
  const products = {
    products: found.records.product ?? 0,
    before: previous?.report.records.product ?? 0,
    now: inputs.now,
  };
  return enforce(objectToNothing(products, found.notPublic), inputs, log);
}

/** No public content changed: updates only what is remembered of the store. */
function leave(job: BuildJob, inPlace: InPlace, extracted: Extracted, found: Found): BuildReport {
  const { layout, started } = job;
  const { previous } = inPlace;
  const made = madeOf(extracted);
  if (!isMadeOf(previous.manifest.meta, made)) changeMeta(layout.manifest, metaOf(made));
  const report = { ...previous.unchanged(found, started), ...changedFilesOf(job, inPlace, extracted) };
  remember(job, extracted, { ...previous.report, ...found }, previous.remembered.values);
  moveReadings(layout, job.log);
  return report;
}

function madeOf({ digest, nextChangeAt }: Extracted): MadeOf {
  return { digest, nextChangeAt, vitrine: TOOL_VERSION };
}

/** Allow-list files with an added, removed or changed row, unless the clock alone may explain it. */
function changedFilesOf(
  { isByClock, queries }: BuildJob,
  inPlace: InPlace | null,
  { files: now }: Extracted,
): Pick<BuildReport, "changedFiles"> {
  if (inPlace === null) return { changedFiles: [] };
  const before = inPlace.previous.remembered.files;
  const files = Object.values(queries).filter(
    (query) => now[query.name] !== before[query.name] && !(isByClock && usesNow(query)),
  );
  return { changedFiles: files.map(({ file }) => file) };
}

/** Saves the results beside the next snapshot. The store's stamp is kept only if it did not change while the store was read. */
function remember(
  { inputs, layout, facts, log }: BuildJob,
  extracted: Extracted,
  report: SnapshotReport,
  values: SavedValues,
): void {
  const { files, memories, digest: catalog } = extracted;
  const stamp = facts.stamp === stampOf(inputs.store) ? facts.stamp : "";
  saveRemembered(layout.nextReadings, { ...facts, stamp, files, memories, catalog, report, values }, log);
}

/** Makes the files of the next snapshot from the catalog as its writer has it. */
async function makeSite(
  job: BuildJob,
  inPlace: InPlace | null,
  writer: CatalogFileWriter,
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
    const code = fingerprintOf(TOOL_VERSION, JSON.stringify(inputs.config));
    const known = new KnownValues(inPlace?.previous.remembered.values);
    const files = siteInputs(catalog, code, known, writer.digests);
    const plan = planCatalog(files, others.count(catalog));
    const kept = keptEndpoints(files, plan);
    snapshot.keep((key) => isFileOf(kept, key));
    let reported = 0;
    for (const file of siteFiles(files, plan, others, templateFolder("widgets"), kept)) {
      snapshot.put(file);
      const done = snapshot.files;
      if (done < reported + PROGRESS_FILES) continue;
      reported = done;
      log.progress(() => ({ what: "rendering", done, of: plan.files, unit: "files" }));
      // Lets signal handlers run.
      await setImmediate();
    }
    writer.setFiles(shapesOf(plan));
    // A new catalog is complete. A changed one is committed together with its files.
    if (inPlace === null) writer.commit();
    const liveFiles = previous?.totals().files ?? 0;
    return { generatedAt, plan, feeds: [...feeds.values()], snapshot, values: known.saved, liveFiles };
  } catch (error) {
    snapshot.discard();
    throw error;
  }
}

/** Keeps the previous catalog's time if the content is the same, and so the times in its answers. */
function keepTime({ layout, inputs }: BuildJob, writer: CatalogFileWriter, digest: string): MetaTime {
  try {
    using previous = openCatalog(layout.catalog);
    if (previous.digest === digest) writer.setGeneratedAt(previous.generatedAt);
  } catch (error) {
    if (existsSync(layout.catalog) && isMachineTrouble(error)) throw error;
    // Missing, damaged, or in another format.
  }
  return writer.meta("generated_at") ?? toMetaTime(inputs.now);
}

/** @throws VitrineError guard_refused */
function guardBuild({ allowShrink }: BuildInputs, { snapshot, liveFiles }: NextSite): void {
  const { files, deletions } = snapshot;
  const vanished = deletions.length - countDeepPages(deletions);
  guardShrink({ what: "Building", files, deletions: vanished, liveFiles, allowed: allowShrink });
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

/** The snapshot to change in place; null if everything must be made: also if a file gives other columns, as a `SELECT *` may. */
function decide({ layout, facts }: BuildJob, previous: Previous | null): InPlace | null {
  if (previous === null || !isDeepStrictEqual(previous.remembered.columns, facts.columns)) return null;
  const writer = openWriter(layout, previous.remembered.catalog);
  return writer === null ? null : { previous, writer };
}

function openWriter({ catalog }: OutLayout, digest: string): CatalogFileWriter | null {
  try {
    const writer = changeCatalog(catalog);
    if (writer.meta("digest") === digest) return writer;
    writer.close();
  } catch (error) {
    if (isMachineTrouble(error)) throw error;
    // Another format, or damaged: it will be replaced.
  }
  return null;
}

/** The stages in a row: store → next catalog → plan → next snapshot → in place. */
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { formatCount, type Log } from "../base/log.ts";
import { toMetaTime } from "../base/time.ts";
import { type Catalog, openCatalog } from "../catalog/catalog.ts";
import { type ExtractReport, extract } from "../extract/extract.ts";
import { type Plan, planCatalog } from "../render/plan.ts";
import { renderPlan } from "../render/render.ts";
import { digestFile } from "../snapshot/digest.ts";
import type { OutLayout } from "../snapshot/layout.ts";
import { lockOut } from "../snapshot/lock.ts";
import { type Manifest, type ManifestMeta, openManifest } from "../snapshot/manifest.ts";
import { guardShrink } from "../snapshot/shrink.ts";
import { createSnapshot, finishCommit, type SnapshotWriter, type WriteReport } from "../snapshot/writer.ts";
import { type BuildInputs, prepareOut } from "./inputs.ts";
import { TOOL_VERSION, templateFolder } from "./version.ts";
import { explainWriteFailure } from "./write-failure.ts";

export interface BuildReport extends WriteReport {
  readonly extraction: ExtractReport;
  readonly plan: Plan;
  readonly generatedAt: string;
  /** Seconds of each stage. */
  readonly seconds: { readonly extract: number; readonly render: number; readonly commit: number };
}

/** Runs `work` with the lock of an output folder, after finishing what an interrupted build left there. */
function withOut<Result>(out: string, work: (layout: OutLayout) => Result): Result {
  try {
    const layout = prepareOut(out);
    const unlock = lockOut(layout.lock);
    try {
      finishCommit(layout);
      mkdirSync(layout.nextFiles, { recursive: true });
      return work(layout);
    } finally {
      if (!existsSync(layout.moves)) rmSync(layout.next, { recursive: true, force: true });
      unlock();
    }
  } catch (error) {
    throw explainWriteFailure(error, out);
  }
}

/** Ends what an interrupted build left in an output folder. */
export function settleOut(out: string): void {
  withOut(out, () => undefined);
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000;
}

/** The digest of the catalog that is in place, or null where there is none that can be read. */
function presentDigest(layout: OutLayout): string | null {
  if (!existsSync(layout.catalog)) return null;
  try {
    const catalog = openCatalog(layout.catalog);
    const { digest } = catalog;
    catalog.close();
    return digest;
  } catch {
    return null; // Of another format, or broken: it is replaced.
  }
}

/** Extracts the next catalog. Where nothing in it changed, it becomes a copy of the present one, `generated_at` and all. */
function extractNext(inputs: BuildInputs, layout: OutLayout): { catalog: Catalog; report: ExtractReport } {
  const report = extract({ ...inputs, file: layout.nextCatalog });
  const next = openCatalog(layout.nextCatalog);
  if (next.digest !== presentDigest(layout)) return { catalog: next, report };
  next.close();
  copyFileSync(layout.catalog, layout.nextCatalog);
  return { catalog: openCatalog(layout.nextCatalog), report };
}

function openPrevious(layout: OutLayout): Manifest | null {
  return existsSync(layout.manifest) && existsSync(layout.site) ? openManifest(layout.manifest) : null;
}

/** Plans a store's snapshot; nothing stays behind. */
export function planBuild(inputs: BuildInputs): Plan {
  return withOut(inputs.out, (layout) => {
    const { catalog } = extractNext(inputs, layout);
    try {
      return planCatalog(catalog);
    } finally {
      catalog.close();
    }
  });
}

function render(catalog: Catalog, plan: Plan, writer: SnapshotWriter, log: Log): void {
  renderPlan(catalog, plan, {
    writer,
    widgets: templateFolder("widgets"),
    progress: (done, family) => {
      log.progress(() => `rendering ${formatCount(done)} of ${formatCount(plan.files)} files: ${family}`);
    },
  });
}

/** What a manifest says of the catalog that its snapshot is made of, and of how. */
function madeOf(catalog: Catalog, report: ExtractReport): ManifestMeta {
  return {
    catalog_digest: catalog.digest,
    next_change_at: report.nextChangeAt ?? "",
    vitrine: TOOL_VERSION,
  };
}

/** True where the present snapshot says the same of itself: there is nothing to render. */
function isCurrent(previous: Manifest, made: ManifestMeta): boolean {
  return Object.entries(made).every(([name, value]) => previous.meta[name] === value);
}

/** Builds a store's snapshot. On any error the present one is as it was. */
export function build(inputs: BuildInputs, log: Log): BuildReport {
  return withOut(inputs.out, (layout) => {
    const started = performance.now();
    log.progress(() => "extracting");
    const { catalog, report } = extractNext(inputs, layout);
    const extracted = performance.now();
    const plan = planCatalog(catalog);
    const now = toMetaTime(inputs.now);
    const made = madeOf(catalog, report);
    const previous = openPrevious(layout);
    const about = { extraction: report, plan, generatedAt: catalog.generatedAt };
    if (previous !== null && isCurrent(previous, made)) {
      const totals = previous.totals();
      previous.close();
      catalog.close();
      const seconds = { extract: (extracted - started) / 1000, render: 0, commit: 0 };
      return { ...totals, ...about, written: 0, deleted: 0, seconds };
    }
    const writer = createSnapshot(layout, previous, now);
    try {
      render(catalog, plan, writer, log);
      guardShrink({
        what: "Building",
        liveFiles: previous?.totals().files ?? 0,
        files: plan.files,
        deletions: writer.countDeletions(),
        allowed: inputs.allowShrink,
      });
    } catch (error) {
      writer.discard();
      throw error;
    } finally {
      catalog.close();
    }
    const rendered = performance.now();
    const written = writer.commit({ ...made, catalog: digestFile(layout.nextCatalog) });
    const seconds = {
      extract: (extracted - started) / 1000,
      render: (rendered - extracted) / 1000,
      commit: secondsSince(rendered),
    };
    return { ...written, ...about, seconds };
  });
}

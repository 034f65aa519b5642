/** The stages in a row: store → next catalog → plan → next snapshot → in place. */
import { existsSync } from "node:fs";
import { formatCount, type Log, SILENT } from "./base/log.ts";
import { type MetaTime, toMetaTime } from "./base/time.ts";
import type { Catalog } from "./catalog/catalog.ts";
import { type BuildInputs, type BuildOptions, resolveInputs } from "./config/inputs.ts";
import type { ExtractReport } from "./extract/extract.ts";
import { extractNext } from "./next-catalog.ts";
import { TOOL_VERSION, templateFolder } from "./package.ts";
import type { LeftOutBand } from "./render/bands.ts";
import { type Plan, planCatalog } from "./render/plan.ts";
import { leftOutBands } from "./render/plan-summary.ts";
import { renderPlan } from "./render/render.ts";
import type { OutLayout } from "./snapshot/layout.ts";
import {
  isMadeOf,
  type MadeOf,
  type Manifest,
  metaOf,
  openManifest,
  type WriteReport,
} from "./snapshot/manifest.ts";
import { withOut } from "./snapshot/out.ts";
import { guardShrink } from "./snapshot/shrink.ts";
import { createSnapshot, type SnapshotWriter } from "./snapshot/writer.ts";

export interface BuildReport extends WriteReport, ExtractReport {
  /** The output folder, as an absolute path. */
  readonly out: string;
  /** When the catalog's content last changed. */
  readonly generatedAt: MetaTime;
  /** What is over `grid.maxFiles` and so the fallback's; null where nothing changed: then nothing is planned. */
  readonly leftToFallback: readonly LeftOutBand[] | null;
  /** Seconds of each stage. */
  readonly seconds: { readonly extract: number; readonly render: number; readonly commit: number };
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

/** The present snapshot's manifest, or null where there is none that stands for its files. */
function openPrevious(layout: OutLayout): Manifest | null {
  return existsSync(layout.manifest) && existsSync(layout.site) ? openManifest(layout.manifest) : null;
}

/** A snapshot beside the present one, ready to be put in place. */
interface NextSnapshot {
  readonly writer: SnapshotWriter;
  readonly leftToFallback: readonly LeftOutBand[];
}

function renderNext(
  { now, allowShrink }: BuildInputs,
  layout: OutLayout,
  { catalog, previous }: { readonly catalog: Catalog; readonly previous: Manifest | null },
  log: Log,
): NextSnapshot {
  const writer = createSnapshot(layout, previous, toMetaTime(now));
  try {
    const plan = planCatalog(catalog);
    render(catalog, plan, writer, log);
    guardShrink({
      what: "Building",
      liveFiles: previous?.totals().files ?? 0,
      files: plan.files,
      deletions: writer.countDeletions(),
      allowed: allowShrink,
    });
    return { writer, leftToFallback: leftOutBands(plan) };
  } catch (error) {
    writer.discard();
    throw error;
  }
}

function seconds(from: number, to: number): number {
  return (to - from) / 1000;
}

/** Builds a snapshot from inputs that are checked already. */
export function buildSnapshot(inputs: BuildInputs, log: Log): Promise<BuildReport> {
  return withOut(inputs.out, async (layout) => {
    const started = performance.now();
    log.progress(() => "extracting");
    const { catalog, report } = await extractNext(inputs, layout);
    const extracted = performance.now();
    const extract = seconds(started, extracted);
    const { digest, generatedAt } = catalog;
    const made: MadeOf = { digest, nextChangeAt: report.nextChangeAt, vitrine: TOOL_VERSION };
    const about = { ...report, out: inputs.out, generatedAt };
    let next: NextSnapshot;
    try {
      const previous = openPrevious(layout);
      if (previous !== null && isMadeOf(previous.meta, made)) {
        const present = { ...previous.totals(), written: 0, deleted: 0 };
        previous.close();
        return { ...present, ...about, leftToFallback: null, seconds: { extract, render: 0, commit: 0 } };
      }
      next = renderNext(inputs, layout, { catalog, previous }, log);
    } finally {
      catalog.close();
    }
    const rendered = performance.now();
    const written = next.writer.commit(metaOf(layout.nextCatalog, made));
    return {
      ...written,
      ...about,
      leftToFallback: next.leftToFallback,
      seconds: {
        extract,
        render: seconds(extracted, rendered),
        commit: seconds(rendered, performance.now()),
      },
    };
  });
}

/**
 * Builds a store's snapshot: its catalog and its files. On any error the present one is as it was.
 * @throws VitrineError
 */
export async function build(options: BuildOptions = {}): Promise<BuildReport> {
  return buildSnapshot(await resolveInputs(options), options.log ?? SILENT);
}

/** One build of an output folder that is locked: what its ways have in common. */
import type { Log } from "../base/log.ts";
import type { Threads } from "../base/thread-pool.ts";
import type { BuildInputs } from "../config/inputs.ts";
import type { AllowList } from "../extract/allow-list.ts";
import type { Extracted } from "../extract/extract.ts";
import { saveReadings } from "../extract/readings.ts";
import type { ExtractReport } from "../extract/report.ts";
import type { StoreChanges } from "../extract/store.ts";
import { stampOf } from "../extract/stores/sqlite-stamp.ts";
import { TOOL_VERSION } from "../package.ts";
import type { OutLayout } from "../snapshot/layout.ts";
import type { MadeOf, Manifest } from "../snapshot/manifest.ts";
import { countDeepPages, guardShrink } from "../snapshot/shrink.ts";
import type { BuildReport, SnapshotReport } from "./report.ts";

/** Short texts that are remembered, by name. */
export type Words = ReadonlyMap<string, string>;

export interface BuildJob {
  readonly inputs: BuildInputs;
  readonly layout: OutLayout;
  readonly log: Log;
  readonly queries: AllowList;
  /** What the store's adapter says of the picture that is read. Asked once, before any row. */
  readonly changes: StoreChanges;
  /** What is remembered of this build, whatever its way. */
  readonly words: Words;
  /** For what is much. */
  readonly threads: Threads;
  /** Files of which the comparison of all rows finds one that had changed without being noticed; filled by whoever extracts. */
  readonly missed: Set<string>;
  /** When it began, as `performance.now()` says. */
  readonly started: number;
}

/** Name of what is remembered of {@link StoreChanges.mark}. */
export const STORE_MARK = "store mark";

export function reportOf({ records, leftOut, wrong, nextChangeAt, summary }: ExtractReport): ExtractReport {
  return { records, leftOut, wrong, nextChangeAt, summary };
}

export function madeOf({ digest, nextChangeAt }: Extracted): MadeOf {
  return { digest, nextChangeAt, vitrine: TOOL_VERSION };
}

/** When a stage ended, and what memory the process had had by then. */
interface StageEnd {
  readonly at: number;
  readonly peakBytes: number;
}

export function endStage(): StageEnd {
  return { at: performance.now(), peakBytes: process.resourceUsage().maxRSS * 1024 };
}

/** What the stages cost, of when each ended; the last one ends now. */
export function costOf(
  { started }: Pick<BuildJob, "started">,
  extracted: StageEnd,
  rendered: StageEnd,
): Pick<BuildReport, "seconds" | "peakBytes"> {
  const committed = endStage();
  const seconds = (from: number, to: number) => (to - from) / 1000;
  return {
    seconds: {
      extract: seconds(started, extracted.at),
      render: seconds(extracted.at, rendered.at),
      commit: seconds(rendered.at, committed.at),
    },
    peakBytes: { extract: extracted.peakBytes, render: rendered.peakBytes, commit: committed.peakBytes },
  };
}

/** @throws VitrineError guard_refused */
export function guardBuild(
  { inputs }: BuildJob,
  previous: Manifest | null,
  { files, deletions }: { readonly files: number; readonly deletions: readonly string[] },
): void {
  const liveFiles = previous?.totals().files ?? 0;
  const vanished = deletions.length - countDeepPages(deletions);
  guardShrink({ what: "Building", files, deletions: vanished, liveFiles, allowed: inputs.allowShrink });
}

/** What the next build needs to know. */
export interface Remembered {
  readonly extracted: Extracted;
  readonly report: SnapshotReport;
  readonly words: Words;
  /** What is known already and stays: words, and the file where all of it stands. */
  readonly known: { readonly words: Words; readonly file: string };
}

/** Keeps it in a file. Only a stamp that held while the store was read is one of what was read. */
export function remember(
  { inputs, changes, words: own }: BuildJob,
  { extracted, report, words, known }: Remembered,
  file: string,
): void {
  const stamp = own.get("stamp") ?? "";
  const all = new Map([
    ...known.words,
    ...own,
    ...extracted.words,
    ...words,
    ["stamp", stamp === stampOf(inputs.store) ? stamp : ""],
    ["catalog", extracted.digest],
    ["report", JSON.stringify(report)],
  ] as const);
  // An empty mark says that there is none: an older one would be another store's.
  const blobs = new Map([...extracted.blobs, [STORE_MARK, changes.mark ?? Buffer.alloc(0)]]);
  saveReadings(file, { words: all, blobs }, known.file);
}

/** The report of a build, for scripts and the command line. */

import type { RecordName } from "../api/records.ts";
import { CLOCK } from "../base/clock.ts";
import { counted } from "../base/log.ts";
import type { MetaTime } from "../base/time.ts";
import type { ExtractReport } from "../extract/extract-report.ts";
import type { WrongValue } from "../extract/problems.ts";
import type { FeedReport, LeftOutBand, WriteReport } from "../site/write-report.ts";

/**
 * How many products the shop shows and the allow-list leaves out, as `products.left-out.sql` lists them, by reason, the most frequent
 * first: `{"without a price": 12, "in no public category": 3}`. Empty without that file.
 */
export type NotPublic = Readonly<Record<string, number>>;

/** The part of a build's report that describes the snapshot, whether it was made or unchanged. */
export interface SnapshotReport extends ExtractReport {
  /** Products that the shop shows and the allow-list leaves out, by reason. */
  readonly notPublic: NotPublic;
  /** When the catalog's content last changed. */
  readonly generatedAt: MetaTime;
  /** Lists beyond `grid.pages` or `grid.maxFiles`, which the fallback answers. */
  readonly leftToFallback: readonly LeftOutBand[];
  /** Files of the plan, including those that are left out because they exceed `grid.maxFileBytes`. */
  readonly plannedFiles: number;
  /** The products in each feed that has requirements. */
  readonly feeds: readonly FeedReport[];
}

/** `"image_url is left empty in 3 rows of products.sql (id 4, 7, 9): it must be …"` */
export function wrongLine({ file, column, problem, outcome, rows, ids }: WrongValue): string {
  const which = ids.length === 0 ? "" : ` (id ${ids.join(", ")}${rows > ids.length ? ", …" : ""})`;
  const what = `${counted(rows, ["row"])} of ${file}${which}`;
  if (outcome === "kept") return `${column} ${problem} in ${what}`;
  return outcome === "emptied"
    ? `${column} is left empty in ${what}: it ${problem}`
    : `${what} left out: ${column} ${problem}`;
}

/** One number for each stage. */
interface StageNumbers {
  readonly extract: number;
  readonly render: number;
  readonly commit: number;
}

export interface BuildReport extends SnapshotReport, WriteReport {
  /** The output folder, as an absolute path. */
  readonly out: string;
  /** `none`: nothing had changed; `part`: what changed was made; `whole`: everything was made. */
  readonly work: "none" | "part" | "whole";
  /** Number of added, removed and changed records, by resource; null if everything was made. */
  readonly changed: Readonly<Partial<Record<RecordName, number>>> | null;
  /**
   * Allow-list files with a row that was added, removed or changed since the last build, whether an answer shows it or not, unless
   * the clock may have changed it. Empty if the last build is not remembered.
   */
  readonly changedFiles: readonly string[];
  /** Seconds of each stage. */
  readonly seconds: StageNumbers;
  /** Peak memory of the process up to the end of each stage, in bytes. */
  readonly peakBytes: StageNumbers;
}

/** When a stage ended, and the peak memory up to then. */
interface StageEnd {
  readonly at: number;
  readonly peakBytes: number;
}

export function endStage(): StageEnd {
  return { at: CLOCK.elapsed(), peakBytes: process.resourceUsage().maxRSS * 1024 };
}

/** Time and memory of the stages; the last one ends now. */
export function costOf(
  started: number,
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

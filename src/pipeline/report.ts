/** What a build says of itself, for scripts and the command line. */
import type { RecordName } from "../api/records.ts";
import { counted } from "../base/log.ts";
import type { MetaTime } from "../base/time.ts";
import type { WrongValue } from "../extract/problems.ts";
import type { ExtractReport } from "../extract/report.ts";
import type { FeedReport } from "../site/feeds/report.ts";
import type { LeftOutBand, WriteReport } from "../site/report.ts";

/** What a build says of a snapshot, whether it made it or found it. */
export interface SnapshotReport extends ExtractReport {
  /** When the catalog's content last changed. */
  readonly generatedAt: MetaTime;
  /** What is beyond `grid.pages` or over `grid.maxFiles`, and so the fallback's. */
  readonly leftToFallback: readonly LeftOutBand[];
  /** Files of the plan: more than there are by those that are larger than `grid.maxFileBytes`. */
  readonly plannedFiles: number;
  /** What became of the products in each feed that requires something of them. */
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
  /** Records that came, went or are others than before, by resource; null where everything was made. */
  readonly changed: Readonly<Partial<Record<RecordName, number>>> | null;
  /**
   * Allow-list files of which a row came, went or is another than at the last build, whether an answer shows it or not, unless
   * the clock may have changed it. Empty where the last build is not remembered.
   */
  readonly changedFiles: readonly string[];
  /** Seconds of each stage. */
  readonly seconds: StageNumbers;
  /** Most memory that the process had had by the end of each stage, in bytes, since its start. */
  readonly peakBytes: StageNumbers;
}

/** When a stage ended, and what memory the process had had by then. */
interface StageEnd {
  readonly at: number;
  readonly peakBytes: number;
}

export function endStage(): StageEnd {
  return { at: performance.now(), peakBytes: process.resourceUsage().maxRSS * 1024 };
}

/** What the stages cost, of when the first began and when each ended; the last one ends now. */
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

/**
 * What a build knows of the clock: the moment at which it alone changes an answer. To read that costs more than most changes,
 * so a quick build leaves it to a later one, which asks for the first moment after the quick build's own.
 */
import { type MetaTime, toMetaTime } from "./base/time.ts";
import type { BuildJob } from "./build-job.ts";
import { extractNextChange } from "./extract/extract.ts";
import type { StoreReader } from "./extract/store.ts";
import type { Present } from "./present.ts";

export interface Clock {
  /** True where the clock alone may have changed what a file gives. */
  readonly isByClock: boolean;
  /** The next moment, as far as it is known. */
  readonly nextChangeAt: MetaTime | null;
  /** Whether it holds unless a file changed, holds for the picture that this build reads, or is left to a later build. */
  readonly moment: "known" | "read" | "later";
}

/** @throws VitrineError allow_list_invalid, rows_invalid */
export async function readClock(job: BuildJob, present: Present, store: StoreReader): Promise<Clock> {
  const { inputs, queries, isQuick } = job;
  const { isByClock, isDue, nextChangeAt, unknownSince } = present;
  if (isByClock || isDue || inputs.full) return { isByClock, nextChangeAt, moment: "known" };
  if (isQuick) return { isByClock, nextChangeAt, moment: "later" };
  if (unknownSince === null) return { isByClock, nextChangeAt, moment: "known" };
  const next = await extractNextChange({ store, queries, config: inputs.config, now: unknownSince });
  return next !== null && toMetaTime(inputs.now) >= next
    ? { isByClock: true, nextChangeAt, moment: "known" }
    : { isByClock, nextChangeAt: next, moment: "read" };
}

/** Which older releases are kept with the live one. Pure. */
import type { ReleaseRecord } from "./documents.ts";
import type { Keep } from "./options.ts";

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Kept whatever their age, the live one included: also where nothing was published for long. */
const NEWEST = 10;
/** One release is kept of each span of time: the older it is, the longer the span. A span begins where a longer one does. */
const SPANS = [
  { untilSeconds: HOUR_SECONDS, spanSeconds: 60 },
  { untilSeconds: DAY_SECONDS, spanSeconds: HOUR_SECONDS },
  { untilSeconds: Number.POSITIVE_INFINITY, spanSeconds: DAY_SECONDS },
] as const;
/**
 * So many releases more may stay for a while. To forget some, a publish reads what all others are made of, and it takes as long for one
 * as for many.
 */
export const SPARE = 20;
/** A release whose time is over goes at the latest after so long. */
const SPARE_SECONDS = HOUR_SECONDS;

interface Aged {
  readonly record: ReleaseRecord;
  readonly ageSeconds: number;
}

function spanOf({ record, ageSeconds }: Aged): string {
  const { spanSeconds } = SPANS.find(({ untilSeconds }) => ageSeconds <= untilSeconds) ?? SPANS[2];
  return `${spanSeconds} ${Math.floor(Date.parse(record.at) / 1000 / spanSeconds)}`;
}

/** Of each span the first release, and the newest ten in any case. */
function chosenOf(older: readonly Aged[], keepSeconds: number): Set<ReleaseRecord> {
  const first = new Map<string, ReleaseRecord>();
  // The newest comes first: the last one that is set is the oldest.
  for (const aged of older) if (aged.ageSeconds <= keepSeconds) first.set(spanOf(aged), aged.record);
  const newest = older.slice(0, NEWEST - 1).map(({ record }) => record);
  return new Set([...newest, ...first.values()]);
}

/**
 * `older`: releases before the live one, newest first. By time: those that are chosen, and others too until enough have gathered to be
 * forgotten together.
 */
export function keptOf(older: readonly ReleaseRecord[], keep: Keep, now: Date): readonly ReleaseRecord[] {
  if (typeof keep === "number") return older.slice(0, keep - 1);
  const aged = older.map((record) => ({
    record,
    ageSeconds: (now.getTime() - Date.parse(record.at)) / 1000,
  }));
  const chosen = chosenOf(aged, keep.seconds);
  const spare = aged.filter(({ record }) => !chosen.has(record));
  const isOver = spare.some(({ ageSeconds }) => ageSeconds > keep.seconds + SPARE_SECONDS);
  return spare.length <= SPARE && !isOver ? older : older.filter((record) => chosen.has(record));
}

/** Which older releases are kept with the live one. Pure. */
import type { ReleaseRecord } from "./documents.ts";
import type { Keep } from "./options.ts";

const HOUR_SECONDS = 60 * 60;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** The newest ten, including the live one, are kept at any age, also after a long time without a publish. */
const NEWEST = 10;
/** One release is kept per span of time, and the spans grow with age. The start of a long span is also the start of a shorter one. */
const SPANS = [
  { untilSeconds: HOUR_SECONDS, spanSeconds: 60 },
  { untilSeconds: DAY_SECONDS, spanSeconds: HOUR_SECONDS },
  { untilSeconds: Number.POSITIVE_INFINITY, spanSeconds: DAY_SECONDS },
] as const;
/**
 * This many surplus releases may stay for a while. Forgetting a release means reading what all others consist of, which takes as long
 * for one as for many.
 */
export const SPARE = 20;
/** A surplus release is forgotten at the latest this long after its time. */
const SPARE_SECONDS = HOUR_SECONDS;

interface Aged {
  readonly record: ReleaseRecord;
  readonly ageSeconds: number;
}

function spanOf({ record, ageSeconds }: Aged): string {
  const { spanSeconds } = SPANS.find(({ untilSeconds }) => ageSeconds <= untilSeconds) ?? SPANS[2];
  return `${spanSeconds} ${Math.floor(Date.parse(record.at) / 1000 / spanSeconds)}`;
}

/** The first release of each span, and always the newest ten. */
function chosenOf(older: readonly Aged[], keepSeconds: number): Set<ReleaseRecord> {
  const first = new Map<string, ReleaseRecord>();
  // Newest first, so the last one set is the oldest.
  for (const aged of older) if (aged.ageSeconds <= keepSeconds) first.set(spanOf(aged), aged.record);
  const newest = older.slice(0, NEWEST - 1).map(({ record }) => record);
  return new Set([...newest, ...first.values()]);
}

/**
 * `older`: releases before the live one, newest first. With a time to keep, the surplus stays until enough of it has gathered to be
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

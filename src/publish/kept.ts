/** Which older releases are kept with the live one. Pure. */
import type { ReleaseRecord } from "./documents.ts";
import type { Keep } from "./options.ts";

const HOUR_SECONDS = 60 * 60;
/** Kept whatever their age, the live one included: also where nothing was published for long. */
const NEWEST = 10;

/** Of a busy hour one release, of the last hour one a minute. */
function slotOf(at: string, now: number): string {
  const seconds = Date.parse(at) / 1000;
  const length = now / 1000 - seconds <= HOUR_SECONDS ? 60 : HOUR_SECONDS;
  return `${length} ${Math.floor(seconds / length)}`;
}

/** `older`: releases before the live one, newest first. Of each slot the first release is kept, and the newest ten in any case. */
export function keptOf(older: readonly ReleaseRecord[], keep: Keep, now: Date): readonly ReleaseRecord[] {
  if (typeof keep === "number") return older.slice(0, keep - 1);
  const kept = new Map<string, ReleaseRecord>();
  for (const record of older.toReversed()) {
    if (now.getTime() - Date.parse(record.at) > keep.seconds * 1000) continue;
    const slot = slotOf(record.at, now.getTime());
    if (!kept.has(slot)) kept.set(slot, record);
  }
  const chosen = new Set([...older.slice(0, NEWEST - 1), ...kept.values()]);
  return older.filter((record) => chosen.has(record));
}

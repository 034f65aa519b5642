/** Which releases stay beside the live one: the last so many, or those of a time, thinned. Pure. */
import { VitrineError } from "../base/error.ts";
import type { Part, ReleaseRecord } from "./documents.ts";

/** So many, the live one included; or so long. */
export type Keep = number | { readonly seconds: number };

const HOUR_SECONDS = 60 * 60;
/** By number; by time there are as many at most. */
const MOST_RELEASES = 2500;
const UNITS: Readonly<Record<string, number>> = { h: HOUR_SECONDS, d: 24 * HOUR_SECONDS };
/** The pointer names every kept release, and fallbacks read it every few seconds. */
const MOST_SECONDS = 90 * 24 * HOUR_SECONDS;
/** Kept whatever their age, the live one included: also where nothing was published for long. */
const NEWEST = 10;

/** `10`, `36h` or `7d`. @throws VitrineError usage */
export function parseKeep(text: string): Keep {
  const [, digits = "", unit = ""] = /^([1-9]\d*)([hd]?)$/.exec(text) ?? [];
  const seconds = Number(digits) * (UNITS[unit] ?? 0);
  if (digits !== "" && unit === "" && Number(digits) <= MOST_RELEASES) return Number(digits);
  if (digits !== "" && seconds <= MOST_SECONDS) return { seconds };
  throw new VitrineError(
    "usage",
    `"${text}" is nothing to keep releases by: write how many, from 1 to ${MOST_RELEASES}, or how long, up to 90d, like 36h or 7d.`,
  );
}

/** Of a busy hour one release, of the last hour one a minute. */
function slotOf(at: string, now: number): string {
  const seconds = Date.parse(at) / 1000;
  const length = now / 1000 - seconds <= HOUR_SECONDS ? 60 : HOUR_SECONDS;
  return `${length} ${Math.floor(seconds / length)}`;
}

/** `older`: releases before the live one, newest first. Of each slot a base is kept, which needs no others; else its first release. */
export function keptOf(
  older: readonly ReleaseRecord[],
  parts: readonly Part[],
  keep: Keep,
  now: Date,
): readonly ReleaseRecord[] {
  if (typeof keep === "number") return older.slice(0, keep - 1);
  const bases = new Set(parts.filter(({ kind }) => kind === "base").map(({ id }) => id));
  const kept = new Map<string, ReleaseRecord>();
  for (const record of older.toReversed()) {
    if (now.getTime() - Date.parse(record.at) > keep.seconds * 1000) continue;
    const slot = slotOf(record.at, now.getTime());
    const first = kept.get(slot);
    if (first === undefined || (bases.has(record.id) && !bases.has(first.id))) kept.set(slot, record);
  }
  const chosen = new Set([...older.slice(0, NEWEST - 1), ...kept.values()]);
  return older.filter((record) => chosen.has(record));
}

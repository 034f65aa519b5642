/** Times as the store writes them: TEXT `YYYY-MM-DD HH:MM:SS`, UTC. Inside the seeder, whole seconds since 1970. */

export const HOUR = 3600;
export const DAY = 24 * HOUR;

/** The tests' "now" unless another is given. */
export const BASE_TIME = "2026-06-01 00:00:00";
/** So far away that no present-day build reaches it. */
export const RELEASE_FAR = "2098-03-01 09:00:00";
export const START_FAR = "2099-01-01 00:00:00";
export const END_FAR = "2099-12-31 23:59:59";

const UNITS: Readonly<Record<string, number>> = { s: 1, h: HOUR, d: DAY };

export function formatTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
}

/** Takes `2026-06-01 00:00:00`, and an ISO 8601 UTC time such as `2026-06-01T00:00:00Z`. */
export function parseTime(text: string): number {
  const plain = text.replace("T", " ").replace(/Z$/, "");
  const seconds = Date.parse(`${plain.replace(" ", "T")}Z`) / 1000;
  if (Number.isNaN(seconds) || formatTime(seconds) !== plain) {
    throw new Error(`Not a time of the form YYYY-MM-DD HH:MM:SS (UTC): ${text}`);
  }
  return seconds;
}

/** Resolves times relative to "now", such as `now`, `now-30d` and `now+5s`; any other text is returned unchanged. */
export function resolveTime(text: string, now: number): string {
  const parts = /^now(?:([+-]\d+)([shd]))?$/.exec(text);
  if (parts === null) return text;
  const [, count = "0", unit = "s"] = parts;
  return formatTime(now + Number(count) * (UNITS[unit] ?? 1));
}

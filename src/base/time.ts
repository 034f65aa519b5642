/** Moments in the contract's two notations. Nothing here reads a clock or a time zone. */

/** `2026-11-20 19:00:00`, UTC: dates in records, and in SQL comparisons. */
export type SqlTime = string;
/** `2026-11-20T19:00:00+00:00`: `meta.generated_at`. Always 25 characters. */
export type MetaTime = string;

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(?:Z|\+00:?00)?)?$/;

/** Reads a date as people and schedules write it (`2026-11-20`, `… 19:00[:00]`, `…T19:00:00.000Z`); null for other text. */
export function parseMoment(text: string): SqlTime | null {
  const match = MOMENT.exec(text);
  if (match === null) return null;
  const clock = match[2] ?? "00:00:00";
  const time = `${match[1]} ${clock.length === 5 ? `${clock}:00` : clock}`;
  return isSqlTime(time) ? time : null;
}

const SQL_TIME = /^\d{4}-\d{2}-\d{2} (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const isLeap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return (MONTH_DAYS[month - 1] ?? 0) + (isLeap ? 1 : 0);
}

/** True for the one form whose text order is the order of time: an existing day, `2026-11-20 19:00:00`. */
export function isSqlTime(text: string): text is SqlTime {
  if (!SQL_TIME.test(text)) return false;
  const day = Number(text.slice(8, 10));
  return day >= 1 && day <= daysIn(Number(text.slice(0, 4)), Number(text.slice(5, 7)));
}

/** @example toSqlTime(new Date(0)) === "1970-01-01 00:00:00" */
export function toSqlTime(date: Date): SqlTime {
  return date.toISOString().slice(0, 19).replace("T", " ");
}

/** @example toMetaTime("2026-11-20 19:00:00") === "2026-11-20T19:00:00+00:00" */
export function toMetaTime(time: SqlTime): MetaTime {
  return `${time.replace(" ", "T")}+00:00`;
}

/** 1973 to 5138 in seconds: smaller numbers may be day numbers, larger ones milliseconds. */
const SECONDS = { least: 100_000_000, below: 100_000_000_000 };

/** @example secondAfter("2026-11-20 18:59:59") === "2026-11-20 19:00:00" */
export function secondAfter(time: SqlTime): SqlTime {
  return toSqlTime(new Date(Date.parse(toMetaTime(time)) + 1000));
}

/**
 * A moment as stores keep it: text in the one form, with or without a fraction of a second, or Unix seconds; null for
 * anything else. The result has whole seconds: a fraction is cut off (`cut`), or rounded up to the first second at which
 * the moment has passed (`up`).
 */
export function readTime(value: unknown, fraction: "cut" | "up" = "cut"): SqlTime | null {
  if (typeof value === "string") {
    const [, whole = value, digits = ""] = /^(.{19})\.(\d+)$/.exec(value) ?? [];
    if (!isSqlTime(whole)) return null;
    return fraction === "up" && /[1-9]/.test(digits) ? secondAfter(whole) : whole;
  }
  if (typeof value !== "number" || !Number.isInteger(value)) return null;
  return value >= SECONDS.least && value < SECONDS.below ? toSqlTime(new Date(value * 1000)) : null;
}

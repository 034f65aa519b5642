/**
 * Converts values of database servers to SQLite's form, so that all servers give the same (docs/stores.md). Tests read the
 * same values from all three. Each server's table lists only the types that its driver gives in another form.
 */
import type { StoreValue } from "../extract/store.ts";

/** For values that are not NULL. */
export type Conversion = (value: never) => StoreValue;

const BYTES: StoreValue = { blob: true };

/** A number, if it is finite: JSON has no infinity. */
function toNumber(text: string): StoreValue {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

/** `2026-11-20 12:00:00.5+00` → `2026-11-20 12:00:00.5`: the session's time zone is UTC. */
function withoutZone(text: string): StoreValue {
  return text.replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?)\+00$/, "$1");
}

function toBytes(): StoreValue {
  return BYTES;
}

/** By a type's number in pg_type. The driver passes on the server's text. */
export const POSTGRES_TYPES: ReadonlyMap<number, Conversion> = new Map<number, Conversion>([
  [16, (text: string) => (text === "t" ? 1 : 0)],
  [17, toBytes],
  // int8, int2, int4, oid, float4, float8
  ...[20, 21, 23, 26, 700, 701].map((type) => [type, toNumber] as const),
  // bpchar: SQL ignores its padding, and MySQL gives none.
  [1042, (text: string) => text.trimEnd()],
  // bit(n): a number, as in MySQL. bit varying has no width that would make it one.
  [1560, (text: string) => toNumber(BigInt(`0b${text}`).toString())],
  // timestamp, timestamptz
  [1114, withoutZone],
  [1184, withoutZone],
]);

/** MySQL's zero dates mean "no date". */
function toMoment(text: string): StoreValue {
  return text.startsWith("0000-00-00") ? null : text;
}

function toBits(bytes: Buffer): StoreValue {
  return toNumber(BigInt(`0x${bytes.toString("hex")}`).toString());
}

/** A column of bytes comes as a buffer, one of text as a string. */
function toTextOrBytes(value: string | Buffer): StoreValue {
  return typeof value === "string" ? value : BYTES;
}

/** By a type's number in MySQL's protocol. */
export const MYSQL_TYPES: ReadonlyMap<number, Conversion> = new Map<number, Conversion>([
  // timestamp, date, datetime
  [7, toMoment],
  [10, toMoment],
  [12, toMoment],
  // bigint: a string beyond JavaScript's exact integers
  [8, (value: number | string) => Number(value)],
  [16, toBits],
  // tiny, medium, long and plain blob or text, var_string, string, geometry
  ...[249, 250, 251, 252, 253, 254, 255].map((type) => [type, toTextOrBytes] as const),
]);

/**
 * How values of database servers arrive: as SQLite would give them, whichever server they come from. docs/stores.md says
 * it; the tests read the same values from all three. Each server's table names only what the driver gives in another form.
 */
import type { StoreValue } from "../extract/store.ts";

/** Of a value that is not NULL. */
export type Conversion = (value: never) => StoreValue;

const BYTES: StoreValue = { blob: true };

/** A number where it is one: JSON has none for infinity. */
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

/** By number of a type in pg_type; the driver hands over what the server wrote. */
export const POSTGRES_TYPES: ReadonlyMap<number, Conversion> = new Map<number, Conversion>([
  [16, (text: string) => (text === "t" ? 1 : 0)],
  [17, toBytes],
  // int8, int2, int4, oid, float4, float8
  ...[20, 21, 23, 26, 700, 701].map((type) => [type, toNumber] as const),
  // bpchar: SQL ignores the blanks that it is filled up with, and MySQL gives none.
  [1042, (text: string) => text.trimEnd()],
  // timestamp, timestamptz
  [1114, withoutZone],
  [1184, withoutZone],
]);

/** MySQL's zero dates stand for none. */
function toMoment(text: string): StoreValue {
  return text.startsWith("0000-00-00") ? null : text;
}

function toBits(bytes: Buffer): StoreValue {
  return toNumber(BigInt(`0x${bytes.toString("hex")}`).toString());
}

/** A column of bytes, not of text, comes as a buffer. */
function toTextOrBytes(value: string | Buffer): StoreValue {
  return typeof value === "string" ? value : BYTES;
}

/** By number of a type in MySQL's protocol. */
export const MYSQL_TYPES: ReadonlyMap<number, Conversion> = new Map<number, Conversion>([
  // timestamp, date, datetime
  [7, toMoment],
  [10, toMoment],
  [12, toMoment],
  // bigint: a text where JavaScript's numbers end
  [8, (value: number | string) => Number(value)],
  [16, toBits],
  // tiny, medium, long and plain blob or text, var_string, string, geometry
  ...[249, 250, 251, 252, 253, 254, 255].map((type) => [type, toTextOrBytes] as const),
]);

/**
 * Canaries: values that stand in private places only. A public output in which one is found has leaked.
 * Every textual one matches CANARY_TEXT, every number CANARY_NUMBER, every private time lies in the year 7919.
 */

export const CANARY_TEXT: RegExp = /cnry/i;
/** Six digits and more that begin so; no id, price or count of the demo does. */
export const CANARY_NUMBER: RegExp = /(?<!\d)7919\d{2,}/;
/** The first digits of private ids and counts: 7919000012 belongs to row 12. */
const NUMBER_BASE = 7_919_000_000;
/** Private money stays believable: 79,190.12 and the like. */
const AMOUNT_BASE = 7_919_000;

export function canaryText(table: string, column: string, row: number): string {
  return `CNRY_${table}_${column}_${row}`;
}

export function canaryEmail(table: string, column: string, row: number): string {
  return `cnry.${table}.${column}.${row}@canary.example`;
}

export function canarySlug(table: string, row: number): string {
  return `cnry-${table.replaceAll("_", "-")}-${row}`;
}

/** The id of a row in a private table, and any other private whole number. */
export function privateId(row: number): number {
  return NUMBER_BASE + row;
}

export function canaryAmount(row: number): number {
  return AMOUNT_BASE + (row % 1000);
}

export function canaryTime(row: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `7919-${two(1 + (row % 12))}-${two(1 + (row % 28))} ${two(row % 24)}:${two(row % 60)}:00`;
}

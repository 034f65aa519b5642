/**
 * Canaries: values that are in private places only. A public output that contains one has leaked. Every textual one matches
 * CANARY_TEXT, every number CANARY_NUMBER, and every private time lies in the year 7919.
 */

export type Value = string | number | null;

export const CANARY_TEXT: RegExp = /cnry/i;
/** Six digits and more that begin so; no id, price or count of the tests' store does. */
export const CANARY_NUMBER: RegExp = /(?<!\d)7919\d{2,}/;

/** The id of a row in a private table, and any other private whole number: 7919000012 belongs to row 12. */
export function privateId(row: number): number {
  return 7_919_000_000 + row;
}

/** Private money stays believable: 79,190.12 and the like. */
function canaryAmount(row: number): number {
  return 7_919_000 + (row % 1000);
}

function canaryTime(row: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `7919-${two(1 + (row % 12))}-${two(1 + (row % 28))} ${two(row % 24)}:${two(row % 60)}:00`;
}

/** The canary for a private column of a row. */
export function privateFiller(table: string, name: string, type: string): (row: number) => Value {
  if (type === "INTEGER") {
    const isMoney = /_minor$|^(amount|subtotal|discount|tax|total|purchase_value|min_charge)$/.test(name);
    return isMoney ? canaryAmount : privateId;
  }
  if (name.endsWith("_at") || name.startsWith("date_") || name.endsWith("_date")) return canaryTime;
  if (name.endsWith("email")) return (row) => `cnry.${table}.${name}.${row}@canary.example`;
  return (row) => `CNRY_${table}_${name}_${row}`;
}

/** A text column of a hidden row: the canary beside the original value, in the format of that column. */
export function hider(table: string, name: string): (value: Value, row: number) => Value {
  const canary = `CNRY_${table}_${name}_`;
  if (name === "slug" || name === "old_slug" || (table === "faqs" && name === "category")) {
    return (_value, row) => `cnry-${table.replaceAll("_", "-")}-${row}`;
  }
  if (name.endsWith("url") || name === "cover_image") {
    return (value, row) => `${value ?? "https://hidden.example/"}?${canary}${row}`;
  }
  return (value, row) => `${value ?? ""} ${canary}${row}`.trimStart();
}

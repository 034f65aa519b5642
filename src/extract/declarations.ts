/** Checks what records are declared to be made of: their fingerprints, and the order of an extraction's steps, must cover it. */
import type { RecordDef } from "../api/record.ts";
import { category } from "../api/records/category.ts";
import { product } from "../api/records/product.ts";
import { RECORDS } from "../api/records.ts";
import type { Gather } from "../api/row.ts";

/**
 * Refuses all other declarations: a record would not be made again after some changes.
 * @throws Error
 */
export function checkDeclarations(records: readonly RecordDef[]): void {
  const earlier = new Map<string, RecordDef>();
  for (const record of records) {
    const { name, embeds, gathers, overalls, belongsTo } = record;
    const isProduct = name === product.name;
    const isPart = ({ of, by }: Gather<unknown>) => earlier.get(of)?.belongsTo?.column === by;
    const isCovered =
      embeds.every(({ of }) => isProduct && of === category.name && earlier.has(of)) &&
      gathers.every((each) => (isProduct ? isPart(each) : hasOwnPart(record) && each.of === product.name)) &&
      overalls.every(({ of }) => isProduct && earlier.has(of)) &&
      (belongsTo === null || !hasOwnPart(record));
    if (!isCovered) throw new Error(`extraction.ts does not cover what ${name} is declared to be made of`);
    earlier.set(name, record);
  }
}

/** True for records that others embed or belong to: their own parts are known before the others are made. */
export function hasOwnPart({ name }: RecordDef): boolean {
  return name === product.name || RECORDS.some(({ embeds }) => embeds.some(({ of }) => of === name));
}

/** Amounts of money: whole minor units in the store, decimals in the API. */

const digitsOf = new Map<string, number>();

/** Decimal digits of a currency's minor unit: 2 for EUR, 0 for JPY. */
export function minorDigits(currency: string): number {
  const known = digitsOf.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  digitsOf.set(currency, digits);
  return digits;
}

/** Whole minor units → the amount; null stays null. Dividing gives the double nearest to the decimal. */
export function toAmount<Minor extends number | null>(minor: Minor, digits: number): Minor {
  return (minor === null ? null : minor / 10 ** digits) as Minor;
}

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

const DECIMAL = /^(\d{1,15})(?:\.(\d+))?$/;
/** What a sum of decimals that are binary inside may be off by, in minor units. */
const BINARY_ERROR = 1e-6;

/**
 * An amount as decimal text or number → whole minor units; null where it has more decimals than its currency, or is none.
 * @example parseAmount("19.9900", 2) === 1999
 */
export function parseAmount(value: unknown, digits: number): number | null {
  if (typeof value === "number") {
    const scaled = value * 10 ** digits;
    const minor = Math.round(scaled);
    return value >= 0 && Number.isSafeInteger(minor) && Math.abs(scaled - minor) <= BINARY_ERROR
      ? minor
      : null;
  }
  const [, whole = "", fraction = ""] = (typeof value === "string" && DECIMAL.exec(value)) || [];
  if (whole === "" || /[1-9]/.test(fraction.slice(digits))) return null;
  const minor = Number(whole + fraction.slice(0, digits).padEnd(digits, "0"));
  return Number.isSafeInteger(minor) ? minor : null;
}

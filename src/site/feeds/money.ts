/** Prices as feeds write them. ISO 4217 gives a currency's decimals; `minorDigits` has what people use, which may be smaller. */
import { digitsByCurrency } from "../../api/currency-digits.ts";

/** ISO 4217, list one, 2026. */
const isoDigits = digitsByCurrency([
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
]);
/** Metals, funds and test codes: prices never use them. */
const NO_MONEY = /^X(?!AF|CD|CG|OF|PF)/;
/** Tolerance for binary rounding of an amount, in minor units. */
const BINARY_ERROR = 1e-6;

/** An amount in whole minor units; null if the currency has none, or the amount has more decimals than the currency. */
function minorUnits(amount: number | null, currency: string): number | null {
  if (amount === null || NO_MONEY.test(currency)) return null;
  const exact = amount * 10 ** isoDigits(currency);
  const minor = Math.round(exact);
  return minor >= 0 &&
    Number.isSafeInteger(minor) &&
    Math.abs(exact - minor) <= BINARY_ERROR * Math.max(1, exact)
    ? minor
    : null;
}

/** `"29.00"`, `"2900"` in yen; null in the cases of {@link minorUnits}. */
export function decimalPrice(amount: number | null, currency: string): string | null {
  const minor = minorUnits(amount, currency);
  if (minor === null) return null;
  const digits = isoDigits(currency);
  const all = String(minor).padStart(digits + 1, "0");
  return digits === 0 ? all : `${all.slice(0, -digits)}.${all.slice(-digits)}`;
}

/** The price without a sale, and the price to pay if that is lower. */
export function pricesOf({ pricing }: { readonly pricing: Pricing }): Prices {
  const { regular, current } = pricing;
  return current < regular ? { list: regular, sale: current } : { list: current, sale: null };
}

interface Pricing {
  readonly regular: number;
  readonly current: number;
}

export interface Prices {
  readonly list: number;
  readonly sale: number | null;
}

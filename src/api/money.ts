/**
 * Amounts of money: decimals or minor units in the store, decimals in the API. They are rounded here and nowhere else: half
 * up, to the digits that the shop shows.
 */

/** More decimal digits than any currency has. */
export const MAX_DIGITS = 6;

/** Whole minor units → the amount; null stays null. Dividing gives the double nearest to the decimal. */
export function toAmount<Minor extends number | null>(minor: Minor, digits: number): Minor {
  return (minor === null ? null : minor / 10 ** digits) as Minor;
}

/** Prices of a product that say whether it has one. */
interface Priced {
  readonly status: string;
  readonly pricing: {
    readonly regular: number;
    readonly current: number;
    readonly preorder: number | null;
  };
}

/**
 * False for a product that is not out yet and has no price: the contract has no null for it, so the API says 0. A published product
 * at 0 is free.
 */
export function hasPrice({ status, pricing: { regular, current, preorder } }: Priced): boolean {
  return status === "published" || regular > 0 || current > 0 || (status === "preorder" && preorder !== null);
}

const DECIMAL = /^(\d{1,15})(?:\.(\d+))?$/;
/** A double holds this many digits for certain; later ones come from calculating in binary. */
const SAFE_DIGITS = 15;

/** A number as decimal text: `"0.805"` for 1.15 * 0.7, which is 0.8049999999999999 in binary. */
function textOf(value: number): string {
  const [number = "", exponent = "0"] = value.toExponential(SAFE_DIGITS - 1).split("e");
  return number.startsWith("-") || !/^[+-]?\d+$/.test(exponent)
    ? ""
    : shiftPoint(number.replace(".", ""), SAFE_DIGITS - 1 - Number(exponent));
}

/** `("198000", 2)` → `"1980.00"`: `behind` is the number of digits after the point. */
export function shiftPoint(digits: string, behind: number): string {
  if (behind <= 0) return digits + "0".repeat(-behind);
  const all = digits.padStart(behind + 1, "0");
  return `${all.slice(0, -behind)}.${all.slice(-behind)}`;
}

/**
 * An amount as decimal text or number → whole minor units with this many digits, rounded half up; null if it is not an
 * amount, negative or too large.
 * @example parseAmount("16.8067", 2) === 1681
 */
export function parseAmount(value: unknown, digits: number): number | null {
  const text = typeof value === "number" ? textOf(value) : value;
  const [, whole = "", fraction = ""] = (typeof text === "string" && DECIMAL.exec(text)) || [];
  if (whole === "") return null;
  const minor = Number(whole + fraction.slice(0, digits).padEnd(digits, "0"));
  const rounded = (fraction[digits] ?? "0") < "5" ? minor : minor + 1;
  return Number.isSafeInteger(rounded) ? rounded : null;
}

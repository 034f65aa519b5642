/** How many decimal digits the amounts of a currency have. */

/** Digits with the currencies that have them: `[[0, "JPY KRW"], [3, "KWD"]]`. All others have two. */
export function digitsByCurrency(
  table: readonly (readonly [digits: number, currencies: string])[],
): (currency: string) => number {
  const digitsOf = new Map(
    table.flatMap(([digits, codes]) => codes.split(" ").map((code) => [code, digits] as const)),
  );
  return (currency) => digitsOf.get(currency) ?? 2;
}

/**
 * Decimal digits of a currency as people use it: 2 for EUR, 0 for JPY and HUF. These are CLDR 48's, written down, because `Intl` would
 * give those of the Node that builds: 22.14 has CLDR 46, where HUF has two and RSD none.
 */
export const minorDigits = digitsByCurrency([
  [
    0,
    "ADP AFN ALL BIF BYR CLP COP DJF ESP GNF HUF IDR IQD IRR ISK ITL JPY KMF KPW KRW LAK LBP LUF MGA MGF MMK MRO PKR PYG RWF " +
      "SLL SOS STD SYP TMM TRL UGX UYI VND VUV XAF XOF XPF YER ZMK ZWD",
  ],
  [3, "BHD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
]);

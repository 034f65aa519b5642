import { expect, it, vi } from "vitest";
import { digitsByCurrency, minorDigits } from "../../src/api/currency-digits.ts";

it.each([
  ["EUR", 2],
  ["JPY", 0],
  ["KWD", 3],
  ["CLF", 4],
  // Node 22.14 has two for these four, and none for the dinar.
  ["COP", 0],
  ["HUF", 0],
  ["IDR", 0],
  ["PKR", 0],
  ["RSD", 2],
  // A currency that nobody knows.
  ["QQQ", 2],
])("%s has %i digits, whichever Node builds", (currency, digits) => {
  const ofMachine = vi.spyOn(Intl, "NumberFormat");
  expect(minorDigits(currency)).toBe(digits);
  expect(ofMachine).not.toHaveBeenCalled();
  ofMachine.mockRestore();
});

it("knows a currency by its code only, not by what objects have", () => {
  expect(digitsByCurrency([[0, "JPY KRW"]])("toString")).toBe(2);
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAddress } from "../../src/extract/address.ts";

describe("an address of a column", () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ["https://shop.example", "https://shop.example"],
    ["https://shop.example/a?b=1#c", "https://shop.example/a?b=1#c"],
    ["HTTPS://Shop.example/A b", "https://shop.example/A%20b"],
    ["https://shop.example\\@evil.example/", "https://shop.example/@evil.example/"],
    ["https://shop.example/\t\na", "https://shop.example/a"],
    ["https://shop.example@evil.example/", null],
    ["http:evil.example", null],
    ["https:/\\evil", null],
    ["//evil.example", null],
    ["javascript:alert(1)", null],
    ["https://", null],
    [`https://shop.example/${"a".repeat(3000)}`, null],
  ];
  it.each(cases)("%j is %j", (text, address) => {
    expect(parseAddress(text)).toBe(address);
  });

  it("is spelled as by a browser, whatever its parts", () => {
    const signs = fc.constantFrom(..."ab09.-/_~:@%?#A ");
    const words = fc.constantFrom(
      "xn--",
      "shop",
      ".example",
      "..",
      "./",
      "%2e",
      "0x7f",
      "127.1",
      "--",
      "a-.com",
      "com",
    );
    const text = fc
      .array(fc.oneof(words, signs), { maxLength: 8 })
      .map((parts) => `https://${parts.join("")}`);
    fc.assert(
      fc.property(text, (value) => {
        const url = URL.parse(value);
        const isOpen = url !== null && url.username === "" && url.password === "";
        const spelled = url?.href === `${value}/` ? value : (url?.href ?? null);
        expect(parseAddress(value)).toBe(isOpen ? spelled : null);
      }),
      { numRuns: 20_000 },
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldText, printableText } from "../../src/base/text.ts";
import { spacedWords, splitWords } from "../../src/search/documents.ts";

/** The same words without a thought for long runs of marks. */
function foldPlainly(text: string): string {
  const bare = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .normalize("NFKC");
  const letters: Readonly<Record<string, string>> = {
    ß: "ss",
    æ: "ae",
    œ: "oe",
    ø: "o",
    đ: "d",
    ð: "d",
    ł: "l",
  };
  return bare.replace(/[ßæœøđðłþı]/gu, (letter) => letters[letter] ?? (letter === "þ" ? "th" : "i"));
}

describe("folding a text", () => {
  it("gives what it gave, whatever the text", () => {
    const marks = fc.constantFrom("\u0301", "\u0316", "\u3099", "İ", "ﬁ", "ﷺ", "각", "ᄀ", "ᅡ", "Σ", "'", "ｶﾞ");
    const text = fc.array(fc.oneof(fc.string({ unit: "grapheme" }), marks)).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (value) => {
        expect(foldText(value)).toBe(foldPlainly(value));
      }),
      { numRuns: 2000 },
    );
  });

  it("gives the same words one by one and in one text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        expect(spacedWords(value)).toBe(splitWords(value).join(" "));
      }),
      { numRuns: 2000 },
    );
  });

  it("is done with half a million marks on one letter", { timeout: 60_000 }, () => {
    // In canonical order those below (220) come before those above (230): each would be moved over all before it.
    expect(foldText(`a${"\u0301".repeat(250_000)}${"\u0316".repeat(250_000)}`)).toBe("a");
  });
});

describe("a printable text", () => {
  it("has no control character but new line and tab, and no half character", () => {
    expect(printableText("a\u0000b\tc\r\nd\re\u001b[31mf\u007f\u0085g\ud800h 😀")).toBe(
      "ab\tc\nd\ne[31mfg\ufffdh 😀",
    );
  });
});

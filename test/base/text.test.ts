import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldText, printableText, spellText } from "../../src/base/text.ts";

const SPELLINGS: readonly (readonly [text: string, spelt: string, folded: string])[] = [
  ["Café Menü", "café menü", "cafe menu"],
  ["U\u0308ber Straße", "über straße", "uber strasse"],
  ["İstanbul Đà Nẵng", "i̇stanbul đà nẵng", "istanbul da nang"],
  ["Ελλάδα ς", "ελλάδα ς", "ελλαδα σ"],
  ["Ёлка, йод, Їжак, за\u0301мок", "ёлка, йод, їжак, за\u0301мок", "елка, йод, іжак, замок"],
  ["ґанок, ўсе, Ѓорѓи, ќе, й\u0301", "ґанок, ўсе, ѓорѓи, ќе, й\u0301", "ганок, усе, горги, ке, й"],
  ["Ħamrun Ŧ Ŋ Øre Łódź Ɓ ƙ", "ħamrun ŧ ŋ øre łódź ɓ ƙ", "hamrun t n ore lodz b k"],
  ["Παράλληλος ΐ ᾳ Ώρα", "παράλληλος ΐ ᾳ ώρα", "παραλληλοσ ι α ωρα"],
  ["מים ארץ דרך", "מים ארץ דרך", "מימ ארצ דרכ"],
  ["क़लम", "क़लम", "कलम"],
  ["שָׁלוֹם", "שָׁלוֹם", "שלומ"],
  ["مُحَمَّد كـــتاب أحمد", "مُحَمَّد كتاب أحمد", "محمد كتاب احمد"],
  ["ば び パ ﾊﾞ", "ば び パ バ", "ば び パ バ"],
  ["हिन्दी กิน 한국어", "हिन्दी กิน 한국어", "हिन्दी กิน 한국어"],
  ["Kit™ ①② 1½", "kit tm   1  2  1 1⁄2", "kit tm   1  2  1 1⁄2"],
  ["m² H₂O ﬁne drop\u00addown", "m2 h2o fine dropdown", "m2 h2o fine dropdown"],
];

describe("folding a text", () => {
  it.each(SPELLINGS)("%s", (text, spelt, folded) => {
    expect(spellText(text)).toBe(spelt.normalize("NFC"));
    expect(foldText(text)).toBe(folded.normalize("NFC"));
  });

  it("gives the same for a text that was spelt or folded before", () => {
    const marks = fc.constantFrom(
      "\u0301",
      "\u0316",
      "\u3099",
      "İ",
      "ﬁ",
      "ﷺ",
      "각",
      "ᄀ",
      "ᅡ",
      "Σ",
      "'",
      "ｶﾞ",
      "™",
    );
    const text = fc.array(fc.oneof(fc.string({ unit: "grapheme" }), marks)).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (value) => {
        expect(foldText(spellText(value))).toBe(foldText(value));
        expect(foldText(foldText(value))).toBe(foldText(value));
      }),
      { numRuns: 2000 },
    );
  });

  it("handles half a million marks on one letter", { timeout: 60_000 }, () => {
    // In canonical order those below (220) come before those above (230): a naive sort moves each over all before it.
    expect(foldText(`a${"\u0301".repeat(250_000)}${"\u0316".repeat(250_000)}`)).toBe("a");
  });
});

describe("a printable text", () => {
  it("has no control characters except line feed and tab, and no unpaired surrogate", () => {
    expect(printableText("a\u0000b\tc\r\nd\re\u001b[31mf\u007f\u0085g\ud800h 😀")).toBe(
      "ab\tc\nd\ne[31mfg\ufffdh 😀",
    );
  });
});

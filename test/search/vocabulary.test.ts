import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packWords } from "../../src/search/search-words.ts";
import { Vocabulary } from "../../src/search/vocabulary.ts";

/** Optimal string alignment by its definition, slow and simple. */
function distance(a: string, b: string): number {
  if (a === "" || b === "") return Math.max(a.length, b.length);
  const same = a.at(-1) === b.at(-1);
  const [a1, b1] = [a.slice(0, -1), b.slice(0, -1)];
  const options = [distance(a1, b) + 1, distance(a, b1) + 1, distance(a1, b1) + (same ? 0 : 1)];
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) {
    options.push(distance(a.slice(0, -2), b.slice(0, -2)) + 1);
  }
  return Math.min(...options);
}

const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 6 });

function vocabularyOf(words: readonly string[]): Vocabulary {
  return new Vocabulary(packWords(words.map((one, at) => [one, at + 1])));
}

describe("near words", () => {
  it("are exactly those within the edits", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { maxLength: 30 }),
        word,
        fc.integer({ min: 0, max: 2 }),
        (words, asked, edits) => {
          const found = vocabularyOf(words).near(asked, edits, false);
          const expected = words.filter((one) => distance(asked, one) <= edits).sort();
          expect(found.map((near) => near.word)).toEqual(expected);
          for (const near of found) expect(near.edits).toBe(distance(asked, near.word));
        },
      ),
      { seed: 1 },
    );
  });

  it("for an unfinished word are those with a near beginning that ends in the same letter", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { maxLength: 30 }),
        word,
        fc.integer({ min: 0, max: 2 }),
        (words, asked, edits) => {
          const beginnings = (one: string) =>
            Array.from(one, (_, end) => one.slice(0, end + 1)).filter(
              (beginning) => beginning === one || beginning.at(-1) === asked.at(-1),
            );
          const nearest = (one: string): number =>
            Math.min(...beginnings(one).map((beginning) => distance(asked, beginning)));
          const found = vocabularyOf(words).near(asked, edits, true);
          expect(found.map((near) => near.word)).toEqual(words.filter((one) => nearest(one) <= edits).sort());
          for (const near of found) {
            expect(near.edits).toBe(nearest(near.word));
            expect(near.whole).toBe(distance(asked, near.word) === near.edits);
          }
        },
      ),
      { seed: 1 },
    );
  });
});

describe("a vocabulary", () => {
  const vocabulary = vocabularyOf(["kit", "kite", "kitten", "k\u{1f600}", "z"]);

  it("finds words with the same beginning, also with letters beyond the basic plane", () => {
    expect(vocabulary.rangeOf("kit", true)).toEqual({ first: 0, end: 3 });
    expect(vocabulary.rangeOf("k", true)).toEqual({ first: 0, end: 4 });
    expect(vocabulary.rangeOf("kit", false)).toEqual({ first: 0, end: 1 });
    expect(vocabulary.rangeOf("kits", false)).toEqual({ first: 0, end: 0 });
  });

  it("counts their documents", () => {
    expect(vocabulary.documentsOf(vocabulary.rangeOf("kit", true))).toBe(1 + 2 + 3);
  });
});

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { MAX_WORDS, matchOf, matchSideBySide, readTerms } from "../../src/search/terms.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { anyCharacter } from "../support/any-character.ts";
import { openDemo } from "../support/demo.ts";

let demo: Catalog;
beforeAll(() => {
  demo = openDemo();
});
afterAll(() => demo.close());

const PATHS = ["search?q", "products?search", "blog?q", "forum?q", "search?type=blog&q"];

const TEXTS = [
  ...[
    '"',
    '""',
    '"invoice',
    "*",
    "invoice*",
    "*invoice",
    "-",
    "-invoice",
    "+kit",
    "^kit",
    "'",
    "''; --",
    "\\",
  ],
  ...[
    "NEAR",
    "NEAR(",
    'NEAR("a" "b", 2)',
    "AND",
    "OR",
    "NOT",
    "AND OR NOT",
    "invoice AND",
    "NOT kit",
    "a OR b",
  ],
  ...["title:invoice", "title : invoice", "{title} : x", "col:term", "rowid:1", "document_text", "rank"],
  ...[
    "🎁",
    "👩‍👩‍👧‍👦",
    "invoice 🎁",
    "é",
    "e\u0301",
    "\u0301",
    "\u0301\u0301\u0301",
    "مولد",
    "\u202eabc",
    "\ufeffkit",
  ],
  ...["(".repeat(200), ")".repeat(200), '"'.repeat(200), "a".repeat(200), "a ".repeat(100), "請".repeat(200)],
  ...[
    "a".repeat(201),
    "\u0000",
    "a\u0000b",
    "\n",
    "%",
    "_",
    "<script>alert(1)</script>",
    "½ ㍿ ﷺ",
    "ß".repeat(200),
  ],
  ...[
    "ﷺ".repeat(200),
    "zq".repeat(100),
    "\u{1e900}\u{1e901}",
    "\u{10ffff}",
    "\ud83d",
    "0",
    "-1",
    "1e9",
    "null",
  ],
];

function status(target: string): number {
  return answerTarget(demo, `/api/v1/${target}`).status;
}

describe("hostile search text", () => {
  it.each(PATHS)("is an answer or a 400 at %s", (path) => {
    for (const text of TEXTS) {
      const encoded = encodeURIComponent(Buffer.from(text).toString());
      expect([200, 400], text).toContain(status(`${path}=${encoded}`));
    }
  });

  it.each(["%ED%A0%80", "%ED%B0%80x", "%FF", "%C3", "%", "%zz", "%00", "a%00b", "%F4%90%80%80", "%EF%BF%BF"])(
    "is an answer or a 400 if its bytes are %s",
    (bytes) => {
      for (const path of PATHS) expect([200, 400]).toContain(status(`${path}=${bytes}`));
    },
  );

  it("is a 400 if it is not UTF-8 or too long, and an empty list if it has no word", () => {
    expect(status("search?q=%ED%A0%80")).toBe(400);
    expect(status(`search?q=${"a".repeat(201)}`)).toBe(400);
    const answer = answerTarget(demo, `/api/v1/search?q=${"(".repeat(200)}`);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ data: [], pagination: { total: 0 } });
  });

  it("never throws, whatever the characters", () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(..."\"*()-:^+{}'\\ aeNOTRD請ß́"), minLength: 1, maxLength: 60 }),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...PATHS), (value, path) => {
        expect([200, 400]).toContain(status(`${path}=${encodeURIComponent(value)}`));
      }),
      { numRuns: 400, seed: 1 },
    );
  });
});

describe("the longest search texts", () => {
  const filled = (part: (at: number) => string) =>
    Array.from({ length: 100 }, (_, at) => part(at))
      .join(" ")
      .slice(0, 200);
  const wordsOf = (phrase: string): string[] => phrase.match(/[\p{L}\p{N}]+/gu) ?? [];
  const phrasesOf = (match: string): string[][] => (match.match(/"[^"]*"/g) ?? []).map(wordsOf);

  it.each([
    ["one word of a hundred", "a-".repeat(100)],
    ["compounds of each length", filled((at) => "a-".repeat(at + 5).slice(0, -1))],
    ["compounds with all their forms", filled((at) => `a-b-c-d${at}`)],
    ["accents", filled((at) => String.fromCodePoint(0xe0 + at))],
    ["letters", filled((at) => at.toString(36))],
    ["a script without spaces", "請".repeat(200)],
  ])("ask the index for a bounded number of words: %s", (_, text) => {
    const phrases = phrasesOf(matchOf(readTerms(text)));
    const long = phrases.filter(({ length }) => length > 1);
    expect(long.flat().length).toBeLessThanOrEqual(MAX_WORDS);
    expect(phrases.length - long.length).toBeLessThanOrEqual(2 * MAX_WORDS);
    expect(phrasesOf(matchSideBySide(readTerms(text))).flat().length).toBeLessThanOrEqual(MAX_WORDS);
  });

  it("have all their forms up to eight compounds", () => {
    const text = "wi-fi e-mail t-shirt drop-down men's node.js r&d add-on";
    expect(readTerms(text).map((term) => term.length)).toEqual(Array(8).fill(2));
  });
});

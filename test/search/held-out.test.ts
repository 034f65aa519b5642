/**
 * Held-out queries: made at random from the titles of a shop on which no rule of the search was tuned, and frozen before the rule
 * for typing errors in context was written. Each asks for one title with a typing error, a word cut short, a word lost or two
 * swapped. The absent words are ordinary words that no record of that shop has.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { extractTemporarily } from "../../src/pipeline/plan.ts";
import { tokensOf } from "../../src/search/search-texts.ts";
import { CHINOOK, temporaryFolder } from "../support/shop.ts";
import { ask } from "./tiny-catalog.ts";

type Kind = (typeof KINDS)[number];

interface HeldOut {
  readonly queries: Readonly<Record<Kind, readonly { readonly query: string; readonly title: string }[]>>;
  readonly absentWords: readonly string[];
  readonly absentPairs: readonly string[];
}

const HELD_OUT: HeldOut = JSON.parse(readFileSync(join(import.meta.dirname, "held-out.json"), "utf8"));

const KINDS = ["typing error", "beginning", "lost word", "swapped words"] as const;

const folder = temporaryFolder();
let catalog: Catalog;
beforeAll(async () => {
  const file = join(folder, "catalog.sqlite");
  await extractTemporarily(CHINOOK, file);
  catalog = openCatalog(file);
});
afterAll(() => catalog.close());

function titlesOf(search: string): string[] {
  return ask(catalog, "products", { search, per_page: "50" }).results.map(({ title }) => String(title));
}

function wordsOf(text: string): string[] {
  return tokensOf(text)
    .map(({ word }) => word)
    .sort();
}

/**
 * Whether a title is what was asked for: it has the words of the intended one, in any order. A query with a lost word asks for any
 * title that has the others, and one with a word cut short for any that goes on like that.
 */
function isRight(kind: Kind, query: string, intended: string, title: string): boolean {
  const left = wordsOf(title);
  if (kind === "lost word") return wordsOf(query).every((word) => left.includes(word));
  if (kind !== "beginning") return left.join(" ") === wordsOf(intended).join(" ");
  for (const word of wordsOf(query)) {
    const whole = left.indexOf(word);
    const at = whole >= 0 ? whole : left.findIndex((other) => other.startsWith(word));
    if (at < 0) return false;
    left.splice(at, 1);
  }
  return left.length === 0;
}

function reciprocalRank(kind: Kind, query: string, intended: string): number {
  const place = titlesOf(query).findIndex((title) => isRight(kind, query, intended, title));
  return place < 0 ? 0 : 1 / (place + 1);
}

describe("a held-out query", () => {
  it("has its title first: a mean reciprocal rank of 0.99, and of 0.98 for each kind", () => {
    const ranks = KINDS.map((kind) =>
      HELD_OUT.queries[kind].map(({ query, title }) => reciprocalRank(kind, query, title)),
    );
    const mean = (some: readonly number[]) => some.reduce((sum, rank) => sum + rank, 0) / some.length;
    expect(mean(ranks.flat())).toBeGreaterThanOrEqual(0.99);
    expect(KINDS.filter((_, at) => mean(ranks[at] ?? []) < 0.98)).toEqual([]);
  });

  it.each(["absentWords", "absentPairs"] as const)("of %s finds something in at most 2 of 60", (list) => {
    expect(HELD_OUT[list]).toHaveLength(60);
    const found = HELD_OUT[list].filter((query) => titlesOf(query).length > 0);
    expect(found.length, found.join(", ")).toBeLessThanOrEqual(2);
  });
});

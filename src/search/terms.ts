/** A search text as terms, and terms as a query of the index. Only words that we cut ourselves ever reach it. */
import { compareText } from "../base/text.ts";
import { phrasesOf } from "./documents.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Words that stand side by side; most have one. */
export interface Phrase {
  readonly words: readonly string[];
  /** True where the last word may be the beginning of a longer one. */
  readonly prefix: boolean;
  /** 0 for what was asked; else how far its correction is from it. */
  readonly edits: number;
}

/** Phrases of which a record must have one: what was asked, or else its nearest corrections. */
export type Term = readonly Phrase[];

/** The terms of a text, each once. The last is taken as unfinished. */
export function readTerms(text: string): Term[] {
  const phrases = phrasesOf(text);
  const last = phrases.length - 1;
  const spelt = phrases.map((words) => words.join(" "));
  return phrases.flatMap((words, at) =>
    at < last && spelt.indexOf(spelt[at] as string, at + 1) >= 0
      ? []
      : [[{ words, prefix: at === last, edits: 0 }]],
  );
}

function matchOfPhrase({ words, prefix }: Phrase): string {
  return `"${words.join(" ")}"${prefix ? " *" : ""}`;
}

/** The query of the index for one phrase, or for records that have all terms. */
export function matchOf(terms: readonly Term[]): string {
  return terms.map((term) => `(${term.map(matchOfPhrase).join(" OR ")})`).join(" AND ");
}

/** The query for records that have the terms side by side, in this order; of corrections only the nearest. */
export function matchSideBySide(terms: readonly Term[]): string {
  const words = terms.flatMap(([phrase]) => phrase?.words ?? []);
  return matchOfPhrase({ words, prefix: terms.at(-1)?.[0]?.prefix === true, edits: 0 });
}

interface Correction {
  readonly phrase: Phrase;
  readonly whole: boolean;
  readonly documents: number;
}

/** More corrections of one word than this would be noise. */
const MAX_CORRECTIONS = 24;
/** How many corrections are looked at: a bound on the cost where few of them are in the lists that are searched. */
const MAX_TRIED = 96;

function maxEdits(word: string): number {
  return word.length <= 5 ? 1 : 2;
}

/** Two words that were written as one: `"giftcard"` → `"gift card"`. The missing space is one edit. */
function splits(word: string, prefix: boolean, vocabulary: Vocabulary): Phrase[] {
  const found: Phrase[] = [];
  for (let at = 1; at < word.length; at++) {
    const words = [word.slice(0, at), word.slice(at)] as const;
    const { first, end } = vocabulary.rangeOf(words[1], prefix);
    if (end > first && vocabulary.placeOf(words[0]) >= 0) found.push({ words, prefix, edits: 1 });
  }
  return found;
}

/** One word that was written as two: `"wish list"` → `"wishlist"`; null for what are no two words. */
export function joinTerms(left: Term | undefined, right: Term | undefined): Term | null {
  const [first, second] = [left?.[0], right?.[0]];
  if (first?.words.length !== 1 || second?.words.length !== 1) return null;
  return [{ words: [first.words.join("") + second.words.join("")], prefix: second.prefix, edits: 1 }];
}

/**
 * What a word could have been, nearest first; of equally near ones whole words come before beginnings, common ones
 * before rare. A whole word in place of an unfinished one is unfinished too.
 */
function nearPhrases({ words: [word = ""], prefix }: Phrase, vocabulary: Vocabulary): Correction[] {
  const near = vocabulary.near(word, maxEdits(word), prefix).map(
    (found): Correction => ({
      phrase: { words: [found.word], prefix: prefix && found.whole, edits: found.edits },
      whole: found.whole,
      documents: found.documents,
    }),
  );
  const split = splits(word, prefix, vocabulary).map(
    (phrase): Correction => ({ phrase, whole: true, documents: 0 }),
  );
  return [...near, ...split].sort(
    (a, b) =>
      a.phrase.edits - b.phrase.edits ||
      Number(b.whole) - Number(a.whole) ||
      b.documents - a.documents ||
      compareText(a.phrase.words.join(" "), b.phrase.words.join(" ")),
  );
}

/**
 * True for what can be misspelt: a number is what it is, a single letter is near to everything, a phrase (a run of a
 * script without spaces) has no spelling, and nobody types 40 letters for a word.
 */
function isCorrectable({ words }: Phrase): boolean {
  const [word = ""] = words;
  return words.length === 1 && word.length >= 2 && word.length <= 40 && !/^\p{N}+$/u.test(word);
}

/** The nearest words of the vocabulary that are in what is searched, for a term that is not; null where it has none. */
export function correctTerm(
  term: Term,
  vocabulary: Vocabulary,
  exists: (phrase: Phrase) => boolean,
): Term | null {
  const asked = term[0];
  if (asked === undefined || !isCorrectable(asked)) return null;
  const found: Correction[] = [];
  for (const candidate of nearPhrases(asked, vocabulary).slice(0, MAX_TRIED)) {
    const nearest = found[0] ?? candidate;
    const further = candidate.phrase.edits > nearest.phrase.edits || candidate.whole !== nearest.whole;
    if (further || found.length === MAX_CORRECTIONS) break;
    if (exists(candidate.phrase)) found.push(candidate);
  }
  return found.length === 0 ? null : found.map(({ phrase }) => phrase);
}

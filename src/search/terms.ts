/** A search text as terms, and terms as a query of the index. The index is asked only for words that were cut here. */
import { compareText } from "../base/text.ts";
import { areJoined, areOneWord, type Token, tokensOf, withSigns } from "./search-texts.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Words side by side; most phrases have one. */
export interface Phrase {
  readonly words: readonly string[];
  /** True if the last word may be the beginning of a longer one. */
  readonly prefix: boolean;
  /** 0 for the query's own words; otherwise the distance from them in typing errors. */
  readonly edits: number;
  /** The query's word as a person writes it, in lower case: `c++`, `don't`; missing of a correction. */
  readonly written?: string;
}

/** Phrases of which a record must have one: the query's words and their other forms, or else the nearest corrections. */
export type Term = readonly Phrase[];

/**
 * The most words that the index looks for: the first of a query, and of their other forms those for which there is room. The index
 * walks all positions of each, so this bounds the cost of a search to three times that of eight common words.
 */
export const MAX_WORDS = 24;
/** Another form of a word ranks below the word itself and above any correction. */
const OTHER_FORM = 0.1;
/** Compounds of up to this many parts are also tried with each two neighbours joined. */
const MAX_PARTS = 4;

/** The first tokens of a text, grouped into words: those of wi-fi are one group. */
function compoundsOf(text: string): Token[][] {
  const compounds: Token[][] = [];
  for (const token of tokensOf(text).slice(0, MAX_WORDS)) {
    const last = compounds.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && areOneWord(text, before, token)) last.push(token);
    else compounds.push([token]);
  }
  return compounds;
}

/** The words of a compound with joined neighbours as one: all pairs, or only the pair that ends at `only`. */
function joinedWords(text: string, tokens: readonly Token[], only?: number): string[] {
  const words: string[] = [];
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1];
    const isJoined = before !== undefined && (only ?? at) === at && areJoined(text, before, token);
    if (isJoined) words.push((words.pop() ?? "") + token.word);
    else words.push(token.word);
  }
  return words;
}

/** All ways to write a word of the query, its own spelling first. */
function formsOf(text: string, tokens: readonly Token[]): string[][] {
  const [first, second] = tokens;
  if (first === undefined) return [];
  if (second === undefined) {
    const signed = withSigns(text, first);
    return signed !== null ? [[signed.word]] : [[first.spelt], [first.word]];
  }
  // 2.0 is v2.0, but 2 is not v2.
  if (first.word === "v" && tokens.length > 2) return [tokens.slice(1).map(({ word }) => word)];
  const pairs = tokens.length > MAX_PARTS ? [] : tokens.map((_, at) => joinedWords(text, tokens, at));
  return [tokens.map(({ word }) => word), joinedWords(text, tokens), ...pairs];
}

/** A word of the query as a person writes it, in lower case. */
function writtenIn(text: string, tokens: readonly Token[]): string {
  const [first, second] = tokens;
  const signed = first !== undefined && second === undefined ? withSigns(text, first) : null;
  return signed?.written ?? text.slice(first?.start, tokens.at(-1)?.end).toLowerCase();
}

/** The terms of a text, without duplicates. The last is treated as unfinished. */
export function readTerms(text: string): Term[] {
  const compounds = compoundsOf(text);
  const forms = compounds.map((tokens) => formsOf(text, tokens));
  const own = forms.map(([words = []]) => words.join(" "));
  let room = MAX_WORDS - forms.reduce((sum, [words = []]) => sum + words.length, 0);
  return compounds.flatMap((tokens, at): Term[] => {
    if (own.includes(own[at] as string, at + 1)) return [];
    const different = new Map(forms[at]?.map((words) => [words.join(" "), words]));
    const prefix = at === compounds.length - 1;
    const written = writtenIn(text, tokens);
    const term: Phrase[] = [];
    for (const words of different.values()) {
      const edits = term.length === 0 ? 0 : OTHER_FORM;
      if (edits > 0 && words.length > room) continue;
      if (edits > 0) room -= words.length;
      term.push({ words, prefix, edits, written });
    }
    return [term];
  });
}

function matchOfPhrase({ words, prefix }: Phrase): string {
  return `"${words.join(" ")}"${prefix ? " *" : ""}`;
}

/** The index's query for records that have all terms. */
export function matchOf(terms: readonly Term[]): string {
  return terms.map((term) => `(${term.map(matchOfPhrase).join(" OR ")})`).join(" AND ");
}

/** The query for records that have the terms side by side, in this order; with the nearest correction of each. */
export function matchSideBySide(terms: readonly Term[]): string {
  const words = terms.flatMap(([phrase]) => phrase?.words ?? []);
  return matchOfPhrase({ words, prefix: terms.at(-1)?.[0]?.prefix === true, edits: 0 });
}

interface Correction {
  readonly phrase: Phrase;
  readonly whole: boolean;
  readonly documents: number;
}

/** More corrections of one word would be noise. */
const MAX_CORRECTIONS = 24;
/** How many corrections are tried: a bound on the cost if few of them occur in the searched range. */
const MAX_TRIED = 96;

/** Typing errors that are forgiven: none below four letters, one from four, two from nine. */
function maxEdits(word: string): number {
  return word.length < 4 ? 0 : word.length < 9 ? 1 : 2;
}

/** Shorter beginnings are close to too many words: `lawy` to "layers". */
const CORRECTED_BEGINNING = 7;

/** Two words of two letters or more that were written as one: `"giftcard"` → `"gift card"`. The missing space is one edit. */
function splits(word: string, prefix: boolean, vocabulary: Vocabulary): Phrase[] {
  const found: Phrase[] = [];
  for (let at = 2; at < word.length - 1; at++) {
    const words = [word.slice(0, at), word.slice(at)] as const;
    const { first, end } = vocabulary.rangeOf(words[1], prefix);
    if (end > first && vocabulary.placeOf(words[0]) >= 0) found.push({ words, prefix, edits: 1 });
  }
  return found;
}

/** One word that was written as two: `"wish list"` → `"wishlist"`; null unless both are single words. */
export function joinTerms(left: Term | undefined, right: Term | undefined): Term | null {
  const first = wordOf(left);
  const second = wordOf(right);
  if (first === undefined || second === undefined) return null;
  return [{ words: [first.words.join("") + second.words.join("")], prefix: second.prefix, edits: 1 }];
}

/** The form of a term that is one word, without accents. */
function wordOf(term: Term | undefined): Phrase | undefined {
  return term?.findLast(({ words }) => words.length === 1);
}

/** Words up to this length are close to many others, so an error at their end is taken for another word. */
const SHORT_WORD = 7;

/** Whether a word ends like another: in the same letter, in swapped last letters, without its last letter, or with a plural's s. */
function endsAlike(word: string, found: string): boolean {
  if (word.at(-1) === found.at(-1) || found.slice(0, -1) === word || word === `${found}s`) return true;
  return word.at(-1) === found.at(-2) && word.at(-2) === found.at(-1);
}

/**
 * Whether a near word is another word rather than a misspelt one: `tablet` is not a misspelt "table", nor, of four letters with
 * one replaced, `rust` a misspelt "rest".
 */
function isOtherWord(word: string, found: string): boolean {
  if (word.length <= SHORT_WORD && !endsAlike(word, found)) return true;
  const sorted = (text: string) => [...text].sort().join("");
  return word.length === 4 && found.length === 4 && sorted(word) !== sorted(found);
}

/**
 * Corrections of a word, nearest first; among equally near ones whole words before beginnings, common ones before rare. A
 * correction of an unfinished word is unfinished, too.
 */
function nearPhrases({ words: [word = ""], prefix }: Phrase, vocabulary: Vocabulary): Correction[] {
  const most = maxEdits(word);
  const isUnfinished = prefix && word.length >= CORRECTED_BEGINNING;
  const near = vocabulary.near(word, most, isUnfinished).flatMap((found): Correction[] => {
    // People seldom mistype the first letter: an error there counts double.
    const edits = found.edits + (found.word[0] === word[0] ? 0 : 1);
    if (edits > most || (found.whole && isOtherWord(word, found.word))) return [];
    const phrase = { words: [found.word], prefix: isUnfinished && found.whole, edits };
    return [{ phrase, whole: found.whole, documents: found.documents }];
  });
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
 * True for words that can be misspelt: not for numbers, nor for short words, which are close to many others, nor for words of
 * more than 40 letters.
 */
function isCorrectable(word: string): boolean {
  return maxEdits(word) > 0 && word.length <= 40 && !/^\p{N}+$/u.test(word);
}

/** The nearest words of the vocabulary that occur in the searched range, for a term that does not; null if it has none. */
export function correctTerm(
  term: Term,
  vocabulary: Vocabulary,
  exists: (phrase: Phrase) => boolean,
): Term | null {
  const asked = wordOf(term);
  if (asked === undefined || !isCorrectable(asked.words.join(""))) return null;
  const found: Correction[] = [];
  for (const candidate of nearPhrases(asked, vocabulary).slice(0, MAX_TRIED)) {
    const nearest = found[0] ?? candidate;
    const further = candidate.phrase.edits > nearest.phrase.edits || candidate.whole !== nearest.whole;
    if (further || found.length === MAX_CORRECTIONS) break;
    if (exists(candidate.phrase)) found.push(candidate);
  }
  return found.length === 0 ? null : found.map(({ phrase }) => phrase);
}

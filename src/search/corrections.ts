/**
 * What a word that finds nothing may have meant. Alone, it is corrected strictly: a short word is close to many others. Beside words
 * of the query that the same record has as they are, it is corrected loosely.
 */
import { compareText } from "../base/text.ts";
import { type Phrase, singleWordOf, type Term } from "./terms.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A word that a term may have meant. */
export interface Correction {
  readonly phrase: Phrase;
  /** False if only a beginning of the word is that near. */
  readonly whole: boolean;
  readonly documents: number;
  /** True if it is believed only beside words that the same record has as they are. */
  readonly isLoose: boolean;
}

/**
 * Words of the vocabulary that a term may have meant; with `mayBeLoose` also those that are believed only beside others. Strict
 * corrections come first, then the nearest; among equally near ones whole words before beginnings, common ones before rare. A
 * correction of an unfinished word is unfinished, too.
 */
export function correctionsOf(term: Term, vocabulary: Vocabulary, mayBeLoose: boolean): Correction[] {
  const asked = singleWordOf(term);
  const [word = ""] = asked?.words ?? [];
  if (asked === undefined || !isCorrectable(word)) return [];
  const strict = strictEdits(word);
  const most = mayBeLoose ? looseEdits(word) : strict;
  const isUnfinished = asked.prefix && word.length >= (mayBeLoose ? LOOSE_BEGINNING : STRICT_BEGINNING);
  const found: Correction[] = [];
  for (const near of vocabulary.near(word, most, isUnfinished)) {
    // People seldom mistype the first letter: an error there counts double.
    const edits = near.edits + (near.word[0] === word[0] ? 0 : 1);
    const isOther = near.whole ? isOtherWord(word, near.word) : word.length < STRICT_BEGINNING;
    const isLoose = edits > strict || isOther;
    if (isLoose && !mayBeLoose) continue;
    const phrase = { words: [near.word], prefix: isUnfinished && near.whole, edits };
    found.push({ phrase, whole: near.whole, documents: near.documents, isLoose });
  }
  if (strict > 0)
    for (const phrase of splits(word, asked.prefix, vocabulary))
      found.push({ phrase, whole: true, documents: 0, isLoose: false });
  return found.sort(
    (a, b) =>
      Number(a.isLoose) - Number(b.isLoose) ||
      a.phrase.edits - b.phrase.edits ||
      Number(b.whole) - Number(a.whole) ||
      b.documents - a.documents ||
      compareText(a.phrase.words.join(" "), b.phrase.words.join(" ")),
  );
}

/** More corrections of one word would be noise. */
const MAX_CORRECTIONS = 24;
/** How many steps of nearness are tried: a bound on the cost if a record has none of them. */
const MAX_STEPS = 4;

/**
 * The nearest of a term's corrections that a record has beside the terms of `kept`; null if none has them. `exists` tells whether a
 * record has all of some terms.
 */
export function nearestBeside(
  kept: readonly Term[],
  corrections: readonly Correction[],
  exists: (terms: readonly Term[]) => boolean,
): Correction[] | null {
  let rest = corrections;
  for (let step = 0; step < MAX_STEPS && rest.length > 0; step++) {
    const [first] = rest as [Correction];
    const further = rest.findIndex((one) => !areEquallyNear(first, one));
    const nearest = rest.slice(0, further < 0 ? rest.length : further);
    rest = rest.slice(nearest.length);
    const some = nearest.slice(0, MAX_CORRECTIONS);
    if (exists([...kept, some.map(({ phrase }) => phrase)]))
      return some.filter(({ phrase }) => exists([[phrase]]));
  }
  return null;
}

function areEquallyNear(a: Correction, b: Correction): boolean {
  return a.isLoose === b.isLoose && a.whole === b.whole && a.phrase.edits === b.phrase.edits;
}

/** One word that was written as two: `"wish list"` → `"wishlist"`; null unless both are single words. */
export function joinTerms(left: Term | undefined, right: Term | undefined): Term | null {
  if (left === undefined || right === undefined) return null;
  const first = singleWordOf(left);
  const second = singleWordOf(right);
  if (first === undefined || second === undefined) return null;
  return [{ words: [first.words.join("") + second.words.join("")], prefix: second.prefix, edits: 1 }];
}

/** Typing errors that are forgiven in a word alone: none below four letters, one from four, two from nine. */
function strictEdits(word: string): number {
  return word.length < 4 ? 0 : word.length < 9 ? 1 : 2;
}

/** Typing errors that are forgiven beside other words: none below three letters, one from three, two from seven. */
function looseEdits(word: string): number {
  return word.length < 3 ? 0 : word.length < 7 ? 1 : 2;
}

/** Shorter beginnings are close to too many words: `lawy` to "layers". */
const STRICT_BEGINNING = 7;
const LOOSE_BEGINNING = 4;

/** Words up to this length are close to many others, so an error at their end is taken for another word. */
const SHORT_WORD = 7;

/** Whether a word ends like another: in the same letter, in swapped last letters, without its last letter, or with a plural's s. */
function endsAlike(word: string, found: string): boolean {
  if (word.at(-1) === found.at(-1) || found.slice(0, -1) === word || word === `${found}s`) return true;
  return word.at(-1) === found.at(-2) && word.at(-2) === found.at(-1);
}

/**
 * Whether a near word, alone, is another word rather than a misspelt one: `tablet` is not a misspelt "table", nor, of four letters
 * with one replaced, `rust` a misspelt "rest".
 */
function isOtherWord(word: string, found: string): boolean {
  if (word.length <= SHORT_WORD && !endsAlike(word, found)) return true;
  const sorted = (text: string) => [...text].sort().join("");
  return word.length === 4 && found.length === 4 && sorted(word) !== sorted(found);
}

/**
 * True for words that can be misspelt: not for numbers, nor for very short words, nor for words of more than 40 letters.
 */
function isCorrectable(word: string): boolean {
  return looseEdits(word) > 0 && word.length <= 40 && !/^\p{N}+$/u.test(word);
}

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

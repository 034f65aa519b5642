/** A search text as terms, and terms as a query of the index. The index is asked only for words that were cut here. */
import { areJoined, areOneWord, type Token, tokensOf, withSigns } from "./search-texts.ts";

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
 * The most words that a search looks for: the first of a query, and of their other forms of several words those for which there is room.
 * The index walks all positions of each word of a phrase, so this bounds the cost of a search: to twice that of eight common words.
 */
export const MAX_WORDS = 16;
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
      const isOther = term.length > 0;
      if (isOther && words.length > 1) {
        if (words.length > room) continue;
        room -= words.length;
      }
      term.push({ words, prefix, edits: isOther ? OTHER_FORM : 0, written });
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

/** The form of a term that is one word, without accents. */
export function singleWordOf(term: Term): Phrase | undefined {
  return term.findLast(({ words }) => words.length === 1);
}

/** The part of a text that shows why it was found: plain, and as HTML with the matches marked. */

import { itemAt } from "../base/arrays.ts";
import { escapeHtml } from "../base/html.ts";
import { areJoined, type Token, tokensOf, withSigns } from "./search-texts.ts";
import type { Phrase, Term } from "./terms.ts";

/** Cuts a snippet from the excerpt, or from the text if that has more of the terms or there is no excerpt. */
export function makeSnippet(excerpt: string, text: string, terms: readonly Term[]): Snippet {
  let source = readSource(excerpt, terms);
  let cut = bestCut(source);
  if (source.text === "" || cut.terms < terms.length) {
    const other = readSource(text, terms);
    const otherCut = bestCut(other);
    if (source.text === "" || otherCut.terms > cut.terms) [source, cut] = [other, otherCut];
  }
  const { start, end } = boundsOf(source, cut);
  const before = start > 0 ? "…" : "";
  const after = end < source.text.length ? "…" : "";
  return {
    snippet: before + source.text.slice(start, end) + after,
    highlight: before + mark(source, start, end) + after,
  };
}

export interface Snippet {
  readonly snippet: string;
  /** The same as HTML that is safe to insert. */
  readonly highlight: string;
}

function mark({ text, tokens, matches }: SnippetSource, start: number, end: number): string {
  let html = "";
  let at = start;
  for (const match of matches) {
    const from = Math.max(at, tokens[match.first]?.start ?? at);
    const to = Math.min(end, tokens[match.last]?.end ?? end);
    if (from >= to) continue;
    html += `${escapeHtml(text.slice(at, from))}<mark>${escapeHtml(text.slice(from, to))}</mark>`;
    at = to;
  }
  return html + escapeHtml(text.slice(at, end));
}

/** A text, its words, and its matches. */
interface SnippetSource {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly matches: readonly Match[];
}

function readSource(raw: string, terms: readonly Term[]): SnippetSource {
  const text = raw.slice(0, LOOKED_THROUGH).replace(UNPRINTABLE, " ").trim();
  const tokens = tokensOf(text);
  return { text, tokens, matches: findMatches(text, tokens, terms) };
}

/** In UTF-16 units, without the dots at its ends. */
const SNIPPET_LENGTH = 180;
/** Words before the first match that a snippet keeps. */
const WORDS_BEFORE = 6;
/** Only this much of a text is read: a bound on the cost of a page of long posts. */
const LOOKED_THROUGH = 20_000;

/** White space, control characters, and direction marks: one of a pair alone would change the direction of the page around the snippet. */
const UNPRINTABLE = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** A piece of text that matches a term: from the first of its tokens to the last. */
interface Match {
  readonly term: number;
  readonly first: number;
  readonly last: number;
}

/** The most parts of one word that are joined for a match. */
const MAX_PARTS = 8;

/** How many tokens from `at` on match a phrase; 0 if they don't. */
function lengthOf(text: string, tokens: readonly Token[], at: number, { words, prefix }: Phrase): number {
  const last = words.length - 1;
  const isAnswer = (found: string, word: string, mayGoOn: boolean) =>
    found === word || (mayGoOn && found.startsWith(word));
  const answered = words.every((word, i) => {
    const token = tokens[at + i];
    const mayGoOn = prefix && i === last;
    if (token === undefined) return false;
    return isAnswer(token.word, word, mayGoOn) || isAnswer(token.spelt, word, mayGoOn);
  });
  if (answered) return words.length;
  const [word = ""] = words;
  const first = tokens[at];
  if (last > 0 || first === undefined) return 0;
  const signed = withSigns(text, first);
  if (signed !== null && isAnswer(signed.word, word, prefix)) return 1;
  if (!word.startsWith(first.word)) return 0;
  let joined = first.word;
  for (let length = 1; length < MAX_PARTS && joined.length < word.length; length++) {
    const [before, next] = [tokens[at + length - 1], tokens[at + length]];
    if (before === undefined || next === undefined || !areJoined(text, before, next)) return 0;
    joined += next.word;
    if (isAnswer(joined, word, prefix)) return length + 1;
  }
  return 0;
}

function findMatches(text: string, tokens: readonly Token[], terms: readonly Term[]): Match[] {
  const matches: Match[] = [];
  for (let first = 0; first < tokens.length; first++) {
    terms.forEach((term, at) => {
      for (const phrase of term) {
        const length = lengthOf(text, tokens, first, phrase);
        if (length === 0) continue;
        matches.push({ term: at, first, last: first + length - 1 });
        return;
      }
    });
  }
  return matches;
}

/** The cut with the most terms; the first of equals. */
function bestCut(source: SnippetSource): Cut {
  let best = cutFrom(source, 0, 0);
  source.matches.forEach((match, at) => {
    if (match.last <= best.last) return;
    const cut = cutFrom(source, Math.max(0, match.first - WORDS_BEFORE), at);
    if (cut.terms > best.terms) best = cut;
  });
  return best;
}

/** Tokens of a snippet, including `last`, and how many terms it has. */
interface Cut {
  readonly first: number;
  readonly last: number;
  readonly terms: number;
}

/**
 * As many tokens from `from` on as fit, then as many before it as still do. Terms are counted from match `matchAt` on: earlier
 * matches had their turn, and a text may have thousands.
 */
function cutFrom({ text, tokens, matches }: SnippetSource, from: number, matchAt: number): Cut {
  const startOf = (at: number): number => (at === 0 ? 0 : itemAt(tokens, at).start);
  const endOf = (at: number): number => (at === tokens.length - 1 ? text.length : itemAt(tokens, at).end);
  let first = from;
  let last = from;
  while (last + 1 < tokens.length && endOf(last + 1) - startOf(first) <= SNIPPET_LENGTH) last++;
  while (first > 0 && endOf(last) - startOf(first - 1) <= SNIPPET_LENGTH) first--;
  const terms = new Set<number>();
  for (let at = matchAt; at < matches.length; at++) {
    const match = itemAt(matches, at);
    if (match.first > last) break;
    if (match.last <= last) terms.add(match.term);
  }
  return { first, last, terms: terms.size };
}

/** Start and end of a cut in the text. A word too long for a snippet is cut, but never a character. */
function boundsOf({ text, tokens }: SnippetSource, { first, last }: Cut): { start: number; end: number } {
  const start = first === 0 ? 0 : itemAt(tokens, first).start;
  const end = last >= tokens.length - 1 ? text.length : itemAt(tokens, last).end;
  if (end - start <= SNIPPET_LENGTH) return { start, end };
  const cut = start + SNIPPET_LENGTH;
  const splits = /[\ud800-\udbff]/.test(text.charAt(cut - 1));
  return { start, end: splits ? cut - 1 : cut };
}

/** The texts that search looks at: what is stored of them, and how a text becomes words. */

import type { RecordName } from "../api/records.ts";
import { foldText, isAscii } from "../base/text.ts";

/**
 * `document` holds the title's words, for ranking, and the other texts, for snippets. `document_text` only has words,
 * which we make ourselves, so that the index and a query can't disagree on what a word is: its tokenizer splits at
 * spaces and nowhere else. `prefix` makes the last, unfinished word of a query as fast as a whole one.
 */
export const DOCUMENT_TABLES = `
CREATE TABLE document (
  id INTEGER PRIMARY KEY, title_words TEXT NOT NULL, excerpt TEXT NOT NULL, text TEXT NOT NULL
);
CREATE VIRTUAL TABLE document_text USING fts5 (
  title, excerpt, text, content = '', tokenize = "ascii", prefix = '1 2 3'
);`;

/** Every word of the index and in how many documents it is, found without reading a document. */
export const VOCABULARY_TABLE =
  "CREATE VIRTUAL TABLE temp.document_word USING fts5vocab (main, document_text, row)";

/** What has documents, in the order that breaks ties from last to first: what /search finds stands together. */
const KINDS: readonly RecordName[] = ["thread", "post", "category", "product"];
/** Ids from the first of one kind to the first of the next: ids of records have 15 digits at most, and 4 kinds stay exact. */
const KIND_SIZE = 2 ** 50;

/** The ids of one or more neighbouring kinds of documents, both ends included. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

function kindOf(resource: RecordName): number {
  const kind = KINDS.indexOf(resource);
  if (kind < 0) throw new Error(`${resource} has no documents`);
  return kind;
}

/** True where search looks at a resource's texts. */
export function hasDocuments(resource: RecordName): boolean {
  return KINDS.includes(resource);
}

/**
 * A document's id says whose it is by the record's own id, so that it stays whatever comes and goes beside it, and its
 * order is that of ties (best last). So a kind is a range of the index, and a tie needs no look-up.
 */
export function documentId(resource: RecordName, recordId: number): number {
  return kindOf(resource) * KIND_SIZE + recordId;
}

/** The inverse of {@link documentId}. */
export function documentOwner(id: number): { resource: RecordName; recordId: number } {
  const kind = Math.floor(id / KIND_SIZE);
  return { resource: KINDS[kind] as RecordName, recordId: id - kind * KIND_SIZE };
}

/** All ids of the resources, which must be neighbours in {@link KINDS}. */
export function documentRange(resources: readonly RecordName[]): IdRange {
  const kinds = resources.map(kindOf);
  return { first: Math.min(...kinds) * KIND_SIZE, last: (Math.max(...kinds) + 1) * KIND_SIZE - 1 };
}

/** Letters of scripts that put no spaces between words: each is a word of its own, a run of them a phrase. */
const UNSPACED = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
  .map((script) => `\\p{Script=${script}}`)
  .join("");
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
const WORD = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+`, "gu");
/** What a text is cut into where its own spelling counts: as {@link WORD}, accents still on. */
const TOKEN = new RegExp(
  `[${UNSPACED}]\\p{M}*|(?:(?![${UNSPACED}])[\\p{L}\\p{N}])(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])*`,
  "gu",
);
/** The same of a folded text that is all ASCII. */
const ASCII_WORD = /[a-z0-9]+/g;
const NO_ASCII_WORD = /[^a-z0-9]+/g;
const NOT_WORD = /[^\p{L}\p{N}]+/u;
const PLAIN = /^[0-9A-Za-z]+$/;

/** `"Café-Menü 2.0!"` → `["cafe", "menu", "2", "0"]`; `"請求書 PDF"` → `["請", "求", "書", "pdf"]` */
export function splitWords(text: string): string[] {
  const folded = foldText(text);
  return folded.match(isAscii(folded) ? ASCII_WORD : WORD) ?? [];
}

/** The words of a text with a space between them: what {@link splitWords} gives, without a text for each. */
export function spacedWords(text: string): string {
  const folded = foldText(text);
  return isAscii(folded) ? folded.replace(NO_ASCII_WORD, " ").trim() : (folded.match(WORD) ?? []).join(" ");
}

/** A word of a text and where it stands there. */
export interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a text as {@link splitWords} makes them, with their places. One sign may be several words: `½` is 1, 2. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: found, index } of text.matchAll(TOKEN)) {
    const end = index + found.length;
    if (PLAIN.test(found)) tokens.push({ word: found.toLowerCase(), start: index, end });
    else for (const word of splitWords(found)) tokens.push({ word, start: index, end });
  }
  return tokens;
}

/** Words as one writes them: `"請求書 pdf"` → `[["請", "求", "書"], ["pdf"]]` */
export function phrasesOf(text: string): string[][] {
  const phrases: string[][] = [];
  for (const part of foldText(text).split(NOT_WORD)) {
    let run: string[] | null = null;
    for (const word of part.match(WORD) ?? []) {
      const unspaced = IS_UNSPACED.test(word);
      if (unspaced && run !== null) run.push(word);
      else {
        phrases.push([word]);
        run = unspaced ? (phrases.at(-1) as string[]) : null;
      }
    }
  }
  return phrases;
}

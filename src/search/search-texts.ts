/** The texts that search reads: which are stored, and how a text becomes words. */

import type { RecordName } from "../api/records.ts";
import { foldText, isAscii, spellText } from "../base/text.ts";

/**
 * `document` holds the title's words ({@link titleWords}) for ranking, and the other texts for snippets. `document_text` holds
 * only words that are cut here, so that the index and a query can't disagree on what a word is: its tokenizer splits at
 * spaces and nowhere else. `prefix` makes the last, unfinished word of a query as fast as a whole one.
 */
export const DOCUMENT_TABLES = `
CREATE TABLE document (
  id INTEGER PRIMARY KEY, title_words TEXT NOT NULL, excerpt TEXT NOT NULL, text TEXT NOT NULL
);
CREATE VIRTUAL TABLE document_text USING fts5 (
  title, excerpt, text, content = '', tokenize = "ascii", prefix = '1 2 3'
);`;

/** Every word of the index with its document count, read without the documents. */
export const VOCABULARY_TABLE = "CREATE VIRTUAL TABLE document_word USING fts5vocab (document_text, row)";

/** The records that have documents. Ties are won by later ones; the kinds that /search finds are neighbours. */
const KINDS: readonly RecordName[] = ["thread", "post", "category", "product"];
/** Distance between the first ids of two kinds: record ids have at most 15 digits, and the ids of 4 kinds are exact doubles. */
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

/** True if search indexes a resource's texts. */
export function hasDocuments(resource: RecordName): boolean {
  return KINDS.includes(resource);
}

/**
 * A document's id is made of its kind and its record's id, so it does not change when others are added or deleted. Its order
 * decides ties (the highest id wins). So a kind is a range of the index, and a tie needs no look-up.
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

/** Letters of scripts that put no spaces between words: each is a word, with its marks; a run of them is a phrase. */
const UNSPACED = `${["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
  .map((script) => `\\p{Script=${script}}`)
  .join("")}ー`;
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
/** Marks, and characters inside a word that are not part of it, such as a soft hyphen. */
const MARK = "[\\p{M}\\u00ad\\u200c\\u200d\\u2060\\uff9e\\uff9f]";
const LETTER = `(?![${UNSPACED}])[\\p{L}\\p{N}]${MARK}*`;
/** The v of a version is a separate word, so that 2.0 finds v2.0. */
const VERSION = "(?<![\\p{L}\\p{N}])[vV](?=\\d+\\.\\d)";
const WORD = new RegExp(`[${UNSPACED}]${MARK}*|${VERSION}|(?:${LETTER})+`, "gu");
/** As WORD, for unfolded text: signs such as ㎡ may be words, too. */
const TOKEN = new RegExp(`${WORD.source}|\\p{So}`, "gu");
/** As WORD, for a folded text that is all ASCII. */
const ASCII_WORD = /(?<![a-z0-9])v(?=\d+\.\d)|[a-z0-9]+/g;
const PLAIN = /^[0-9A-Za-z]+$/;

function wordsOf(folded: string): string[] {
  return folded.match(isAscii(folded) ? ASCII_WORD : WORD) ?? [];
}

/** A word of a text and its position. */
export interface Token {
  /** Without case and accents: `cafe` */
  readonly word: string;
  /** Without case: `café` */
  readonly spelt: string;
  readonly start: number;
  readonly end: number;
}

/** The words of a text with their positions: `Café v2.0` → cafe, v, 2, 0. One sign may be several words: `½` is 1, 2. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: found, index } of text.matchAll(TOKEN)) {
    const end = index + found.length;
    if (PLAIN.test(found)) {
      const word = found.toLowerCase();
      tokens.push({ word, spelt: word, start: index, end });
      continue;
    }
    const spelt = wordsOf(spellText(found));
    for (const each of spelt) tokens.push({ word: foldText(each), spelt: each, start: index, end });
  }
  return tokens;
}

/** True if two neighbours may also be written as one word: wi-fi, men's, col·lega, node.js, R&D, 24/7, 1,000, v2.0 */
export function areJoined(text: string, left: Token, right: Token): boolean {
  const between = text.slice(left.end, right.start);
  if (between === "") return left.word === "v" && /^\d/.test(right.word);
  if (between === "/") return areNumbers(left, right);
  if (between === ",") return /^\d{1,3}$/.test(left.word) && /^\d{3}$/.test(right.word);
  if (between === ".") return !areNumbers(left, right);
  return /^[-‐‑'’·_&]$/.test(between);
}

function areNumbers(left: Token, right: Token): boolean {
  return /^\d+$/.test(left.word) && /^\d+$/.test(right.word);
}

/** True if two neighbours are one word in a query: joined ones, 2.0, and a run of a script without spaces. */
export function areOneWord(text: string, left: Token, right: Token): boolean {
  if (areJoined(text, left, right)) return true;
  const between = text.slice(left.end, right.start);
  if (between === "") return IS_UNSPACED.test(left.word) && IS_UNSPACED.test(right.word);
  return (between === "." || between === ",") && areNumbers(left, right);
}

/** A word with the signs that belong to it. */
interface SignedWord {
  /** As it is indexed: `cplusplus` */
  readonly word: string;
  /** As it is written: `c++` */
  readonly written: string;
}

/**
 * `c++`, `c#`, `.net` → `cplusplus`, `csharp`, `dotnet`; null of a word without signs. The dot of another word, such as .svg, is
 * no part of it.
 */
export function withSigns(text: string, { word, start, end }: Token): SignedWord | null {
  if (text.startsWith("++", end)) return { word: `${word}plusplus`, written: `${word}++` };
  if (text.charAt(end) === "#" && !/^[\p{L}\p{N}]/u.test(text.slice(end + 1, end + 3)))
    return { word: `${word}sharp`, written: `${word}#` };
  if (word === "net" && text.charAt(start - 1) === "." && text.charAt(start - 2) !== ".")
    return { word: "dotnet", written: ".net" };
  return null;
}

/** The inverse of {@link withSigns}: `cplusplus` → `c++` */
export function asWritten(word: string): string {
  if (word === "dotnet") return ".net";
  return word.replace(/plusplus$/, "++").replace(/^([a-z])sharp$/, "$1#");
}

/** A chunk without spaces that may have joined forms. */
const MAY_BE_JOINED = /[-‐‑'’·._&/,][\p{L}\p{N}]|[\p{L}\p{N}](?:\+\+|#)/u;
/** Longer compounds are found only by their parts and by pairs of neighbours. */
const LONGEST_COMPOUND = 40;

/** Other words that a chunk of text without spaces is found by: `wi-fi-router` → `wifi`, `firouter`, `wifirouter` */
function* joinedForms(chunk: string): Generator<string> {
  const tokens = tokensOf(chunk);
  let compound = "";
  let parts = 0;
  for (const [at, token] of tokens.entries()) {
    const signed = withSigns(chunk, token);
    if (signed !== null) yield signed.word;
    compound += token.word;
    parts += 1;
    const next = tokens[at + 1];
    if (next !== undefined && areJoined(chunk, token, next)) {
      yield token.word + next.word;
      continue;
    }
    if (parts > 2 && compound.length <= LONGEST_COMPOUND) yield compound;
    compound = "";
    parts = 0;
  }
}

function joinedFormsIn(text: string): string[] {
  const forms: string[] = [];
  if (!MAY_BE_JOINED.test(text)) return forms;
  for (const chunk of text.split(/\s+/)) {
    if (!MAY_BE_JOINED.test(chunk)) continue;
    for (const form of joinedForms(chunk)) forms.push(form);
  }
  return forms;
}

/** Separates the words of a text from the other forms that it is found by. */
export const OTHER_FORMS = "/";

function indexed(words: readonly string[], others: readonly string[]): string {
  return (others.length === 0 ? words : words.concat(OTHER_FORMS, others)).join(" ");
}

/** A text as indexed: `"Wi-Fi, Café"` → `"wi fi cafe / wifi"` */
export function textWords(text: string): string {
  const folded = foldText(text);
  return indexed(wordsOf(folded), joinedFormsIn(folded));
}

/** A title as indexed, also with its accented words: `"Wi-Fi, Café"` → `"wi fi cafe / wifi café"` */
export function titleWords(text: string): string {
  const folded = foldText(text);
  const spelt = isAscii(text) ? [] : wordsOf(spellText(text)).filter((word) => foldText(word) !== word);
  return indexed(wordsOf(folded), [...joinedFormsIn(folded), ...spelt]);
}

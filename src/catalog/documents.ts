/** The texts that search looks at: what is stored of them, and how a text becomes words. */
import { foldText } from "../base/text.ts";

/** A record's texts: titles weigh more than excerpts, excerpts more than text. */
export interface Document {
  readonly title: string;
  readonly excerpt: string;
  readonly text: string;
}

/**
 * `document` holds the texts for snippets; `document_text` only words, folded by us, so that the index and a query
 * can't disagree on what a letter is. `prefix` makes the last, unfinished word of a query as fast as a whole one.
 */
export const DOCUMENT_TABLES = `
CREATE TABLE document (
  id INTEGER PRIMARY KEY, resource TEXT NOT NULL, record INTEGER NOT NULL,
  title TEXT NOT NULL, excerpt TEXT NOT NULL, text TEXT NOT NULL
);
CREATE VIRTUAL TABLE document_text USING fts5 (
  title, excerpt, text, content = '', tokenize = "unicode61 remove_diacritics 0", prefix = '1 2 3'
);`;

const NOT_WORD = /[^\p{L}\p{N}]+/u;

/** `"Café-Menü 2.0!"` → `["cafe", "menu", "2", "0"]` */
export function wordsOf(text: string): string[] {
  return foldText(text)
    .split(NOT_WORD)
    .filter((word) => word !== "");
}

/** What the index is given: title, excerpt and text, as words between spaces. */
export function documentTokens(document: Document): [string, string, string] {
  return [
    wordsOf(document.title).join(" "),
    wordsOf(document.excerpt).join(" "),
    wordsOf(document.text).join(" "),
  ];
}

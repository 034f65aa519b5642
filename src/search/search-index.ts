/** The full-text index of an open catalog: terms → documents, best first. */

import { itemAt, uintAt } from "../base/arrays.ts";
import type { Sql, SqlStatement } from "../base/sql.ts";
import { foldText } from "../base/text.ts";
import { correctionsOf, joinTerms, nearestBeside } from "./corrections.ts";
import { asWritten, type IdRange } from "./search-texts.ts";
import type { SearchWords } from "./search-words.ts";
import { matchOf, matchSideBySide, type Phrase, readTerms, type Term } from "./terms.ts";
import { TitleIndex } from "./title-index.ts";
import { Vocabulary } from "./vocabulary.ts";

/** The result of a search. */
export interface Hits {
  /** The terms that were finally searched: those of the query, or corrections. */
  readonly terms: readonly Term[];
  /** The nearest correction of the text, if nothing has the text itself and something has this; else null. */
  readonly corrected: string | null;
  /** Ids of documents, descending, so that another list can be searched for them in one pass. */
  readonly ids: Float64Array;
  /** Indexes into `ids`, best first. */
  readonly best: Uint32Array;
  /** Relevance of each of `ids`, from 0 to 65,535. */
  readonly levels: Uint16Array;
}

/** The texts of a document that snippets are cut from. */
export interface DocumentTexts {
  readonly excerpt: string;
  readonly text: string;
}

interface StoredTexts extends DocumentTexts {
  readonly id: number;
}

/**
 * Up to this many hits, texts are scored too, not only titles. BM25 reads every position of every word, about 1 µs a hit and
 * word: for "with", which is in 95,000 products, that is a tenth of a second and says next to nothing.
 */
const MAX_SCORED = 4000;

/** Titles weigh more than excerpts, excerpts more than text. Ids break ties from last to first (see documents.ts). */
const STATEMENTS = {
  ids: "SELECT rowid FROM document_text WHERE document_text MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?",
  scores: `
    SELECT -bm25(document_text, 10.0, 4.0, 1.0) FROM document_text
    WHERE document_text MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC`,
  title: "SELECT title_words FROM document WHERE id = ?",
  exists: "SELECT 1 FROM document_text WHERE document_text MATCH ? AND rowid BETWEEN ? AND ? LIMIT 1",
  texts: "SELECT id, excerpt, text FROM document WHERE id IN (SELECT value FROM json_each(?))",
} as const;

/** The most words of one query that are corrected: a query with more wrong words is not about this store. Bounds the cost. */
const MAX_CORRECTED = 8;

interface TextRelevance {
  /** BM25 of each document, in the order of ids; more is better. */
  readonly scores: readonly number[];
  readonly sideBySide: ReadonlySet<number>;
}

/** Resolution of relevance: smaller differences are noise and count as ties. */
const TOP_LEVEL = 65_535;
/** A title counts twice as much as all texts together. A part of the rest is for words side by side. */
const TITLE_PART = 2 / 3;
const PHRASE_PART = 1 / 12;
const SCORE_PART = 1 - TITLE_PART - PHRASE_PART;

export class SearchIndex {
  readonly words: SearchWords;
  readonly #vocabulary: Vocabulary;
  readonly #titles: TitleIndex;
  readonly #ids: SqlStatement<[string, number, number, number], number>;
  readonly #scores: SqlStatement<[string, number, number], number>;
  readonly #exists: SqlStatement<[string, number, number], number>;
  readonly #texts: SqlStatement<[string], StoredTexts>;
  readonly #title: SqlStatement<[number], string>;

  constructor(db: Sql, words: SearchWords) {
    const { vocabulary, titles } = words;
    this.words = words;
    this.#vocabulary = new Vocabulary(vocabulary);
    this.#titles = new TitleIndex(titles, this.#vocabulary);
    this.#ids = db.prepare<[string, number, number, number], number>(STATEMENTS.ids).pluck();
    this.#scores = db.prepare<[string, number, number], number>(STATEMENTS.scores).pluck();
    this.#exists = db.prepare<[string, number, number], number>(STATEMENTS.exists).pluck();
    this.#title = db.prepare<[number], string>(STATEMENTS.title).pluck();
    this.#texts = db.prepare<[string], StoredTexts>(STATEMENTS.texts);
  }

  /** The documents of a range that have all words of a text, or else of what it may have meant. */
  find(text: string, range: IdRange): Hits {
    const asked = readTerms(text);
    const hits = this.#match(asked, range);
    if (hits.ids.length > 0) return hits;
    const meant = this.#meant(asked, range);
    if (meant === null) return hits;
    const found = this.#match(meant, range);
    if (found.ids.length === 0) return found;
    const title = this.#title.get(itemAt(found.ids, itemAt(found.best, 0))) ?? "";
    return { ...found, corrected: meant.map((term) => writtenLike(title, term)).join(" ") };
  }

  /** The texts of documents, in the order of `ids`; empty ones for a document that is missing. */
  texts(ids: readonly number[]): DocumentTexts[] {
    const read = ids.length === 0 ? [] : this.#texts.all(JSON.stringify(ids));
    const known = new Map(read.map((texts) => [texts.id, texts]));
    return ids.map((id) => known.get(id) ?? { excerpt: "", text: "" });
  }

  /**
   * What the terms may have meant, which no document of the range has together: what the nearest titles have in their place. If there is
   * no such title, each term without a match is replaced by its nearest correction beside the others, or left out.
   */
  #meant(terms: readonly Term[], range: IdRange): Term[] | null {
    const exists = (some: readonly Term[]): boolean =>
      this.#exists.get(matchOf(some), range.first, range.last) !== undefined;
    const kept = terms.filter((term) => exists([term]));
    const wrong = terms.length - kept.length;
    if (wrong > MAX_CORRECTED) return null;
    const inTitles = terms.length > 1 ? this.#meantInTitles(terms, kept, range) : null;
    if (inTitles !== null || wrong === 0) return inTitles;

    const meant: Term[] = [];
    let loose = 0;
    let dropped = 0;
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] as Term;
      if (kept.includes(term)) {
        meant.push(term);
        continue;
      }
      const joined = joinTerms(term, terms[at + 1]);
      if (joined !== null && exists([joined])) {
        meant.push(joined);
        at += 1;
        continue;
      }
      const corrections = correctionsOf(term, this.#vocabulary, loose < kept.length);
      const nearest = nearestBeside(kept, corrections, exists);
      if (nearest === null) dropped += 1;
      else meant.push(nearest.map(({ phrase }) => phrase));
      if (nearest?.[0]?.isLoose === true) loose += 1;
    }
    return dropped > kept.length ? null : meant;
  }

  /** What each term stands for in the nearest titles of the range; null if no title has all of them. */
  #meantInTitles(terms: readonly Term[], kept: readonly Term[], range: IdRange): Term[] | null {
    // Words that the range has may be misspelt, too: "form paris". What it lacks comes first.
    const doubtful = new Set(
      [...terms.filter((term) => !kept.includes(term)), ...kept].slice(0, MAX_CORRECTED),
    );
    const readings = terms.map((term) =>
      this.#titles.reading(term, doubtful.has(term) ? correctionsOf(term, this.#vocabulary, true) : []),
    );
    const titles = this.#titles.nearest(readings, range);
    if (titles.length === 0) return null;
    return terms.map((term, at) => {
      const phrases = new Map<string, Phrase>();
      for (const title of titles)
        for (const phrase of title[at] === null ? term : [title[at] as Phrase])
          phrases.set(phrase.words.join(" "), phrase);
      return [...phrases.values()];
    });
  }

  #match(terms: readonly Term[], { first, last }: IdRange): Hits {
    if (terms.length === 0)
      return {
        terms,
        corrected: null,
        ids: new Float64Array(0),
        best: new Uint32Array(0),
        levels: new Uint16Array(0),
      };
    const match = matchOf(terms);
    const probe = this.#ids.all(match, first, last, MAX_SCORED + 1);
    if (probe.length > MAX_SCORED) {
      const ids = new Float64Array(this.#ids.all(match, first, last, -1));
      return ranked(terms, ids, this.#levels(terms, ids));
    }
    const ids = new Float64Array(probe);
    const texts = {
      scores: this.#scores.all(match, first, last),
      sideBySide: new Set(terms.length > 1 ? this.#ids.all(matchSideBySide(terms), first, last, -1) : []),
    };
    return ranked(terms, ids, this.#levels(terms, ids, texts));
  }

  /** The relevance of each document: its title, and its texts if they were scored. */
  #levels(terms: readonly Term[], ids: Float64Array, texts?: TextRelevance): Uint16Array {
    const placed = this.#titles.place(terms);
    const titles = this.#titles.titlesOf(ids);
    const levels = new Uint16Array(ids.length);
    let bestScore = Number.MIN_VALUE;
    for (const score of texts?.scores ?? []) if (score > bestScore) bestScore = score;
    ids.forEach((id, at) => {
      let relevance = TITLE_PART * this.#titles.score(itemAt(titles, at), placed);
      if (texts !== undefined) {
        relevance += (SCORE_PART * itemAt(texts.scores, at)) / bestScore;
        if (texts.sideBySide.has(id)) relevance += PHRASE_PART;
      }
      levels[at] = Math.round(TOP_LEVEL * relevance);
    });
    return levels;
  }
}

/**
 * A term as a person writes it: as in the query, or else the correction that the best title has, with the signs that its words stand for
 * and the title's accents.
 */
function writtenLike(title: string, term: Term): string {
  const accented = new Map(title.split(" ").map((word) => [foldText(word), word]));
  const nearest = term.find(({ words }) => words.every((word) => accented.has(word))) ?? term[0];
  if (nearest?.written !== undefined) return nearest.written;
  return (nearest?.words ?? []).map((word) => asWritten(accented.get(word) ?? word)).join(" ");
}

/**
 * Highest level first; ties keep their order. A counting sort, because a hundred thousand hits are common; plain loops, because it
 * passes all levels at each search.
 */
function ranked(terms: readonly Term[], ids: Float64Array, levels: Uint16Array): Hits {
  const starts = new Uint32Array(TOP_LEVEL + 1);
  for (let at = 0; at < levels.length; at++) {
    const place = TOP_LEVEL - itemAt(levels, at);
    starts[place] = uintAt(starts, place) + 1;
  }
  let start = 0;
  for (let place = 0; place <= TOP_LEVEL; place++) {
    const count = uintAt(starts, place);
    starts[place] = start;
    start += count;
  }
  const best = new Uint32Array(ids.length);
  for (let at = 0; at < levels.length; at++) {
    const place = TOP_LEVEL - itemAt(levels, at);
    const next = uintAt(starts, place);
    starts[place] = next + 1;
    best[next] = at;
  }
  return { terms, corrected: null, ids, best, levels };
}

/** The index's queries: a test asserts that each is answered from an index. */
export const SEARCH_STATEMENTS: readonly string[] = Object.values(STATEMENTS);

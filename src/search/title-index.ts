/** The titles of all documents in memory, as indexes into the vocabulary: titles are scored without reading them. */

import { itemAt, placesIn } from "../base/arrays.ts";
import type { TitleWords } from "./search-words.ts";
import type { Phrase, Term } from "./terms.ts";
import type { Vocabulary, WordRange } from "./vocabulary.ts";

/** A phrase as ranges of vocabulary indexes, one for each word. */
interface PlacedPhrase {
  readonly ranges: readonly WordRange[];
  /** Index of the last word itself, -1 if it is only the beginning of words. */
  readonly whole: number;
  readonly weight: number;
}

export interface PlacedTerm {
  readonly phrases: readonly PlacedPhrase[];
  /** Weight of the term: rare ones weigh more. The sum of all is 1. */
  readonly share: number;
}

/** The best match of a term in a title. One object is reused: a search scores 100,000 titles. */
interface BestPhrase {
  at: number;
  length: number;
  score: number;
}

/** Factors of a match: for a word that the query only begins, and for each edit. */
const PREFIX_SCORE = 0.85;
const EDIT_SCORE = 0.9;
/** Parts of a title's score: having the terms, having little else, and having them in the query's order. */
const COVERAGE_PART = 0.15;
const ORDER_PART = 0.1;
const TERMS_PART = 1 - COVERAGE_PART - ORDER_PART;

export class TitleIndex {
  readonly #vocabulary: Vocabulary;
  readonly #documents: number;
  readonly #ids: Float64Array;
  readonly #starts: Uint32Array;
  readonly #places: Uint32Array;
  readonly #ends: Uint32Array;

  constructor({ ids, starts, places, ends }: TitleWords, vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#documents = ids.length;
    this.#ids = ids;
    this.#starts = starts;
    this.#places = places;
    this.#ends = ends;
  }

  /** Prepares terms for {@link score}. */
  place(terms: readonly Term[]): PlacedTerm[] {
    const placed = terms.map((term) => term.map((phrase) => this.#placePhrase(phrase)));
    const idfs = placed.map((phrases) => this.#idf(phrases));
    const sum = idfs.reduce((total, idf) => total + idf, 0);
    return placed.map((phrases, at) => ({ phrases, share: itemAt(idfs, at) / sum }));
  }

  #placePhrase({ words, prefix, edits }: Phrase): PlacedPhrase {
    const last = words.length - 1;
    return {
      ranges: words.map((word, at) => this.#vocabulary.rangeOf(word, prefix && at === last)),
      whole: this.#vocabulary.placeOf(words[last] as string),
      weight: EDIT_SCORE ** edits,
    };
  }

  /** Inverse document frequency as in BM25; for a phrase, that of its rarest word. */
  #idf(phrases: readonly PlacedPhrase[]): number {
    const count = phrases.reduce(
      (sum, { ranges }) => sum + Math.min(...ranges.map((range) => this.#vocabulary.documentsOf(range))),
      0,
    );
    const having = Math.min(count, this.#documents);
    return Math.log(1 + (this.#documents - having + 0.5) / (having + 0.5));
  }

  /** Indexes of the titles of documents, whose ids are descending. */
  titlesOf(ids: Float64Array): Uint32Array {
    return placesIn(this.#ids, ids);
  }

  /**
   * How well a title matches the terms, from 0 (has none of them) to 1 (equals them). Having half of them scores a quarter: the
   * other half is in the document's texts, and other documents may have all of them there.
   */
  score(title: number, terms: readonly PlacedTerm[]): number {
    const start = itemAt(this.#starts, title);
    const end = itemAt(this.#starts, title + 1);
    const best = { at: -1, length: 0, score: 0 };
    let score = 0;
    let had = 0;
    let covered = 0;
    let inOrder = 0;
    let expected = start;
    for (const { phrases, share } of terms) {
      this.#findBest(phrases, start, end, best);
      if (best.at < 0) continue;
      score += share * best.score;
      had += share;
      covered += best.length;
      if (best.at === expected) inOrder += 1;
      expected = best.at + best.length;
    }
    if (covered === 0) return 0;
    const coverage = Math.min(1, covered / (itemAt(this.#ends, title) - start));
    const order = inOrder / terms.length;
    return score * had * (TERMS_PART + COVERAGE_PART * coverage + ORDER_PART * order);
  }

  /** Sets `best` to the phrase that matches best; `at` is -1 without a match. */
  #findBest(phrases: readonly PlacedPhrase[], start: number, end: number, best: BestPhrase): void {
    best.at = -1;
    best.score = 0;
    for (const phrase of phrases) {
      const at = this.#find(phrase, start, end);
      if (at < 0) continue;
      const length = phrase.ranges.length;
      const whole = this.#places[at + length - 1] === phrase.whole;
      const score = whole ? phrase.weight : phrase.weight * PREFIX_SCORE;
      if (score <= best.score) continue;
      best.at = at;
      best.length = length;
      best.score = score;
    }
  }

  /** First position of a phrase between two positions of `#places`, or -1; a match of the whole last word wins over a beginning. */
  #find({ ranges, whole }: PlacedPhrase, start: number, end: number): number {
    const length = ranges.length;
    let found = -1;
    for (let at = start; at + length <= end; at++) {
      let i = 0;
      for (; i < length; i++) {
        const place = itemAt(this.#places, at + i);
        const range = ranges[i] as WordRange;
        if (place < range.first || place >= range.end) break;
      }
      if (i < length) continue;
      if (this.#places[at + length - 1] === whole) return at;
      if (found < 0) found = at;
    }
    return found;
  }
}

/** The titles of all documents in memory, as indexes into the vocabulary: titles are scored without reading them. */

import { itemAt, placesIn, uintAt } from "../base/arrays.ts";
import type { Correction } from "./corrections.ts";
import type { IdRange } from "./search-texts.ts";
import type { TitleWords } from "./search-words.ts";
import { type Phrase, singleWordOf, type Term } from "./terms.ts";
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

/** What a term may stand for in a title, and how much it costs to believe that. */
export interface Reading {
  /** By index into the vocabulary: 0 for the term as it is, {@link NEVER} for a word that it does not stand for. */
  readonly costs: Uint8Array;
  /** The corrections, by index into the vocabulary. */
  readonly corrections: ReadonlyMap<number, Phrase>;
  /** Forms of several words. They count only as they are. */
  readonly compounds: readonly PlacedPhrase[];
}

const NEVER = 255;
/** In place of an index into the vocabulary. */
const AS_IT_IS = -1;
const EDIT_COST = 4;
/** Readings from this cost on are loose: a title needs for each another term as it is. */
const LOOSE_COST = 64;
/** Shorter beginnings of a word that is not the last are another word. */
const SHORTEST_BEGINNING = 3;
/** More titles that are equally near say nothing new. */
const MAX_NEAREST = 24;

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

  /** Prepares a term for {@link nearest}: as it is, as one of its corrections, or, from three letters on, as the beginning of a word. */
  reading(term: Term, corrections: readonly Correction[]): Reading {
    const vocabulary = this.#vocabulary;
    const costs = new Uint8Array(vocabulary.size).fill(NEVER);
    const phrases = new Map<number, Phrase>();
    const own = singleWordOf(term);
    const [word = ""] = own?.words ?? [];
    if (word.length >= SHORTEST_BEGINNING) {
      const { first, end } = vocabulary.rangeOf(word, true);
      costs.fill(LOOSE_COST + EDIT_COST, first, end);
    }
    // Nearest last, so that they win.
    for (const { phrase, whole, isLoose } of corrections.toReversed()) {
      const place = phrase.words.length === 1 ? vocabulary.placeOf(phrase.words[0] as string) : -1;
      if (place < 0) continue;
      costs[place] = (isLoose ? LOOSE_COST : 0) + EDIT_COST * phrase.edits + Number(!whole);
      phrases.set(place, phrase);
    }
    if (own !== undefined) {
      const { first, end } = vocabulary.rangeOf(word, own.prefix);
      costs.fill(0, first, end);
    }
    const compounds = term.filter(({ words }) => words.length > 1).map((phrase) => this.#placePhrase(phrase));
    return { costs, corrections: phrases, compounds };
  }

  /**
   * The titles of a range that have all terms, each in one of its readings, at the least cost. For each title, what each term
   * means there; null for the term as it is.
   */
  nearest(readings: readonly Reading[], { first, last }: IdRange): (Phrase | null)[][] {
    let least = Number.POSITIVE_INFINITY;
    let found: number[][] = [];
    for (let title = 0; title < this.#documents; title++) {
      const id = itemAt(this.#ids, title);
      if (id < first || id > last) continue;
      const places: number[] = [];
      let cost = 0;
      let asTheyAre = 0;
      let loose = 0;
      for (const reading of readings) {
        const place = this.#cheapest(title, reading);
        if (place === undefined) break;
        places.push(place);
        const paid = place === AS_IT_IS ? 0 : itemAt(reading.costs, place);
        cost += paid;
        if (place === AS_IT_IS) asTheyAre += 1;
        if (paid >= LOOSE_COST) loose += 1;
      }
      if (places.length < readings.length || loose > asTheyAre || cost > least) continue;
      if (cost < least) found = [];
      least = cost;
      if (found.length < MAX_NEAREST) found.push(places);
    }
    return found.map((places) =>
      places.map((place, at) => (place === AS_IT_IS ? null : this.#meant(readings[at] as Reading, place))),
    );
  }

  /** The word of a title that a term stands for at the least cost, by its index into the vocabulary; undefined if the title has none. */
  #cheapest(title: number, { costs, compounds }: Reading): number | undefined {
    const start = itemAt(this.#starts, title);
    const end = itemAt(this.#starts, title + 1);
    let least = NEVER;
    let cheapest: number | undefined;
    for (let at = start; at < end; at++) {
      const place = uintAt(this.#places, at);
      const cost = itemAt(costs, place);
      if (cost === 0) return AS_IT_IS;
      if (cost >= least) continue;
      least = cost;
      cheapest = place;
    }
    return compounds.some((compound) => this.#find(compound, start, end) >= 0) ? AS_IT_IS : cheapest;
  }

  #meant({ corrections }: Reading, place: number): Phrase {
    return corrections.get(place) ?? { words: [this.#vocabulary.wordAt(place)], prefix: false, edits: 1 };
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

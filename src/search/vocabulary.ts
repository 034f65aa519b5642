/** The words of the index in memory: how common each is, which share a beginning, and which are close to a misspelt one. */
import { itemAt } from "../base/arrays.ts";
import { addRow, firstRow } from "../base/nearest.ts";
import type { VocabularyWords } from "./search-words.ts";

/** A word of the vocabulary, and the edits that lead to it. */
export interface NearWord {
  readonly word: string;
  readonly edits: number;
  /** False if only a beginning of the word is that near: `"invoise"` → `"invoices"`. */
  readonly whole: boolean;
  readonly documents: number;
}

/** Words by their index in the sorted vocabulary: from `first` up to, not including, `end`. */
export interface WordRange {
  readonly first: number;
  readonly end: number;
}

/** Appended to a text, it sorts after every word that begins with that text. */
const AFTER_ALL = "\u{10ffff}\u{10ffff}";

export class Vocabulary {
  readonly #letters: string;
  readonly #starts: Uint32Array;
  readonly #sums: Float64Array;

  constructor({ letters, starts, sums }: VocabularyWords) {
    this.#letters = letters;
    this.#starts = starts;
    this.#sums = sums;
  }

  /** How many words there are. */
  get size(): number {
    return this.#starts.length - 1;
  }

  wordAt(place: number): string {
    return this.#letters.slice(this.#starts[place], this.#starts[place + 1]);
  }

  /** Index of a word, or -1. */
  placeOf(word: string): number {
    const place = this.#firstFrom(word);
    return place < this.size && this.wordAt(place) === word ? place : -1;
  }

  /** The word itself, or with `prefix` all words that begin with it. */
  rangeOf(word: string, prefix: boolean): WordRange {
    if (prefix) return { first: this.#firstFrom(word), end: this.#firstFrom(word + AFTER_ALL) };
    const place = this.placeOf(word);
    return place < 0 ? { first: 0, end: 0 } : { first: place, end: place + 1 };
  }

  /** The sum of the words' document counts; a document with two of them counts twice. */
  documentsOf({ first, end }: WordRange): number {
    return itemAt(this.#sums, end) - itemAt(this.#sums, first);
  }

  /**
   * All words at most `maxEdits` from a word; with `prefix` also those with such a beginning that ends in the word's last letter.
   * An edit adds, drops or replaces a letter, or swaps two neighbours (optimal string alignment).
   *
   * Walks the sorted words as a trie: each letter of the current word has a row of the distance table, neighbours share the
   * rows of their common beginning, and all words with a beginning that is too far are skipped. So the cost grows with the
   * number of near beginnings, not with the vocabulary.
   */
  near(word: string, maxEdits: number, prefix: boolean): NearWord[] {
    const rows: Uint8Array[] = [firstRow(word)];
    const found: NearWord[] = [];
    let previous = "";
    let place = 0;
    while (place < this.size) {
      const candidate = this.wordAt(place);
      let depth = sharedLength(previous, candidate);
      let near = true;
      for (; depth < candidate.length && near; depth++) {
        near = addRow(rows, depth, word, candidate, maxEdits);
      }
      previous = candidate.slice(0, depth);
      if (!near) {
        const best = prefix ? bestBeginning(rows, candidate.slice(0, depth), word) : maxEdits + 1;
        const end = this.#firstFrom(previous + AFTER_ALL);
        if (best <= maxEdits) for (; place < end; place++) found.push(this.#found(place, best, false));
        place = end;
        continue;
      }
      const edits = itemAt(itemAt(rows, depth), word.length);
      const best = prefix ? Math.min(edits, bestBeginning(rows, candidate, word)) : edits;
      if (best <= maxEdits) found.push(this.#found(place, best, edits === best));
      place += 1;
    }
    return found;
  }

  #found(place: number, edits: number, whole: boolean): NearWord {
    const documents = this.documentsOf({ first: place, end: place + 1 });
    return { word: this.wordAt(place), edits, whole, documents };
  }

  /** Index of the first word that is not less than a text. */
  #firstFrom(text: string): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.wordAt(middle) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}

/**
 * Edits from a word to the nearest beginning of a candidate that ends in the same letter. With any last letter, all words that
 * begin like the rest of the word would be near: `modem` is not a beginning of "modern".
 */
function bestBeginning(rows: readonly Uint8Array[], candidate: string, word: string): number {
  const last = word.at(-1);
  let best = 255;
  for (let i = 1; i <= candidate.length; i++)
    if (candidate[i - 1] === last) best = Math.min(best, itemAt(itemAt(rows, i), word.length));
  return best;
}

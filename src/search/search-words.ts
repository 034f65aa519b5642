/** The words of a catalog for search: plain data, which one thread can read for another. */
import type { Sql } from "../base/sql.ts";
import { compareText } from "../base/text.ts";
import { OTHER_FORMS } from "./search-texts.ts";

export interface VocabularyWords {
  /** All words, ascending by code unit, unlike SQLite's order: words with the same beginning must be neighbours. */
  readonly letters: string;
  /** Where each word begins in `letters`; one entry more than words. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** Prefix sums of document counts: words `a` up to `b` have `sums[b] - sums[a]`. */
  readonly sums: Float64Array<ArrayBuffer>;
}

export interface TitleWords {
  /** Ids of the titles' documents, ascending. */
  readonly ids: Float64Array<ArrayBuffer>;
  /** Where each title begins in `places`; one entry more than titles. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** Words by their index in the vocabulary: a title's words, then the other forms that it is found by. */
  readonly places: Uint32Array<ArrayBuffer>;
  /** Where the other forms of each title begin in `places`. */
  readonly ends: Uint32Array<ArrayBuffer>;
}

export interface SearchWords {
  readonly vocabulary: VocabularyWords;
  readonly titles: TitleWords;
}

export function packWords(counts: readonly (readonly [word: string, documents: number])[]): VocabularyWords {
  const sorted = [...counts].sort(([a], [b]) => compareText(a, b));
  const starts = new Uint32Array(sorted.length + 1);
  const sums = new Float64Array(sorted.length + 1);
  let [end, sum] = [0, 0];
  sorted.forEach(([word, documents], place) => {
    end += word.length;
    sum += documents;
    starts[place + 1] = end;
    sums[place + 1] = sum;
  });
  return { letters: sorted.map(([word]) => word).join(""), starts, sums };
}

export function readSearchWords(db: Sql): SearchWords {
  const counts = db.prepare<[], [string, number]>("SELECT term, doc FROM document_word").raw().all();
  counts.sort(([a], [b]) => compareText(a, b));
  const placeOf = new Map(counts.map(([word], place) => [word, place]));
  const count = db.prepare<[], number>("SELECT COUNT(*) FROM document").pluck().get() ?? 0;
  const ids = new Float64Array(count);
  const starts = new Uint32Array(count + 1);
  const ends = new Uint32Array(count);
  const places: number[] = [];
  const documents = db
    .prepare<[], [id: number, words: string]>("SELECT id, title_words FROM document ORDER BY id")
    .raw();
  let title = 0;
  for (const [id, words] of documents.all()) {
    const other = words.indexOf(` ${OTHER_FORMS} `);
    const own = other < 0 ? words : words.slice(0, other);
    const forms = other < 0 ? "" : words.slice(other + OTHER_FORMS.length + 2);
    for (const word of own.split(" ")) if (word !== "") places.push(placeOf.get(word) ?? -1);
    ends[title] = places.length;
    for (const word of forms.split(" ")) if (word !== "") places.push(placeOf.get(word) ?? -1);
    ids[title++] = id;
    starts[title] = places.length;
  }
  const titles = { ids, starts, places: Uint32Array.from(places), ends };
  return { vocabulary: packWords(counts), titles };
}

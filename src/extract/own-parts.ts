/**
 * The own parts of a record's rows, which others need before the records are made: which rows make a record, and what others
 * show of each. A row's own part depends on no row that is made later; categories and products have one.
 */
import type { Json } from "../base/json.ts";
import type { OwnPart } from "./record-maker.ts";
import { addDigest, DIGEST_BYTES, digestOfText, RowMemory } from "./row-memory.ts";
import type { RowText, StoreValue } from "./store.ts";
import { Texts } from "./texts.ts";

/** Limit in bytes for row texts kept in memory until their rows are made; others are read from the store a second time. */
const MAX_TEXT_BYTES = 8 << 20;

/** A row with its number within its file, from 1. */
export interface ReadRow extends RowText {
  readonly ordinal: number;
}

/** A row without its text, which is long and not needed any more once the row is being made. */
export interface RowPlace {
  readonly id: StoreValue;
  readonly ordinal: number;
}

/** In place of the index of a missing text. */
const ABSENT = -1;

export class OwnParts {
  /** Rows that make a record, by the digests of their texts. */
  readonly rows = new RowMemory();
  /** The same rows, by the digests of what others show of them. */
  readonly shown = new RowMemory();
  readonly #texts = new Texts();
  readonly #places = new Map<number, number>();
  /** By row: where the shown part is in `#texts`, where the row's text is; its number within its file; its category. */
  readonly #shownAt: number[] = [];
  readonly #textAt: number[] = [];
  readonly #ordinals: number[] = [];
  readonly #categories: number[] = [];
  /** For each row, in the order of the rows, the digest of all rows that belong to it. */
  #parts: Buffer = Buffer.alloc(0);

  /** Adds a row whose own part is unchanged. `shown`: the previous build's memory of it. */
  keep(id: number, digests: Buffer, at: number, shown: RowMemory, category: number): void {
    this.shown.keep(shown, shown.find(id));
    this.#add(id, digests, at, category);
    this.#shownAt.push(ABSENT);
    this.#textAt.push(ABSENT);
    this.#ordinals.push(0);
  }

  /** Keeps the text of a row whose own part is about to be made, if there is room; returns where. */
  keepText({ text }: ReadRow): number {
    return this.#texts.bytes.length < MAX_TEXT_BYTES ? this.#texts.add(text) : ABSENT;
  }

  /** Adds a row whose own part was made. `text`: where its text is kept. */
  put(
    { id, shown }: OwnPart,
    { ordinal, text }: { readonly ordinal: number; readonly text: number },
    digests: Buffer,
    at: number,
    category: number,
  ): void {
    this.shown.add(id, digestOfText(shown), 0);
    this.#add(id, digests, at, category);
    this.#shownAt.push(this.#texts.add(shown));
    this.#textAt.push(text);
    this.#ordinals.push(ordinal);
  }

  #add(id: number, digests: Buffer, at: number, category: number): void {
    this.#places.set(id, this.rows.add(id, digests, at));
    this.#categories.push(category);
  }

  has(id: unknown): boolean {
    return this.#places.has(id as number);
  }

  /** The index of a row; undefined if it makes no record. */
  placeOf(id: number): number | undefined {
    return this.#places.get(id);
  }

  /** What others show of a row; null if it was not made in this build: then the catalog has it. */
  madeOf(id: number): Json | null {
    const at = this.#shownAt[this.#places.get(id) ?? ABSENT] ?? ABSENT;
    return at === ABSENT ? null : (this.#texts.at(at) as Json);
  }

  /** A row by its index; null if its text is not in memory. */
  rowAt(place: number): ReadRow | null {
    const text = this.#textAt[place] ?? ABSENT;
    if (text === ABSENT) return null;
    const ordinal = this.#ordinals[place] ?? 0;
    return { id: this.rows.idAt(place), text: this.#texts.at(text) ?? "", ordinal, extra: [] };
  }

  categoryAt(place: number): number {
    return this.#categories[place] ?? 0;
  }

  /** Adds the fingerprint of a row that belongs to the one at an index. Files and their rows are read in one order always. */
  addPart(place: number, digests: Buffer, at: number): void {
    this.#reserveParts();
    addDigest(this.#parts, place * DIGEST_BYTES, digests, at);
  }

  /** Adds the digest of all rows that belong to the one at an index. */
  addPartsTo(target: Buffer, at: number, place: number): void {
    this.#reserveParts();
    addDigest(target, at, this.#parts, place * DIGEST_BYTES);
  }

  #reserveParts(): void {
    if (this.#parts.length === 0) this.#parts = Buffer.alloc(this.rows.length * DIGEST_BYTES);
  }

  /** Ids of the rows by their category, ascending. */
  byCategory(): Map<number, number[]> {
    const groups = new Map<number, number[]>();
    for (const [place, category] of this.#categories.entries()) {
      const group = groups.get(category);
      if (group === undefined) groups.set(category, [this.rows.idAt(place)]);
      else group.push(this.rows.idAt(place));
    }
    return groups;
  }
}

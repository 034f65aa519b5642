/**
 * What others need to know of a record's rows before these are made: which rows make a record, and what others show of each.
 * A row's own part depends on no row that is made after it; categories and products have one.
 */
import type { Json } from "../base/json.ts";
import type { OwnPart } from "./record-maker.ts";
import { addDigest, DIGEST_BYTES, digestOfText, RowMemory } from "./row-memory.ts";
import type { RowText, StoreValue } from "./store.ts";
import { Texts } from "./texts.ts";

/** Bytes of texts that are held until their rows are made; more of them are read from the store a second time. */
const HELD_BYTES = 8 << 20;

/** A row that was read, with its place among those of its file, from 1. */
export interface ReadRow extends RowText {
  readonly ordinal: number;
}

/** A row of a file without its text: that is long, and not needed once the row is on its way to be made. */
export interface RowPlace {
  readonly id: StoreValue;
  readonly ordinal: number;
}

/** Stands for the place of a text that is not there. */
const ABSENT = -1;

export class OwnParts {
  /** Rows that make a record, by the digests of their texts. */
  readonly rows = new RowMemory();
  /** The same rows, by the digests of what others are told. */
  readonly told = new RowMemory();
  readonly #texts = new Texts();
  readonly #places = new Map<number, number>();
  /** Of each row, in their order: where what others are told is, and its text; its place in its file; its category. */
  readonly #toldAt: number[] = [];
  readonly #textAt: number[] = [];
  readonly #ordinals: number[] = [];
  readonly #categories: number[] = [];
  /** Sums of the fingerprints of all rows that belong to each, in the order of the rows. */
  #sums: Buffer = Buffer.alloc(0);

  /** Adds a row whose own part is as it was. `told`: what was remembered of it. */
  keep(id: number, digests: Buffer, at: number, told: RowMemory, category: number): void {
    this.told.keep(told, told.find(id));
    this.#add(id, digests, at, category);
    this.#toldAt.push(ABSENT);
    this.#textAt.push(ABSENT);
    this.#ordinals.push(0);
  }

  /** Holds the text of a row whose own part is about to be made, if there is room; returns where. */
  hold({ text }: ReadRow): number {
    return this.#texts.bytes.length < HELD_BYTES ? this.#texts.add(text) : ABSENT;
  }

  /** Adds a row whose own part was made. `text`: where it is held. */
  put(
    { id, told }: OwnPart,
    { ordinal, text }: { readonly ordinal: number; readonly text: number },
    digests: Buffer,
    at: number,
    category: number,
  ): void {
    this.told.add(id, digestOfText(told), 0);
    this.#add(id, digests, at, category);
    this.#toldAt.push(this.#texts.add(told));
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

  /** The place of a row; undefined if it makes no record. */
  placeOf(id: number): number | undefined {
    return this.#places.get(id);
  }

  /** What others are told of a row; null if it was not made now, and is as the catalog has it. */
  madeOf(id: number): Json | null {
    const at = this.#toldAt[this.#places.get(id) ?? ABSENT] ?? ABSENT;
    return at === ABSENT ? null : (this.#texts.at(at) as Json);
  }

  /** The row at a place as it was read; null if its text is not held. */
  rowAt(place: number): ReadRow | null {
    const text = this.#textAt[place] ?? ABSENT;
    if (text === ABSENT) return null;
    const ordinal = this.#ordinals[place] ?? 0;
    return { id: this.rows.idAt(place), text: this.#texts.at(text) ?? "", ordinal, extra: [] };
  }

  categoryAt(place: number): number {
    return this.#categories[place] ?? 0;
  }

  /** Counts a row that belongs to the one at a place, by its fingerprint. */
  addPart(place: number, digests: Buffer, at: number): void {
    this.#reserveSums();
    addDigest(this.#sums, place * DIGEST_BYTES, digests, at);
  }

  /** Adds the sum of all rows that belong to the one at a place. */
  addPartsTo(target: Buffer, at: number, place: number): void {
    this.#reserveSums();
    addDigest(target, at, this.#sums, place * DIGEST_BYTES);
  }

  #reserveSums(): void {
    if (this.#sums.length === 0) this.#sums = Buffer.alloc(this.rows.length * DIGEST_BYTES);
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

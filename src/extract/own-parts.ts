/**
 * What others need to know of a record's rows before these are made: which rows make a record, and what others show of each.
 * A row's own part depends on no row that is made after it; categories and products have one.
 */
import type { Json } from "../base/json.ts";
import { addDigest, DIGEST_BYTES, digestOfText, RowMemory } from "./row-memory.ts";
import type { RowText } from "./store.ts";

/** Characters of texts that are held until their rows are made; more of them are read from the store a second time. */
const HELD_CHARACTERS = 16 << 20;

/** A row that was read, with its place among those of its file, from 1. */
export interface ReadRow extends RowText {
  readonly ordinal: number;
}

export class OwnParts {
  /** Rows that make a record, by the digests of their texts. */
  readonly rows = new RowMemory();
  /** The same rows, by the digests of what others are told. */
  readonly told = new RowMemory();
  /** Texts of rows that are new or changed, as far as there is room. */
  readonly texts = new Map<number, ReadRow>();
  #heldCharacters = 0;
  readonly #places = new Map<number, number>();
  readonly #made = new Map<number, Json>();
  /** The category of each, in the order of the rows. */
  readonly #categories: number[] = [];
  /** Sums of the fingerprints of all rows that belong to each, in the order of the rows. */
  #sums: Buffer = Buffer.alloc(0);

  /** A row whose own part is as it was. `told`: at this place of what was remembered. */
  keep(id: number, digests: Buffer, at: number, told: RowMemory, category: number): void {
    const place = this.#add(id, digests, at, category);
    const digest = Buffer.alloc(DIGEST_BYTES);
    told.copyTo(digest, 0, told.find(id));
    this.told.add(id, digest, 0);
    this.#places.set(id, place);
  }

  /** A row whose own part was made. */
  put(row: ReadRow, id: number, digests: Buffer, at: number, told: Json, category: number): void {
    const place = this.#add(id, digests, at, category);
    this.told.add(id, digestOfText(told), 0);
    this.#places.set(id, place);
    this.#made.set(id, told);
    this.#heldCharacters += row.text.length;
    if (this.#heldCharacters <= HELD_CHARACTERS) this.texts.set(id, row);
  }

  #add(id: number, digests: Buffer, at: number, category: number): number {
    this.#categories.push(category);
    return this.rows.add(id, digests, at);
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
    return this.#made.get(id) ?? null;
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

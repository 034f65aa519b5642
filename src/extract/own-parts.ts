/**
 * The own parts of a record's rows, which others need before the records are made: which rows make a record, and what others
 * show of each. A row's own part depends on no row that is made later; categories and products have one.
 */
import type { Json } from "../base/json.ts";
import type { OwnPart } from "./record-maker.ts";
import { addDigest, DIGEST_BYTES, digestOf, RowMemory } from "./row-memory.ts";
import type { ReadRow } from "./rows.ts";

/** Limit in characters for row texts kept in memory until their rows are made; others are read from the store a second time. */
const MAX_TEXT_LENGTH = 8 << 20;

/** A row with its own part: all that is kept of it until its record is made. */
interface Own {
  /** What others show of it; null if it was not made in this build: then the catalog has it. */
  readonly shown: Json | null;
  /** Null if it is not kept in memory. */
  readonly row: ReadRow | null;
  readonly category: number;
}

export class OwnParts {
  /** Rows that make a record, by the digests of their texts. */
  readonly rows = new RowMemory();
  /** The same rows, by the digests of what others show of them. */
  readonly shown = new RowMemory();
  readonly #places = new Map<number, number>();
  /** By place. */
  readonly #own: Own[] = [];
  #textLength = 0;
  /** For each row, in the order of the rows, the digest of all rows that belong to it. */
  #parts: Buffer = Buffer.alloc(0);

  /** Adds a row whose own part is unchanged. `shown`: the previous build's memory of it. */
  keep(id: number, fingerprint: Buffer, shown: RowMemory, category: number): void {
    this.shown.keep(shown, shown.find(id));
    this.#add(id, fingerprint, { shown: null, row: null, category });
  }

  /** Adds a row whose own part was made; keeps the row if there is room. */
  put({ id, shown, category }: OwnPart, row: ReadRow, fingerprint: Buffer): void {
    const isKept = this.#textLength + row.text.length <= MAX_TEXT_LENGTH;
    if (isKept) this.#textLength += row.text.length;
    this.shown.add(id, digestOf(shown));
    this.#add(id, fingerprint, { shown, row: isKept ? row : null, category });
  }

  #add(id: number, fingerprint: Buffer, own: Own): void {
    this.#places.set(id, this.rows.add(id, fingerprint));
    this.#own.push(own);
  }

  has(id: unknown): boolean {
    return this.#places.has(id as number);
  }

  /** The index of a row; undefined if it makes no record. */
  placeOf(id: number): number | undefined {
    return this.#places.get(id);
  }

  #ownOf(id: number): Own | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#own[place];
  }

  /** What others show of a row; null if it was not made in this build: then the catalog has it. */
  madeOf(id: number): Json | null {
    return this.#ownOf(id)?.shown ?? null;
  }

  /** A row; null if it is not kept in memory. */
  rowOf(id: number): ReadRow | null {
    return this.#ownOf(id)?.row ?? null;
  }

  categoryAt(place: number): number {
    return this.#own[place]?.category ?? 0;
  }

  /** Adds the fingerprint of a row that belongs to the one at an index. Files and their rows are read in one order always. */
  addPart(place: number, fingerprint: Buffer): void {
    addDigest(this.partsAt(place), fingerprint);
  }

  /** The digest of all rows that belong to the one at an index. */
  partsAt(place: number): Buffer {
    if (this.#parts.length === 0) this.#parts = Buffer.alloc(this.rows.length * DIGEST_BYTES);
    return this.#parts.subarray(place * DIGEST_BYTES, (place + 1) * DIGEST_BYTES);
  }

  /** Ids of the rows by their category, ascending. */
  byCategory(): Map<number, number[]> {
    const groups = new Map<number, number[]>();
    for (const [place, { category }] of this.#own.entries()) {
      const group = groups.get(category);
      if (group === undefined) groups.set(category, [this.rows.idAt(place)]);
      else group.push(this.rows.idAt(place));
    }
    return groups;
  }
}

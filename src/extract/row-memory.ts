/** The memory of a file's rows: each row's id, its fingerprint, and a note with the reports of making it. */
import { hash } from "node:crypto";
import { freeMemory } from "../base/arrays.ts";

/** Bytes of half a SHA-256. */
export const DIGEST_BYTES = 16;

/** The id as a double, the fingerprint, the number of the note. */
const ENTRY_BYTES = 8 + DIGEST_BYTES + 4;
const NOTE_AT = 8 + DIGEST_BYTES;

/** Writes the digest of a text. As bytes instead of hexadecimal text, Node takes twice as long. */
export function writeDigest(text: string, target: Buffer, at: number): void {
  target.write(hash("sha256", text), at, DIGEST_BYTES, "hex");
}

export function digestOfText(text: string): Buffer {
  const digest = Buffer.alloc(DIGEST_BYTES);
  writeDigest(text, digest, 0);
  return digest;
}

/** Room for two digests, used again in each call: there are as many calls as rows. */
const PAIR = Buffer.alloc(2 * DIGEST_BYTES);

/**
 * Adds an input to a digest, which becomes the digest of both. So a digest of several inputs depends on their order: add them in
 * one order always. A sum would not, but whoever writes many of the inputs can choose them for their sum (docs/decisions/sets.md).
 */
export function addDigest(target: Buffer, at: number, source: Buffer, from: number): void {
  target.copy(PAIR, 0, at, at + DIGEST_BYTES);
  source.copy(PAIR, DIGEST_BYTES, from, from + DIGEST_BYTES);
  target.write(hash("sha256", PAIR), at, DIGEST_BYTES, "hex");
}

export class RowMemory {
  #bytes: Buffer<ArrayBuffer>;
  #length = 0;
  #isSorted = true;
  /** Index after the last one found. */
  #next = 0;
  /** Each distinct note; the first is for rows without one. */
  readonly #notes: string[] = [];
  readonly #numbers = new Map<string, number>();
  /** New numbers for the notes of kept rows. */
  readonly #renumbered: number[] = [];

  /** Begins empty, or with an earlier memory's {@link bytes} and {@link notes}. */
  constructor(bytes: Buffer<ArrayBuffer> = Buffer.alloc(0), notes: readonly string[] = [""]) {
    this.#bytes = bytes;
    this.#length = bytes.length / ENTRY_BYTES;
    for (const note of notes) this.#numberOf(note);
  }

  get length(): number {
    return this.#length;
  }

  /** All entries, in order of id. */
  get bytes(): Buffer {
    this.#sort();
    return this.#bytes.subarray(0, this.#length * ENTRY_BYTES);
  }

  get notes(): readonly string[] {
    return this.#notes;
  }

  #numberOf(note: string): number {
    const known = this.#numbers.get(note);
    if (known !== undefined) return known;
    this.#numbers.set(note, this.#notes.length);
    return this.#notes.push(note) - 1;
  }

  /** Adds a row, and returns its index. */
  add(id: number, digests: Buffer, at: number): number {
    this.#reserve();
    const place = this.#length;
    const start = place * ENTRY_BYTES;
    if (place > 0 && this.idAt(place - 1) > id) this.#isSorted = false;
    this.#bytes.writeDoubleLE(id, start);
    digests.copy(this.#bytes, start + 8, at, at + DIGEST_BYTES);
    this.#bytes.writeUInt32LE(0, start + NOTE_AT);
    this.#length += 1;
    return place;
  }

  setNote(place: number, note: string): void {
    this.#bytes.writeUInt32LE(this.#numberOf(note), place * ENTRY_BYTES + NOTE_AT);
  }

  /** Copies a row from another memory, which must be the same one in each call. */
  keep(from: RowMemory, place: number): void {
    this.#reserve();
    const start = place * ENTRY_BYTES;
    const number = from.#bytes.readUInt32LE(start + NOTE_AT);
    this.#renumbered[number] ??= this.#numberOf(from.#notes[number] ?? "");
    const id = from.idAt(place);
    const next = this.add(id, from.#bytes, start + 8);
    this.#bytes.writeUInt32LE(this.#renumbered[number] ?? 0, next * ENTRY_BYTES + NOTE_AT);
  }

  #reserve(): void {
    if ((this.#length + 1) * ENTRY_BYTES <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(4096, this.#bytes.length * 2));
    this.#bytes.copy(larger);
    freeMemory(this.#bytes);
    this.#bytes = larger;
  }

  idAt(place: number): number {
    return this.#bytes.readDoubleLE(place * ENTRY_BYTES);
  }

  /** How many rows have each note, in the order of {@link notes}. */
  countNotes(): number[] {
    const counts = this.#notes.map(() => 0);
    for (let place = 0; place < this.#length; place++) {
      const number = this.#noteAt(place);
      counts[number] = (counts[number] ?? 0) + 1;
    }
    return counts;
  }

  /** Ids of the rows with one of these notes, each with its note. */
  *withNotes(wanted: ReadonlySet<string>): Generator<readonly [id: number, note: string]> {
    if (wanted.size === 0) return;
    this.#sort();
    for (let place = 0; place < this.#length; place++) {
      const note = this.#notes[this.#noteAt(place)] ?? "";
      if (wanted.has(note)) yield [this.idAt(place), note];
    }
  }

  #noteAt(place: number): number {
    return this.#bytes.readUInt32LE(place * ENTRY_BYTES + NOTE_AT);
  }

  /** Adds the fingerprint at an index to a digest. */
  addTo(target: Buffer, at: number, place: number): void {
    addDigest(target, at, this.#bytes, place * ENTRY_BYTES + 8);
  }

  copyTo(target: Buffer, at: number, place: number): void {
    const start = place * ENTRY_BYTES + 8;
    this.#bytes.copy(target, at, start, start + DIGEST_BYTES);
  }

  /** True if the fingerprint at an index equals the given digest. */
  isSame(place: number, digests: Buffer, at: number): boolean {
    const start = place * ENTRY_BYTES + 8;
    return this.#bytes.compare(digests, at, at + DIGEST_BYTES, start, start + DIGEST_BYTES) === 0;
  }

  /** The index of an id, or -1. The index after the last one found is tried first: most look-ups are in order. */
  find(id: number): number {
    this.#sort();
    let low = 0;
    let high = this.#length;
    if (this.#next < high && this.idAt(this.#next) === id) low = this.#next;
    else
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (this.idAt(middle) < id) low = middle + 1;
        else high = middle;
      }
    this.#next = low + 1;
    return low < this.#length && this.idAt(low) === id ? low : -1;
  }

  *ids(): Generator<number> {
    this.#sort();
    for (let place = 0; place < this.#length; place++) yield this.idAt(place);
  }

  #sort(): void {
    if (this.#isSorted) return;
    const places = Array.from({ length: this.#length }, (_, place) => place);
    places.sort((a, b) => this.idAt(a) - this.idAt(b));
    const sorted = Buffer.alloc(this.#length * ENTRY_BYTES);
    for (const [to, from] of places.entries())
      this.#bytes.copy(sorted, to * ENTRY_BYTES, from * ENTRY_BYTES, (from + 1) * ENTRY_BYTES);
    this.#bytes = sorted;
    this.#isSorted = true;
  }
}

/** The memory of a file's rows: each row's id, its fingerprint, and a note with the reports of making it. */
import { hash } from "node:crypto";
import type { StoreValue } from "./store.ts";

/** Bytes of half a SHA-256. */
export const DIGEST_BYTES = 16;

/** The id as a double, the fingerprint, the number of the note. */
const ENTRY_BYTES = 8 + DIGEST_BYTES + 4;
const NOTE_AT = 8 + DIGEST_BYTES;

/** Half the SHA-256 of a text or of bytes. Written from hexadecimal text: as bytes, Node takes twice as long. */
export function digestOf(input: string | Buffer): Buffer {
  const digest = Buffer.allocUnsafe(DIGEST_BYTES);
  digest.write(hash("sha256", input), 0, DIGEST_BYTES, "hex");
  return digest;
}

/** Room for two digests, used again in each call: there are as many calls as rows. */
const PAIR = Buffer.alloc(2 * DIGEST_BYTES);

/**
 * Adds an input to a digest, which becomes the digest of both. So a digest of several inputs depends on their order: add them in
 * one order always. A sum would not, but an author of many of the inputs can choose them for their sum (docs/decisions/sets.md).
 */
export function addDigest(target: Buffer, source: Buffer): void {
  target.copy(PAIR, 0);
  source.copy(PAIR, DIGEST_BYTES);
  target.write(hash("sha256", PAIR), 0, DIGEST_BYTES, "hex");
}

export class RowMemory {
  #bytes: Buffer;
  #length = 0;
  #isSorted = true;
  /** Index after the last one found. */
  #next = 0;
  /** Each distinct note; the first is for rows without one. */
  readonly #notes: string[] = [];
  readonly #numbers = new Map<string, number>();

  /** Begins empty, or with an earlier memory's {@link bytes} and {@link notes}. */
  constructor(bytes: Buffer = Buffer.alloc(0), notes: readonly string[] = [""]) {
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

  /** Adds a row, and returns its index. `note`: the reports of making it. */
  add(id: number, fingerprint: Buffer, note = ""): number {
    this.#reserve();
    const place = this.#length;
    const start = place * ENTRY_BYTES;
    if (place > 0 && this.idAt(place - 1) > id) this.#isSorted = false;
    this.#bytes.writeDoubleLE(id, start);
    fingerprint.copy(this.#bytes, start + 8, 0, DIGEST_BYTES);
    this.#bytes.writeUInt32LE(this.#numberOf(note), start + NOTE_AT);
    this.#length += 1;
    return place;
  }

  /** Copies a row from another memory. */
  keep(from: RowMemory, place: number): number {
    const note = from.#notes[from.#noteAt(place)];
    return this.add(from.idAt(place), from.fingerprintAt(place), note);
  }

  #reserve(): void {
    if ((this.#length + 1) * ENTRY_BYTES <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(4096, this.#bytes.length * 2));
    this.#bytes.copy(larger);
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

  /** The fingerprint at an index, in the memory's own bytes. */
  fingerprintAt(place: number): Buffer {
    const start = place * ENTRY_BYTES + 8;
    return this.#bytes.subarray(start, start + DIGEST_BYTES);
  }

  /** The index at which a row is remembered with this fingerprint, or -1: then it must be made. `id`: as the store has it. */
  placeOf(id: StoreValue, fingerprint: Buffer): number {
    const place = typeof id === "number" ? this.find(id) : -1;
    return place >= 0 && this.fingerprintAt(place).equals(fingerprint) ? place : -1;
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

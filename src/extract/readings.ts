/**
 * What a build remembers of the store for the next one: digests of its rows. Private: it is beside the snapshot and never
 * published. Losing it costs one whole reading, and nothing else.
 */
import { hash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { PRIVATE_FILE } from "../base/modes.ts";

const FORMAT = "4";

/** Bytes of one row: its id as a number, and half the SHA-256 of its text. */
const ENTRY_BYTES = 24;
const DIGEST_BYTES = 16;

/** Half the SHA-256 of a text, as bytes at a place. Asked for bytes instead of a text, Node takes twice as long. */
function writeDigest(text: string, target: Buffer, start: number): void {
  target.write(hash("sha256", text), start, DIGEST_BYTES, "hex");
}

export function digestOfText(text: string): Buffer {
  const digest = Buffer.alloc(DIGEST_BYTES);
  writeDigest(text, digest, 0);
  return digest;
}

/** Ids with digests, in order of id: grows by adding, and is read from the first to the last. */
export class RowDigests {
  #bytes: Buffer<ArrayBuffer>;
  #length = 0;

  constructor(bytes: Buffer<ArrayBuffer> = Buffer.alloc(0)) {
    this.#bytes = bytes;
    this.#length = bytes.length / ENTRY_BYTES;
  }

  get length(): number {
    return this.#length;
  }

  /** What is kept of them. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length * ENTRY_BYTES);
  }

  /** Adds a row by its text. */
  add(id: number, text: string): void {
    this.#reserve();
    const start = this.#length * ENTRY_BYTES;
    this.#bytes.writeDoubleLE(id, start);
    writeDigest(text, this.#bytes, start + 8);
    this.#length += 1;
  }

  #reserve(): void {
    if ((this.#length + 1) * ENTRY_BYTES <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(4096, this.#bytes.length * 2));
    this.#bytes.copy(larger);
    this.#bytes = larger;
  }

  idAt(at: number): number {
    return this.#bytes.readDoubleLE(at * ENTRY_BYTES);
  }

  /** True where the row at a place is the last one of others: its id and its digest. */
  isLastOf(others: RowDigests, at: number): boolean {
    const [start, last] = [at * ENTRY_BYTES, (others.#length - 1) * ENTRY_BYTES];
    return this.#bytes.compare(others.#bytes, last, last + ENTRY_BYTES, start, start + ENTRY_BYTES) === 0;
  }
}

/** Compares rows as they are read, in order of id, with the digests of the last build: which are new, changed or gone. */
export class RowComparison {
  /** Of all rows as they are now. */
  readonly digests = new RowDigests();
  readonly gone: number[] = [];
  readonly #before: RowDigests;
  #at = 0;

  constructor(before: RowDigests) {
    this.#before = before;
  }

  /** True for a row that is new, or another than it was. */
  isOther(id: number, text: string): boolean {
    this.#passBelow(id);
    this.digests.add(id, text);
    const isKnown = this.#at < this.#before.length && this.#before.idAt(this.#at) === id;
    const isSame = isKnown && this.#before.isLastOf(this.digests, this.#at);
    if (isKnown) this.#at += 1;
    return !isSame;
  }

  /** To be called after the last row. */
  finish(): void {
    this.#passBelow(Number.POSITIVE_INFINITY);
  }

  #passBelow(id: number): void {
    for (; this.#at < this.#before.length && this.#before.idAt(this.#at) < id; this.#at++)
      this.gone.push(this.#before.idAt(this.#at));
  }
}

/** Rows that make no record, because their product is not public: id → product. */
export type LeftOut = ReadonlyMap<number, number>;

/** What there is to remember, by name; values are never changed in place. */
export interface Readings {
  /** Short texts. */
  readonly words: ReadonlyMap<string, string>;
  rows(file: string): RowDigests | null;
  leftOut(file: string): LeftOut;
  blob(name: string): Buffer<ArrayBuffer> | null;
}

/** Changes of them, written together once a build is in place. */
export interface NewReadings {
  readonly words: ReadonlyMap<string, string>;
  readonly blobs: ReadonlyMap<string, Buffer>;
}

const NO_READINGS: Readings = {
  words: new Map(),
  rows: () => null,
  leftOut: () => new Map(),
  blob: () => null,
};

export function rowsName(file: string): string {
  return `rows ${file}`;
}

export function leftOutName(file: string): string {
  return `left out ${file}`;
}

export function packLeftOut(leftOut: LeftOut): Buffer {
  return Buffer.from(Float64Array.from([...leftOut].flat()).buffer);
}

function unpackLeftOut(packed: Buffer | null): LeftOut {
  const found = new Map<number, number>();
  for (let at = 0; at < (packed?.length ?? 0); at += 16)
    found.set(packed?.readDoubleLE(at) ?? 0, packed?.readDoubleLE(at + 8) ?? 0);
  return found;
}

/** Reads what was kept; nothing where that cannot be read. */
export function openReadings(file: string): Readings {
  if (!existsSync(file)) return NO_READINGS;
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    const words = new Map(db.prepare<[], [string, string]>("SELECT name, value FROM word").raw().all());
    if (words.get("format") !== FORMAT) return NO_READINGS;
    const blobs = new Map(
      db.prepare<[], [string, Buffer<ArrayBuffer>]>("SELECT name, data FROM blob").raw().all(),
    );
    const blob = (name: string) => blobs.get(name) ?? null;
    return {
      words,
      blob,
      rows: (name) => {
        const bytes = blob(rowsName(name));
        return bytes === null ? null : new RowDigests(bytes);
      },
      leftOut: (name) => unpackLeftOut(blob(leftOutName(name))),
    };
  } catch {
    return NO_READINGS;
  } finally {
    db?.close();
  }
}

/**
 * Writes a file of readings: those of the file `before` it with what is new in their place; of nothing before where that is
 * null. Both may be one file: then it is changed in one step.
 */
export function saveReadings(file: string, { words, blobs }: NewReadings, before: string | null): void {
  if (before !== file) rmSync(file, { force: true });
  if (before !== null && before !== file) copyFileSync(before, file);
  const db = new Database(file);
  try {
    chmodSync(file, PRIVATE_FILE);
    db.pragma("secure_delete = ON");
    db.exec(`BEGIN;
      CREATE TABLE IF NOT EXISTS word (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS blob (name TEXT PRIMARY KEY, data BLOB NOT NULL)`);
    const word = db.prepare("INSERT OR REPLACE INTO word VALUES (?, ?)");
    for (const [name, value] of [...words, ["format", FORMAT] as const]) word.run(name, value);
    const blob = db.prepare("INSERT OR REPLACE INTO blob VALUES (?, ?)");
    for (const [name, data] of blobs) blob.run(name, data);
    db.exec("COMMIT");
  } finally {
    db.close();
  }
}

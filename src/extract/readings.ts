/**
 * What a build remembers of the store for the next one: fingerprints of its rows, and a few short texts. Private: the file is
 * beside the snapshot and never published. Losing it only costs one reading of all rows.
 */
import { chmodSync, copyFileSync, existsSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { PRIVATE_FILE } from "../base/modes.ts";
import { RowMemory } from "./row-memory.ts";

const FORMAT = "6";

/** The memory, by name. */
export interface Readings {
  /** Short texts. */
  readonly words: ReadonlyMap<string, string>;
  /** The rows that {@link packMemory} saved under a name; empty if there are none. */
  rows(name: string): RowMemory;
}

/** Changes to the memory, written together once a build is in place. */
export interface NewReadings {
  readonly words: ReadonlyMap<string, string>;
  readonly blobs: ReadonlyMap<string, Buffer>;
}

/** Names of the allow-list's files that gave a row. */
export type FilesWithRows = ReadonlySet<string>;

/** Null if it is not remembered. */
export function filesWithRows({ words }: Pick<Readings, "words">): FilesWithRows | null {
  const files = words.get("files");
  return files === undefined ? null : new Set(Object.keys(JSON.parse(files)));
}

export const NO_READINGS: Readings = { words: new Map(), rows: () => new RowMemory() };

/** Adds rows to a memory that will be saved. */
export function packMemory(
  name: string,
  memory: RowMemory,
  to: { readonly words: Map<string, string>; readonly blobs: Map<string, Buffer> },
): void {
  to.blobs.set(`rows ${name}`, memory.bytes);
  to.words.set(`notes ${name}`, JSON.stringify(memory.notes));
}

/** Opens a saved memory; an empty one if it cannot be read. */
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
    return {
      words,
      rows: (name) => {
        const bytes = blobs.get(`rows ${name}`);
        const notes = JSON.parse(words.get(`notes ${name}`) ?? '[""]') as string[];
        return new RowMemory(bytes, notes);
      },
    };
  } catch {
    return NO_READINGS;
  } finally {
    db?.close();
  }
}

/**
 * Saves a memory to a file: the one in the file `before` with these changes; only the changes if that is null. Both may be the
 * same file: then it is changed in one step.
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

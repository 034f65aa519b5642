/**
 * What a build remembers of the store for the next one: fingerprints of its rows, and a few words. Private: it is beside the
 * snapshot and never published. Losing it costs one whole reading, and nothing else.
 */
import { chmodSync, copyFileSync, existsSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { PRIVATE_FILE } from "../base/modes.ts";
import { RowMemory } from "./row-memory.ts";

const FORMAT = "5";

/** What is remembered, by name. */
export interface Readings {
  /** Short texts. */
  readonly words: ReadonlyMap<string, string>;
  /** What was kept by {@link packMemory} under a name; empty where nothing was. */
  rows(name: string): RowMemory;
}

/** Changes of it, written together once a build is in place. */
export interface NewReadings {
  readonly words: ReadonlyMap<string, string>;
  readonly blobs: ReadonlyMap<string, Buffer>;
}

export const NO_READINGS: Readings = { words: new Map(), rows: () => new RowMemory() };

/** Adds rows to what is to be remembered. */
export function packMemory(
  name: string,
  memory: RowMemory,
  to: { readonly words: Map<string, string>; readonly blobs: Map<string, Buffer> },
): void {
  to.blobs.set(`rows ${name}`, memory.bytes);
  to.words.set(`notes ${name}`, JSON.stringify(memory.notes));
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

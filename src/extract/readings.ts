/**
 * What a build remembers of the store for the next one: fingerprints of its rows, and a few short texts. Private: the file is
 * beside the snapshot and never published. Losing it only costs one reading of all rows.
 */
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, rmSync } from "node:fs";
import type Database from "better-sqlite3";
import { PRIVATE_FILE, refusePipe } from "../base/files.ts";
import { type Notes, SILENT } from "../base/log.ts";
import { damagedMemory, type Memory, otherMemory, readMemory, writeMemory } from "../base/memory.ts";
import { openSqlite } from "../base/sqlite.ts";
import { RowMemory } from "./row-memory.ts";

const FORMAT = "7";
/** The word with the digest of all others: a changed byte would hide a changed row. */
const DIGEST = "digest";

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

function memoryIn(file: string, log: Notes | null): Memory {
  return {
    file,
    what: "what the last build read of the store",
    follows: "the next build reads and makes everything again",
    log,
  };
}

interface Content {
  readonly words: ReadonlyMap<string, string>;
  readonly blobs: ReadonlyMap<string, Buffer<ArrayBuffer>>;
}

function contentOf(db: Database.Database): Content {
  return {
    words: new Map(
      db.prepare<[], [string, string]>("SELECT name, value FROM word ORDER BY name").raw().iterate(),
    ),
    blobs: new Map(
      db
        .prepare<[], [string, Buffer<ArrayBuffer>]>("SELECT name, data FROM blob ORDER BY name")
        .raw()
        .iterate(),
    ),
  };
}

function digestOf({ words, blobs }: Content): string {
  const digest = createHash("sha256");
  for (const [name, value] of words) if (name !== DIGEST) digest.update(JSON.stringify([name, value]));
  for (const [name, data] of blobs) digest.update(JSON.stringify([name, data.length])).update(data);
  return digest.digest("hex");
}

const WORD = "SELECT value FROM word WHERE name = ?";

/** What `read` finds in a saved memory of this format. */
function withSaved<Found>(file: string, read: (db: Database.Database) => Found): Found {
  const db = openSqlite(file, { readonly: true, fileMustExist: true });
  try {
    const table = "SELECT count(*) FROM sqlite_schema WHERE name = 'word'";
    if (db.prepare<[], number>(table).pluck().get() !== 1) throw otherMemory("it has other tables");
    if (db.prepare<[string], string>(WORD).pluck().get("format") !== FORMAT)
      throw otherMemory("it has another format");
    return read(db);
  } finally {
    db.close();
  }
}

/** All of a saved memory, compared with its digest. */
function wholeContent(db: Database.Database): Content {
  const content = contentOf(db);
  if (content.words.get(DIGEST) !== digestOf(content)) throw damagedMemory("its digest is wrong");
  return content;
}

/** One short text of a saved memory; null if it cannot be read. Takes no lock and reads nothing else. */
export function wordOf(file: string, name: string): string | null {
  if (!existsSync(file)) return null;
  const read = (db: Database.Database) => db.prepare<[string], string>(WORD).pluck().get(name) ?? null;
  return readMemory(memoryIn(file, null), () => withSaved(file, read));
}

/** Opens a saved memory; an empty one if it cannot be read. `log`: null without the folder's lock. */
export function openReadings(file: string, log: Notes | null = null): Readings {
  if (!existsSync(file)) return NO_READINGS;
  const content = readMemory(memoryIn(file, log), () => withSaved(file, wholeContent));
  if (content === null) return NO_READINGS;
  const { words, blobs } = content;
  return {
    words,
    rows: (name) => {
      const notes = JSON.parse(words.get(`notes ${name}`) ?? '[""]') as string[];
      return new RowMemory(blobs.get(`rows ${name}`), notes);
    },
  };
}

/**
 * Saves a memory to a file: the one in the file `before` with these changes; only the changes if that is null. Both may be the
 * same file: then it is changed in one step. If that fails, `file` is as it was, or missing if it is another one than `before`.
 */
export function saveReadings(
  file: string,
  changes: NewReadings,
  before: string | null,
  log: Notes = SILENT,
): void {
  const write = () => {
    if (before !== file) rmSync(file, { force: true });
    if (before !== null && before !== file) {
      refusePipe(before);
      copyFileSync(before, file);
    }
    writeChanges(file, changes);
    return true;
  };
  const isWritten = writeMemory(memoryIn(file, log), write);
  // A torn one must not be put in place together with the snapshot.
  if (isWritten === null && before !== file) rmSync(file, { force: true });
}

function writeChanges(file: string, { words, blobs }: NewReadings): void {
  const db = openSqlite(file);
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
    word.run(DIGEST, digestOf(contentOf(db)));
    db.exec("COMMIT");
  } finally {
    db.close();
  }
}

/**
 * What a build remembers for the next one, in one private file beside the snapshot. It is never published, and losing it only costs one
 * reading of all rows. Each build writes it whole.
 */
import { createHash } from "node:crypto";
import { chmodSync, existsSync, rmSync } from "node:fs";
import type Database from "better-sqlite3";
import { PRIVATE_FILE } from "../base/files.ts";
import { type Notes, SILENT } from "../base/log.ts";
import { damagedMemory, type Memory, otherMemory, readMemory, writeMemory } from "../base/memory.ts";
import { openSqlite } from "../base/sqlite.ts";
import type { SqlTime } from "../base/time.ts";
import type { KnownRows } from "../extract/extraction.ts";
import { RowMemory } from "../extract/row-memory.ts";
import type { SavedValues } from "../site/known-values.ts";
import type { SnapshotReport } from "./build-report.ts";

export interface Remembered extends KnownRows {
  /** A digest of all inputs of the build except the store: if it differs, everything is made again. */
  readonly inputs: string;
  /** The columns of each allow-list file, by name, as the store gave them: what the values of a row's text mean. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** A digest of the files that decide nothing but whether a build is refused, and what it reports. */
  readonly beside: string;
  /** The moment of the build, as it was bound to `:now`. */
  readonly now: SqlTime;
  /** When the store was read, by the real clock: RFC 3339 in milliseconds. */
  readonly readAt: string;
  /** The store's stamp; empty if it has none or changed while it was read. */
  readonly stamp: string;
  /** True if a policy refused the build, and `force` made it. */
  readonly isForced: boolean;
  /** The digest of the catalog that was made. */
  readonly catalog: string;
  readonly report: SnapshotReport;
  /** What was computed from the catalog and may be the same next time. */
  readonly values: SavedValues;
}

const FORMAT = "10";

/**
 * Saves what is remembered to a new file. If that fails, the file is missing: a torn one must not be put in place together with the
 * snapshot.
 */
export function saveRemembered(file: string, remembered: Remembered, log: Notes = SILENT): void {
  const isWritten = writeMemory(memoryIn(file, log), () => {
    rmSync(file, { force: true });
    write(file, remembered);
    return true;
  });
  if (isWritten === null) rmSync(file, { force: true });
}

/** Null if nothing is remembered, or it cannot be read. `log`: null without the folder's lock. */
export function openRemembered(file: string, log: Notes | null = null): Remembered | null {
  if (!existsSync(file)) return null;
  return readMemory(memoryIn(file, log), () => withSaved(file, read));
}

/** When the store was read; null if that cannot be read. Takes no lock, and compares no digest. */
export function readAtIn(file: string): string | null {
  if (!existsSync(file)) return null;
  const sql = "SELECT iif(json_valid(value), value ->> '$.readAt', NULL) FROM word WHERE name = 'build'";
  return readMemory(memoryIn(file, null), () =>
    withSaved(file, (db) => db.prepare<[], string | null>(sql).pluck().get() ?? null),
  );
}

function memoryIn(file: string, log: Notes | null): Memory {
  return {
    file,
    what: "what the last build read of the store",
    follows: "the next build reads and makes everything again",
    log,
  };
}

/** A memory of rows as it is saved, in the order in which it was made. */
type SavedRows = readonly [name: string, entries: Buffer, notes: string];

/** A changed byte would hide a changed row. */
function digestOf(build: string, rows: readonly SavedRows[]): string {
  const digest = createHash("sha256").update(build);
  for (const [name, entries, notes] of rows)
    digest.update(JSON.stringify([name, entries.length, notes])).update(entries);
  return digest.digest("hex");
}

function write(file: string, { memories, ...others }: Remembered): void {
  const build = JSON.stringify(others);
  const rows = Array.from(
    memories,
    ([name, memory]): SavedRows => [name, memory.bytes, JSON.stringify(memory.notes)],
  );
  const db = openSqlite(file);
  try {
    chmodSync(file, PRIVATE_FILE);
    db.exec(`BEGIN;
      CREATE TABLE word (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE rows (name TEXT NOT NULL, entries BLOB NOT NULL, notes TEXT NOT NULL)`);
    const putWord = db.prepare("INSERT INTO word VALUES (?, ?)");
    putWord.run("format", FORMAT);
    putWord.run("build", build);
    putWord.run("digest", digestOf(build, rows));
    const putRows = db.prepare("INSERT INTO rows VALUES (?, ?, ?)");
    for (const each of rows) putRows.run(...each);
    db.exec("COMMIT");
  } finally {
    db.close();
  }
}

/** Opens a saved memory, refuses other formats, and returns what `find` reads. */
function withSaved<Found>(file: string, find: (db: Database.Database) => Found): Found {
  const db = openSqlite(file, { readonly: true, fileMustExist: true });
  try {
    const table = "SELECT count(*) FROM sqlite_schema WHERE name = 'word'";
    if (db.prepare<[], number>(table).pluck().get() !== 1) throw otherMemory("it has other tables");
    const format = db.prepare<[], string>("SELECT value FROM word WHERE name = 'format'").pluck().get();
    if (format !== FORMAT) throw otherMemory("it has another format");
    return find(db);
  } finally {
    db.close();
  }
}

function read(db: Database.Database): Remembered {
  const word = db.prepare<[string], string>("SELECT value FROM word WHERE name = ?").pluck();
  const build = word.get("build") ?? "";
  const rows = db.prepare<[], SavedRows>("SELECT name, entries, notes FROM rows ORDER BY rowid").raw().all();
  if (word.get("digest") !== digestOf(build, rows)) throw damagedMemory("its digest is wrong");
  return {
    ...(JSON.parse(build) as Omit<Remembered, "memories">),
    memories: new Map(
      rows.map(([name, entries, notes]) => [name, new RowMemory(entries, JSON.parse(notes))] as const),
    ),
  };
}

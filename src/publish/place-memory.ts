/**
 * What this machine remembers of a place: the entries of the live manifest, the indexes of the kept releases, and the names of the
 * objects made from the catalog's partitions. All of it can be fetched or made again; it saves a publish from the same folder that
 * work. Entries and indexes are used only if their digests match the place's.
 */
import { hash } from "node:crypto";
import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { makePrivateFolder, PRIVATE_FILE } from "../base/files.ts";
import { type Notes, SILENT } from "../base/log.ts";
import { damagedMemory, forgive, type Memory, otherMemory, readMemory, writeMemory } from "../base/memory.ts";
import { openSqlite } from "../base/sqlite.ts";
import { nameOfObject } from "../release/objects.ts";
import { cutEntries, entryPartition, type ReleasedEntry } from "../release/partitions.ts";
import { encodeIndex, parseIndex, type ReleaseIndex } from "../release/release-index.ts";
import type { OutLayout } from "../site/layout.ts";
import type { Bucket } from "./bucket.ts";

/** Raised when the tables or the lines of objects change. */
const FORMAT = 1;

/** Most parsed indexes in memory: one of a large shop takes some megabytes, and a pointer may name thousands. */
const MOST_PARSED = 16;

const TABLES = `
  CREATE TABLE IF NOT EXISTS live (
    key TEXT PRIMARY KEY, etag TEXT NOT NULL, sizeBytes INTEGER NOT NULL, generatedAt TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS release_index (name TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS made (
    list TEXT NOT NULL, partition INTEGER NOT NULL, fingerprint TEXT NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (list, partition)
  ) WITHOUT ROWID;
  PRAGMA user_version = ${FORMAT};`;

/** The file in which an output folder remembers a place. */
export function memoryFile({ places }: Pick<OutLayout, "places">, { url, service }: Bucket): string {
  return join(places, `${hash("sha256", `${url}\n${service}`, "hex").slice(0, 16)}.sqlite`);
}

/** A database that SQLite deletes when it is closed. */
const TEMPORARY = "";

/** Opens the file for one publish at a time, or a temporary database. @throws if it cannot be read and written */
function openDatabase(file: string): Database.Database {
  if (file !== TEMPORARY) makePrivateFolder(dirname(file));
  const db = openSqlite(file, { timeout: 0 });
  try {
    if (file !== TEMPORARY) chmodSync(file, PRIVATE_FILE);
    // One publish at a time.
    db.pragma("locking_mode = EXCLUSIVE");
    db.pragma("secure_delete = ON");
    // Rows that are lost in a power failure are fetched again.
    db.pragma("synchronous = OFF");
    const version = db.pragma("user_version", { simple: true });
    if (version !== 0 && version !== FORMAT) throw otherMemory(`its format is ${version}`);
    db.exec(`BEGIN EXCLUSIVE; ${TABLES} COMMIT`);
    if (file !== TEMPORARY) checkTables(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function tablesOf(db: Database.Database): string {
  return JSON.stringify(db.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name").raw().all());
}

/** @throws Error if a power failure or another program damaged the file, or it is not a memory */
function checkTables(db: Database.Database): void {
  const found = db.pragma("quick_check", { simple: true });
  if (found !== "ok") throw damagedMemory(String(found));
  const fresh = new Database(":memory:");
  fresh.exec(TABLES);
  const wanted = tablesOf(fresh);
  fresh.close();
  if (tablesOf(db) !== wanted) throw otherMemory("its tables differ");
}

/** A temporary database with the content of another one. */
function copyOf(from: Database.Database): Database.Database {
  const db = openDatabase(TEMPORARY);
  try {
    db.transaction(() => {
      for (const table of ["live", "release_index", "made"]) {
        const rows = from.prepare<[], unknown[]>(`SELECT * FROM ${table}`).raw();
        const insert = db.prepare(`INSERT INTO ${table} VALUES (${rows.columns().map(() => "?")})`);
        for (const row of rows.iterate()) insert.run(...row);
      }
    })();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The content of a file that cannot be written, for this publish. */
function readOnlyCopy(file: string): Database.Database {
  const db = openSqlite(file, { readonly: true, fileMustExist: true, timeout: 0 });
  try {
    checkTables(db);
    return copyOf(db);
  } finally {
    db.close();
  }
}

/** What this machine remembers of a place. If its file cannot be written or not even read, the publish works all the same, on a copy. */
export class PlaceMemory implements Disposable {
  readonly #memory: Memory;
  #db: Database.Database;
  /** False once changes are lost with this publish. */
  #isKept: boolean;
  readonly #indexes = new Map<string, ReleaseIndex>();

  constructor(file: string, log: Notes = SILENT) {
    this.#memory = {
      file,
      what: "what is remembered of this place",
      follows: "the next publish fetches its index again and compares everything",
      log,
    };
    const kept = writeMemory(this.#memory, () => openDatabase(file));
    this.#isKept = kept !== null;
    // Why it cannot be used was said.
    const silent = { ...this.#memory, log: null };
    this.#db = kept ?? readMemory(silent, () => readOnlyCopy(file)) ?? openDatabase(TEMPORARY);
  }

  /** Changes the memory; on a copy for the rest of this publish if the file cannot take it, as on a full disk. */
  #write(change: (db: Database.Database) => void): void {
    try {
      change(this.#db);
    } catch (error) {
      if (!this.#isKept) throw error;
      forgive(this.#memory, error);
      const kept = this.#db;
      this.#db = copyOf(kept);
      this.#isKept = false;
      kept.close();
      change(this.#db);
    }
  }

  /** The entries, cut into partitions, with the names of the objects that they make. */
  *partitions(): Generator<{ readonly name: string; readonly entries: readonly ReleasedEntry[] }> {
    for (const entries of cutEntries(this.entries()))
      yield { name: nameOfObject(entryPartition(entries)), entries };
  }

  /** The entries of the manifest that was live last, in order of key. */
  entries(): IterableIterator<ReleasedEntry> {
    return this.#db
      .prepare<[], ReleasedEntry>("SELECT key, etag, sizeBytes, generatedAt FROM live ORDER BY key")
      .iterate();
  }

  has(key: string): boolean {
    return this.#db.prepare<[string], number>("SELECT 1 FROM live WHERE key = ?").pluck().get(key) === 1;
  }

  /** Deletes the entries of some keys, or all, and adds or replaces others. Each is read twice if the first try fails. */
  replaceEntries(gone: "all" | (() => Iterable<string>), put: () => Iterable<ReleasedEntry>): void {
    this.#write((db) => {
      const deletion = db.prepare<[string]>("DELETE FROM live WHERE key = ?");
      const insert = db.prepare("INSERT OR REPLACE INTO live VALUES (?, ?, ?, ?)");
      db.transaction(() => {
        if (gone === "all") db.exec("DELETE FROM live");
        else for (const key of gone()) deletion.run(key);
        for (const { key, etag, sizeBytes, generatedAt } of put())
          insert.run(key, etag, sizeBytes, generatedAt);
      })();
    });
  }

  /** True if the index is remembered undamaged; takes a fifth of the time of parsing it. */
  hasIndex(name: string): boolean {
    return this.#indexes.has(name) || this.#contentOf(name) !== null;
  }

  indexOf(name: string): ReleaseIndex | undefined {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    const content = this.#contentOf(name);
    if (content === null) return undefined;
    const index = parseIndex(content);
    this.#hold(name, index);
    return index;
  }

  /** The content of an index; null if it is not remembered or damaged: then it is fetched again. */
  #contentOf(name: string): Buffer | null {
    const sql = "SELECT content FROM release_index WHERE name = ?";
    const zipped = this.#db.prepare<[string], Buffer>(sql).pluck().get(name);
    if (zipped === undefined) return null;
    try {
      const content = gunzipSync(zipped);
      return nameOfObject(content) === name ? content : null;
    } catch {
      return null; // Whatever is wrong with these bytes, they are not the index.
    }
  }

  #hold(name: string, index: ReleaseIndex): void {
    this.#indexes.set(name, index);
    const [oldest = name] = this.#indexes.keys();
    if (this.#indexes.size > MOST_PARSED) this.#indexes.delete(oldest);
  }

  keepIndex(name: string, index: ReleaseIndex): void {
    this.#hold(name, index);
    const content = gzipSync(encodeIndex(index), { level: 1 });
    this.#write((db) => {
      db.prepare("INSERT OR REPLACE INTO release_index VALUES (?, ?)").run(name, content);
    });
  }

  /** Forgets all indexes except these. */
  forgetOthers(names: readonly string[]): void {
    this.#write((db) => {
      db.prepare("DELETE FROM release_index WHERE name NOT IN (SELECT value FROM json_each(?))").run(
        JSON.stringify(names),
      );
    });
  }

  /** Name of the object that a partition of a list made when it had this fingerprint. */
  madeOf(list: string, partition: number, fingerprint: string): string | undefined {
    return this.#db
      .prepare<[string, number, string], string>(
        "SELECT name FROM made WHERE list = ? AND partition = ? AND fingerprint = ?",
      )
      .pluck()
      .get(list, partition, fingerprint);
  }

  keepMade(list: string, partition: number, fingerprint: string, name: string): void {
    this.#write((db) => {
      db.prepare("INSERT OR REPLACE INTO made VALUES (?, ?, ?, ?)").run(list, partition, fingerprint, name);
    });
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}

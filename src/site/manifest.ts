/**
 * The manifest: for each key of a snapshot its digest, size, ETag, `generated_at` and the inputs of its file; and the snapshot's
 * meta.
 */
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import type Database from "better-sqlite3";
import { mergeByKey } from "../base/collections.ts";
import { isForbidden, messageOf, VitrineError } from "../base/error.ts";
import { PRIVATE_FILE, refusePipe } from "../base/files.ts";
import { FORMATS, readsFormatText } from "../base/formats.ts";
import { beginReading, openSqlite, remedyOf } from "../base/sqlite.ts";
import type { MetaTime } from "../base/time.ts";

export interface ManifestEntry {
  readonly key: string;
  /** SHA-256 of the file, hexadecimal, as `sha256sum` prints it. */
  readonly digest: string;
  readonly sizeBytes: number;
  /** The answer's ETag, `W/"…"`: covers the content without `generated_at`. */
  readonly etag: string;
  readonly generatedAt: MetaTime;
}

/** The inputs of a file, for the next build; never published. */
export interface MadeOfInputs {
  /** See {@link MadeFile}; empty if unknown. */
  readonly fingerprint: string;
  /** In words, see {@link MadeFile}; for an alias `= ` and the key that it points to, `= api/v1/…`. */
  readonly inputs: string;
  /** What differed when the file was last written, one difference per line. */
  readonly why: string;
}

/** An entry of a manifest that a build wrote. */
export interface BuiltEntry extends ManifestEntry, MadeOfInputs {}

/**
 * By name: `format`, `catalog_digest` (of the catalog's content), `vitrine`, `files` and `size_bytes` in total, and `content`: a
 * digest of all keys with their ETags, which tells whether two snapshots are equal without reading their entries. Only for the
 * next build, never published: `next_change_at`.
 */
export type ManifestMeta = Readonly<Record<string, string>>;

/** The catalog and the tool that made a snapshot. */
export interface MadeOf {
  /** The catalog's content digest. */
  readonly digest: string;
  /** Null if nothing changes by the clock alone, or if that is unknown. */
  readonly nextChangeAt: MetaTime | null;
  /** Version of this package. */
  readonly vitrine: string;
}

/** The same as the manifest's meta. */
export function metaOf({ digest, nextChangeAt, vitrine }: MadeOf): ManifestMeta {
  return { catalog_digest: digest, next_change_at: nextChangeAt ?? "", vitrine };
}

/** True if a snapshot was made from the same inputs: nothing needs rendering. */
export function isMadeOf(meta: ManifestMeta, made: MadeOf): boolean {
  return Object.entries(metaOf(made)).every(([name, value]) => meta[name] === value);
}

/** Larger than any manifest. */
const MAPPED_BYTES = 2 ** 30;

export interface Manifest {
  readonly meta: ManifestMeta;
  /** Files and bytes of the whole snapshot. */
  totals(): { readonly files: number; readonly sizeBytes: number };
  get(key: string): ManifestEntry | undefined;
  /** Like `get`, with the inputs of the file. */
  built(key: string): BuiltEntry | undefined;
  /** Fingerprints by key, in order of key. Several times faster than looking each one up. */
  fingerprints(): Map<string, string>;
  /** All entries, in order of key. */
  entries(): IterableIterator<ManifestEntry>;
  /** Makes many look-ups fast: SQLite locks the file and checks its header once. Until `close` no process can change the file. */
  hold(): void;
  close(): void;
}

const COLUMNS = "key, digest, size AS sizeBytes, etag, generated_at AS generatedAt";
const ALL_COLUMNS = `${COLUMNS}, fingerprint, inputs, why`;

/** Opens a manifest read-only. @throws VitrineError snapshot_unreadable */
export function openManifest(file: string): Manifest {
  let db: Database.Database | undefined;
  try {
    db = openSqlite(file, { readonly: true, fileMustExist: true });
    // Entries are read in order and once, so a small cache is enough.
    db.pragma("cache_size = -2000");
    const rows = db.prepare<[], { name: string; value: string }>("SELECT name, value FROM meta").all();
    const meta = Object.fromEntries(rows.map((row) => [row.name, row.value]));
    if (!readsFormatText("manifest", meta["format"], file))
      throw new Error(`its format is ${meta["format"]}`);
    return readerOf(db, meta);
  } catch (error) {
    db?.close();
    if (error instanceof VitrineError) throw error;
    const { next, hint } = remedyOf(file, error, "Build again, or name another folder.");
    throw new VitrineError(
      "snapshot_unreadable",
      existsSync(file) || isForbidden(error)
        ? `Cannot read the manifest ${file}: ${messageOf(error)}. ${next}`
        : `There is no snapshot in ${dirname(file)}.`,
      { cause: error, hint },
    );
  }
}

function readerOf(db: Database.Database, meta: ManifestMeta): Manifest {
  const get = db.prepare<[string], ManifestEntry>(`SELECT ${COLUMNS} FROM file WHERE key = ?`);
  const built = db.prepare<[string], BuiltEntry>(`SELECT ${ALL_COLUMNS} FROM file WHERE key = ?`);
  // A new statement each time: a statement has one reader at a time, a manifest may have several.
  const all = () => db.prepare<[], ManifestEntry>(`SELECT ${COLUMNS} FROM file ORDER BY key`);
  return {
    meta,
    totals: () => ({ files: Number(meta["files"]), sizeBytes: Number(meta["size_bytes"]) }),
    get: (key) => get.get(key),
    built: (key) => built.get(key),
    fingerprints() {
      const rows = db.prepare<[], [string, string]>("SELECT key, fingerprint FROM file ORDER BY key").raw();
      return new Map(rows.iterate());
    },
    entries: () => all().iterate(),
    hold() {
      // Memory-mapped: otherwise each look-up that misses SQLite's cache would be a system call.
      db.pragma(`mmap_size = ${MAPPED_BYTES}`);
      beginReading(db);
    },
    close: () => {
      db.close();
    },
  };
}

export interface ManifestWriter {
  add(entry: ManifestEntry, made?: MadeOfInputs): void;
  /** Replaces the entry of the same key. */
  replace(known: ManifestEntry, entry: ManifestEntry, made: MadeOfInputs): void;
  remove(known: ManifestEntry): void;
  get(key: string): Pick<ManifestEntry, "digest" | "generatedAt"> | null;
  finish(meta: ManifestMeta): ManifestTotals;
  close(): void;
}

/** Totals of a finished manifest. */
interface ManifestTotals {
  readonly files: number;
  readonly sizeBytes: number;
  /** The digest of all keys and ETags. */
  readonly content: string;
}

/** Makes a new manifest; the path must be free. */
export function createManifest(file: string): ManifestWriter {
  const db = openWriting(file);
  db.exec(`
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE file (
      key TEXT PRIMARY KEY, digest TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL, generated_at TEXT NOT NULL,
      fingerprint TEXT NOT NULL, inputs TEXT NOT NULL, why TEXT NOT NULL
    ) WITHOUT ROWID;
    BEGIN`);
  return writerOf(db, { files: 0, sizeBytes: 0 });
}

/** Makes a manifest that begins with all entries of another one; the path must be free. */
export function copyManifest(previous: string, file: string): ManifestWriter {
  refusePipe(previous);
  copyFileSync(previous, file);
  const db = openWriting(file);
  const meta = new Map(db.prepare<[], [string, string]>("SELECT name, value FROM meta").raw().all());
  db.exec("BEGIN");
  const totals = { files: Number(meta.get("files")), sizeBytes: Number(meta.get("size_bytes")) };
  return writerOf(db, totals);
}

/** Opens a file that no other process sees before it is complete. */
function openWriting(file: string): Database.Database {
  const db = openSqlite(file);
  // Private: it says when an answer is going to change.
  chmodSync(file, PRIVATE_FILE);
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  // Deleted keys are erased from the file.
  db.pragma("secure_delete = ON");
  // Keys come unordered: with SQLite's default of 2 MB, pages would be written and read again and again.
  db.pragma("cache_size = -8000");
  return db;
}

function writerOf(db: Database.Database, totals: { files: number; sizeBytes: number }): ManifestWriter {
  const insert = db.prepare("INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  const deletion = db.prepare<[string]>("DELETE FROM file WHERE key = ?");
  const get = db.prepare<[string], Pick<ManifestEntry, "digest" | "generatedAt">>(
    "SELECT digest, generated_at AS generatedAt FROM file WHERE key = ?",
  );
  const count = ({ sizeBytes }: ManifestEntry, sign: 1 | -1) => {
    totals.files += sign;
    totals.sizeBytes += sign * sizeBytes;
  };
  const put = (entry: ManifestEntry, { fingerprint, inputs, why }: MadeOfInputs) => {
    const { key, sizeBytes, etag, generatedAt } = entry;
    count(entry, 1);
    insert.run(key, entry.digest, sizeBytes, etag, generatedAt, fingerprint, inputs, why);
  };
  const remove = (known: ManifestEntry) => {
    count(known, -1);
    deletion.run(known.key);
  };
  return {
    add: (entry, made = NOT_KNOWN) => put(entry, made),
    replace(known, entry, made) {
      remove(known);
      put(entry, made);
    },
    remove,
    get: (key) => get.get(key) ?? null,
    finish(meta) {
      const counted = {
        files: String(totals.files),
        size_bytes: String(totals.sizeBytes),
        content: contentOf(db),
      };
      putMeta(db, { ...meta, ...counted, format: String(FORMATS.manifest.newest) });
      db.exec("COMMIT");
      db.close();
      return { ...totals, content: counted.content };
    },
    close() {
      db.close();
    },
  };
}

/** The digest of all keys and ETags, in order of key: 50 ms for 50,000 of them. */
function contentOf(db: Database.Database): string {
  const lines = db.prepare<[], string>("SELECT key || char(10) || etag || char(10) FROM file ORDER BY key");
  const content = createHash("sha256");
  for (const line of lines.pluck().iterate()) content.update(line);
  return content.digest("hex");
}

const NOT_KNOWN: MadeOfInputs = { fingerprint: "", inputs: "", why: "" };

function putMeta(db: Database.Database, meta: ManifestMeta): void {
  const put = db.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
  const entries = Object.entries(meta).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, value] of entries) put.run(name, value);
}

/** Changes values of a manifest's meta; the entries stay. */
export function changeMeta(file: string, meta: ManifestMeta): void {
  const db = openSqlite(file, { fileMustExist: true });
  try {
    putMeta(db, meta);
  } finally {
    db.close();
  }
}

/** A key of two snapshots that are compared. */
export interface KeyChange {
  readonly key: string;
  /** `changed` if the content differs; a different `generated_at` alone does not count. */
  readonly kind: "new" | "changed" | "gone" | "same";
}

/** Compares the files of two snapshots: a merge of their manifests in order of key. */
export function* compareKeys(
  from: Pick<Manifest, "entries">,
  to: Pick<Manifest, "entries">,
): Generator<KeyChange> {
  for (const { key, left, right } of mergeByKey(from.entries(), to.entries())) {
    if (right === undefined) yield { key, kind: "gone" };
    else if (left === undefined) yield { key, kind: "new" };
    else yield { key, kind: left.etag === right.etag ? "same" : "changed" };
  }
}

/** The manifest: for each key of a snapshot its digest, size, validator and `generated_at`; and the snapshot's meta. */
import { createHash } from "node:crypto";
import Database from "better-sqlite3";
import { messageOf, VitrineError } from "../base/error.ts";
import type { MetaTime } from "../base/time.ts";
import { digestFile } from "./digest.ts";

const MANIFEST_FORMAT = "1";

export interface ManifestEntry {
  readonly key: string;
  /** SHA-256 of the file, hexadecimal: what `sha256sum` says. */
  readonly digest: string;
  readonly sizeBytes: number;
  /** The answer's HTTP validator, `W/"…"`: of the content, without `generated_at`. */
  readonly etag: string;
  readonly generatedAt: MetaTime;
}

/**
 * By name: `format`, `catalog` (SHA-256 of catalog.sqlite), `catalog_digest`, `vitrine`, and `content`: SHA-256 of all
 * keys and validators, so that two snapshots are told apart without reading their entries. Only for whoever builds, and
 * in nothing that is published: `next_change_at`.
 */
export type ManifestMeta = Readonly<Record<string, string>>;

/** What writing a snapshot did. */
export interface WriteReport {
  readonly files: number;
  readonly sizeBytes: number;
  readonly written: number;
  readonly deleted: number;
}

/** What a snapshot is made of, and by what. */
export interface MadeOf {
  /** The catalog's content digest. */
  readonly digest: string;
  /** Null where nothing changes by the clock alone, and where nobody can know. */
  readonly nextChangeAt: MetaTime | null;
  /** Version of this package. */
  readonly vitrine: string;
}

function wordsOf({ digest, nextChangeAt, vitrine }: MadeOf): ManifestMeta {
  return { catalog_digest: digest, next_change_at: nextChangeAt ?? "", vitrine };
}

/** True where a snapshot is made of the same: there is nothing to render. */
export function isMadeOf(meta: ManifestMeta, made: MadeOf): boolean {
  return Object.entries(wordsOf(made)).every(([name, value]) => meta[name] === value);
}

/** The meta of a snapshot that is made of the catalog in a file. */
export function metaOf(catalog: string, made: MadeOf): ManifestMeta {
  return { ...wordsOf(made), catalog: digestFile(catalog) };
}

export interface Manifest {
  readonly meta: ManifestMeta;
  /** Files and bytes of the whole snapshot: counts all entries. */
  totals(): { readonly files: number; readonly sizeBytes: number };
  get(key: string): ManifestEntry | undefined;
  /** All entries, in order of key. */
  entries(): IterableIterator<ManifestEntry>;
  close(): void;
}

const COLUMNS = "key, digest, size AS sizeBytes, etag, generated_at AS generatedAt";

/** Opens a manifest read-only. @throws VitrineError snapshot_unreadable */
export function openManifest(file: string): Manifest {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    // It is read in order: what was read is not needed again.
    db.pragma("cache_size = -2000");
    const rows = db.prepare<[], { name: string; value: string }>("SELECT name, value FROM meta").all();
    const meta = Object.fromEntries(rows.map((row) => [row.name, row.value]));
    if (meta["format"] !== MANIFEST_FORMAT)
      throw new Error(`its format is ${meta["format"]}, not ${MANIFEST_FORMAT}`);
    return readerOf(db, meta);
  } catch (error) {
    db?.close();
    throw new VitrineError(
      "snapshot_unreadable",
      `Cannot read the manifest ${file}: ${messageOf(error)}. Run vitrine build, or name another folder with --out.`,
      { cause: error },
    );
  }
}

function readerOf(db: Database.Database, meta: ManifestMeta): Manifest {
  const get = db.prepare<[string], ManifestEntry>(`SELECT ${COLUMNS} FROM file WHERE key = ?`);
  const all = db.prepare<[], ManifestEntry>(`SELECT ${COLUMNS} FROM file ORDER BY key`);
  const totals = db.prepare<[], { files: number; sizeBytes: number }>(
    "SELECT COUNT(*) AS files, COALESCE(SUM(size), 0) AS sizeBytes FROM file",
  );
  return {
    meta,
    totals: () => totals.get() ?? { files: 0, sizeBytes: 0 },
    get: (key) => get.get(key),
    entries: () => all.iterate(),
    close: () => {
      db.close();
    },
  };
}

export interface ManifestWriter {
  add(entry: ManifestEntry): void;
  has(key: string): boolean;
  finish(meta: ManifestMeta): void;
  close(): void;
}

/** Makes a new manifest file; nothing may stand at the path. */
export function createManifest(file: string): ManifestWriter {
  const db = new Database(file);
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  db.exec(`
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE file (
      key TEXT PRIMARY KEY, digest TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL, generated_at TEXT NOT NULL
    ) WITHOUT ROWID;
    BEGIN`);
  const add = db.prepare("INSERT INTO file VALUES (?, ?, ?, ?, ?)");
  const has = db.prepare<[string], number>("SELECT 1 FROM file WHERE key = ?").pluck();
  const addMeta = db.prepare("INSERT INTO meta VALUES (?, ?)");
  const content = createHash("sha256");
  return {
    add: ({ key, digest, sizeBytes, etag, generatedAt }) => {
      content.update(`${key}\n${etag}\n`);
      add.run(key, digest, sizeBytes, etag, generatedAt);
    },
    has: (key) => has.get(key) === 1,
    finish(meta) {
      const all = { ...meta, content: content.digest("hex"), format: MANIFEST_FORMAT };
      const entries = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
      for (const [name, value] of entries) addMeta.run(name, value);
      db.exec("COMMIT");
      db.close();
    },
    close() {
      db.close();
    },
  };
}

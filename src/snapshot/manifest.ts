/** The manifest: for each key of a snapshot its digest, size, validator and `generated_at`; and the snapshot's meta. */
import { chmodSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { DigestSum } from "../base/digest-sum.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { FORMATS, readsFormatText } from "../base/formats.ts";
import { PRIVATE_FILE } from "../base/modes.ts";
import { beginReading } from "../base/sqlite.ts";
import type { MetaTime } from "../base/time.ts";

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
 * By name: `format`, `catalog_digest` (of the catalog's content), `vitrine`, `files` and `size_bytes` of the whole, and
 * `content`: a sum of digests of all keys with their validators, so that two snapshots are told apart without reading
 * their entries, and a change of some is a change of the sum. Only for whoever builds, and in nothing that is published:
 * `next_change_at`.
 */
export type ManifestMeta = Readonly<Record<string, string>>;

/** What a snapshot is made of, and by what. */
export interface MadeOf {
  /** The catalog's content digest. */
  readonly digest: string;
  /** Null where nothing changes by the clock alone, and where nobody can know. */
  readonly nextChangeAt: MetaTime | null;
  /** Version of this package. */
  readonly vitrine: string;
}

/** What a manifest says of it. */
export function metaOf({ digest, nextChangeAt, vitrine }: MadeOf): ManifestMeta {
  return { catalog_digest: digest, next_change_at: nextChangeAt ?? "", vitrine };
}

/** What identifies a snapshot with this manifest. */
export function endsOf(meta: ManifestMeta): { readonly catalog: string; readonly content: string } {
  return { catalog: meta["catalog_digest"] ?? "", content: meta["content"] ?? "" };
}

/** True where a snapshot is made of the same: there is nothing to render. */
export function isMadeOf(meta: ManifestMeta, made: MadeOf): boolean {
  return Object.entries(metaOf(made)).every(([name, value]) => meta[name] === value);
}

export interface Manifest {
  readonly meta: ManifestMeta;
  /** Files and bytes of the whole snapshot. */
  totals(): { readonly files: number; readonly sizeBytes: number };
  get(key: string): ManifestEntry | undefined;
  /** All entries, in order of key. */
  entries(): IterableIterator<ManifestEntry>;
  /** For whoever looks up many: SQLite locks the file and looks at its head once, not for each. Nobody can change it then. */
  hold(): void;
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
    if (!readsFormatText("manifest", meta["format"], file))
      throw new Error(`its format is ${meta["format"]}`);
    return readerOf(db, meta);
  } catch (error) {
    db?.close();
    if (error instanceof VitrineError) throw error;
    throw new VitrineError(
      "snapshot_unreadable",
      existsSync(file)
        ? `Cannot read the manifest ${file}: ${messageOf(error)}. Build again, or name another folder.`
        : `There is no snapshot in ${dirname(file)}.`,
      { cause: error },
    );
  }
}

function readerOf(db: Database.Database, meta: ManifestMeta): Manifest {
  const get = db.prepare<[string], ManifestEntry>(`SELECT ${COLUMNS} FROM file WHERE key = ?`);
  // One each time: a statement can be read once at a time, a manifest by several at once.
  const all = () => db.prepare<[], ManifestEntry>(`SELECT ${COLUMNS} FROM file ORDER BY key`);
  return {
    meta,
    totals: () => ({ files: Number(meta["files"]), sizeBytes: Number(meta["size_bytes"]) }),
    get: (key) => get.get(key),
    entries: () => all().iterate(),
    hold: () => beginReading(db),
    close: () => {
      db.close();
    },
  };
}

export interface ManifestWriter {
  add(entry: ManifestEntry): void;
  has(key: string): boolean;
  /** Null where it has no such key. */
  digestOf(key: string): string | null;
  finish(meta: ManifestMeta): void;
  close(): void;
}

/** Makes a new manifest file; nothing may stand at the path. */
export function createManifest(file: string): ManifestWriter {
  const db = new Database(file);
  // It holds when an answer is going to change.
  chmodSync(file, PRIVATE_FILE);
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  // Keys do not come in their order: with SQLite's usual 2 MB, pages are written and read again and again.
  db.pragma("cache_size = -8000");
  db.exec(`
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE file (
      key TEXT PRIMARY KEY, digest TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL, generated_at TEXT NOT NULL
    ) WITHOUT ROWID;
    BEGIN`);
  const tables = tablesOf(db, new DigestSum(), { files: 0, sizeBytes: 0 });
  const digest = db.prepare<[string], string>("SELECT digest FROM file WHERE key = ?").pluck();
  return {
    add: (entry) => tables.add(entry),
    has: (key) => digest.get(key) !== undefined,
    digestOf: (key) => digest.get(key) ?? null,
    finish(meta) {
      tables.finish(meta);
      db.exec("COMMIT");
      db.close();
    },
    close() {
      db.close();
    },
  };
}

/** What a delta changes of a manifest. */
export interface ManifestChanges {
  readonly put: Iterable<ManifestEntry>;
  readonly gone: Iterable<string>;
  readonly meta: ManifestMeta;
}

/** Changes a manifest in one transaction. Entries that stand already as they are given stay, so it may be repeated. */
export function changeManifest(file: string, { put, gone, meta }: ManifestChanges): void {
  const db = new Database(file, { fileMustExist: true });
  try {
    db.exec("BEGIN IMMEDIATE");
    const words = new Map(db.prepare<[], [string, string]>("SELECT name, value FROM meta").raw().all());
    const content = DigestSum.from(words.get("content") ?? "");
    const totals = { files: Number(words.get("files")), sizeBytes: Number(words.get("size_bytes")) };
    const tables = tablesOf(db, content, totals);
    for (const entry of put) {
      tables.remove(entry.key);
      tables.add(entry);
    }
    for (const key of gone) tables.remove(key);
    tables.finish(meta);
    db.exec("COMMIT");
  } finally {
    db.close();
  }
}

/** An entry that is put, and what the manifest has at its key. */
export interface ChangedEntry {
  readonly entry: ManifestEntry;
  readonly known: ManifestEntry | undefined;
}

/** The content of a manifest with this meta once it has taken changes. */
export function contentAfter(
  meta: ManifestMeta,
  put: Iterable<ChangedEntry>,
  gone: Iterable<ManifestEntry>,
): string {
  const content = DigestSum.from(meta["content"] ?? "");
  for (const { entry, known } of put) {
    if (known !== undefined) content.subtract(entryContent(known.key, known.etag));
    content.add(entryContent(entry.key, entry.etag));
  }
  for (const { key, etag } of gone) content.subtract(entryContent(key, etag));
  return content.toString();
}

/** The entries of a manifest with what is counted of them. */
function tablesOf(db: Database.Database, content: DigestSum, totals: { files: number; sizeBytes: number }) {
  const add = db.prepare("INSERT INTO file VALUES (?, ?, ?, ?, ?)");
  const get = db.prepare<[string], ManifestEntry>(`SELECT ${COLUMNS} FROM file WHERE key = ?`);
  const remove = db.prepare<[string]>("DELETE FROM file WHERE key = ?");
  const addMeta = db.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
  return {
    add({ key, digest, sizeBytes, etag, generatedAt }: ManifestEntry): void {
      content.add(entryContent(key, etag));
      totals.files += 1;
      totals.sizeBytes += sizeBytes;
      add.run(key, digest, sizeBytes, etag, generatedAt);
    },
    remove(key: string): void {
      const known = get.get(key);
      if (known === undefined) return;
      content.subtract(entryContent(key, known.etag));
      totals.files -= 1;
      totals.sizeBytes -= known.sizeBytes;
      remove.run(key);
    },
    finish(meta: ManifestMeta): void {
      const counted = { files: String(totals.files), size_bytes: String(totals.sizeBytes) };
      const format = String(FORMATS.manifest.newest);
      const all = { ...meta, ...counted, content: content.toString(), format };
      const entries = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
      for (const [name, value] of entries) addMeta.run(name, value);
    },
  };
}

function entryContent(key: string, etag: string): string {
  return `${key}\n${etag}`;
}

/** A key that one of two snapshots has, or both. */
export interface KeyChange {
  readonly key: string;
  /** `changed` where the content is another; another `generated_at` alone is none. */
  readonly kind: "new" | "changed" | "gone" | "same";
}

/** What differs between the files of two snapshots: a merge of their manifests in order of key. */
export function* compareKeys(
  from: Pick<Manifest, "entries">,
  to: Pick<Manifest, "entries">,
): Generator<KeyChange> {
  const earlier = from.entries();
  let next = earlier.next();
  for (const { key, etag } of to.entries()) {
    for (; !next.done && next.value.key < key; next = earlier.next()) {
      yield { key: next.value.key, kind: "gone" };
    }
    if (next.done || next.value.key !== key) yield { key, kind: "new" };
    else {
      yield { key, kind: next.value.etag === etag ? "same" : "changed" };
      next = earlier.next();
    }
  }
  for (; !next.done; next = earlier.next()) yield { key: next.value.key, kind: "gone" };
}

/**
 * The manifest: for each key of a snapshot its digest, size, validator and `generated_at`, and what its file was made of; and
 * the snapshot's meta.
 */
import { chmodSync, copyFileSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { DigestSum } from "../base/digest-sum.ts";
import { messageOf, VitrineError } from "../base/error.ts";
import { FORMATS, readsFormatText } from "../base/formats.ts";
import { mergeByKey } from "../base/merge.ts";
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

/** What a file was made of, for whoever builds: nothing of it is published. */
export interface MadeOfInputs {
  /** See {@link MadeFile}; empty if it is not known. */
  readonly fingerprint: string;
  /** In words, as {@link MadeFile} gives them; of an alias the key that it is one of, `= api/v1/…`. */
  readonly inputs: string;
  /** What differed when the file was written last, a line each. */
  readonly why: string;
}

/** An entry of a manifest that a build wrote. */
export interface BuiltEntry extends ManifestEntry, MadeOfInputs {}

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

/** True where a snapshot is made of the same: there is nothing to render. */
export function isMadeOf(meta: ManifestMeta, made: MadeOf): boolean {
  return Object.entries(metaOf(made)).every(([name, value]) => meta[name] === value);
}

/** More than any manifest has. */
const MAPPED_BYTES = 2 ** 30;

export interface Manifest {
  readonly meta: ManifestMeta;
  /** Files and bytes of the whole snapshot. */
  totals(): { readonly files: number; readonly sizeBytes: number };
  get(key: string): ManifestEntry | undefined;
  /** The same with what its file was made of. */
  built(key: string): BuiltEntry | undefined;
  /** What says of each key whether its file is the same, in order of key. Looking each up would take several times as long. */
  fingerprints(): Map<string, string>;
  /** All entries, in order of key. */
  entries(): IterableIterator<ManifestEntry>;
  /** For whoever looks up many: SQLite locks the file and looks at its head once, not for each. Nobody can change it then. */
  hold(): void;
  close(): void;
}

const COLUMNS = "key, digest, size AS sizeBytes, etag, generated_at AS generatedAt";
const ALL_COLUMNS = `${COLUMNS}, fingerprint, inputs, why`;

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
  const built = db.prepare<[string], BuiltEntry>(`SELECT ${ALL_COLUMNS} FROM file WHERE key = ?`);
  // One each time: a statement can be read once at a time, a manifest by several at once.
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
      // Read as memory: a look-up that misses SQLite's cache would ask the system each time.
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
  /** Puts an entry in the place of another one of the same key. */
  replace(known: ManifestEntry, entry: ManifestEntry, made: MadeOfInputs): void;
  remove(known: ManifestEntry): void;
  /** Null where it has no such key. */
  digestOf(key: string): string | null;
  finish(meta: ManifestMeta): ManifestTotals;
  close(): void;
}

/** Of a finished manifest. */
interface ManifestTotals {
  readonly files: number;
  readonly sizeBytes: number;
  /** The sum of the content. */
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
  return writerOf(db, new DigestSum(), { files: 0, sizeBytes: 0 });
}

/** Makes a manifest that begins with all entries of another one; the path must be free. */
export function copyManifest(previous: string, file: string): ManifestWriter {
  copyFileSync(previous, file);
  const db = openWriting(file);
  const meta = new Map(db.prepare<[], [string, string]>("SELECT name, value FROM meta").raw().all());
  db.exec("BEGIN");
  const totals = { files: Number(meta.get("files")), sizeBytes: Number(meta.get("size_bytes")) };
  return writerOf(db, DigestSum.from(meta.get("content") ?? ""), totals);
}

/** A file that nobody else sees before it is whole. */
function openWriting(file: string): Database.Database {
  const db = new Database(file);
  // It holds when an answer is going to change.
  chmodSync(file, PRIVATE_FILE);
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  // A key that is gone leaves the file, too.
  db.pragma("secure_delete = ON");
  // Keys do not come in their order: with SQLite's usual 2 MB, pages are written and read again and again.
  db.pragma("cache_size = -8000");
  return db;
}

function writerOf(
  db: Database.Database,
  content: DigestSum,
  totals: { files: number; sizeBytes: number },
): ManifestWriter {
  const insert = db.prepare("INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  const deletion = db.prepare<[string]>("DELETE FROM file WHERE key = ?");
  const digest = db.prepare<[string], string>("SELECT digest FROM file WHERE key = ?").pluck();
  const count = ({ key, etag, sizeBytes }: ManifestEntry, sign: 1 | -1) => {
    const text = `${key}\n${etag}`;
    if (sign === 1) content.add(text);
    else content.subtract(text);
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
    digestOf: (key) => digest.get(key) ?? null,
    finish(meta) {
      const counted = {
        files: String(totals.files),
        size_bytes: String(totals.sizeBytes),
        content: content.toString(),
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

const NOT_KNOWN: MadeOfInputs = { fingerprint: "", inputs: "", why: "" };

function putMeta(db: Database.Database, meta: ManifestMeta): void {
  const put = db.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)");
  const entries = Object.entries(meta).sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, value] of entries) put.run(name, value);
}

/** Changes words of a manifest's meta; its entries stay. */
export function changeMeta(file: string, meta: ManifestMeta): void {
  const db = new Database(file, { fileMustExist: true });
  try {
    putMeta(db, meta);
  } finally {
    db.close();
  }
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
  for (const { key, left, right } of mergeByKey(from.entries(), to.entries())) {
    if (right === undefined) yield { key, kind: "gone" };
    else if (left === undefined) yield { key, kind: "new" };
    else yield { key, kind: left.etag === right.etag ? "same" : "changed" };
  }
}

/**
 * What one publish puts, phase by phase, and deletes: the difference between the snapshot's manifest and the live one. It lives in a
 * temporary SQLite file, so that a first publish of any size needs no more memory than a small one.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import { BULK_INDEX, type Endpoint, INDEX_FILE, LLMS_FILE, SITEMAP_INDEX } from "../api/endpoints.ts";
import { mergeByKey } from "../base/collections.ts";
import { queryOfKey } from "../key/key.ts";
import type { Query } from "../key/query.ts";
import type { ReleasedEntry } from "../release/partitions.ts";
import type { ManifestEntry } from "../site/manifest.ts";
import { tagOf } from "./headers.ts";
import type { ChangeCounts } from "./options.ts";

/**
 * The order of a publish: details before the lists that name them, then single files, and pages and indexes after the files that they
 * name. A phase is complete before the next begins.
 */
export const PHASES = ["details", "lists", "status"] as const;
type Phase = (typeof PHASES)[number];

interface UploadOrder {
  readonly phase: Phase;
  /** Order within the phase, smallest first: what readers ask for most is fresh earliest. */
  readonly rank: number;
}

const FIRST_PAGES = 0;
const PAGES_TO_10 = 1;
const DEEPER_PAGES = 2;
const LINKS = 3;

function pageRank({ endpoint, values }: Query): number {
  const textOf = (name: string) => values[endpoint.params.findIndex((param) => param.name === name)] ?? null;
  if (textOf("id") !== null || textOf("product_id") !== null) return LINKS;
  const page = Number(textOf("page") ?? 1);
  return page === 1 ? FIRST_PAGES : page <= 10 ? PAGES_TO_10 : DEEPER_PAGES;
}

/** True for an endpoint that answers one record by its name alone, as `/product` does. */
function isDetails({ paginated, needs }: Endpoint): boolean {
  return !paginated && needs !== undefined;
}

function isList({ paginated, params }: Endpoint): boolean {
  return paginated || params.some(({ role }) => role === "filter");
}

/** Files of the feeds and of the bulk copy that name other files of theirs. */
const INDEXES: readonly string[] = [BULK_INDEX, SITEMAP_INDEX, LLMS_FILE];

/** True for a page, or another file that names files next to it. */
function namesFiles(key: string): boolean {
  return key.endsWith(`/${INDEX_FILE}`) || INDEXES.includes(key);
}

/**
 * Details are a record's own file, widgets, and what a page or an index names; lists come next; store, categories, openapi, the status,
 * pages and indexes are last. A record by its
 * id has the same bytes as by its slug, so its id file may follow the lists if it exists already. `mayBeNew`: the key may not be
 * live yet.
 */
export function uploadOrderOf(key: string, mayBeNew: boolean): UploadOrder {
  const query = queryOfKey(key);
  if (query === null) return { phase: namesFiles(key) ? "status" : "details", rank: FIRST_PAGES };
  const { endpoint, values } = query;
  const rank = pageRank(query);
  if (isDetails(endpoint) || endpoint.params.some((param, at) => param.selects && values[at] !== null))
    return { phase: rank === LINKS && !mayBeNew ? "lists" : "details", rank };
  return { phase: isList(endpoint) ? "lists" : "status", rank };
}

/** A file to put: its key, the SHA-256 of its bytes, and their number. */
export type PlannedPut = Pick<ManifestEntry, "key" | "digest" | "sizeBytes">;

export const NO_CHANGES: ChangeCounts = {
  new: 0,
  changed: 0,
  headers: 0,
  uncertain: 0,
  deleted: 0,
  kept: 0,
  putBytes: 0,
};
const DELETED = "deletions";

export interface CompareInputs {
  /** The snapshot's entries, in order of key. */
  readonly local: Iterable<ManifestEntry>;
  /** The live release's, in order of key. */
  readonly live: Iterable<ReleasedEntry>;
  /** True if all keys must be put again because their headers changed. */
  readonly isOtherHeaders: boolean;
  /** True for a key that an interrupted publish may have put. */
  readonly isUncertain: (key: string) => boolean;
  /** Keys that an interrupted publish may have put and that neither side may have. */
  readonly uncertain: Iterable<string>;
  /** True for a key that is not deleted when the snapshot no longer has it. */
  readonly isRetired: (key: string) => boolean;
}

export class KeyChanges implements Disposable {
  /** The temporary file: its table `next` has the entries of the next manifest. */
  readonly file: string;
  readonly #db: Database.Database;
  readonly #tags = new Set<string>();
  readonly #retired = new Set<string>();
  #counts = NO_CHANGES;

  /** @param folder holds the temporary file and must outlive this object */
  constructor(folder: string, inputs: CompareInputs) {
    this.file = join(folder, "plan.sqlite");
    this.#db = new Database(this.file);
    this.#db.pragma("journal_mode = OFF");
    this.#db.pragma("synchronous = OFF");
    // 2 MB (SQLite takes a negative number as KiB); the rest stays in the file.
    this.#db.pragma("cache_size = -2000");
    // The primary key is the order in which puts are read. Deletions are a separate phase.
    this.#db.exec(`
      CREATE TABLE next (
        key TEXT PRIMARY KEY, etag TEXT NOT NULL, sizeBytes INTEGER NOT NULL, generatedAt TEXT NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE change (
        phase TEXT NOT NULL, rank INTEGER NOT NULL, key TEXT NOT NULL, digest TEXT, sizeBytes INTEGER,
        PRIMARY KEY (phase, rank, key)
      ) WITHOUT ROWID;
      BEGIN`);
    this.#compare(inputs);
    this.#db.exec("COMMIT");
  }

  /** A file is unchanged if its ETag is: a file that was only rebuilt elsewhere keeps the live bytes. */
  #compare({ local, live, isOtherHeaders, isUncertain, uncertain, isRetired }: CompareInputs): void {
    const insertNext = this.#db.prepare("INSERT INTO next VALUES (?, ?, ?, ?)");
    const insert = this.#db.prepare("INSERT OR IGNORE INTO change VALUES (?, ?, ?, ?, ?)");
    const counts = { ...NO_CHANGES };
    /** True unless the key stays. */
    const remove = (key: string): boolean => {
      if (isRetired(key)) {
        this.#retired.add(key);
        return false;
      }
      insert.run(DELETED, 0, key, null, null);
      this.#tags.add(tagOf(key));
      return true;
    };
    for (const { key, left: next, right: known } of mergeByKey(local, live)) {
      if (next === undefined) {
        if (remove(key)) counts.deleted += 1;
        continue;
      }
      const isSame = known?.etag === next.etag;
      const kind =
        known === undefined
          ? "new"
          : isUncertain(key)
            ? "uncertain"
            : !isSame
              ? "changed"
              : isOtherHeaders
                ? "headers"
                : "kept";
      const { etag, sizeBytes } = next;
      const { generatedAt } = kind === "kept" && known !== undefined ? known : next;
      insertNext.run(key, etag, sizeBytes, generatedAt);
      counts[kind] += 1;
      if (kind === "kept") continue;
      counts.putBytes += sizeBytes;
      const { phase, rank } = uploadOrderOf(key, kind === "new" || kind === "uncertain");
      insert.run(phase, rank, key, next.digest, sizeBytes);
      this.#tags.add(tagOf(key));
    }
    for (const key of uncertain) if (!this.has(key)) remove(key);
    this.#counts = counts;
  }

  get counts(): ChangeCounts {
    return this.#counts;
  }

  /** Number of files to put, of all kinds together. */
  get puts(): number {
    const { new: added, changed, headers, uncertain } = this.#counts;
    return added + changed + headers + uncertain;
  }

  /** Keys that the snapshot no longer has and that are not deleted. */
  get retired(): string[] {
    return [...this.#retired];
  }

  /** True for a key of the snapshot. */
  has(key: string): boolean {
    return this.#db.prepare<[string], number>("SELECT 1 FROM next WHERE key = ?").pluck().get(key) === 1;
  }

  /** Cache tags of the keys that are put or deleted. */
  get tags(): string[] {
    return [...this.#tags].sort();
  }

  /** The next manifest's entries, in order of key. */
  entries(): IterableIterator<ReleasedEntry> {
    const sql = "SELECT key, etag, sizeBytes, generatedAt FROM next ORDER BY key";
    return this.#db.prepare<[], ReleasedEntry>(sql).iterate();
  }

  puttable(phase: Phase): IterableIterator<PlannedPut> {
    return this.#in<PlannedPut>(phase, "key, digest, sizeBytes");
  }

  *deletions(): Generator<string> {
    for (const { key } of this.#in<{ readonly key: string }>(DELETED, "key")) yield key;
  }

  #in<Row>(phase: Phase | typeof DELETED, columns: string): IterableIterator<Row> {
    const sql = `SELECT ${columns} FROM change WHERE phase = ? ORDER BY rank, key`;
    return this.#db.prepare<[string], Row>(sql).iterate(phase);
  }

  /** Keys that are put or deleted, in order; null if there are more than `most`. */
  touched(most: number): string[] | null {
    const sql = "SELECT key FROM change ORDER BY key LIMIT ?";
    const keys = this.#db
      .prepare<[number], string>(sql)
      .pluck()
      .all(most + 1);
    return keys.length > most ? null : keys;
  }

  /** At most `most` of the keys that are put. */
  sample(most: number): string[] {
    const sql = "SELECT key FROM change WHERE phase <> ? LIMIT ?";
    return this.#db.prepare<[string, number], string>(sql).pluck().all(DELETED, most);
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }
}

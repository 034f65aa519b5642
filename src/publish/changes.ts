/**
 * What one publish puts, phase by phase, and deletes: the difference between the snapshot's manifest and the live one. The changed
 * keys are in a temporary SQLite file, so that a first publish of any size needs no more memory than a small one.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import { BULK_INDEX, type Endpoint, INDEX_FILE, LLMS_FILE, SITEMAP_INDEX } from "../api/endpoints.ts";
import { mergeByKey } from "../base/collections.ts";
import { queryOfKey } from "../key/key.ts";
import type { Query } from "../key/query.ts";
import type { ReleasedEntry } from "../release/partitions.ts";
import type { Manifest, ManifestEntry } from "../site/manifest.ts";
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
  /** The snapshot's entries, in order of key. Each call starts from the first one. */
  readonly local: () => Iterable<ManifestEntry>;
  /** The live release's, in order of key. Each call starts from the first one. */
  readonly live: () => Iterable<ReleasedEntry>;
  /** True if all keys must be put again because their headers changed. */
  readonly isOtherHeaders: boolean;
  /** True for a key that an interrupted publish may have put. */
  readonly isUncertain: (key: string) => boolean;
  /** Keys that an interrupted publish may have put and that neither side may have. */
  readonly uncertain: Iterable<string>;
  /** True for a key of the snapshot. */
  readonly isNext: (key: string) => boolean;
  /** True for a key that is not deleted when the snapshot no longer has it. */
  readonly isRetired: (key: string) => boolean;
}

type Kind = Exclude<keyof ChangeCounts, "deleted" | "putBytes">;

/** Why a file of the snapshot is put. It is kept if its ETag is the live one: a file that was only rebuilt elsewhere keeps the live bytes. */
function kindOf(
  { key, etag, sizeBytes }: ManifestEntry,
  known: ReleasedEntry | undefined,
  { isUncertain, isOtherHeaders }: CompareInputs,
): Kind {
  if (known === undefined) return "new";
  if (isUncertain(key)) return "uncertain";
  if (known.etag !== etag || known.sizeBytes !== sizeBytes) return "changed";
  return isOtherHeaders ? "headers" : "kept";
}

/** The entries of the next manifest, in order of key. */
export function* nextEntries(inputs: CompareInputs): Generator<ReleasedEntry> {
  for (const { left: next, right: known } of mergeByKey(inputs.local(), inputs.live())) {
    if (next === undefined) continue;
    yield known !== undefined && kindOf(next, known, inputs) === "kept" ? known : next;
  }
}

export class KeyChanges implements Disposable {
  readonly #db: Database.Database;
  readonly #retired = new Set<string>();
  #counts = NO_CHANGES;

  /** @param folder holds the temporary file and must outlive this object */
  constructor(folder: string) {
    this.#db = new Database(join(folder, "plan.sqlite"));
    this.#db.pragma("journal_mode = OFF");
    this.#db.pragma("synchronous = OFF");
    // 2 MB (SQLite takes a negative number as KiB); the rest stays in the file.
    this.#db.pragma("cache_size = -2000");
    // The primary key is the order in which puts are read. Deletions are a separate phase.
    this.#db.exec(`
      CREATE TABLE change (
        phase TEXT NOT NULL, rank INTEGER NOT NULL, key TEXT NOT NULL, digest TEXT, sizeBytes INTEGER,
        PRIMARY KEY (phase, rank, key)
      ) WITHOUT ROWID`);
  }

  /** Finds the changes; called once. */
  compare(inputs: CompareInputs): void {
    const insert = this.#db.prepare("INSERT OR IGNORE INTO change VALUES (?, ?, ?, ?, ?)");
    const counts = { ...NO_CHANGES };
    /** True unless the key stays. */
    const remove = (key: string): boolean => {
      if (inputs.isRetired(key)) {
        this.#retired.add(key);
        return false;
      }
      insert.run(DELETED, 0, key, null, null);
      return true;
    };
    this.#db.exec("BEGIN");
    for (const { key, left: next, right: known } of mergeByKey(inputs.local(), inputs.live())) {
      if (next === undefined) {
        if (remove(key)) counts.deleted += 1;
        continue;
      }
      const kind = kindOf(next, known, inputs);
      counts[kind] += 1;
      if (kind === "kept") continue;
      counts.putBytes += next.sizeBytes;
      const { phase, rank } = uploadOrderOf(key, kind === "new" || kind === "uncertain");
      insert.run(phase, rank, key, next.digest, next.sizeBytes);
    }
    for (const key of inputs.uncertain) if (!inputs.isNext(key)) remove(key);
    this.#db.exec("COMMIT");
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

  /** Keys that the next manifest does not have, and possibly others. */
  *gone(): Generator<string> {
    yield* this.deletions();
    yield* this.#retired;
  }

  /** The entries of the files to put. */
  *entriesToPut(manifest: Pick<Manifest, "get">): Generator<ManifestEntry> {
    for (const phase of PHASES)
      for (const { key } of this.#in<{ readonly key: string }>(phase, "key")) {
        const entry = manifest.get(key);
        if (entry !== undefined) yield entry;
      }
  }

  /** Keys that are put or deleted, in order. */
  touched(): IterableIterator<string> {
    return this.#db.prepare<[], string>("SELECT key FROM change ORDER BY key").pluck().iterate();
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

/**
 * What one publish puts, phase by phase, and deletes. It stands in a temporary SQLite file, so that a first publish of any
 * size needs no more memory than a small one.
 */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Endpoint } from "../api/endpoints.ts";
import { type TemporaryFolder, temporaryFolder } from "../base/temporary-folder.ts";
import { queryOfKey } from "../key/key.ts";
import type { Query } from "../key/query.ts";
import type { Part } from "./documents.ts";
import { tagOf } from "./headers.ts";
import type { ReleasedEntry } from "./release-manifest.ts";

/** The order of a publish: details before the lists that name them, what is one file last. Each stands before the next begins. */
export const PHASES = ["details", "lists", "status"] as const;
type Phase = (typeof PHASES)[number];

interface Place {
  readonly phase: Phase;
  /** Within the phase, the smaller the sooner: what is asked for most is fresh while the rest is under way. */
  readonly rank: number;
}

const FIRST_PAGES = 0;
const PAGES_TO_10 = 1;
const DEEPER_PAGES = 2;
const LINKS = 3;

function rankOf({ endpoint, values }: Query): number {
  const textOf = (name: string) => values[endpoint.params.findIndex((param) => param.name === name)] ?? null;
  if (textOf("id") !== null || textOf("product_id") !== null) return LINKS;
  const page = Number(textOf("page") ?? 1);
  return page === 1 ? FIRST_PAGES : page <= 10 ? PAGES_TO_10 : DEEPER_PAGES;
}

/** Asked of one record by its name alone, as `/product` is. */
function isDetails({ paginated, needs }: Endpoint): boolean {
  return !paginated && needs !== undefined;
}

function isList({ paginated, params }: Endpoint): boolean {
  return paginated || params.some(({ role }) => role === "filter");
}

/**
 * A record's own file, or a widget; a list; store, categories, openapi and the status. What stands already may come after
 * lists that name it: a record by its id, the same bytes as by its slug. `mayBeNew`: a key that is perhaps not live yet.
 */
export function placeOf(key: string, mayBeNew: boolean): Place {
  const query = queryOfKey(key);
  if (query === null) return { phase: "details", rank: FIRST_PAGES };
  const { endpoint, values } = query;
  const rank = rankOf(query);
  if (isDetails(endpoint) || endpoint.params.some((param, at) => param.selects && values[at] !== null))
    return { phase: rank === LINKS && !mayBeNew ? "lists" : "details", rank };
  return { phase: isList(endpoint) ? "lists" : "status", rank };
}

export interface ChangeCounts {
  readonly new: number;
  readonly changed: number;
  readonly headers: number;
  readonly uncertain: number;
  readonly deleted: number;
  readonly kept: number;
  readonly putBytes: number;
}

/** A file that is put: its key, the SHA-256 of its bytes, and how many they are. */
export type PlannedPut = Pick<ReleasedEntry, "key" | "digest" | "sizeBytes">;

/** What stands of a release beside its answers, gzipped: its delta from the live one, or its manifest, for a new base. */
interface Form {
  readonly kind: Part["kind"];
  readonly file: string;
}

export interface Changes {
  readonly counts: ChangeCounts;
  /** Files that are put: all kinds together. */
  readonly puts: number;
  readonly form: Form;
  readonly folder: string;
  puttable(phase: Phase): IterableIterator<PlannedPut>;
  deletions(): IterableIterator<string>;
  /** Keys that are put or deleted, in order; null where they are more than `most`. */
  touched(most: number): string[] | null;
  /** Cache tags of the keys that are put or deleted. */
  readonly tags: readonly string[];
  close(): void;
}

function createTable(folder: string): Database.Database {
  const db = new Database(join(folder, "plan.sqlite"));
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  // Two MB, as SQLite counts them: what is beyond stands in the file.
  db.pragma("cache_size = -2000");
  // By phase, rank and key: how puts are read. Deletions are a phase of their own.
  db.exec(`
    CREATE TABLE change (
      phase TEXT NOT NULL, rank INTEGER NOT NULL, key TEXT NOT NULL, digest TEXT, sizeBytes INTEGER,
      PRIMARY KEY (phase, rank, key)
    ) WITHOUT ROWID;
    BEGIN`);
  return db;
}

const DELETED = "deletions";

/** Takes what is put and deleted; a key that is named twice counts as it was named first. */
export interface Collector {
  /** Where files may be made that live as long as the changes. */
  readonly folder: string;
  /** `mayBeNew`: where the key is perhaps not live yet. */
  put(entry: ReleasedEntry, mayBeNew: boolean): void;
  delete(key: string): void;
}

/** What filling a collector came to. */
interface Filled {
  readonly counts: Omit<ChangeCounts, "putBytes">;
  readonly form: Form;
}

export async function collectChanges(fill: (into: Collector) => Promise<Filled>): Promise<Changes> {
  const temporary = await temporaryFolder();
  const folder = temporary.path;
  const db = createTable(folder);
  const insert = db.prepare("INSERT OR IGNORE INTO change VALUES (?, ?, ?, ?, ?)");
  const tags = new Set<string>();
  let putBytes = 0;
  try {
    const { counts, form } = await fill({
      folder,
      put({ key, digest, sizeBytes }, mayBeNew) {
        const { phase, rank } = placeOf(key, mayBeNew);
        insert.run(phase, rank, key, digest, sizeBytes);
        putBytes += sizeBytes;
        tags.add(tagOf(key));
      },
      delete(key) {
        insert.run(DELETED, 0, key, null, null);
        tags.add(tagOf(key));
      },
    });
    db.exec("COMMIT");
    const collected = { counts: { ...counts, putBytes }, folder, form, tags: [...tags].sort() };
    return readerOf(db, collected, temporary);
  } catch (error) {
    db.close();
    await temporary[Symbol.asyncDispose]();
    throw error;
  }
}

type Collected = Pick<Changes, "counts" | "folder" | "form" | "tags">;

function readerOf(db: Database.Database, collected: Collected, temporary: TemporaryFolder): Changes {
  const { counts } = collected;
  const planned = (phase: Phase | typeof DELETED) =>
    db
      .prepare<[string], PlannedPut>(
        "SELECT key, digest, sizeBytes FROM change WHERE phase = ? ORDER BY rank, key",
      )
      .iterate(phase);
  const touched = db.prepare<[number], string>("SELECT key FROM change ORDER BY key LIMIT ?").pluck();
  return {
    ...collected,
    puts: counts.new + counts.changed + counts.headers + counts.uncertain,
    puttable: planned,
    *deletions() {
      for (const { key } of planned(DELETED)) yield key;
    },
    touched(most) {
      const keys = touched.all(most + 1);
      return keys.length > most ? null : keys;
    },
    close() {
      db.close();
      temporary[Symbol.dispose]();
    },
  };
}

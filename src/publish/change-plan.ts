/**
 * The plan of one publish: what is to be put, tier by tier, and deleted. It stands in a temporary SQLite file, so that a
 * first publish of any size needs no more memory than a small one; beside it the next release's manifest is made.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Change, PutKind } from "./compare.ts";
import { tagOf } from "./headers.ts";
import { createReleaseManifest, type ReleasedEntry } from "./release-manifest.ts";
import { type Tier, tierOf } from "./tiers.ts";

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

export interface ChangePlan {
  readonly counts: ChangeCounts;
  /** Files that are put: all kinds together. */
  readonly puts: number;
  /** The next release's manifest, gzipped. */
  readonly manifestFile: string;
  readonly folder: string;
  puttable(tier: Tier): IterableIterator<PlannedPut>;
  deletions(): IterableIterator<string>;
  /** Keys that are put or deleted, in order; null where they are more than `most`. */
  touched(most: number): string[] | null;
  /** Cache tags of the keys that are put or deleted. */
  tags(): string[];
  close(): void;
}

type MutableCounts = { -readonly [Name in keyof ChangeCounts]: number };

function createTable(folder: string): Database.Database {
  const db = new Database(join(folder, "plan.sqlite"));
  db.pragma("journal_mode = OFF");
  db.pragma("synchronous = OFF");
  // Two MB, as SQLite counts them: what is beyond stands in the file.
  db.pragma("cache_size = -2000");
  // By tier and key: how puts are read. Deletions are tier 3.
  db.exec(`
    CREATE TABLE change (
      tier INTEGER NOT NULL, key TEXT NOT NULL, digest TEXT, sizeBytes INTEGER, PRIMARY KEY (tier, key)
    ) WITHOUT ROWID;
    BEGIN`);
  return db;
}

const DELETED = 3;

/** Takes changes in order of key. `extraDeletions`: keys that a publish which was cut off may have put. */
export async function planChanges(
  changes: AsyncIterable<Change>,
  extraDeletions: AsyncIterable<string>,
): Promise<ChangePlan> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-publish-"));
  const db = createTable(folder);
  const insert = db.prepare("INSERT OR IGNORE INTO change VALUES (?, ?, ?, ?)");
  const manifestFile = join(folder, "manifest.tsv.gz");
  const manifest = createReleaseManifest(manifestFile);
  const counts: MutableCounts = {
    new: 0,
    changed: 0,
    headers: 0,
    uncertain: 0,
    deleted: 0,
    kept: 0,
    putBytes: 0,
  };
  const tags = new Set<string>();
  const addPut = (kind: PutKind, { key, digest, sizeBytes }: ReleasedEntry) => {
    insert.run(tierOf(key), key, digest, sizeBytes);
    counts[kind] += 1;
    counts.putBytes += sizeBytes;
    tags.add(tagOf(key));
  };
  const addDeletion = (key: string) => {
    insert.run(DELETED, key, null, null);
    tags.add(tagOf(key));
  };
  try {
    for await (const change of changes) {
      if (change.kind === "deleted") {
        addDeletion(change.key);
        counts.deleted += 1;
        continue;
      }
      await manifest.add(change.entry);
      if (change.kind === "kept") counts.kept += 1;
      else addPut(change.kind, change.entry);
    }
    for await (const key of extraDeletions) addDeletion(key);
    await manifest.finish();
    db.exec("COMMIT");
  } catch (error) {
    db.close();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return readerOf(db, { counts, folder, manifestFile, tags: [...tags].sort() });
}

interface Planned {
  readonly counts: ChangeCounts;
  readonly folder: string;
  readonly manifestFile: string;
  readonly tags: string[];
}

function readerOf(db: Database.Database, planned: Planned): ChangePlan {
  const { counts, folder, manifestFile, tags } = planned;
  const ofTier = "SELECT key, digest, sizeBytes FROM change WHERE tier = ? ORDER BY key";
  const touched = db.prepare<[number], string>("SELECT key FROM change ORDER BY key LIMIT ?").pluck();
  return {
    counts,
    puts: counts.new + counts.changed + counts.headers + counts.uncertain,
    manifestFile,
    folder,
    puttable: (tier) => db.prepare<[number], PlannedPut>(ofTier).iterate(tier),
    *deletions() {
      for (const { key } of db.prepare<[number], PlannedPut>(ofTier).iterate(DELETED)) yield key;
    },
    touched(most) {
      const keys = touched.all(most + 1);
      return keys.length > most ? null : keys;
    },
    tags: () => tags,
    close() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

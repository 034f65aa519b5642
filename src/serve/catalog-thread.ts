/** A thread that reads and writes catalogs while the main thread answers requests: it does one task and ends. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { join } from "node:path";
import type Database from "better-sqlite3";
import { damagedMemory } from "../base/memory.ts";
import { openSqlite } from "../base/sqlite.ts";
import { answerTask } from "../base/thread.ts";
import { openCatalog, openHeldCatalog } from "../catalog/catalog.ts";
import { changeCatalog, createCatalog, removeRemains } from "../catalog/catalog-file.ts";
import { RecordDigests } from "../catalog/record-digests.ts";
import { idsOf, RESOURCES, type ResourceName } from "../catalog/resources.ts";
import type { CatalogMemory } from "../catalog/view.ts";
import { applyRelease } from "../release/apply.ts";
import { type ChangedList, type FetchedChanges, readChanges } from "../release/fetch.ts";
import {
  idsByPartition,
  partitionCount,
  partitionFingerprints,
  recordPartition,
} from "../release/partitions.ts";

export type CatalogTask =
  /** Throws if the file is damaged. */
  | { readonly task: "check"; readonly file: string }
  /** Returns the lists that a catalog keeps in memory. */
  | { readonly task: "read"; readonly file: string }
  /** Rewrites the file if text of earlier records may be left in it. */
  | { readonly task: "remove remains"; readonly file: string }
  /** Moves the write-ahead log into the file; returns whether the log is empty afterwards. */
  | { readonly task: "empty log"; readonly file: string }
  /** Writes the differences from another catalog to the folder, and returns the changes that lead to it. */
  | { readonly task: "compare"; readonly file: string; readonly source: string; readonly folder: string }
  /** Applies changes to a file, or makes a new file from them; returns its digest. */
  | {
      readonly task: "apply";
      readonly file: string;
      readonly isNew: boolean;
      readonly changes: FetchedChanges;
    };

function work(order: CatalogTask): unknown {
  if (order.task === "apply") return apply(order.file, order.changes, order.isNew);
  if (order.task === "compare") return compare(order.file, order.source, order.folder);
  if (order.task === "read") return read(order.file);
  if (order.task === "remove remains") return removeRemains(order.file);
  const isWriting = order.task === "empty log";
  const db = openSqlite(order.file, {
    fileMustExist: true,
    readonly: !isWriting,
    ...(isWriting ? { timeout: 0 } : {}),
  });
  try {
    return isWriting ? emptyLog(db) : check(db);
  } finally {
    db.close();
  }
}

async function apply(file: string, changes: FetchedChanges, isNew: boolean): Promise<string> {
  const writer = isNew ? createCatalog(file, changes.catalog.format) : changeCatalog(file);
  try {
    const digest = await applyRelease(writer, readChanges(changes));
    writer.commit();
    return digest;
  } finally {
    writer.close();
  }
}

/** A build waits while the source is locked for reading, so the lines are written to files and applied later. */
function compare(file: string, source: string, folder: string): FetchedChanges {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  using own = openCatalog(file);
  const ownDigests = new RecordDigests(own.db);
  const known = new Map(
    RESOURCES.map(({ name }) => {
      const ids = idsOf(own.db, name);
      const count = partitionCount(ids.length, null);
      return [name, partitionFingerprints(ownDigests.of(name), ids, count)] as const;
    }),
  );
  using other = openHeldCatalog(source);
  const { db, digest, format, generatedAt, fileShapes: files } = other;
  const digests = new RecordDigests(db);
  const lists = [...known].map(([resource, before]): [ResourceName, ChangedList] => {
    const count = before.length;
    const ids = idsOf(db, resource);
    const after = partitionFingerprints(digests.of(resource), ids, count);
    const changed = [...after.keys()].filter((partition) => before[partition] !== after[partition]);
    const partitions = idsByPartition(ids, count);
    const files = changed.map((partition) => {
      const left = partitions[partition] ?? [];
      if (left.length === 0) return [partition, null] as const;
      const lines = join(folder, `${resource}-${partition}`);
      writeFileSync(lines, recordPartition(db, resource, left));
      return [partition, lines] as const;
    });
    return [resource, { count, files }];
  });
  const metaOf = db.prepare<[string], string>("SELECT value FROM meta WHERE name = ?").pluck();
  const [config, store] = ["config", "store"].map((name) => JSON.parse(metaOf.get(name) ?? "") as object);
  return {
    name: `the catalog ${source}`,
    catalog: { format, digest, generatedAt, config: config ?? {}, store: store ?? {}, files },
    lists: Object.fromEntries(lists),
  };
}

function read(file: string): CatalogMemory {
  using catalog = openHeldCatalog(file);
  return catalog.memory();
}

/** Removes deleted rows from the log, as from the file. False if another connection still reads from the log. */
function emptyLog(db: Database.Database): boolean {
  return db.pragma("wal_checkpoint(TRUNCATE)", { simple: true }) === 0;
}

/**
 * SQLite's check of all its tables: it reads the whole file, 2 s for 1 GB. The semantic check of the text index is left out: it
 * takes six times as long, and its tables are checked like the others.
 */
function check(db: Database.Database): void {
  const tables = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    .pluck()
    .all();
  for (const table of tables) {
    const said = db.pragma(`quick_check("${table}")`, { simple: true });
    if (said !== "ok") throw damagedMemory(String(said).replace(/\s+/g, " "));
  }
}

/** Memory of all typed arrays in an answer, to transfer it: copying would delay requests. */
function arraysIn(answer: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(answer)) return [answer.buffer as ArrayBuffer];
  if (answer instanceof Map) return [...answer.values()].flatMap(arraysIn);
  return typeof answer === "object" && answer !== null && !Array.isArray(answer)
    ? Object.values(answer).flatMap(arraysIn)
    : [];
}

/** Requests have priority over this thread. */
const LOW_PRIORITY = 5;

// Only Linux has a priority per thread. Below it already, as with `nice` or `Nice=` of a unit, only root may come back to it.
if (process.platform === "linux" && getPriority() < LOW_PRIORITY) setPriority(LOW_PRIORITY);
await answerTask(work, arraysIn);

/**
 * Which files of the allow-list may have other rows than at the build before: from pages of the store to b-trees, and from
 * what a file's statement reads of those to columns.
 */
import Database from "better-sqlite3";
import type { StoreChanges } from "../store.ts";
import { type Fingerprint, formatFingerprint, parseFingerprint } from "./sqlite-fingerprint.ts";
import { DIGEST_BYTES, digestsOf, type Picture } from "./sqlite-picture.ts";
import { type Plan, type PlanReads, readsOf } from "./sqlite-plan.ts";
import { projectionName, projectionsOf } from "./sqlite-projections.ts";
import { SCHEMA, type Tree, treesOf } from "./sqlite-trees.ts";

type Trees = ReadonlyMap<number, Tree>;

/** Of b-trees that are not what they were: their root pages, and the tables that they are of. */
interface Touched {
  readonly roots: ReadonlySet<number>;
  readonly tables: ReadonlySet<string>;
}

export function changesSince(
  db: Database.Database,
  picture: Picture | null,
  before: Buffer | null,
  plans: readonly Plan[],
): StoreChanges {
  const pages = picture === null ? null : digestsOf(picture);
  if (pages === null) return { fingerprint: null, changed: "all" };
  const old = before === null ? null : parseFingerprint(before);
  if (old?.pages.equals(pages)) return { fingerprint: before, changed: new Set() };
  const trees = treesOf(db);
  const touched = old === null ? null : touchedTrees(db, trees, old.pages, pages);
  const read = plans.map((plan) => ({ name: plan.name, reads: readsOf(db, trees, plan) }));
  const columns = read.flatMap(({ reads }) => reads?.columns ?? []);
  const projections = projectionsOf(db, trees.values(), columns, (table, name) =>
    touched === null || touched.tables.has(table) ? undefined : old?.projections.get(name),
  );
  const now = { pages, projections };
  const fingerprint = formatFingerprint(now);
  if (old === null || touched === null) return { fingerprint, changed: "all" };
  const changed = read.filter(({ reads }) => {
    if (reads === null) return true;
    const roots = [...reads.roots].filter((root) => touched.roots.has(root));
    return roots.some((root) => !isSameInColumns(reads, trees.get(root)?.table, old, now));
  });
  return { fingerprint, changed: new Set(changed.map(({ name }) => name)) };
}

/** True where the columns that are read of the table are known to be what they were. */
function isSameInColumns(
  { columns }: PlanReads,
  table: string | undefined,
  old: Fingerprint,
  now: Fingerprint,
): boolean {
  const names = table === undefined ? null : columns.get(table);
  if (table === undefined || !names) return false;
  const name = projectionName(table, names);
  const digest = now.projections.get(name);
  return digest !== undefined && digest === old.projections.get(name);
}

/**
 * B-trees that are not what they were; null where that is all, or not known. A b-tree whose pages, from its root to the
 * last, are what they were has not changed: a page that it lost or won, another of its pages tells.
 */
function touchedTrees(db: Database.Database, trees: Trees, old: Buffer, now: Buffer): Touched | null {
  const roots = new Map([...trees].map(([root, { name }]) => [name, root]));
  const touched = new Set<number>();
  const pages = db.prepare<[], [string, number]>("SELECT name, pageno FROM dbstat").raw();
  try {
    for (const [name, page] of pages.iterate()) {
      if (isSamePage(old, now, page)) continue;
      const root = roots.get(name);
      if (root === undefined || decidesAll(name)) return null;
      touched.add(root);
    }
  } catch (error) {
    // A store that is not sound: what of it can be read is.
    if (error instanceof Database.SqliteError) return null;
    throw error;
  }
  const tables = [...touched].flatMap((root) => trees.get(root)?.table ?? []);
  return { roots: touched, tables: new Set(tables) };
}

function isSamePage(old: Buffer, now: Buffer, page: number): boolean {
  const end = page * DIGEST_BYTES;
  const start = end - DIGEST_BYTES;
  return end <= Math.min(old.length, now.length) && old.compare(now, start, end, start, end) === 0;
}

/** The schema, by which b-trees are named, and the statistics of ANALYZE, which choose in what order rows are met. */
function decidesAll(name: string): boolean {
  return name === SCHEMA || name.startsWith("sqlite_stat");
}

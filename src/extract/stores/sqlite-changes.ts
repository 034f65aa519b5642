/**
 * Which files of the allow-list may have other rows than at the build before: from pages of the store to b-trees, and from
 * what a file's statement reads of those to columns.
 */
import { randomBytes } from "node:crypto";
import type Database from "better-sqlite3";
import { type IdRange, mergedRanges, type RowsBy } from "../id-ranges.ts";
import type { StoreChanges } from "../store.ts";
import { localTables } from "./sql-locality.ts";
import { type Fingerprint, formatFingerprint, parseFingerprint } from "./sqlite-fingerprint.ts";
import { allOwners, nextOwners, ownersOf } from "./sqlite-owners.ts";
import { differingPages, digestsOf, KEY_BYTES } from "./sqlite-pages.ts";
import type { Picture } from "./sqlite-picture.ts";
import { type Plan, type PlanReads, readsOf } from "./sqlite-plan.ts";
import { projectionName, projectionsOf } from "./sqlite-projections.ts";
import { type DifferingPage, rangesOf } from "./sqlite-ranges.ts";
import { plainTable, SCHEMA, type Tree, treesOf } from "./sqlite-trees.ts";

/** Ranges of rows that differ, of one file. With more, all rows are read. */
const MOST_RANGES = 200;

type Trees = ReadonlyMap<number, Tree>;

/** {@link StoreChanges} with the fingerprint itself. */
export type SqliteChanges = Omit<StoreChanges, "fingerprint"> & { readonly fingerprint: Buffer | null };

/** Of b-trees that are not what they were: their root pages, and the tables that they are of. */
interface Touched {
  /** Root pages by the b-trees' names. */
  readonly roots: ReadonlyMap<string, number>;
  readonly tables: ReadonlySet<string>;
}

/** @param digest makes the digests of the pages */
export function changesSince(
  db: Database.Database,
  picture: Picture | null,
  before: Buffer | null,
  plans: readonly Plan[],
  digest = digestsOf,
): SqliteChanges {
  const old = before === null ? null : parseFingerprint(before);
  const key = old?.pages.key ?? randomBytes(KEY_BYTES);
  const pages = picture === null ? null : digest(picture, key, old?.pages ?? null);
  if (picture === null || pages === null) return { fingerprint: null, changed: "all" };
  const comparable = old?.pages.pageSize === pages.pageSize ? old : null;
  const differing = comparable === null ? [] : [...differingPages(comparable.pages, pages)];
  if (comparable !== null && differing.length === 0) return { fingerprint: before, changed: new Set() };
  const trees = treesOf(db);
  const names = comparable && ownersOf(comparable.owners, differing);
  const touched = names && touchedTrees(trees, names);
  const found =
    comparable === null || names === null || touched === null
      ? { owners: allOwners(db, picture.pages), differing: new Map() }
      : nextOwners(db, picture, comparable.owners, touched.roots, differing);
  const read = plans.map((plan) => ({ plan, reads: readsOf(db, trees, plan) }));
  const columns = read.flatMap(({ reads }) => reads?.columns ?? []);
  const rows = new ChangedRows(db, trees, picture, found.differing);
  const projections = projectionsOf(db, trees.values(), columns, (table, name) => {
    const projection = comparable?.projections.get(name);
    if (projection === undefined || touched === null) return undefined;
    return { projection, ranges: touched.tables.has(table) ? rows.ofTable(table) : [] };
  });
  const now = { pages, owners: found.owners, projections };
  const fingerprint = formatFingerprint(now);
  if (comparable === null || touched === null) return { fingerprint, changed: "all" };
  const changed = new Set<string>();
  const within = new Map<string, readonly RowsBy[]>();
  for (const { plan, reads } of read) {
    const tables = reads && tablesThatDiffer(reads, trees, touched, comparable, now);
    if (tables?.size === 0) continue;
    changed.add(plan.name);
    const found = tables && (rows.ofFile(plan.query, "id", tables) ?? rows.ofOwners(plan, tables));
    if (found !== null) within.set(plan.name, [found]);
  }
  return { fingerprint, changed, within };
}

/** Tables of which something that a file reads may differ. */
function tablesThatDiffer(
  reads: PlanReads,
  trees: Trees,
  touched: Touched,
  old: Fingerprint,
  now: Fingerprint,
): ReadonlySet<string> {
  const roots = [...touched.roots.values()].filter((root) => reads.roots.has(root));
  const tables = roots.map((root) => trees.get(root)?.table ?? "");
  return new Set(tables.filter((table) => !isSameInColumns(reads, table, old, now)));
}

/** Finds which rows may differ: of tables, by their pages, and of files, by what they are made of. */
class ChangedRows {
  readonly #db: Database.Database;
  readonly #trees: Trees;
  readonly #picture: Picture;
  /** By b-trees' names. */
  readonly #differing: ReadonlyMap<string, readonly DifferingPage[]>;
  readonly #ranges = new Map<string, readonly IdRange[] | null>();

  constructor(
    db: Database.Database,
    trees: Trees,
    picture: Picture,
    differing: ReadonlyMap<string, readonly DifferingPage[]>,
  ) {
    this.#db = db;
    this.#trees = trees;
    this.#picture = picture;
    this.#differing = differing;
  }

  /** As {@link ofFile}, by whose the rows are. */
  ofOwners({ query, owner }: Plan, tables: ReadonlySet<string>): RowsBy | null {
    return owner === null ? null : this.ofFile(query, owner, tables);
  }

  /** A file's rows that may differ, told by a column; null where that is not certain, or too many to be worth it. */
  ofFile(query: string, column: string, tables: ReadonlySet<string>): RowsBy | null {
    const find = (name: string) => plainTable(this.#db, this.#trees, name);
    const local = localTables(query, column, (name) => find(name)?.columns ?? null);
    if (local === null) return null;
    const ranges: IdRange[] = [];
    for (const name of tables) {
      const table = find(name.toLowerCase());
      const isLocal = table?.key != null && local.tables.get(name.toLowerCase())?.has(table.key) === true;
      const own = isLocal ? this.ofTable(table.name) : null;
      if (own === null) return null;
      ranges.push(...own);
    }
    const merged = mergedRanges(ranges);
    return merged.length > MOST_RANGES ? null : { column, ranges: merged };
  }

  /** Rowids of its rows that may differ, in order; null where that is not certain. */
  ofTable(name: string): readonly IdRange[] | null {
    const known = this.#ranges.get(name);
    if (known !== undefined) return known;
    const root = [...this.#trees].find(([, tree]) => tree.name === name)?.[0];
    const found = root === undefined ? null : rangesOf(this.#picture, root, this.#differing.get(name) ?? []);
    const merged = found && mergedRanges(found);
    this.#ranges.set(name, merged);
    return merged;
  }
}

/** True where the columns that are read of the table are known to be what they were. */
function isSameInColumns({ columns }: PlanReads, table: string, old: Fingerprint, now: Fingerprint): boolean {
  const names = columns.get(table);
  if (!names) return false;
  const name = projectionName(table, names);
  const digest = now.projections.get(name)?.digest;
  return digest !== undefined && digest === old.projections.get(name)?.digest;
}

/**
 * B-trees that are not what they were, of the names of those of which a page is not; null where that is all, or not known.
 * A b-tree whose pages, from its root to the last, are what they were has not changed.
 */
function touchedTrees(trees: Trees, names: ReadonlySet<string>): Touched | null {
  const roots = new Map([...trees].map(([root, { name }]) => [name, root]));
  const touched = new Map<string, number>();
  for (const name of names) {
    const root = roots.get(name);
    if (root === undefined || decidesAll(name)) return null;
    touched.set(name, root);
  }
  const tables = [...touched].map(([name, root]) => trees.get(root)?.table ?? name);
  return { roots: touched, tables: new Set(tables) };
}

/** The schema, by which b-trees are named, and the statistics of ANALYZE, which choose in what order rows are met. */
function decidesAll(name: string): boolean {
  return name === SCHEMA || name.startsWith("sqlite_stat");
}

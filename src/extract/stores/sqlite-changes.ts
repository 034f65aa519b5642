/** Which files of the allow-list read other pages of an SQLite store than the build before: from pages to b-trees to plans. */
import Database from "better-sqlite3";
import type { StoreChanges } from "../store.ts";
import { formatFingerprint, parseFingerprint } from "./sqlite-fingerprint.ts";
import { DIGEST_BYTES, digestsOf, type Picture } from "./sqlite-picture.ts";

/** `EXPLAIN` of the statement that reads a file of the allow-list. */
export interface Plan {
  readonly name: string;
  readonly sql: string;
  readonly bound: readonly object[];
}

interface Operation {
  readonly opcode: string;
  /** Of OpenRead and ReopenIdx: a root page. */
  readonly p2: number;
  /** Of the same: 0 for the store, other databases are SQLite's own temporary ones. */
  readonly p3: number;
  readonly p5: number;
}

/** The b-tree that is the schema, as SQLite names it; its root is page 1. */
const SCHEMA = "sqlite_schema";

/** Operations on what the statement itself has put together. */
const OPENS_NO_PAGES = new Set([
  ...["OpenAutoindex", "OpenDup", "OpenEphemeral", "OpenPseudo", "SorterOpen"],
  "IfNotOpen",
]);

/** OPFLAG_P2ISREG: p2 is no root page, but where one will stand. */
const ROOT_IN_REGISTER = 0x10;

export function changesSince(
  db: Database.Database,
  picture: Picture | null,
  before: Buffer | null,
  plans: readonly Plan[],
): StoreChanges {
  const now = picture === null ? null : digestsOf(picture);
  if (now === null) return { fingerprint: null, changed: "all" };
  const old = before === null ? null : parseFingerprint(before);
  if (old?.equals(now)) return { fingerprint: before, changed: new Set() };
  const fingerprint = formatFingerprint(now);
  const touched = old === null ? null : touchedRoots(db, old, now);
  if (touched === null) return { fingerprint, changed: "all" };
  const reread = plans.filter((plan) => readsAnyOf(db, plan, touched));
  return { fingerprint, changed: new Set(reread.map(({ name }) => name)) };
}

/** Root pages of tables and indexes. */
function rootsByName(db: Database.Database): Map<string, number> {
  const rows = db
    .prepare<[], [string, number]>("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0")
    .raw();
  return new Map([[SCHEMA, 1], ...rows.all()]);
}

/**
 * Root pages of the b-trees that are not what they were; null where that is all, or not known. A b-tree whose pages, from
 * its root to the last, are what they were has not changed: a page that it lost or won, another of its pages tells.
 */
function touchedRoots(db: Database.Database, old: Buffer, now: Buffer): ReadonlySet<number> | null {
  const roots = rootsByName(db);
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
  return touched;
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

/** True also where the plan opens what has no pages of its own (a virtual table), or cannot be made: reading it says why. */
function readsAnyOf(db: Database.Database, { sql, bound }: Plan, touched: ReadonlySet<number>): boolean {
  try {
    const operations = db.prepare<object[], Operation>(sql).all(...bound);
    return operations.some((operation) => {
      const { opcode, p2, p3, p5 } = operation;
      if (!opcode.includes("Open") || OPENS_NO_PAGES.has(opcode)) return false;
      if (opcode !== "OpenRead" && opcode !== "ReopenIdx") return true;
      return p3 !== 0 || (p5 & ROOT_IN_REGISTER) !== 0 || touched.has(p2);
    });
  } catch (error) {
    if (error instanceof Database.SqliteError) return true;
    throw error;
  }
}

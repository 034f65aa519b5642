/** Which files of the allow-list read other pages of an SQLite store than the build before: from pages to b-trees to plans. */
import Database from "better-sqlite3";
import { itemAt } from "../../base/item-at.ts";
import type { StoreChanges } from "../store.ts";
import { type Fingerprint, formatFingerprint, parseFingerprint } from "./sqlite-fingerprint.ts";
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

const UNKNOWN: StoreChanges = { fingerprint: null, changed: "all" };

/** The b-tree that is the schema. */
const SCHEMA_ROOT = 1;

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
  const digests = picture === null ? null : digestsOf(picture);
  if (digests === null) return UNKNOWN;
  const old = before === null ? null : parseFingerprint(before);
  if (old?.digests.equals(digests)) return { fingerprint: before, changed: new Set() };
  const names = rootsByName(db);
  const roots = readRoots(db, names, digests.length / DIGEST_BYTES);
  if (roots === null) return UNKNOWN;
  const now = { digests, roots };
  const fingerprint = formatFingerprint(now);
  if (old === null) return { fingerprint, changed: "all" };
  const touched = touchedRoots(old, now);
  if (decidesAll(touched, names)) return { fingerprint, changed: "all" };
  const reread = plans.filter((plan) => readsAnyOf(db, plan, touched));
  return { fingerprint, changed: new Set(reread.map(({ name }) => name)) };
}

/** Root pages of tables and indexes. */
function rootsByName(db: Database.Database): Map<string, number> {
  const rows = db
    .prepare<[], [string, number]>("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0")
    .raw();
  return new Map([["sqlite_schema", SCHEMA_ROOT], ...rows.all()]);
}

/** The root page of each page's b-tree, 0 for pages of none (free ones, say); null where the store is not sound. */
function readRoots(
  db: Database.Database,
  names: ReadonlyMap<string, number>,
  pages: number,
): Uint32Array | null {
  const roots = new Uint32Array(pages);
  const rows = db.prepare<[], [string, number]>("SELECT name, pageno FROM dbstat").raw();
  try {
    for (const [name, page] of rows.iterate()) {
      const root = names.get(name);
      if (root === undefined || page > pages) return null;
      roots[page - 1] = root;
    }
  } catch (error) {
    if (error instanceof Database.SqliteError) return null;
    throw error;
  }
  return roots;
}

/** B-trees that had or have a page whose content is another now; 0 among them for pages of none. */
function touchedRoots(old: Fingerprint, now: Fingerprint): ReadonlySet<number> {
  const touched = new Set<number>();
  const both = Math.min(old.roots.length, now.roots.length);
  for (let page = 0; page < both; page++) {
    const start = page * DIGEST_BYTES;
    const end = start + DIGEST_BYTES;
    if (old.digests.compare(now.digests, start, end, start, end) === 0) continue;
    touched.add(itemAt(old.roots, page)).add(itemAt(now.roots, page));
  }
  for (const { roots } of [old, now]) for (const root of roots.subarray(both)) touched.add(root);
  return touched;
}

/** The schema, by which b-trees are named, and the statistics of ANALYZE, which choose in what order rows are met. */
function decidesAll(touched: ReadonlySet<number>, names: ReadonlyMap<string, number>): boolean {
  if (touched.has(SCHEMA_ROOT)) return true;
  return [...names].some(([name, root]) => name.startsWith("sqlite_stat") && touched.has(root));
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

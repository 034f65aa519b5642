/** Makes the tests' store's database file. The same options give the same bytes. */
import { readFileSync, renameSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { seedBlog, seedFaqs, seedForum, seedPeople, seedReleases, seedReviews } from "./community.ts";
import { publicNames, reseed } from "./dice.ts";
import { EDGES } from "./edges.ts";
import { seedOrders, seedProducts } from "./products.ts";
import type { SeedOptions, World } from "./world.ts";
import { StoreWriter } from "./writer.ts";

const SCHEMA = new URL("../../templates/store/schema.sql", import.meta.url);
const INDEXES_BEGIN = "-- Indexes:";
/** Functions that make the rows of a table and the rows that belong to them. The order matters: each may count earlier rows. */
const PARTS: Readonly<Record<string, (world: World) => void>> = {
  users: seedPeople,
  products: seedProducts,
  orders: seedOrders,
  releases: seedReleases,
  reviews: seedReviews,
  faqs: seedFaqs,
  blog_posts: seedBlog,
  threads: seedForum,
};

export function readSchema(): { tables: string; indexes: string } {
  const text = readFileSync(SCHEMA, "utf8");
  const cut = text.indexOf(INDEXES_BEGIN);
  if (cut < 0) throw new Error(`templates/store/schema.sql has no line that begins with "${INDEXES_BEGIN}"`);
  return { tables: text.slice(0, cut), indexes: text.slice(cut) };
}

function seedRows(db: Database.Database, options: SeedOptions): void {
  reseed(options.seed, "names");
  const writer = new StoreWriter(db, options.now);
  const world: World = { ...options, writer, refs: [], names: publicNames() };
  for (const { table, row, hidden } of EDGES) if (!(table in PARTS)) writer.add(table, row, hidden);
  for (const [table, seedPart] of Object.entries(PARTS)) {
    reseed(options.seed, table);
    seedPart(world);
  }
}

/** Writes beside the file and renames, so that a killed run leaves no incomplete store behind. */
export function seedStore(options: SeedOptions, file: string): void {
  const schema = readSchema();
  const temporary = `${file}.tmp`;
  rmSync(temporary, { force: true });
  const db = new Database(temporary);
  try {
    db.pragma("journal_mode = OFF");
    db.pragma("synchronous = OFF");
    db.pragma("foreign_keys = OFF");
    db.exec(schema.tables);
    db.transaction(seedRows)(db, options);
    db.exec(schema.indexes);
  } finally {
    db.close();
  }
  renameSync(temporary, file);
}

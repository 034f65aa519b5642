/** Makes the demo store's database file. The same options give the same bytes. */
import { readFileSync, renameSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { seedBlog } from "./blog.ts";
import { seedCounter } from "./counter.ts";
import { seedFaqs } from "./faqs.ts";
import { seedForum } from "./forum.ts";
import { seedOffice } from "./office.ts";
import { seedPeople } from "./people.ts";
import { seedProducts } from "./products.ts";
import { seedReleases } from "./releases.ts";
import { seedReviews } from "./reviews.ts";
import { seedShop } from "./shop.ts";
import { createWorld, type SeedOptions } from "./world.ts";
import { StoreWriter } from "./writer.ts";

const SCHEMA = new URL("../../templates/store/schema.sql", import.meta.url);
const INDEXES_BEGIN = "-- Indexes:";

function readSchema(): { tables: string; indexes: string } {
  const text = readFileSync(SCHEMA, "utf8");
  const cut = text.indexOf(INDEXES_BEGIN);
  if (cut < 0) throw new Error(`templates/store/schema.sql has no line that begins with "${INDEXES_BEGIN}"`);
  return { tables: text.slice(0, cut), indexes: text.slice(cut) };
}

/** Writes beside the file and renames: a killed run leaves no half store behind. */
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
    const world = createWorld(options, new StoreWriter(db));
    db.transaction(() => {
      seedShop(world);
      seedPeople(world);
      seedProducts(world);
      seedReleases(world);
      seedReviews(world);
      seedFaqs(world);
      seedBlog(world);
      seedForum(world);
      seedCounter(world);
      seedOffice(world);
    })();
    db.exec(schema.indexes);
  } finally {
    db.close();
  }
  renameSync(temporary, file);
}

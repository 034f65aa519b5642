/** The demo store and Chinook, open, and their allow-lists run the way extraction runs them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { seedStore } from "../scripts/seed/seed.ts";
import { BASE_TIME, parseTime } from "../scripts/seed/time.ts";
import type { SeedOptions } from "../scripts/seed/world.ts";
import { readAllowList } from "../src/extract/allow-list.ts";

type Value = string | number | null;
type Field =
  | "author_display_name"
  | "category_id"
  | "created_at"
  | "customer_avatar"
  | "customer_display_name"
  | "description_html"
  | "extended_price_minor"
  | "gallery"
  | "id"
  | "image"
  | "last_activity_at"
  | "n"
  | "name"
  | "price"
  | "price_minor"
  | "product_id"
  | "replies"
  | "sale_price_minor"
  | "slug"
  | "solved"
  | "status"
  | "time"
  | "title"
  | "type"
  | "value"
  | "verified_purchase"
  | "version";
/** Any column, and those that tests ask for by name. */
export type Row = Record<string, Value> & Partial<Record<Field, Value>>;

export const NOW: string = BASE_TIME;
/** A build made long after the demo's own moment. */
export const LATER = "2026-11-20 12:00:00";
export const OPTIONS: SeedOptions = { products: 240, seed: "test", now: parseTime(NOW) };
export const STORE_QUERIES = "templates/queries";
export const CHINOOK_QUERIES = "examples/chinook/queries";

export const COLUMNS: Readonly<Record<string, string>> = {
  store:
    "store_name tagline description logo_url favicon_url currency public_url support_url docs_url blog_url social_links",
  categories: "id name slug description url",
  products:
    "id title slug excerpt description_short description_html category_id type status price_minor sale_price_minor " +
    "preorder_price_minor extended_price_minor currency image gallery featured public_url demo_url docs_url " +
    "created_at updated_at",
  reviews:
    "id product_id rating title body customer_display_name customer_avatar verified_purchase created_at",
  faqs: "id product_id type question answer_html position",
  releases: "id product_id version title notes_html release_date public_url",
  blog: "id title slug excerpt image url published_at updated_at content_html",
  forum:
    "id title slug type subforum_slug subforum_name category_slug category_name author_display_name pinned locked " +
    "solved created_at last_activity_at url content_html replies",
  next_change: "next_change_at",
};

export interface Stores {
  readonly folder: string;
  readonly store: Database.Database;
  readonly chinook: Database.Database;
  /** All rows of one file of an allow-list, at a moment. */
  answer(queries: string, name: string, now?: string): Row[];
  /** One public row of the demo store. */
  bySlug(name: string, slug: string, now?: string): Row | undefined;
  /** Looks straight into the demo store. */
  values(sql: string): Row[];
  count(source: string): number;
  close(): void;
}

/** A file's SQL as it is run: behind the folder's views. */
export function sqlOf(queries: string, name: string): string {
  return readAllowList(queries)[name]?.sql ?? "";
}

export function openStores(): Stores {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-seed-"));
  const file = join(folder, "store.sqlite");
  seedStore(OPTIONS, file);
  const store = new Database(file);
  const chinook = new Database("examples/chinook/chinook.sqlite", { readonly: true });

  const answer = (queries: string, name: string, now: string = NOW): Row[] => {
    const order = COLUMNS[name]?.startsWith("id ") ? " ORDER BY id" : "";
    const db = queries === STORE_QUERIES ? store : chinook;
    const sql = `SELECT * FROM (${sqlOf(queries, name)}\n)${order}`;
    return db.prepare<{ now: string }, Row>(sql).all({ now });
  };
  const values = (sql: string): Row[] => store.prepare<[], Row>(sql).all();
  return {
    folder,
    store,
    chinook,
    answer,
    values,
    bySlug: (name, slug, now) => answer(STORE_QUERIES, name, now).find((row) => row.slug === slug),
    count: (source) => Number(values(`SELECT COUNT(1) AS n FROM ${source}`)[0]?.n),
    close: () => {
      store.close();
      chinook.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

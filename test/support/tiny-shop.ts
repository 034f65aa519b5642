/** A shop of a few products, built as any other: small enough to publish it a hundred times in a test. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { seedStore } from "../../scripts/seed/seed.ts";
import type { PublicConfig } from "../../src/api/config.ts";
import type { Log } from "../../src/base/log.ts";
import { buildSnapshot } from "../../src/pipeline/build.ts";
import { openBuilt } from "../../src/pipeline/built.ts";
import type { Snapshot } from "../../src/publish/options.ts";
import { layoutOf } from "../../src/site/layout.ts";

import { NOW, OPTIONS, STORE_QUERIES } from "../store-fixture.ts";
import { onceARun } from "./once.ts";

export const SILENT: Log & { done(): void } = {
  info: () => undefined,
  warn: () => undefined,
  progress: () => undefined,
  done: () => undefined,
};

export const TINY_CONFIG: PublicConfig = {
  baseUrl: "https://shop.example/api/v1",
  siteUrl: "https://shop.example",
  endpoints: ["store", "products", "product", "categories"] as string[] as PublicConfig["endpoints"],
  grid: { depth: 0, maxFiles: 1000 },
  pageSizes: [],
  pages: false,
  cache: { maxAgeSeconds: 60, sharedMaxAgeSeconds: 300, staleIfErrorSeconds: 86_400, errorMaxAgeSeconds: 10 },
  rateLimit: { requests: 120 },
};

export interface TinyShop {
  readonly folder: string;
  readonly store: string;
  /** Changes the shop's database. */
  sql(text: string): void;
  /** Slugs of products that are public, in order of id. */
  readonly slugs: readonly string[];
  /** Builds into a folder named after it, and opens the snapshot. */
  build(name: string, config?: PublicConfig, now?: string): Promise<Snapshot>;
  close(): void;
}

const PUBLIC_IDS = `
  SELECT p.id FROM products AS p JOIN product_categories AS pc ON pc.product_id = p.id
  JOIN categories AS c ON c.id = pc.category_id AND c.is_visible = 1 AND c.parent_id IS NULL
  WHERE p.status = 'published' AND p.visibility = 'visible' AND p.deleted_at IS NULL AND p.password IS NULL
    AND p.published_at <= '${NOW}' GROUP BY p.id ORDER BY p.id LIMIT `;

/** What gone products had, which builds would read again and again; of reviews, some stay to be given to others. */
const LEFT_BEHIND = ["product_media", "license_tiers", "releases", "product_files", "faqs"];

/** Its database, made once a run: to be read only. */
function tinyStore(products: number): string {
  const made = onceARun(`tiny-${products}`, (folder) => {
    const store = join(folder, "store.sqlite");
    seedStore({ ...OPTIONS, products: 150 }, store);
    const db = new Database(store);
    db.pragma("foreign_keys = OFF");
    db.exec(`DELETE FROM products WHERE id NOT IN (${PUBLIC_IDS}${products});
      DELETE FROM threads; DELETE FROM blog_posts;
      DELETE FROM sale_windows; DELETE FROM preorders;
      ${LEFT_BEHIND.map((table) => `DELETE FROM ${table} WHERE product_id NOT IN (SELECT id FROM products);`).join("")}
      DELETE FROM reviews WHERE id >= 10 AND product_id NOT IN (SELECT id FROM products);
      DELETE FROM posts; DELETE FROM orders; DELETE FROM order_items; VACUUM`);
    db.close();
  });
  return join(made, "store.sqlite");
}

export function createTinyShop(products = 4): TinyShop {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-shop-"));
  const store = join(folder, "store.sqlite");
  copyFileSync(tinyStore(products), store);
  const db = new Database(store);
  db.pragma("foreign_keys = OFF");
  const slugs = db.prepare<[], string>("SELECT slug FROM products ORDER BY id").pluck().all();
  return {
    folder,
    store,
    slugs,
    sql: (text) => {
      db.exec(text);
    },
    async build(name, config = TINY_CONFIG, now = NOW) {
      const out = join(folder, name);
      mkdirSync(out, { recursive: true });
      await buildSnapshot(
        {
          store,
          queries: STORE_QUERIES,
          config,
          out,
          maxLeftOut: 0,
          now,
          allowShrink: 1000,
          force: false,
          full: false,
          waitSeconds: 0,
        },
        SILENT,
      );
      const layout = layoutOf(out);
      return { ...openBuilt(layout), config, vitrine: "test" };
    },
    close() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Stores that a test changes like a shop, and readers of them. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach } from "vitest";
import { readAllowList } from "../../../src/extract/allow-list.ts";
import type { StoreReader } from "../../../src/extract/store.ts";
import { openStore } from "../../../src/store/open.ts";
import { NOW, sharedStore, temporaryFolder } from "../../support/shop.ts";

export const QUERIES = Object.values(readAllowList("templates/queries"));

const folder = temporaryFolder();
let made = 0;
const opened: Database.Database[] = [];

afterEach(() => {
  for (const db of opened.splice(0)) db.close();
});

/** A separate demo store, and the shop's connection to it. */
export function createShop(journal: string): { file: string; shop: Database.Database } {
  const file = join(folder, `store-${++made}.sqlite`);
  copyFileSync(sharedStore(150), file);
  const shop = openShop(file);
  shop.pragma(`journal_mode = ${journal}`);
  return { file, shop };
}

function openShop(file: string): Database.Database {
  const shop = new Database(file, { timeout: 0 });
  shop.pragma("foreign_keys = OFF");
  opened.push(shop);
  return shop;
}

/** Opens the store for one use. */
export async function withReader<Result>(
  file: string,
  use: (reader: StoreReader) => Promise<Result>,
): Promise<Result> {
  const reader = await openStore(file, NOW);
  try {
    return await use(reader);
  } finally {
    await reader.close();
  }
}

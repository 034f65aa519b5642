/** Stores that a test changes as a shop does, and what the adapter says of them. */
import { createHash } from "node:crypto";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, expect } from "vitest";
import { type AllowListQuery, readAllowList } from "../../../src/extract/allow-list.ts";
import type { StoreReader } from "../../../src/extract/store.ts";
import { openSqliteStore } from "../../../src/extract/stores/sqlite.ts";
import type { SqliteChanges } from "../../../src/extract/stores/sqlite-changes.ts";
import { NOW, sharedStore, temporaryFolder } from "../../support/shop.ts";

export const QUERIES = Object.values(readAllowList("templates/queries"));

const folder = temporaryFolder();
let made = 0;
const opened: Database.Database[] = [];

afterEach(() => {
  for (const db of opened.splice(0)) db.close();
});

/** A demo store of its own, and the shop's connection to it. */
export function createShop(journal: string): { file: string; shop: Database.Database } {
  const file = join(folder, `store-${++made}.sqlite`);
  copyFileSync(sharedStore(150), file);
  const shop = openShop(file);
  shop.pragma(`journal_mode = ${journal}`);
  return { file, shop };
}

export function openShop(file: string): Database.Database {
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
  const reader = await openSqliteStore(file, NOW);
  try {
    return await use(reader);
  } finally {
    await reader.close();
  }
}

/** What the adapter says, with the fingerprint once it is there. */
export async function askChanges(
  reader: StoreReader,
  before: Buffer | null,
  queries: readonly AllowListQuery[],
): Promise<SqliteChanges> {
  const changes = await reader.changesSince(before, queries);
  return { ...changes, fingerprint: await changes.fingerprint() };
}

export function changesOf(file: string, before: Buffer | null, queries = QUERIES): Promise<SqliteChanges> {
  return withReader(file, (reader) => askChanges(reader, before, queries));
}

export async function fingerprintOf(file: string): Promise<Buffer> {
  const { fingerprint, changed } = await changesOf(file, null);
  expect(changed).toBe("all");
  if (fingerprint === null) throw new Error("no fingerprint");
  return fingerprint;
}

export async function digestOf(reader: StoreReader, query: AllowListQuery): Promise<string> {
  const digest = createHash("sha256");
  for await (const rows of reader.batches(query)) digest.update(JSON.stringify(rows));
  return digest.digest("hex");
}

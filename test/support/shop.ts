/** Shops to test with: seeded stores, Chinook, and builds of them in separate folders. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll } from "vitest";
import { seedStore } from "../../scripts/seed/seed.ts";
import { parseTime } from "../../scripts/seed/time.ts";
import type { PublicConfig } from "../../src/api/config.ts";
import { SILENT } from "../../src/base/log.ts";
import type { BuildInputs } from "../../src/config/inputs.ts";
import { loadConfig } from "../../src/config/load.ts";
import { DEFAULT_MAX_LEFT_OUT } from "../../src/config/schema.ts";
import { type BuildReport, buildSnapshot } from "../../src/pipeline/build.ts";
import { onceARun, runFolder } from "./once.ts";

export const NOW = "2026-11-20 12:00:00";
/** Without the pages for people: they are a hundred files that most tests would only make and read again. */
const NO_PAGES = { pages: false } as const;
export const DEMO_CONFIG: PublicConfig = { ...loadConfig("vitrine.config.json").config, ...NO_PAGES };
/** One filter at most: enough for what is not about the grid, in a fifth of the files. */
export const SMALL_CONFIG: PublicConfig = { ...DEMO_CONFIG, grid: { depth: 1, maxFiles: 250_000 } };
export const CHINOOK: Omit<BuildInputs, "out"> = {
  store: "examples/chinook/chinook.sqlite",
  queries: "examples/chinook/queries",
  config: { ...loadConfig("examples/chinook/vitrine.config.json").config, ...NO_PAGES },
  maxLeftOut: DEFAULT_MAX_LEFT_OUT,
  now: NOW,
  allowShrink: 0,
  force: false,
  full: false,
  waitSeconds: 0,
};

/** A new folder. It is removed after the test file; one that is made within a test is removed after the run. */
export function temporaryFolder(): string {
  const run = runFolder(process.ppid);
  mkdirSync(run, { recursive: true });
  const folder = mkdtempSync(join(run, "test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A seeded store, to be read only; the smallest number of products that has all edge rows is 150. */
export function sharedStore(products: number): string {
  const made = onceARun(`store-${products}`, (folder) => {
    const now = parseTime("2026-06-01 00:00:00");
    seedStore({ products, seed: "test", now }, join(folder, "store.sqlite"));
  });
  return join(made, "store.sqlite");
}

/** A seeded store that the test may change. */
export function seedDemo(folder: string, products = 150): string {
  const file = join(folder, "store.sqlite");
  copyFileSync(sharedStore(products), file);
  return file;
}

const OF_PRODUCTS = [
  ...["product_categories", "product_media", "license_tiers", "sale_windows", "preorders"],
  ...["releases", "product_files", "faqs", "reviews"],
];

/** A third of the seeded store, ordinary rows, edge rows and Invoice Kit, to be read only. A build of it takes a third of the time. */
export function smallStore(): string {
  const made = onceARun("store-small", (folder) => {
    const db = new Database(seedDemo(folder));
    db.pragma("foreign_keys = OFF");
    db.exec(`DELETE FROM products WHERE id % 3 > 0 AND slug <> 'invoice-kit';
      ${OF_PRODUCTS.map((table) => `DELETE FROM ${table} WHERE product_id NOT IN (SELECT id FROM products);`).join("")}
      DELETE FROM threads WHERE id % 3 > 0; DELETE FROM posts WHERE thread_id NOT IN (SELECT id FROM threads);
      DELETE FROM blog_posts WHERE id % 3 > 0; DELETE FROM orders WHERE id % 3 > 0; VACUUM`);
    db.close();
  });
  return join(made, "store.sqlite");
}

/** The small store, for a test that changes it. */
export function seedSmall(folder: string): string {
  const file = join(folder, "store.sqlite");
  copyFileSync(smallStore(), file);
  return file;
}

export function demoInputs(store: string, out: string, change: Partial<BuildInputs> = {}): BuildInputs {
  return {
    store,
    queries: "templates/queries",
    config: DEMO_CONFIG,
    out,
    maxLeftOut: DEFAULT_MAX_LEFT_OUT,
    now: NOW,
    allowShrink: 0,
    force: false,
    full: false,
    waitSeconds: 0,
    ...change,
  };
}

export function buildQuietly(inputs: BuildInputs): Promise<BuildReport> {
  return buildSnapshot(inputs, SILENT);
}

/** Paths of all files below a folder. */
function* filesBelow(folder: string, prefix = ""): Generator<string> {
  for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
    const path = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(folder, path);
    else yield path;
  }
}

/** All files below a folder with their bytes, by path. */
export function readTree(folder: string): Map<string, Buffer> {
  return new Map([...filesBelow(folder)].map((path) => [path, readFileSync(join(folder, path))]));
}

/** Inode and time stamps by path, which show whether a file was touched. */
export function readStamps(folder: string): Map<string, string> {
  const stamps = new Map<string, string>();
  for (const path of filesBelow(folder)) {
    const { ino, mtimeMs } = statSync(join(folder, path));
    stamps.set(path, `${ino} ${mtimeMs}`);
  }
  return stamps;
}

/** A body without the moment of its making. */
export function withoutTime(bytes: Buffer): string {
  return bytes.toString("utf8").replace(/"generated_at":"[^"]*"/g, '"generated_at":"-"');
}

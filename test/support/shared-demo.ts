/** Snapshots that many test files read and none may change: each is built once a run, by the command itself. */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seedStore } from "../../scripts/seed/seed.ts";
import { BASE_TIME, parseTime } from "../../scripts/seed/time.ts";
import type { PublicConfig } from "../../src/api/config.ts";
import { vitrine } from "./command.ts";
import { onceARun } from "./once.ts";
import { CHINOOK, DEMO_CONFIG, NOW, SMALL_CONFIG, sharedStore } from "./shop.ts";

interface Recipe {
  readonly store: () => string;
  readonly queries: string;
  readonly config: PublicConfig;
  /** The moment of the build; {@link NOW} if it is missing. */
  readonly now?: string;
}

const QUERIES = "templates/queries";

/** A seeded store whose records the judged queries expect. */
export function searchedStore(): string {
  const made = onceARun("store-searched", (folder) => {
    seedStore({ products: 240, seed: "vitrine", now: parseTime(BASE_TIME) }, join(folder, "store.sqlite"));
  });
  return join(made, "store.sqlite");
}

const RECIPES = {
  demo: { store: () => sharedStore(150), queries: QUERIES, config: DEMO_CONFIG },
  small: { store: () => sharedStore(150), queries: QUERIES, config: SMALL_CONFIG },
  /** With pages of another size, too. */
  sizes: { store: () => sharedStore(150), queries: QUERIES, config: { ...DEMO_CONFIG, pageSizes: [7] } },
  /** The shop that the package ships. */
  example: { store: () => "examples/demo/store.sqlite", queries: QUERIES, config: SMALL_CONFIG },
  /** For searches, which need no other files. */
  searched: {
    store: searchedStore,
    queries: QUERIES,
    config: { ...DEMO_CONFIG, grid: { depth: 0, maxFiles: 250_000 } },
    now: BASE_TIME,
  },
  chinook: {
    store: () => CHINOOK.store,
    queries: CHINOOK.queries,
    config: { ...CHINOOK.config, grid: { depth: 1, maxFiles: 250_000 } },
  },
} satisfies Record<string, Recipe>;

function buildInto(out: string, { store, queries, config, now = NOW }: Recipe): void {
  const file = join(out, "config.json");
  writeFileSync(file, JSON.stringify(config));
  const moment = `${now.replace(" ", "T")}Z`;
  const args = ["build", "--store", store(), "--queries", queries, "--config", file, "--as-of", moment];
  const { status, stderr } = vitrine([...args, "--out", out]);
  if (status !== 0) throw new Error(stderr);
  rmSync(file);
}

/** The output folder of a build. To be read only: other test files read it, too. */
export function sharedSnapshot(name: keyof typeof RECIPES): string {
  return onceARun(`snapshot-${name}`, (folder) => buildInto(folder, RECIPES[name]));
}

/** A copy that the test may change: times and links as they are. */
export function copySnapshot(name: keyof typeof RECIPES, to: string): void {
  mkdirSync(to, { recursive: true });
  execFileSync("cp", ["-a", `${sharedSnapshot(name)}/.`, to]);
}

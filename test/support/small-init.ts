/** What init writes, with a grid of few files: for tests of records, which are all in the catalog. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type InitPlan, writeInit } from "../../src/setup/init.ts";

/** Most of a build's time goes into its files. */
export function writeSmallInit(folder: string, plan: InitPlan): void {
  writeInit(folder, plan);
  const file = join(folder, "vitrine.config.json");
  const config = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, unknown>>;
  writeFileSync(file, JSON.stringify({ ...config, grid: { depth: 0, maxFiles: 100 }, pages: false }));
}

/** The catalog of the demo store, made as `vitrine build` makes it; the same bytes in every run. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seedStore } from "../../scripts/seed/seed.ts";
import { BASE_TIME, parseTime } from "../../scripts/seed/time.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { loadConfig } from "../../src/config/load.ts";
import { extractTemporarily } from "../../src/pipeline/plan.ts";

export interface Demo {
  readonly catalog: Catalog;
  close(): void;
}

/** Makes the demo store's catalog in a folder; returns its file. */
async function makeDemoCatalog(folder: string, products: number): Promise<string> {
  const store = join(folder, "store.sqlite");
  const file = join(folder, "catalog.sqlite");
  seedStore({ products, seed: "vitrine", now: parseTime(BASE_TIME) }, store);
  const { config } = loadConfig("vitrine.config.json");
  await extractTemporarily({ store, queries: "templates/queries", config, now: BASE_TIME }, file);
  return file;
}

export async function openDemo(): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-demo-"));
  const catalog = openCatalog(await makeDemoCatalog(folder, 240));
  return {
    catalog,
    close: () => {
      catalog.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

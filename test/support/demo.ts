/** The catalog that searches are tested with; the same bytes in every run. */
import { join } from "node:path";
import { BASE_TIME } from "../../scripts/seed/time.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { extractTemporarily } from "../../src/pipeline/plan.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { searchedStore, sharedSnapshot } from "./shared-demo.ts";
import { DEMO_CONFIG } from "./shop.ts";

/** The catalog that all test files of a run share. */
export function openDemo(): Catalog {
  return openCatalog(layoutOf(sharedSnapshot("searched")).catalog);
}

/** A separate catalog of the same store, in a folder. */
export async function extractDemo(folder: string): Promise<Catalog> {
  const file = join(folder, "catalog.sqlite");
  const inputs = {
    store: searchedStore(),
    queries: "templates/queries",
    config: DEMO_CONFIG,
    now: BASE_TIME,
  };
  await extractTemporarily(inputs, file);
  return openCatalog(file);
}

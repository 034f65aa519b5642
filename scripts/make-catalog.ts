/** Extracts only the catalog of a demo store: `npx node scripts/make-catalog.ts STORE CATALOG`. */

import { loadConfig } from "../src/config/load.ts";
import { extractTemporarily } from "../src/pipeline/plan.ts";

const [store, file] = process.argv.slice(2);
if (store === undefined || file === undefined) throw new Error("usage: make-catalog.ts STORE CATALOG");
const { config } = loadConfig("vitrine.config.json");
await extractTemporarily({ store, config, queries: "templates/queries", now: "2026-11-20 12:00:00" }, file);

/**
 * Measures extraction of one demo store from SQLite, PostgreSQL and MariaDB into a catalog: `npm run bench:stores [-- --products N]`.
 * Ratios to SQLite count; seconds are this machine's. The servers are those of the tests (Debian's packages).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { extractTemporarily } from "../src/build/plan.ts";
import { loadConfig } from "../src/config/load.ts";
import { createMariadbDatabase } from "../test/support/mariadb.ts";
import { createPostgresDatabase } from "../test/support/postgres.ts";
import { stopServersOfRun } from "../test/support/server-of-run.ts";
import { copyStore } from "./seed/copy-store.ts";
import { seedStore } from "./seed/seed.ts";
import { BASE_TIME, parseTime } from "./seed/time.ts";

const { values } = parseArgs({
  options: { products: { type: "string", default: "5000" }, runs: { type: "string", default: "3" } },
});
const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-stores-"));
const { config } = loadConfig("vitrine.config.json");

/** The best of some runs: whatever else the machine does only adds. */
async function secondsOf(store: string, queries: string): Promise<number> {
  const seconds: number[] = [];
  for (let run = 0; run < Number(values.runs); run++) {
    const started = performance.now();
    await extractTemporarily(
      { store, queries, config, now: BASE_TIME },
      join(folder, `catalog-${Math.random()}`),
    );
    seconds.push((performance.now() - started) / 1000);
  }
  return Math.min(...seconds);
}

try {
  const file = join(folder, "store.sqlite");
  seedStore({ products: Number(values.products), seed: "bench", now: parseTime(BASE_TIME) }, file);
  const sqlite = await secondsOf(file, "templates/queries");
  console.log(`SQLite      ${sqlite.toFixed(2)} s`);
  for (const [name, kind, create] of [
    ["PostgreSQL", "postgres", createPostgresDatabase],
    ["MariaDB", "mysql", createMariadbDatabase],
  ] as const) {
    const database = await create();
    await copyStore(file, { kind, run: database.run });
    const seconds = await secondsOf(database.address, `templates/queries-${kind}`);
    console.log(
      `${name.padEnd(11)} ${seconds.toFixed(2)} s, ${(sqlite / seconds).toFixed(2)} of SQLite's speed`,
    );
    await database.close();
  }
} finally {
  await stopServersOfRun(process.ppid);
  rmSync(folder, { recursive: true, force: true });
}

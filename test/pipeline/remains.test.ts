import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { buildQuietly, DEMO_CONFIG, demoInputs, seedSmall, temporaryFolder } from "../support/shop.ts";

/** Pages of the catalog without any row. */
function freePages(catalog: string): unknown {
  const db = new Database(catalog, { readonly: true });
  try {
    return db.pragma("freelist_count", { simple: true });
  } finally {
    db.close();
  }
}

it("rewrites the catalog when reviews are withdrawn, so that no page keeps their text", async () => {
  const folder = temporaryFolder();
  const [store, out] = [seedSmall(folder), join(folder, "out")];
  const config = { ...DEMO_CONFIG, grid: { ...DEMO_CONFIG.grid, depth: 0 } };
  const inputs = demoInputs(store, out, { config, allowShrink: 1000 });
  await buildQuietly(inputs);
  const db = new Database(store);
  db.exec("UPDATE reviews SET status = 'rejected' WHERE id % 3 > 0");
  db.close();
  expect(await buildQuietly(inputs)).toMatchObject({ work: "part" });
  expect(freePages(join(out, "catalog.sqlite"))).toBe(0);
});

import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { changeCosts, costOfChange, filesOf, removal, repricing } from "../../src/render/change-cost.ts";
import { planCatalog, reachOf } from "../../src/render/plan.ts";
import { layoutOf } from "../../src/snapshot/layout.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, seedDemo, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const store = seedDemo(folder);
const out = join(folder, "out");
let minute = 0;

/** Changes the store, and says how many files its build put and deleted. */
async function build(config: PublicConfig, sql = ""): Promise<{ puts: number; deletes: number }> {
  const db = new Database(store);
  db.exec(sql);
  db.close();
  minute += 1;
  const now = `2026-11-20 13:${String(minute).padStart(2, "0")}:00`;
  const { written, deleted } = await buildQuietly(
    demoInputs(store, out, { config, now, allowShrink: 100_000 }),
  );
  return { puts: written, deletes: deleted };
}

/** What is foreseen of the snapshot that stands. */
function foresee<Result>(work: (catalog: ReturnType<typeof openCatalog>) => Result): Result {
  const catalog = openCatalog(layoutOf(out).catalog, { fragments: "file" });
  try {
    return work(catalog);
  } finally {
    catalog.close();
  }
}

it.each<[string, PublicConfig["grid"]]>([
  ["all pages", { depth: 1, maxFiles: 250_000, pages: "all" }],
  ["two pages of each list and two filters", { depth: 2, maxFiles: 250_000, pages: 2 }],
])("a change costs what its build then writes and deletes, with %s", async (_, grid) => {
  const config = { ...DEMO_CONFIG, grid };
  await build(config);
  const ids = foresee((catalog) => [4, 90].map((row) => catalog.table("product").idAt(row)));
  for (const id of ids) {
    const foreseen = foresee((catalog) =>
      costOfChange(removal(catalog, "product", id), reachOf(planCatalog(catalog))),
    );
    expect(await build(config, `UPDATE products SET visibility = 'hidden' WHERE id = ${id}`)).toEqual(
      foreseen,
    );
    const back = await build(config, `UPDATE products SET visibility = 'visible' WHERE id = ${id}`);
    expect(back.puts).toBe(foreseen.puts + foreseen.deletes);
  }
  const priced = foresee((catalog) =>
    filesOf(costOfChange(repricing(catalog, ids[0] ?? 0), reachOf(planCatalog(catalog)))),
  );
  expect(priced).toBeGreaterThan(1);
});

it("is told of records in the middle of some, and of a product with fewer pages as files", async () => {
  await build({ ...DEMO_CONFIG, grid: { depth: 1, maxFiles: 250_000, pages: "all" } });
  const costs = foresee((catalog) => changeCosts(catalog, planCatalog(catalog)));
  expect(filesOf(costs.price)).toBeGreaterThan(1);
  expect(filesOf(costs.review)).toBeGreaterThan(filesOf(costs.price) / 2);
  expect(filesOf(costs.product)).toBeGreaterThan(filesOf(costs.price));
  const byPages = costs.productByPages.map(({ cost }) => filesOf(cost));
  expect(byPages).toEqual(byPages.toSorted((a, b) => b - a));
  expect(byPages[0]).toBeLessThanOrEqual(filesOf(costs.product));
});

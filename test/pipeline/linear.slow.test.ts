/** The work of a build grows with the shop, not with its square: no table is read as a whole once per part of something. */
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, expect, it, vi } from "vitest";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { weighOtherFiles } from "../../src/pipeline/other-files.ts";
import { makeRelease } from "../../src/release/make-release.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { siteInputs } from "../../src/site/made-file.ts";
import { openManifest } from "../../src/site/manifest.ts";
import { planCatalog } from "../../src/site/plan.ts";
import { weighPlan } from "../../src/site/weigh.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, seedDemo, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const FEW = 150;
/** Enough for several parts of everything that has parts. */
const MANY = 2400;
const config = {
  ...DEMO_CONFIG,
  grid: { depth: 0, maxFiles: 250_000 },
  feeds: { sitemap: true, news: true, llms: true, jsonLd: true, google: true, bulk: true },
};

afterEach(() => {
  vi.restoreAllMocks();
});

/** How often each statement that reads a whole table was run, by its SQL; ids in it are not part of it. */
function countScans(): Map<string, number> {
  const counts = new Map<string, number>();
  const { prepare } = Database.prototype;
  vi.spyOn(Database.prototype, "prepare").mockImplementation(function (this: Database.Database, sql: string) {
    const statement = prepare.call(this, sql);
    const isScan = () => {
      const bound = sql.includes(":now") ? [{ now: "" }] : sql.split("?").slice(1).fill("[]");
      const plan = prepare.call<
        Database.Database,
        [string],
        Database.Statement<unknown[], { detail: string }>
      >(this, `EXPLAIN QUERY PLAN ${sql}`);
      return plan.all(...bound).some(({ detail }) => /^SCAN (?!.*(VIRTUAL TABLE|CONSTANT ROW))/.test(detail));
    };
    let scans: boolean | undefined;
    for (const how of ["all", "get", "iterate", "run"] as const) {
      const run = statement[how] as (...bound: unknown[]) => unknown;
      Object.defineProperty(statement, how, {
        value: (...bound: unknown[]) => {
          scans ??= /^\s*(SELECT|WITH|UPDATE|DELETE)\b/i.test(sql) && isScan();
          const name = sql.replace(/\d+(, \d+)*/g, "n");
          if (scans) counts.set(name, (counts.get(name) ?? 0) + 1);
          return run.apply(statement, bound);
        },
      });
    }
    return statement;
  });
  return counts;
}

/** A full build, a build of one price, a plan and a release. */
async function scansOf(products: number): Promise<Map<string, number>> {
  const home = mkdtempSync(join(folder, "shop-"));
  const store = seedDemo(home, products);
  const layout = layoutOf(join(home, "out"));
  const counts = countScans();
  await buildQuietly(demoInputs(store, join(home, "out"), { config }));
  const db = new Database(store);
  db.exec("UPDATE products SET regular_price_minor = regular_price_minor + 100 WHERE id = 12");
  db.close();
  await buildQuietly(demoInputs(store, join(home, "out"), { config }));
  using catalog = openCatalog(layout.catalog);
  const manifest = openManifest(layout.manifest);
  weighPlan(catalog, planCatalog(siteInputs(catalog)));
  weighOtherFiles(catalog);
  const objects = join(home, "objects");
  mkdirSync(objects);
  const inputs = { catalog, previous: null, hasObject: () => false, folder: objects };
  await makeRelease(
    { ...inputs, entries: manifest.entries() },
    { madeOf: () => undefined, keepMade: () => undefined },
  );
  manifest.close();
  vi.restoreAllMocks();
  return counts;
}

it("reads a whole table as often for sixteen times as many products", async () => {
  const [few, many] = [await scansOf(FEW), await scansOf(MANY)];
  expect(few.size).toBeGreaterThan(10);
  const more = [...many].filter(([sql, count]) => count > (few.get(sql) ?? 0));
  expect(more).toEqual([]);
});

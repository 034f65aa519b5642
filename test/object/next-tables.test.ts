import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { RESOURCES } from "../../src/catalog/resources.ts";
import { readMeta, viewOver } from "../../src/catalog/view.ts";
import { CatalogWriter } from "../../src/catalog/writer.ts";
import { createTables, dropTables, prefixed, renameTables } from "../../src/object/next-tables.ts";
import { beginApplying } from "../../src/release/apply.ts";
import { answerTarget } from "../../src/serve/answer.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { releaseOf } from "../support/memory-source.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";

const TARGETS = [
  "/api/v1/products?search=invoice",
  "/api/v1/products?min_price=5&sort=rating",
  "/api/v1/search?q=invoce",
  "/api/v1/product?slug=invoice-kit",
  "/api/v1/reviews?min_rating=4&sort=lowest",
  "/api/v1/openapi.json",
];

function namesIn(db: Database.Database): string[] {
  return db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
}

describe("the tables of the next release", () => {
  let file = "";
  beforeAll(() => {
    file = layoutOf(sharedSnapshot("demo")).catalog;
  });

  /** Fills the tables with a prefix; there are no others, so a statement about those would fail. */
  function fill(db: Database.Database, prefix: string): string {
    const release = releaseOf(file);
    const { name, catalog, lists } = release;
    const counts = Object.fromEntries(Object.entries(lists).map(([list, names]) => [list, names.length]));
    createTables(db, prefix);
    const sql = prefixed(db, prefix);
    sql.prepare("INSERT INTO meta VALUES ('format', ?)").run(String(catalog.format));
    const applying = beginApplying(new CatalogWriter(sql, false), { name, catalog, counts }, true);
    for (const { name: resource } of RESOURCES)
      for (const [partition, object] of lists[resource].entries())
        for (const change of applying.changes({
          resource,
          partition,
          lines: release.objects.get(object ?? "") ?? null,
        }))
          if (change !== null) applying.apply(change);
    return applying.finish();
  }

  it("are filled, read and renamed by the catalog's own statements", () => {
    using catalog = openCatalog(file);
    const db = new Database(":memory:");
    expect(fill(db, "g7_")).toBe(catalog.digest);
    const sql = prefixed(db, "g7_");
    const next = viewOver(sql, readMeta(sql, "next"), "next");
    for (const { name } of RESOURCES) expect(next.list(name).size).toBe(catalog.list(name).size);
    const memory = next.memory();
    renameTables(db, "g7_");
    expect(namesIn(db).filter((name) => name.startsWith("g7_"))).toEqual([]);
    const view = viewOver(db, readMeta(db, "now"), "now");
    expect(view.use(memory)).toBe(true);
    for (const target of TARGETS)
      expect(answerTarget(view, target).body.equals(answerTarget(catalog, target).body), target).toBe(true);
    db.close();
  });

  it("take the place of others, and leave no table behind", () => {
    const db = new Database(":memory:");
    for (const prefix of ["g1_", "g2_", "g3_"]) {
      fill(db, prefix);
      dropTables(db, "");
      renameTables(db, prefix);
    }
    const names = namesIn(db);
    dropTables(db, "");
    expect(names).toContain("document_word");
    expect(names.filter((name) => /^g\d/.test(name))).toEqual([]);
    expect(namesIn(db)).toEqual([]);
    db.close();
  });

  it("can be given up half filled", () => {
    const db = new Database(join(":memory:"));
    createTables(db, "g1_");
    dropTables(db, "g1_");
    expect(namesIn(db)).toEqual([]);
    db.close();
  });
});

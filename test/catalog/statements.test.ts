import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { createCatalog } from "../../src/catalog/catalog-file.ts";
import { RESOURCES } from "../../src/catalog/resources.ts";
import { slugLookup } from "../../src/catalog/view.ts";
import { temporaryFolder } from "../support/shop.ts";

it("finds a record by its slug in the index of slugs, and by its id in the table", () => {
  const file = join(temporaryFolder(), "catalog.sqlite");
  createCatalog(file).finish({}, "2026-11-20T12:00:00+00:00");
  const db = new Database(file, { readonly: true });
  const planOf = (sql: string) =>
    db
      .prepare<[number], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(1)
      .map((row) => row.detail)
      .join("\n");
  for (const { name, slug, detail } of RESOURCES) {
    if (slug) expect(planOf(slugLookup(name))).toContain(`USING COVERING INDEX ${name}_slug (slug=?)`);
    if (detail)
      expect(planOf(`SELECT json FROM ${name}_added WHERE id = ?`)).toContain("USING INTEGER PRIMARY KEY");
  }
  db.close();
});

import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { openHeldCatalog } from "../../src/catalog/catalog.ts";
import { changeCatalog, createCatalog } from "../../src/catalog/catalog-file.ts";
import { temporaryFolder } from "../support/shop.ts";

it("is the same catalog to its reader from the first moment on, while another process changes the file", () => {
  const file = join(temporaryFolder(), "catalog.sqlite");
  const time = "2026-11-20T12:00:00+00:00";
  const made = createCatalog(file);
  const before = made.finish({ config: "{}", store: "{}" }, time);
  made.commit();
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  db.close();
  using held = openHeldCatalog(file);
  const writer = changeCatalog(file);
  const after = writer.finish({ config: "{}", store: '{"store_name":"Kits"}' }, time);
  writer.commit();
  held.probe();
  using next = openHeldCatalog(file);
  expect([held.digest, next.digest]).toEqual([before, after]);
  expect(after).not.toBe(before);
});

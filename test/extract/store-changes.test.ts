/** A store's file while a build reads it, and which allow-list files use the clock. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type AllowListQuery, usesNow } from "../../src/extract/allow-list.ts";
import { stampOf } from "../../src/store/sqlite-stamp.ts";
import { createShop, QUERIES, withReader } from "./support/changing-store.ts";

describe("a store that is being read", () => {
  it("stays locked against other processes' writes while its stamp is read", async () => {
    const { file, shop } = createShop("delete");
    shop.close();
    const write = `const db = new (require("better-sqlite3"))(${JSON.stringify(file)}, { timeout: 0 });
      try { db.exec("DELETE FROM sessions"); console.log("written"); } catch (error) { console.log(error.code); }`;
    const tryToWrite = (): string =>
      execFileSync(process.execPath, ["-e", write], { encoding: "utf8" }).trim();
    await withReader(file, async (reader) => {
      stampOf(file);
      for (const query of QUERIES) await reader.columns(query);
      stampOf(file);
      expect(tryToWrite()).toBe("SQLITE_BUSY");
    });
    expect(tryToWrite()).toBe("written");
  });
});

describe("a file of the allow-list", () => {
  it("uses the moment of the build if its SQL names it", () => {
    const query = (sql: string): AllowListQuery => ({ name: "blog", file: "blog.sql", sql });
    expect(usesNow(query("SELECT :now"))).toBe(true);
    expect(usesNow(query("SELECT :nowhere, now"))).toBe(false);
  });
});

/** A store in a file, as the shop's own software sees it: beside those of database servers. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { TestDatabase } from "./server-of-run.ts";

function connect(file: string): Pick<TestDatabase, "run" | "close"> {
  const db = new Database(file, { timeout: 0 });
  db.pragma("foreign_keys = ON");
  // What triggers of ours do, a shop may have forbidden to what is in its file.
  db.pragma("trusted_schema = OFF");
  return {
    async run(sql) {
      if (/^\s*(SELECT|WITH)\b/i.test(sql)) return db.prepare<[], Record<string, unknown>>(sql).all();
      db.exec(sql);
      return [];
    },
    close: async () => void db.close(),
  };
}

/** @param from a file of which it is a copy; else it is empty */
export async function createSqliteDatabase(from?: string): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-sqlite-"));
  const address = join(folder, "store.sqlite");
  if (from !== undefined) copyFileSync(from, address);
  const { run, close } = connect(address);
  await run("PRAGMA journal_mode = WAL");
  return {
    address,
    port: 0,
    name: "main",
    certificate: "",
    run,
    another: async () => connect(address),
    async close() {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

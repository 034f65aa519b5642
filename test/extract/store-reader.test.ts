import { join } from "node:path";
import Database from "better-sqlite3";
import { openSqliteStore } from "../../src/extract/stores/sqlite.ts";
import { temporaryFolder } from "../support/shop.ts";
import { describeStoreReader } from "./support/store-contract.ts";

const folder = temporaryFolder();
let made = 0;

describeStoreReader("SQLite", () => {
  const file = join(folder, `store-${++made}.sqlite`);
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  return {
    write: (sql) => db.exec(sql),
    open: (now) => openSqliteStore(file, now),
    failsAt700: "CASE id WHEN 700 THEN json_extract('{' || id, '$') ELSE title END",
    close: () => db.close(),
  };
});

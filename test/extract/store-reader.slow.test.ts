import { join } from "node:path";
import Database from "better-sqlite3";
import { openStore } from "../../src/store/open.ts";
import { createMariadbDatabase, MARIADB_MISSING } from "../support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "../support/postgres.ts";
import type { TestDatabase } from "../support/server-of-run.ts";
import { temporaryFolder } from "../support/shop.ts";
import { describeStoreReader, type TestStore } from "./support/store-contract.ts";

const folder = temporaryFolder();
let made = 0;

describeStoreReader("SQLite", async () => {
  const file = join(folder, `store-${++made}.sqlite`);
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  return {
    write: async (sql) => db.exec(sql),
    open: (now) => openStore(file, now),
    longText: "TEXT",
    now: ":now",
    failsAt700: "CASE id WHEN 700 THEN json_extract('{' || id, '$') ELSE title END",
    close: async () => {
      db.close();
    },
  };
});

async function onServer(
  create: () => Promise<TestDatabase>,
  rest: Pick<TestStore, "longText" | "now" | "failsAt700">,
): Promise<TestStore> {
  const { run, close, address } = await create();
  return { ...rest, write: run, open: (now) => openStore(address, now), close };
}

if (POSTGRES_MISSING === null) {
  describeStoreReader("PostgreSQL", () =>
    onServer(createPostgresDatabase, {
      longText: "TEXT",
      now: "current_setting('vitrine.now')",
      failsAt700: "CASE WHEN 1 / (id - 700) = 0 THEN title ELSE title END",
    }),
  );
}

if (MARIADB_MISSING === null) {
  describeStoreReader("MariaDB", () =>
    onServer(createMariadbDatabase, {
      longText: "MEDIUMTEXT",
      now: "@now",
      failsAt700: "CASE WHEN (id = 700) * 9223372036854775807 * 2 > 0 THEN title ELSE title END",
    }),
  );
}

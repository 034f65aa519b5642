/** The servers that tests start for themselves. */
import { describe, expect, it } from "vitest";
import { createMariadbDatabase, MARIADB_MISSING } from "./support/mariadb.ts";
import { createPostgresDatabase, POSTGRES_MISSING } from "./support/postgres.ts";

describe.each([
  { name: "PostgreSQL", create: createPostgresDatabase, missing: POSTGRES_MISSING },
  { name: "MariaDB", create: createMariadbDatabase, missing: MARIADB_MISSING },
])("$name", ({ create, missing }) => {
  it.skipIf(missing !== null)("gives each test a database of its own", async () => {
    const [one, other] = [await create(), await create()];
    const table = (database: typeof one, value: number) =>
      database.run(`CREATE TABLE t (n INTEGER); INSERT INTO t VALUES (${value}); SELECT n FROM t`);
    expect(await table(one, 1)).toEqual([{ n: 1 }]);
    expect(await table(other, 2)).toEqual([{ n: 2 }]);
    await Promise.all([one.close(), other.close()]);
  });
});

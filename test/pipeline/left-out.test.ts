/** Rows of `products.left-out.sql` are counted while they are read: of a million rows only their reasons stay in memory. */
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readBeside } from "../../src/extract/allow-list.ts";
import { countNotPublic, eachLeftOut } from "../../src/pipeline/left-out.ts";
import { openStore } from "../../src/store/open.ts";
import { NOW, temporaryFolder } from "../support/shop.ts";

const folder = temporaryFolder();
const ROWS = 300;

describe("products that are left out, each for a different reason", () => {
  const queries = join(folder, "queries");
  cpSync("examples/chinook/queries", queries, { recursive: true });
  const reason = "CASE WHEN i % 3 = 0 THEN 'without a price' ELSE 'for reason ' || i END";
  writeFileSync(
    join(queries, "products.left-out.sql"),
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})
    SELECT i AS id, 'title ' || i AS title, ${reason} AS reason FROM n`,
  );
  const place = { store: "examples/chinook/chinook.sqlite", queries, now: NOW };

  it("are counted under a limited number of reasons", async () => {
    const store = await openStore(place.store, NOW);
    const counts = Object.entries(await countNotPublic(store, readBeside(queries).leftOut));
    await store.close();
    expect(counts).toHaveLength(20);
    expect(counts.slice(0, 2)).toEqual([
      ["for another reason", 182],
      ["without a price", 100],
    ]);
    expect(counts.reduce((sum, [, each]) => sum + each, 0)).toBe(ROWS);
  });

  it("are listed one by one", async () => {
    const listed: string[] = [];
    for await (const each of eachLeftOut(place)) listed.push(each.reason);
    expect(listed).toHaveLength(ROWS);
    expect(new Set(listed).size).toBe(201);
  });
});

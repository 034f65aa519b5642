import { afterAll, beforeAll, expect, it } from "vitest";
import { SEARCH_STATEMENTS } from "../../src/search/search-index.ts";
import { openTiny, type Tiny } from "./tiny-catalog.ts";

let tiny: Tiny;
beforeAll(() => {
  tiny = openTiny([{ resource: "product", id: 1, title: "Kit" }]);
});
afterAll(() => tiny.close());

it("the index merges its segments again once the catalog is made", () => {
  const merging = "SELECT k, v FROM document_text_config WHERE k LIKE '%merge' ORDER BY k";
  expect(tiny.catalog.db.prepare(merging).raw().all()).toEqual([
    ["automerge", 4],
    ["crisismerge", 16],
  ]);
});

it.each(SEARCH_STATEMENTS)("is answered from an index, without sorting: %s", (sql) => {
  const blanks = Array.from({ length: sql.split("?").length - 1 }, () => 1);
  const plan = tiny.catalog.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...blanks) as { detail: string }[];
  // FTS5 shows its constraints: M is a MATCH, > and < are bounds on the rowid.
  const expected = sql.includes("MATCH")
    ? /^SCAN document_text VIRTUAL TABLE INDEX \d+:[<>M\d]*M\d[<>]*/
    : /^SEARCH document USING INTEGER PRIMARY KEY/;
  // A list of ids is read once, before the index.
  const steps = plan.map(({ detail }) => detail).filter((detail) => !/json_each|^LIST SUBQUERY/.test(detail));
  expect(steps).toEqual([expect.stringMatching(expected)]);
  if (sql.includes("MATCH")) expect(plan[0]?.detail).toMatch(/></);
});

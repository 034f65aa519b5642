/** The lines of docs/feeds.md that read bulk files in other tools give the API's prices, and nothing where there is none. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, seedSmall, temporaryFolder } from "../support/shop.ts";

const GUIDE = readFileSync("docs/feeds.md", "utf8");
const LINES = GUIDE.match(/^zcat .*$/gm) ?? [];
const folder = temporaryFolder();

let made: Promise<ReturnType<typeof layoutOf>> | undefined;

/** A shop with prices of whole euros, a single price with cents, and some sales. */
async function build() {
  const store = seedSmall(folder);
  const db = new Database(store);
  db.exec(`UPDATE products SET regular_price_minor = 2000 WHERE regular_price_minor IS NOT NULL;
    UPDATE products SET regular_price_minor = 1990, name = 'The "last", 0xff' WHERE slug = 'invoice-kit'`);
  db.close();
  const out = join(folder, "out");
  await buildQuietly(demoInputs(store, out, { config: { ...DEMO_CONFIG, feeds: { bulk: true } } }));
  return layoutOf(out);
}

/** Cells of CSV with quotes where they are needed or around all texts, and no line breaks in cells. */
function rowsOf(csv: string): string[][] {
  return csv
    .trimEnd()
    .split("\n")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain,
      ),
    );
}

const byId = (a: readonly string[], b: readonly string[]) => Number(a[0]) - Number(b[0]);

describe("a line of docs/feeds.md for bulk files", () => {
  it.each(LINES)("reads prices, and no sale where there is none: %s", async (line) => {
    made ??= build();
    const layout = await made;
    const catalog = openCatalog(layout.catalog);
    const records = catalog.db
      .prepare<[], string>("SELECT json FROM product_list ORDER BY id")
      .pluck()
      .all()
      .map((json) => JSON.parse(json));
    catalog.close();
    const expected = records.map(({ id, title, pricing, sale_price }) =>
      [id, title, pricing.current, sale_price ?? ""].map(String),
    );
    expect(expected.filter((row) => row[3] === "").length).toBeGreaterThan(0);
    expect(expected.filter((row) => row[3] !== "").length).toBeGreaterThan(0);

    const cwd = join(layout.site, "bulk");
    const { stdout, stderr } = spawnSync("bash", ["-c", `set -o pipefail; ${line}`], {
      cwd,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    const rows = rowsOf(stdout).filter(([id]) => id !== "id");
    expect(rows.sort(byId)).toEqual(expected);
  });

  it("is there for both tools of Debian", () => {
    expect(LINES.map((line) => /\| (\w+)/.exec(line)?.[1])).toEqual(["jq", "mlr"]);
  });
});

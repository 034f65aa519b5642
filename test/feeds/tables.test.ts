/** Lists as tables in a snapshot: what other programs read in them, and when they are written. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { beforeAll, describe, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import type { Json } from "../../src/base/json.ts";
import { planBuild } from "../../src/build/plan.ts";
import { openPlace, publish } from "../../src/build/publish.ts";
import { rollback } from "../../src/build/rollback.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { RESOURCES } from "../../src/catalog/resources.ts";
import { exportColumns, formatCell, writeTables } from "../../src/feeds/table.ts";
import { answerAtEdge } from "../../src/serve/edge.ts";
import { layoutOf } from "../../src/snapshot/layout.ts";
import { verifySnapshot } from "../../src/snapshot/verify.ts";
import {
  buildQuietly,
  demoInputs,
  readTree,
  SMALL_CONFIG,
  seedDemo,
  temporaryFolder,
} from "../support/shop.ts";
import { PRODUCT } from "./catalog.ts";

const folder = temporaryFolder();
const CONFIG: PublicConfig = {
  ...SMALL_CONFIG,
  grid: { depth: 0, maxFiles: 250_000 },
  feeds: { refreshHours: 24, google: true, bulk: { parquet: true, csv: true } },
};
const LISTS = RESOURCES.map(({ name }) => name);
const ENDINGS = ["csv.gz", "parquet"];

type Tree = ReadonlyMap<string, Buffer>;
type Row = Record<string, unknown>;

function isTable(key: string): boolean {
  return /^bulk\/[a-z]+\.(csv\.gz|parquet)$/.test(key);
}

function tablesOf(...lists: string[]): string[] {
  return lists.flatMap((list) => ENDINGS.map((ending) => `bulk/${list}.${ending}`)).sort();
}

function shop(name: string) {
  const home = mkdtempSync(join(folder, name));
  const store = seedDemo(home);
  const out = join(home, "out");
  const layout = layoutOf(out);
  return {
    ...{ home, store, out, layout, to: `file://${join(home, "live")}` },
    tree: () => readTree(layout.site),
    edit: (sql: string) => {
      const db = new Database(store);
      db.exec(sql);
      db.close();
    },
    build: (now: string, config = CONFIG, full = false) =>
      buildQuietly(demoInputs(store, out, { config, now, full, allowShrink: 10_000 })),
  };
}

function differing(a: Tree, b: Tree): string[] {
  const keys = [...new Set([...a.keys(), ...b.keys()])].filter(
    (key) => isTable(key) || key === "feeds/google.tsv",
  );
  return keys.filter((key) => !a.get(key)?.equals(b.get(key) ?? Buffer.alloc(0))).sort();
}

async function readParquet(bytes: Buffer): Promise<Row[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  return parquetReadObjects({ file });
}

/** Python's own readers, which know nothing of us; rows by the name of each file. */
const PYTHON = `
import csv, gzip, json, sys
csv.field_size_limit(10**9)
def rows(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))
print(json.dumps([rows(path) for path in sys.argv[1:]]))
`;

function readCsv(files: ReadonlyMap<string, Buffer>): ReadonlyMap<string, Record<string, string>[]> {
  const home = mkdtempSync(join(folder, "csv-"));
  mkdirSync(join(home, "bulk"));
  const keys = [...files.keys()];
  for (const [key, bytes] of files) writeFileSync(join(home, key), bytes);
  const paths = keys.map((key) => join(home, key));
  const read = execFileSync("python3", ["-c", PYTHON, ...paths], { encoding: "utf8", maxBuffer: 2 ** 30 });
  const rows = JSON.parse(read) as Record<string, string>[][];
  return new Map(keys.map((key, at) => [key, rows[at] ?? []]));
}

/** What a record has in a column: `pricing.sale` */
function valueIn(record: Row, column: string, isWhole: boolean): unknown {
  const value = column
    .split(".")
    .reduce<unknown>((inner, name) => (inner as Row | null)?.[name] ?? null, record);
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return isWhole && typeof value === "number" ? BigInt(value) : value;
}

function recordOf(record: Row, endpoint: string): Row {
  return Object.fromEntries(
    exportColumns(endpoint).map(({ name, kind }) => [name, valueIn(record, name, kind === "integer")]),
  );
}

/** As CSV writes them, before its quotes. */
function cellsOf(record: Row, endpoint: string): Record<string, string> {
  const cells = Object.entries(recordOf(record, endpoint)).map(([name, value]) => {
    const cell = formatCell(typeof value === "bigint" ? Number(value) : (value as string | null));
    return [name, cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell] as const;
  });
  return Object.fromEntries(cells);
}

describe("tables of bulk", () => {
  const demo = shop("demo-");
  let first: Tree;
  beforeAll(async () => {
    await demo.build("2026-11-20 12:00:00");
    first = demo.tree();
  });

  it("are one of each list and format, planned, counted, verified and served with their types", async () => {
    expect([...first.keys()].filter(isTable).sort()).toEqual(tablesOf(...LISTS));
    const inputs = demoInputs(demo.store, "", { config: CONFIG });
    const plan = await planBuild(inputs, mkdtempSync(join(demo.home, "plan-")));
    const own = [...first].filter(([key]) => key.startsWith("bulk/") || key.startsWith("feeds/"));
    expect([plan.files, plan.pages]).toEqual([
      first.size,
      { files: own.length, sizeBytes: own.reduce((sum, [, bytes]) => sum + bytes.length, 0) },
    ]);
    expect((await verifySnapshot(demo.layout, () => undefined)).problems).toEqual([]);
    const catalog = openCatalog(demo.layout.catalog);
    const types = ENDINGS.map(
      (ending) => answerAtEdge(catalog, demo.layout.site, `/bulk/product.${ending}`).headers["Content-Type"],
    );
    catalog.close();
    expect(types).toEqual(["application/gzip", "application/vnd.apache.parquet"]);
  });

  it("hold each record of the API, value for value", async () => {
    const catalog = openCatalog(demo.layout.catalog);
    const csv = readCsv(new Map([...first].filter(([key]) => isTable(key) && key.endsWith(".gz"))));
    for (const resource of RESOURCES) {
      const { name, endpoint } = resource;
      const records = [...catalog.records(resource)].map((json) => JSON.parse(json) as Row);
      expect(records.length, name).toBeGreaterThan(0);
      expect(await readParquet(first.get(`bulk/${name}.parquet`) ?? Buffer.alloc(0)), name).toEqual(
        records.map((record) => recordOf(record, endpoint)),
      );
      expect(csv.get(`bulk/${name}.csv.gz`), name).toEqual(
        records.map((record) => cellsOf(record, endpoint)),
      );
    }
    catalog.close();
  });

  it("are written a day after their own list changed, at once where a record of it leaves, and gone where they are off", async () => {
    const { build, edit, tree, out, to, layout } = shop("ages-");
    await build("2026-11-20 12:00:00");
    const review = "(SELECT MIN(id) FROM reviews WHERE status = 'approved')";
    const catalog = openCatalog(layout.catalog);
    const [post = 0] = catalog.table("post").ids;
    catalog.close();
    edit(`UPDATE reviews SET title = title || '.' WHERE id = ${review}`);
    await build("2026-11-20 13:00:00");
    expect(differing(first, tree())).toEqual([]);

    // What leaves, leaves; and another list's files are no younger for it.
    edit(`UPDATE blog_posts SET status = 'draft' WHERE id = ${post}`);
    expect((await build("2026-11-20 23:00:00")).work).toBe("delta");
    const gone = tree();
    expect(differing(first, gone)).toEqual(tablesOf("post"));

    const due = await build("2026-11-21 12:00:00");
    const late = tree();
    expect([due.work, differing(gone, late)]).toEqual(["delta", tablesOf("review")]);
    await publish({ out, to });
    // The post's files are young: what comes waits.
    edit(`UPDATE blog_posts SET status = 'published' WHERE id = ${post}`);
    await build("2026-11-21 13:00:00");
    expect(differing(late, tree())).toEqual([]);
    await build("2026-11-21 23:00:00");
    expect(differing(late, tree())).toEqual(tablesOf("post"));
    expect((await build("2026-11-21 23:30:00", CONFIG, true)).difference).toBeNull();
    const back = tree();
    expect(differing(first, back)).toEqual(tablesOf("review"));

    await publish({ out, to });
    using bucket = await openPlace({ to });
    const expectLive = async (site: Tree) => {
      for (const key of tablesOf(...LISTS))
        expect((await bucket.get(key))?.body.equals(site.get(key) ?? Buffer.alloc(0)), key).toBe(true);
    };
    await expectLive(back);
    await rollback(undefined, { to });
    await expectLive(late);

    await build("2026-11-22 12:00:00", { ...CONFIG, feeds: { bulk: { csv: true } } });
    const without = tree();
    expect([...without.keys()].filter(isTable)).toEqual(
      tablesOf(...LISTS).filter((key) => key.endsWith(".gz")),
    );
    await publish({ out, to, resume: true });
    expect(await bucket.get("bulk/product.parquet")).toBeNull();
    expect((await verifySnapshot(layout, () => undefined)).problems).toEqual([]);
  });
});

describe("a table", () => {
  const written = (records: readonly object[], endpoint: string): ReadonlyMap<string, Buffer> => {
    const pieces = { parquet: [] as Buffer[], csv: [] as Buffer[] };
    const count = writeTables(
      records.map((record) => JSON.stringify(record) as Json),
      endpoint,
      (["parquet", "csv"] as const).map((format) => [
        format,
        (bytes) => void pieces[format].push(Buffer.from(bytes)),
      ]),
    );
    expect(count).toBe(records.length);
    return new Map([
      ["bulk/a.parquet", Buffer.concat(pieces.parquet)],
      ["bulk/a.csv", Buffer.concat(pieces.csv)],
    ]);
  };

  it("holds any texts: tabs, line breaks, formulas, halves of characters", async () => {
    const texts = [
      "\t=1+1",
      "a\r\nb\nc\rd",
      "=HYPERLINK(1)",
      "half \ud83d",
      "\udc00 half",
      'a";"=1',
      "'",
      "",
    ];
    const products = fc
      .sample(PRODUCT, { seed: 7, numRuns: 300 })
      .map((product, at) => ({ ...product, id: at + 1, title: texts[at] ?? product.title }));
    const files = written(products, "products");
    const rows = await readParquet(files.get("bulk/a.parquet") ?? Buffer.alloc(0));
    expect(rows).toEqual(products.map((product) => recordOf(product, "products")));
    const csv = readCsv(new Map([...files].filter(([key]) => key.endsWith("csv"))));
    expect(csv.get("bulk/a.csv")).toEqual(products.map((product) => cellsOf(product, "products")));
    const cells = (csv.get("bulk/a.csv") ?? []).map(({ title = "" }) => title);
    expect(cells.slice(0, 4)).toEqual(["'\t'=1+1", "a\r\nb\nc\rd", "'=HYPERLINK(1)", "half \ufffd"]);
  });

  it("is written in groups of rows, and its bytes are those of its records", async () => {
    const records = Array.from({ length: 12_001 }, (_, at) => ({
      id: at + 1,
      name: `A ${at % 7}`,
      slug: "a",
    }));
    const files = written(records, "categories");
    const parquet = files.get("bulk/a.parquet") ?? Buffer.alloc(0);
    const { row_groups } = parquetMetadata(new Uint8Array(parquet).buffer);
    expect(row_groups.map(({ num_rows }) => num_rows)).toEqual([5000n, 5000n, 2001n]);
    const rows = await readParquet(parquet);
    expect(rows.map(({ id, name }) => [Number(id), name])).toEqual(records.map(({ id, name }) => [id, name]));
    expect(written(records, "categories")).toEqual(files);
    expect(await readParquet(written([], "categories").get("bulk/a.parquet") ?? Buffer.alloc(0))).toEqual([]);
  });
});

/** Bulk files: their content, its agreement with the API, and which ones a change rewrites. */
import { hash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import type { PublicConfig } from "../../../src/api/config.ts";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { RESOURCES, type ResourceName } from "../../../src/catalog/resources.ts";
import { layoutOf } from "../../../src/site/layout.ts";
import {
  buildQuietly,
  demoInputs,
  readTree,
  SMALL_CONFIG,
  seedDemo,
  temporaryFolder,
} from "../../support/shop.ts";

const folder = temporaryFolder();
const CONFIG: PublicConfig = {
  ...SMALL_CONFIG,
  grid: { depth: 0, maxFiles: 250_000 },
  feeds: { bulk: true },
};

type Tree = ReadonlyMap<string, Buffer>;

/** As docs/feeds.md describes it. */
interface BulkIndex {
  readonly format: number;
  readonly lists: Readonly<Record<string, readonly (string | null)[]>>;
}

function shortDigestOf(bytes: Buffer | undefined): string {
  return hash("sha256", bytes ?? "", "hex").slice(0, 32);
}

function shop(name: string) {
  const home = mkdtempSync(join(folder, name));
  const store = seedDemo(home);
  const layout = layoutOf(join(home, "out"));
  return {
    layout,
    edit: (sql: string) => {
      using db = Object.assign(new Database(store), { [Symbol.dispose]: () => db.close() });
      db.exec(sql);
    },
    async build(now: string, config = CONFIG): Promise<Tree> {
      await buildQuietly(demoInputs(store, join(home, "out"), { config, now, allowShrink: 10_000 }));
      return new Map([...readTree(layout.site)].filter(([key]) => key.startsWith("bulk/")));
    },
  };
}

function indexOf(tree: Tree): BulkIndex {
  return JSON.parse(tree.get("bulk/index.json")?.toString() ?? "");
}

/** Numbers of a list's partitions. */
function partitionsOf(tree: Tree, name: string): number[] {
  return (indexOf(tree).lists[name] ?? []).flatMap((digest, partition) => (digest === null ? [] : partition));
}

function linesOf(tree: Tree, name: string, partition: number): string[] {
  const text = gunzipSync(tree.get(`bulk/${name}/${partition}.ndjson.gz`) ?? "").toString();
  expect(text.endsWith("\n")).toBe(true);
  return text.slice(0, -1).split("\n");
}

/** An id that the API does not show is in `_row`. */
function idOf(line: string): number {
  const { id, _row } = JSON.parse(line) as { id?: number; _row?: { id?: number } };
  return id ?? _row?.id ?? 0;
}

function differing(a: Tree, b: Tree): string[] {
  const keys = [...new Set([...a.keys(), ...b.keys()])];
  return keys.filter((key) => !a.get(key)?.equals(b.get(key) ?? Buffer.alloc(0))).sort();
}

describe("bulk files", () => {
  const demo = shop("demo-");
  let first: Tree;
  beforeAll(async () => {
    first = await demo.build("2026-11-20 12:00:00");
  });

  it("contain every record once, in its partition and in order of id, with correct digests", () => {
    const catalog = openCatalog(demo.layout.catalog);
    const { lists } = indexOf(first);
    expect(Object.keys(lists).sort()).toEqual(RESOURCES.map(({ name }) => name).sort());
    const named = new Set(["bulk/index.json"]);
    for (const [name, digests] of Object.entries(lists)) {
      const ids: number[] = [];
      for (const [partition, digest] of digests.entries()) {
        if (digest === null) continue;
        const key = `bulk/${name}/${partition}.ndjson.gz`;
        named.add(key);
        expect(shortDigestOf(first.get(key)), key).toBe(digest);
        const own = linesOf(first, name, partition).map(idOf);
        expect(own).toEqual(own.filter((id) => id % digests.length === partition).sort((a, b) => a - b));
        ids.push(...own);
      }
      expect(ids.sort((a, b) => a - b)).toEqual([...catalog.list(name as ResourceName).ids]);
    }
    expect([...first.keys()].sort()).toEqual([...named].sort());
    catalog.close();
  });

  it("contain about 100 records each, in a number of files that is a power of two", () => {
    expect(indexOf(first).lists["review"]?.length).toBeGreaterThan(1);
    for (const [name, { length }] of Object.entries(indexOf(first).lists)) {
      const records = partitionsOf(first, name).flatMap((partition) =>
        linesOf(first, name, partition),
      ).length;
      expect(Number.isInteger(Math.log2(length)), name).toBe(true);
      expect(records / length, name).toBeLessThan(150);
      if (length > 1) expect(records / length, name).toBeGreaterThan(70);
    }
  });

  it("agree with the API, and have in _row the other values that lists are sorted by", () => {
    const catalog = openCatalog(demo.layout.catalog);
    const hidden = new Set<string>();
    for (const resource of RESOURCES) {
      const { name, detail, columns } = resource;
      const listed = catalog.db
        .prepare<[number], string>(`SELECT json FROM ${name}_list WHERE id = ?`)
        .pluck();
      const row = catalog.db.prepare<[number], Record<string, unknown>>(`SELECT * FROM ${name} WHERE id = ?`);
      for (const partition of partitionsOf(first, name))
        for (const line of linesOf(first, name, partition)) {
          const id = idOf(line);
          const { _row = {}, ...record } = JSON.parse(line) as { _row?: Record<string, unknown> };
          expect(JSON.stringify(record)).toBe(detail ? catalog.detail(resource, id) : listed.get(id));
          expect(row.get(id)).toMatchObject(_row);
          for (const column of Object.keys(_row)) hidden.add(`${name}.${column}`);
          expect(Object.keys(_row).every((column) => column === "id" || column in columns)).toBe(true);
        }
    }
    expect(hidden).toContain("faq.position");
    expect(hidden).toContain("product.featured");
    expect(hidden).not.toContain("product.slug");
    catalog.close();
  });

  it("are rewritten only if a row or an embedded row changes or vanishes", async () => {
    const { edit, build } = shop("change-");
    const before = await build("2026-11-20 12:00:00");
    expect(differing(first, before)).toEqual([]);
    edit("UPDATE products SET regular_price_minor = regular_price_minor + 100 WHERE slug = 'invoice-kit'");
    const price = await build("2026-11-20 13:00:00");
    const [partition = ""] = differing(before, price).filter((key) => key.endsWith(".gz"));
    expect(differing(before, price)).toEqual(["bulk/index.json", partition]);
    expect(partition).toMatch(/^bulk\/product\/[0-9]+\.ndjson\.gz$/);
    edit("UPDATE categories SET name = name || '!' WHERE id = (SELECT MIN(id) FROM categories)");
    const category = await build("2026-11-20 14:00:00");
    const touched = differing(price, category);
    expect(touched).toContain("bulk/category/0.ndjson.gz");
    expect(touched.filter((key) => key.startsWith("bulk/product/")).length).toBeGreaterThan(0);
    expect(touched.filter((key) => key.startsWith("bulk/post/"))).toEqual([]);
    edit("DELETE FROM blog_posts");
    const less = await build("2026-11-20 15:00:00");
    expect(differing(category, less)).toEqual(["bulk/index.json", "bulk/post/0.ndjson.gz"]);
    expect([less.has("bulk/post/0.ndjson.gz"), indexOf(less).lists["post"]]).toEqual([false, [null]]);
  });

  it("contain only what the shop offers", async () => {
    const endpoints = CONFIG.endpoints.filter((path) => !["product", "reviews"].includes(path));
    const less = await shop("less-").build("2026-11-20 12:00:00", { ...CONFIG, endpoints });
    expect([...less.keys()].filter((key) => key.includes("review"))).toEqual([]);
    expect(indexOf(less).lists["review"]).toBeUndefined();
    const [line = ""] = linesOf(less, "product", 0);
    expect(JSON.parse(line).slug).toEqual(expect.any(String));
    expect(JSON.parse(line).description_html).toBeUndefined();
  });
});

/** Bulk files: what is in them, that they say what the API says, and what a change rewrites. */
import { hash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import type { PublicConfig } from "../../../src/api/config.ts";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { RESOURCES } from "../../../src/catalog/resources.ts";
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

/** As docs/feeds.md says it to readers. */
interface BulkIndex {
  readonly format: number;
  readonly catalog: { readonly digest: string; readonly isWhole: boolean };
  readonly resources: Readonly<Record<string, { readonly records: number; readonly digest: string }>>;
}

interface ListIndex {
  readonly format: number;
  readonly records: number;
  readonly buckets: Readonly<Record<string, readonly [records: number, digest: string]>>;
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

function listIndex(tree: Tree, name: string): ListIndex {
  return JSON.parse(tree.get(`bulk/${name}/index.json`)?.toString() ?? "");
}

function linesOf(tree: Tree, name: string, partition: string): string[] {
  const text = gunzipSync(tree.get(`bulk/${name}/${partition}.ndjson.gz`) ?? "").toString();
  expect(text.endsWith("\n")).toBe(true);
  return text.slice(0, -1).split("\n");
}

/** An id that the API does not show stands in `_row`. */
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

  it("hold every record once, in its partition and in order of id, with counts and digests that are true", () => {
    const catalog = openCatalog(demo.layout.catalog);
    const index = indexOf(first);
    expect(Object.keys(index.resources).sort()).toEqual(RESOURCES.map(({ name }) => name).sort());
    expect(index.catalog.digest).toBe(catalog.digest);
    const named = new Set(["bulk/index.json"]);
    for (const { name } of RESOURCES) {
      const own = listIndex(first, name);
      named.add(`bulk/${name}/index.json`);
      const whole = first.get(`bulk/${name}/index.json`);
      expect(index.resources[name]).toEqual({ records: own.records, digest: shortDigestOf(whole) });
      const ids: number[] = [];
      for (const [partition, [records, digest]] of Object.entries(own.buckets)) {
        const key = `bulk/${name}/${partition}.ndjson.gz`;
        named.add(key);
        expect(shortDigestOf(first.get(key)), key).toBe(digest);
        const own = linesOf(first, name, partition).map(idOf);
        expect(own).toHaveLength(records);
        expect(own).toEqual(
          own.filter((id) => id % 256 === Number.parseInt(partition, 16)).sort((a, b) => a - b),
        );
        ids.push(...own);
      }
      expect(ids.sort((a, b) => a - b)).toEqual([...catalog.list(name).ids]);
      expect(own.records).toBe(ids.length);
    }
    expect([...first.keys()].sort()).toEqual([...named].sort());
    catalog.close();
  });

  it("say what the API says, and in _row what lists are ordered by besides", () => {
    const catalog = openCatalog(demo.layout.catalog);
    const hidden = new Set<string>();
    for (const resource of RESOURCES) {
      const { name, detail, columns } = resource;
      const listed = catalog.db
        .prepare<[number], string>(`SELECT json FROM ${name}_list WHERE id = ?`)
        .pluck();
      const row = catalog.db.prepare<[number], Record<string, unknown>>(`SELECT * FROM ${name} WHERE id = ?`);
      for (const partition of Object.keys(listIndex(first, name).buckets))
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

  it("are rewritten where a row changes, goes, or embeds one that does, and nowhere else", async () => {
    const { edit, build } = shop("change-");
    const before = await build("2026-11-20 12:00:00");
    expect(differing(first, before)).toEqual([]);
    edit("UPDATE products SET regular_price_minor = regular_price_minor + 100 WHERE slug = 'invoice-kit'");
    const price = await build("2026-11-20 13:00:00");
    const [partition = ""] = differing(before, price).filter((key) => key.endsWith(".gz"));
    expect(differing(before, price)).toEqual(
      ["bulk/index.json", partition, "bulk/product/index.json"].sort(),
    );
    expect(partition).toMatch(/^bulk\/product\/[0-9a-f]{2}\.ndjson\.gz$/);
    edit("UPDATE categories SET name = name || '!' WHERE id = (SELECT MIN(id) FROM categories)");
    const category = await build("2026-11-20 14:00:00");
    const touched = differing(price, category);
    expect(touched.filter((key) => /^bulk\/category\/..\.ndjson\.gz$/.test(key))).toHaveLength(1);
    expect(touched.filter((key) => /^bulk\/product\/..\.ndjson\.gz$/.test(key)).length).toBeGreaterThan(1);
    expect(touched.filter((key) => key.startsWith("bulk/post/"))).toEqual([]);
    const gone = Object.entries(listIndex(before, "post").buckets).find(([, [records]]) => records === 1);
    const name = gone?.[0] ?? "";
    const { id } = JSON.parse(linesOf(before, "post", name)[0] ?? "");
    edit(`DELETE FROM blog_posts WHERE id = ${id}`);
    const less = await build("2026-11-20 15:00:00");
    const lost = `bulk/post/${name}.ndjson.gz`;
    expect(differing(category, less)).toEqual(["bulk/index.json", lost, "bulk/post/index.json"]);
    expect([less.has(lost), listIndex(less, "post").buckets[name]]).toEqual([false, undefined]);
  });

  it("are only of what the shop offers, and say where that is not all of its catalog", async () => {
    const endpoints = CONFIG.endpoints.filter((path) => !["product", "reviews"].includes(path));
    const less = await shop("less-").build("2026-11-20 12:00:00", { ...CONFIG, endpoints });
    expect([...less.keys()].filter((key) => key.includes("review"))).toEqual([]);
    const { catalog, resources } = indexOf(less);
    expect([catalog.isWhole, resources["review"]]).toEqual([false, undefined]);
    const [partition = ""] = Object.keys(listIndex(less, "product").buckets);
    const [line = ""] = linesOf(less, "product", partition);
    expect(JSON.parse(line).slug).toEqual(expect.any(String));
    expect(JSON.parse(line).description_html).toBeUndefined();
  });
});

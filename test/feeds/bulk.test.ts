/** Bulk files: what is in them, what a change rewrites, and that a catalog can be made of them again, to the byte. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { recordReader } from "../../src/catalog/record-reader.ts";
import { RESOURCES, type ResourceName } from "../../src/catalog/resources.ts";
import { createCatalog } from "../../src/catalog/writer.ts";
import { type BulkIndex, type ResourceIndex, shortDigestOf } from "../../src/feeds/bulk-format.ts";
import { layoutOf } from "../../src/snapshot/layout.ts";
import {
  buildQuietly,
  demoInputs,
  readTree,
  SMALL_CONFIG,
  seedDemo,
  temporaryFolder,
} from "../support/shop.ts";

const folder = temporaryFolder();
const CONFIG: PublicConfig = {
  ...SMALL_CONFIG,
  grid: { depth: 0, maxFiles: 250_000 },
  feeds: { bulk: true },
};

type Tree = ReadonlyMap<string, Buffer>;

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

function resourceIndex(tree: Tree, name: string): ResourceIndex {
  return JSON.parse(tree.get(`bulk/${name}/index.json`)?.toString() ?? "");
}

function linesOf(tree: Tree, name: string, bucket: string): string[] {
  const text = gunzipSync(tree.get(`bulk/${name}/${bucket}.ndjson.gz`) ?? "").toString();
  expect(text.endsWith("\n")).toBe(true);
  return text.slice(0, -1).split("\n");
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

  it("hold every record once, in its bucket and in order of id, with counts and digests that are true", () => {
    const catalog = openCatalog(demo.layout.catalog);
    const index = indexOf(first);
    expect(Object.keys(index.resources).sort()).toEqual(RESOURCES.map(({ name }) => name).sort());
    expect(index.catalog.digest).toBe(catalog.digest);
    const named = new Set(["bulk/index.json"]);
    for (const { name } of RESOURCES) {
      const own = resourceIndex(first, name);
      named.add(`bulk/${name}/index.json`);
      const whole = first.get(`bulk/${name}/index.json`);
      expect(index.resources[name]).toEqual({ records: own.records, digest: shortDigestOf(whole ?? "") });
      const ids: number[] = [];
      const read = recordReader(name, true);
      for (const [bucket, [records, digest]] of Object.entries(own.buckets)) {
        const key = `bulk/${name}/${bucket}.ndjson.gz`;
        named.add(key);
        expect(shortDigestOf(first.get(key) ?? ""), key).toBe(digest);
        const own = linesOf(first, name, bucket).map((line) => read(line).id);
        expect(own).toHaveLength(records);
        expect(own).toEqual(
          own.filter((id) => id % 256 === Number.parseInt(bucket, 16)).sort((a, b) => a - b),
        );
        ids.push(...own);
      }
      expect(ids.sort((a, b) => a - b)).toEqual([...catalog.table(name).ids]);
      expect(own.records).toBe(ids.length);
    }
    expect([...first.keys()].sort()).toEqual([...named].sort());
    catalog.close();
  });

  it("say what the API says, and make the very catalog again", () => {
    const catalog = openCatalog(demo.layout.catalog);
    const { config, store, digest } = indexOf(first).catalog;
    const writer = createCatalog(":memory:");
    for (const { name, detail } of RESOURCES) {
      const read = recordReader(name, true);
      for (const bucket of Object.keys(resourceIndex(first, name).buckets))
        for (const line of linesOf(first, name, bucket)) {
          const row = read(line);
          const { _row, ...record } = JSON.parse(line);
          const shown = detail ? catalog.detail({ name } as never, row.id) : null;
          if (shown !== null) expect(JSON.stringify(record)).toBe(shown);
          writer.put(name, row);
        }
    }
    const meta = { config: JSON.stringify(config), store: JSON.stringify(store) };
    expect(writer.finish(meta, "2026-11-20T12:00:00+00:00")).toBe(digest);
    writer.close();
    catalog.close();
  });

  it("are rewritten where a row changes, goes, or embeds one that does, and nowhere else", async () => {
    const { edit, build } = shop("change-");
    const before = await build("2026-11-20 12:00:00");
    expect(differing(first, before)).toEqual([]);
    edit("UPDATE products SET regular_price_minor = regular_price_minor + 100 WHERE slug = 'invoice-kit'");
    const price = await build("2026-11-20 13:00:00");
    const [bucket = ""] = differing(before, price).filter((key) => key.endsWith(".gz"));
    expect(differing(before, price)).toEqual(["bulk/index.json", bucket, "bulk/product/index.json"].sort());
    expect(bucket).toMatch(/^bulk\/product\/[0-9a-f]{2}\.ndjson\.gz$/);
    edit("UPDATE categories SET name = name || '!' WHERE id = (SELECT MIN(id) FROM categories)");
    const category = await build("2026-11-20 14:00:00");
    const touched = differing(price, category);
    expect(touched.filter((key) => /^bulk\/category\/..\.ndjson\.gz$/.test(key))).toHaveLength(1);
    expect(touched.filter((key) => /^bulk\/product\/..\.ndjson\.gz$/.test(key)).length).toBeGreaterThan(1);
    expect(touched.filter((key) => key.startsWith("bulk/post/"))).toEqual([]);
    const gone = Object.entries(resourceIndex(before, "post").buckets).find(([, [records]]) => records === 1);
    const name = gone?.[0] ?? "";
    const { id } = JSON.parse(linesOf(before, "post", name)[0] ?? "");
    edit(`DELETE FROM blog_posts WHERE id = ${id}`);
    const less = await build("2026-11-20 15:00:00");
    const lost = `bulk/post/${name}.ndjson.gz`;
    expect(differing(category, less)).toEqual(["bulk/index.json", lost, "bulk/post/index.json"]);
    expect([less.has(lost), resourceIndex(less, "post").buckets[name]]).toEqual([false, undefined]);
  });

  it("are only of what the shop offers, and say where that is not all of its catalog", async () => {
    const endpoints = CONFIG.endpoints.filter((path) => !["product", "reviews"].includes(path));
    const less = await shop("less-").build("2026-11-20 12:00:00", { ...CONFIG, endpoints });
    expect([...less.keys()].filter((key) => key.includes("review"))).toEqual([]);
    const { catalog, resources } = indexOf(less);
    expect([catalog.isWhole, resources.review]).toEqual([false, undefined]);
    const [bucket = ""] = Object.keys(resourceIndex(less, "product").buckets);
    const [line = ""] = linesOf(less, "product", bucket);
    expect(JSON.parse(line).description_html).toBeUndefined();
    expect(recordReader("product", false)(line).columns["slug"]).toBe(JSON.parse(line).slug);
    expect(() => recordReader("product", true)(line)).toThrow();
  });
});

describe("a line of a record", () => {
  it.each([
    ["of another shape", (line: object) => ({ ...line, more: 1 })],
    ["without what it is sorted by", ({ _row, ...line }: { _row?: object }) => line],
    ["with a cell too many", (line: object) => ({ ...line, _row: { featured: 1, rating: 2, id: 3 } })],
    ["with an id that no record has", (line: object) => ({ ...line, id: 2 ** 60 })],
  ])("%s is refused", (_, change) => {
    const line = {
      ...{
        id: 1,
        product_id: null,
        product_slug: null,
        type: "a",
        question: "?",
        answer: "!",
        answer_html: "!",
      },
      _row: { position: 3 },
    };
    const read = recordReader("faq" satisfies ResourceName, true);
    expect(read(JSON.stringify(line)).columns).toEqual({
      ...{ product_id: null, product_slug: null, type: "a", position: 3 },
    });
    expect(() => read(JSON.stringify(change(line)))).toThrow();
  });
});

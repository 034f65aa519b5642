/** Feeds as files of a snapshot: planned, counted, served, verified; what a change rewrites of them, and when the large ones are. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { PublicConfig } from "../../src/api/config.ts";
import { planBuild } from "../../src/build/plan.ts";
import { openPlace, publish } from "../../src/build/publish.ts";
import { rollback } from "../../src/build/rollback.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
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

const folder = temporaryFolder();
const WITHOUT: PublicConfig = {
  ...SMALL_CONFIG,
  baseUrl: "https://api.shop.example/api/v1",
  grid: { depth: 0, maxFiles: 250_000 },
};
const CONFIG: PublicConfig = {
  ...WITHOUT,
  feeds: {
    ...{ refreshHours: 24, sitemap: true, news: true, llms: true, jsonLd: true, google: true },
    acp: { feedId: "feed_1", targetCountry: "DE" },
    openai: { storeCountry: "DE", targetCountries: ["DE", "AT"] },
  },
};
const LARGE = [
  ...["feeds/acp/metadata.json", "feeds/acp/products.jsonl", "feeds/google.tsv", "feeds/google.xml"],
  "feeds/openai.jsonl.gz",
];
/** Those that say a price. */
const PRICED = LARGE.filter((key) => !key.endsWith("metadata.json"));
const PRODUCT = "(SELECT MIN(id) FROM products WHERE slug = 'invoice-kit')";

function shop(name: string) {
  const home = mkdtempSync(join(folder, name));
  const store = seedDemo(home);
  const out = join(home, "out");
  const layout = layoutOf(out);
  const edit = (sql: string): void => {
    const db = new Database(store);
    db.exec(sql);
    db.close();
  };
  // Google and OpenAI take no SVG.
  edit("UPDATE product_media SET url = replace(url, '.svg', '.png')");
  return {
    ...{ home, store, out, layout, edit },
    build: (now: string, config = CONFIG, full = false) =>
      buildQuietly(demoInputs(store, out, { config, now, full, allowShrink: 10_000 })),
    tree: () => readTree(layout.site),
  };
}

function isFeed(key: string): boolean {
  return key.startsWith("feeds/") || key === "llms.txt";
}

function differing(a: ReadonlyMap<string, Buffer>, b: ReadonlyMap<string, Buffer>): string[] {
  const keys = [...new Set([...a.keys(), ...b.keys()])].filter(isFeed);
  return keys.filter((key) => !a.get(key)?.equals(b.get(key) ?? Buffer.alloc(0))).sort();
}

const RAISE = `UPDATE products SET regular_price_minor = regular_price_minor + 100 WHERE id = ${PRODUCT}`;

describe("feeds", () => {
  it("are none where nothing is said of them, and files like any other where they are on", async () => {
    const { build, tree, layout, store, home } = shop("files-");
    await build("2026-11-20 12:00:00", WITHOUT);
    const without = tree();
    expect([...without.keys()].filter(isFeed)).toEqual([]);
    const report = await build("2026-11-20 12:00:00");
    const site = tree();
    for (const [key, bytes] of without)
      if (!key.endsWith("/index.json")) expect(site.get(key)?.equals(bytes), key).toBe(true);
    const feeds = [...site].filter(([key]) => isFeed(key));
    const plan = await planBuild(demoInputs(store, "", { config: CONFIG }), mkdtempSync(join(home, "plan-")));
    expect([plan.files, report.files]).toEqual([site.size, site.size]);
    expect(plan.pages).toEqual({
      files: feeds.length,
      sizeBytes: feeds.reduce((sum, [, bytes]) => sum + bytes.length, 0),
    });
    expect((await verifySnapshot(layout, () => undefined)).problems).toEqual([]);
    const catalog = openCatalog(layout.catalog);
    const types = ["llms.txt", ...LARGE, "feeds/sitemap.xml", "feeds/products.atom", "feeds/blog.json"].map(
      (key) => answerAtEdge(catalog, layout.site, `/${key}`).headers["Content-Type"],
    );
    expect(answerAtEdge(catalog, layout.site, "/feeds/none.xml").status).toBe(404);
    catalog.close();
    expect(types).toEqual([
      "text/plain; charset=utf-8",
      "application/json; charset=utf-8",
      "application/jsonl; charset=utf-8",
      "text/tab-separated-values; charset=utf-8",
      ...["application/xml", "application/gzip", "application/xml", "application/atom+xml"],
      "application/json; charset=utf-8",
    ]);
  });

  it("are rewritten where a change touches them and nowhere else; the large ones once they are a day old", async () => {
    const { build, tree, edit, home, out } = shop("change-");
    const to = `file://${join(home, "live")}`;
    await build("2026-11-20 12:00:00");
    await publish({ out, to });
    const first = tree();
    edit(RAISE);
    expect((await build("2026-11-20 13:00:00")).work).toBe("delta");
    const price = tree();
    const [id = ""] = differing(first, price);
    expect(differing(first, price)).toEqual([expect.stringMatching(/^feeds\/jsonld\/\d+\.jsonld$/)]);
    expect(JSON.parse(price.get(id)?.toString() ?? "")["@graph"][0].offers.price).toMatch(/^\d+\.\d\d$/);

    await publish({ out, to });

    // Still the same store, and old enough now: what was put off is made, by a delta, and published like any.
    const owed = await build("2026-11-21 12:00:00");
    expect([owed.work, owed.generatedAt]).toEqual(["delta", "2026-11-20T13:00:00+00:00"]);
    const late = tree();
    expect(differing(price, late)).toEqual(PRICED);
    await publish({ out, to });
    using bucket = await openPlace({ to });
    const expectLive = async (site: ReadonlyMap<string, Buffer>) => {
      for (const [key, bytes] of site)
        if (isFeed(key)) expect((await bucket.get(key))?.body.equals(bytes), key).toBe(true);
    };
    await expectLive(late);
    expect((await build("2026-11-22 13:00:00")).written).toBe(0);

    // A release that only its feeds set apart from the one before it is rolled back to like any.
    edit(RAISE);
    await build("2026-11-22 14:00:00");
    await publish({ out, to });
    await expectLive(tree());
    await rollback(undefined, { to });
    await expectLive(late);
    const again = tree();

    edit(
      "UPDATE reviews SET title = title || '.' WHERE id = (SELECT MIN(id) FROM reviews WHERE status = 'approved')",
    );
    await build("2026-11-22 15:00:00");
    expect(differing(again, tree())).toEqual([]);
    const full = await build("2026-11-23 15:00:00", CONFIG, true);
    expect(full.difference).toBeNull();
  });

  it("that are put off are no difference to a full build, which makes them", async () => {
    const { build, tree, edit } = shop("full-");
    await build("2026-11-20 12:00:00");
    edit(RAISE);
    await build("2026-11-20 13:00:00");
    const behind = tree();
    const full = await build("2026-11-20 14:00:00", CONFIG, true);
    expect([full.work, full.difference]).toEqual(["whole", null]);
    expect(differing(behind, tree())).toEqual(PRICED);
  });

  it("tell of a product that comes and goes, and only of what the shop offers", async () => {
    const { build, tree, edit } = shop("goes-");
    await build("2026-11-20 12:00:00");
    const first = tree();
    edit(`UPDATE products SET visibility = 'hidden' WHERE id = ${PRODUCT}`);
    // At once, for what leaves must be gone.
    await build("2026-11-20 12:05:00");
    const gone = tree();
    const kept = [...gone].filter(([key]) => isFeed(key) && !key.endsWith(".gz"));
    expect([...first.keys()].filter(isFeed).length - [...gone.keys()].filter(isFeed).length).toBe(1);
    for (const [key, bytes] of kept)
      expect(/\/product\/invoice-kit[<"\t]/.test(bytes.toString()), key).toBe(false);
    expect(differing(first, gone)).toEqual(expect.arrayContaining(PRICED));
    const endpoints = CONFIG.endpoints.filter((path) => path !== "product" && path !== "blog");
    const less: PublicConfig = { ...CONFIG, endpoints };
    await build("2026-11-22 13:00:00", less);
    const site = tree();
    expect([...site.keys()].filter((key) => isFeed(key) && key.includes("blog"))).toEqual([]);
    const line = site.get("feeds/acp/products.jsonl")?.toString().split("\n")[0] ?? "";
    const { description } = JSON.parse(line);
    expect(description.plain.length).toBeLessThan(300);
  });
});

/** Feeds as files of a snapshot: planned, counted, served, verified; and which ones a change rewrites. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { PublicConfig } from "../../../src/api/config.ts";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { planBuild } from "../../../src/pipeline/plan.ts";
import { openPlace, publishFolder as publish } from "../../../src/pipeline/publish.ts";
import { rollback } from "../../../src/pipeline/rollback.ts";
import { answerAtEdge } from "../../../src/serve/edge.ts";
import { layoutOf } from "../../../src/site/layout.ts";
import { verifySnapshot } from "../../../src/site/verify.ts";
import { vitrine } from "../../support/command.ts";
import {
  buildQuietly,
  demoInputs,
  readTree,
  SMALL_CONFIG,
  seedSmall,
  temporaryFolder,
} from "../../support/shop.ts";

const folder = temporaryFolder();
const WITHOUT: PublicConfig = {
  ...SMALL_CONFIG,
  baseUrl: "https://api.shop.example/api/v1",
  grid: { depth: 0, maxFiles: 250_000 },
};
const CONFIG: PublicConfig = {
  ...WITHOUT,
  feeds: { sitemap: true, news: true, llms: true, jsonLd: true, google: true },
};
const GOOGLE = ["feeds/google.tsv", "feeds/google.xml"];
const PRODUCT = "(SELECT MIN(id) FROM products WHERE slug = 'invoice-kit')";

function shop(name: string) {
  const home = mkdtempSync(join(folder, name));
  const store = seedSmall(home);
  const out = join(home, "out");
  const layout = layoutOf(out);
  const edit = (sql: string): void => {
    const db = new Database(store);
    db.exec(sql);
    db.close();
  };
  // Google does not accept SVG.
  edit("UPDATE product_media SET url = replace(url, '.svg', '.png')");
  return {
    home,
    store,
    out,
    layout,
    edit,
    build: (now: string, config = CONFIG, full = false) =>
      buildQuietly(demoInputs(store, out, { config, now, full, allowShrink: 10_000, force: true })),
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
  it("do not exist unless they are configured, and are files like any other if they are", async () => {
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
    const others = [...feeds, ...[...site].filter(([key]) => key.startsWith("widgets/"))];
    expect(plan.pages).toEqual({
      files: others.length,
      sizeBytes: others.reduce((sum, [, bytes]) => sum + bytes.length, 0),
    });
    expect((await verifySnapshot(layout, () => undefined)).problems).toEqual([]);
    const catalog = openCatalog(layout.catalog);
    const types = ["llms.txt", ...GOOGLE, "feeds/sitemap.xml", "feeds/products.atom", "feeds/blog.json"].map(
      (key) => answerAtEdge(catalog, layout.site, `/${key}`).headers["Content-Type"],
    );
    expect(answerAtEdge(catalog, layout.site, "/feeds/none.xml").status).toBe(404);
    catalog.close();
    expect(types).toEqual([
      "text/plain; charset=utf-8",
      "text/tab-separated-values; charset=utf-8",
      ...["application/xml", "application/xml", "application/atom+xml"],
      "application/json; charset=utf-8",
    ]);
  });

  it("follow a change that concerns them, and no other; live and back again", async () => {
    const { build, tree, edit, home, out } = shop("change-");
    const to = `file://${join(home, "live")}`;
    const { feeds } = await build("2026-11-20 12:00:00");
    expect(feeds).toMatchObject([{ name: "google", leftOut: expect.any(Number) }]);
    await publish({ out, to });
    const first = tree();
    edit(RAISE);
    const raised = await build("2026-11-20 13:00:00");
    expect([raised.work, raised.feeds.map(({ name }) => name)]).toEqual(["part", ["google"]]);
    const price = tree();
    const id = differing(first, price).find((key) => key.endsWith(".jsonld")) ?? "";
    expect(differing(first, price)).toEqual([...GOOGLE, id].sort());
    expect(JSON.parse(price.get(id)?.toString() ?? "")["@graph"][0].offers.price).toMatch(/^\d+\.\d\d$/);

    await publish({ out, to });
    using bucket = await openPlace({ to });
    const expectLive = async (site: ReadonlyMap<string, Buffer>) => {
      for (const [key, bytes] of site)
        if (isFeed(key)) expect((await bucket.get(key))?.body.equals(bytes), key).toBe(true);
    };
    await expectLive(price);
    await rollback(undefined, { to });
    await expectLive(first);

    edit(
      "UPDATE reviews SET title = title || '.' WHERE id = (SELECT MIN(id) FROM reviews WHERE status = 'approved')",
    );
    const review = await build("2026-11-20 14:00:00");
    expect(differing(price, tree())).toEqual([]);
    // Google's files stay, and so does the report about them.
    expect(review.feeds).toEqual(raised.feeds);
    expect((await build("2026-11-20 15:00:00")).written).toBe(0);
    const full = await build("2026-11-20 16:00:00", CONFIG, true);
    expect([full.work, full.feeds]).toEqual(["whole", raised.feeds]);
  });

  it("show an added product, drop a removed one, and contain only what the shop offers", async () => {
    const { build, tree, edit } = shop("goes-");
    await build("2026-11-20 12:00:00");
    const first = tree();
    edit(`UPDATE products SET visibility = 'hidden' WHERE id = ${PRODUCT}`);
    await build("2026-11-20 12:05:00");
    const gone = tree();
    const kept = [...gone].filter(([key]) => isFeed(key));
    expect([...first.keys()].filter(isFeed).length - [...gone.keys()].filter(isFeed).length).toBe(1);
    for (const [key, bytes] of kept)
      expect(/\/product\/invoice-kit[<"\t]/.test(bytes.toString()), key).toBe(false);
    expect(differing(first, gone)).toEqual(expect.arrayContaining(GOOGLE));
    const endpoints = CONFIG.endpoints.filter((path) => path !== "product" && path !== "blog");
    const less: PublicConfig = { ...CONFIG, endpoints };
    await build("2026-11-22 13:00:00", less);
    const site = tree();
    expect([...site.keys()].filter((key) => isFeed(key) && key.includes("blog"))).toEqual([]);
    // Without the detail endpoint, the feed has no description from the details.
    const description = (tsv: Buffer | undefined) => tsv?.toString().split("\n")[1]?.split("\t")[2] ?? "";
    expect(description(first.get("feeds/google.tsv")).length).toBeGreaterThan(300);
    expect(description(site.get("feeds/google.tsv")).length).toBeLessThan(300);
  });

  it("are dated by publication, and by the build where the latest record is withdrawn", async () => {
    const { build, tree, edit } = shop("dates-");
    // The first is the newest; WordPress leaves the time of the last change as it was when a scheduled post is published.
    edit(`DELETE FROM blog_posts;
      INSERT INTO blog_posts (id, slug, title, category, content_html, published_at, updated_at, status) VALUES
        (1, 'early', 'Early', 'news', '', '2026-11-10 08:00:00', '2026-05-01 09:00:00', 'scheduled'),
        (2, 'changed', 'Changed', 'news', '', '2026-10-01 08:00:00', '2026-10-02 08:00:00', 'published'),
        (3, 'late', 'Late', 'news', '', '2026-11-21 08:00:00', '2026-05-01 09:00:00', 'scheduled');
      UPDATE products SET created_at = '2026-11-19 07:00:00', updated_at = '2026-02-01 00:00:00' WHERE id = ${PRODUCT}`);
    const read = (key: string) => tree().get(key)?.toString() ?? "";
    const dates = () => ({
      entries: read("feeds/blog.atom").match(/(?<=<(published|updated)>)[^+]*/g),
      json: JSON.parse(read("feeds/blog.json")).items.map(
        (item: Record<string, string>) => item["date_modified"],
      ),
      pages: read("feeds/sitemap-blog-0.xml").match(/(?<=<lastmod>)[^+]*/g),
      index: /sitemap-blog-0\.xml<\/loc><lastmod>([^+]*)/.exec(read("feeds/sitemap.xml"))?.[1],
    });
    await build("2026-11-20 12:00:00");
    expect(dates()).toEqual({
      entries: [
        ...["2026-11-10T08:00:00", "2026-11-10T08:00:00", "2026-11-10T08:00:00"],
        ...["2026-10-01T08:00:00", "2026-10-02T08:00:00"],
      ],
      json: ["2026-11-10T08:00:00+00:00", "2026-10-02T08:00:00+00:00"],
      pages: ["2026-11-10T08:00:00", "2026-10-02T08:00:00"],
      index: "2026-11-10T08:00:00",
    });
    expect(read("feeds/sitemap-products-0.xml")).toContain(
      "/product/invoice-kit</loc><lastmod>2026-11-19T07:00:00+00:00<",
    );

    await build("2026-11-21 09:00:00");
    expect(dates().index).toBe("2026-11-21T08:00:00");
    edit("UPDATE blog_posts SET status = 'draft' WHERE id = 3");
    await build("2026-11-22 10:00:00");
    expect(dates()).toMatchObject({
      pages: ["2026-11-10T08:00:00", "2026-10-02T08:00:00"],
      index: "2026-11-22T10:00:00",
    });
    // Another build changes nothing, whether it remembers this one or not.
    const withdrawn = tree();
    edit(RAISE);
    await build("2026-11-23 10:00:00");
    await build("2026-11-23 11:00:00", CONFIG, true);
    expect(differing(withdrawn, tree()).filter((key) => key.includes("sitemap"))).toEqual([]);
    // The build that publishes is later than what it publishes: the index does not go back.
    edit("UPDATE blog_posts SET status = 'published', published_at = '2026-11-22 09:00:00' WHERE id = 3");
    await build("2026-11-24 10:00:00");
    expect(dates().index).toBe("2026-11-24T10:00:00");
  });

  it("keep the times of an older release that is made live again", async () => {
    const { build, tree, edit, home, out } = shop("dates-back-");
    const to = `file://${join(home, "live")}`;
    await build("2026-11-20 12:00:00");
    edit(
      "UPDATE blog_posts SET status = 'draft' WHERE id = (SELECT MAX(id) FROM blog_posts WHERE status = 'published')",
    );
    await build("2026-11-21 12:00:00");
    await publish({ out, to });
    const withdrawn = tree().get("feeds/sitemap.xml");
    expect(withdrawn?.toString()).toContain("<lastmod>2026-11-21T12:00:00+00:00</lastmod>");
    edit("UPDATE products SET updated_at = '2026-11-22 11:00:00'");
    await build("2026-11-22 12:00:00");
    await publish({ out, to });
    await rollback(undefined, { to });
    using bucket = await openPlace({ to });
    expect((await bucket.get("feeds/sitemap.xml"))?.body.toString()).toBe(withdrawn?.toString());
  });

  it("name an entry alike whatever is edited, and no two entries alike", async () => {
    const { build, tree, edit } = shop("ids-");
    edit(`UPDATE releases SET version = '1.0.0'`);
    const ids = () => {
      const found = ["products", "releases", "blog"].flatMap((name) => {
        const { items } = JSON.parse(tree().get(`feeds/${name}.json`)?.toString() ?? "");
        const inAtom = tree().get(`feeds/${name}.atom`)?.toString() ?? "";
        const [feed, ...entries] = inAtom.match(/(?<=<id>)[^<]*/g) ?? [];
        expect(entries).toEqual(items.map(({ id }: { id: string }) => id));
        return [feed, ...entries];
      });
      expect(new Set(found).size).toBe(found.length);
      return found;
    };
    await build("2026-11-20 12:00:00");
    const first = ids();
    expect(first.length).toBeGreaterThan(50);
    edit(`UPDATE releases SET version = '2.' || id, title = title || '.';
      UPDATE blog_posts SET slug = slug || '-2', title = title || '.';
      UPDATE products SET slug = slug || '-2', name = name || '.'`);
    await build("2026-11-20 13:00:00", { ...CONFIG, baseUrl: "https://data.shop.example/api/v1" });
    expect(ids()).toEqual(first);
    const french = { ...CONFIG, siteUrl: "https://shop.example/fr" };
    await build("2026-11-20 14:00:00", french);
    expect(ids().filter((id) => first.includes(id))).toEqual([]);
  });

  it("are left out where they would be empty: search engines and readers refuse them", async () => {
    const { build, tree, edit, out } = shop("empty-");
    edit(`UPDATE products SET status = 'draft'; UPDATE blog_posts SET status = 'draft'`);
    const config = { ...CONFIG, endpoints: CONFIG.endpoints.filter((path) => path !== "categories") };
    await build("2026-11-20 12:00:00", config);
    const site = tree();
    expect([...site.keys()].filter(isFeed).sort()).toEqual([...GOOGLE, "llms.txt"]);
    expect(site.get("llms.txt")?.toString()).not.toContain("## Feeds");
    expect(vitrine(["check", "--out", out]).status).toBe(0);
    edit("UPDATE blog_posts SET status = 'published' WHERE id = (SELECT MIN(id) FROM blog_posts)");
    await build("2026-11-20 13:00:00", config);
    const one = tree();
    expect([...one.keys()].filter(isFeed).sort()).toEqual([
      ...["feeds/blog.atom", "feeds/blog.json", ...GOOGLE, "feeds/sitemap-blog-0.xml", "feeds/sitemap.xml"],
      "llms.txt",
    ]);
    expect(one.get("llms.txt")?.toString()).toContain("/feeds/sitemap.xml");
    expect(one.get("feeds/sitemap.xml")?.toString().match(/<loc>/g)).toHaveLength(1);
  });

  it("name what they leave out when they are checked, the first twenty or all", async () => {
    const { build, edit, out } = shop("left-out-");
    await build("2026-11-20 12:00:00");
    const some = JSON.parse(vitrine(["check", "--out", out, "--json"]).stdout);
    expect(some.problems).toEqual([]);
    const [feed] = some.feeds;
    expect(feed).toMatchObject({ name: "google", leftOut: expect.any(Array) });
    edit(`UPDATE product_media SET url = replace(url, '.png', '.svg')
          WHERE product_id = ${PRODUCT} OR product_id IN (SELECT id FROM products LIMIT 60)`);
    const { feeds } = await build("2026-11-20 13:00:00");
    const { stdout, status } = vitrine(["check", "--out", out]);
    const lines = stdout.trimEnd().split("\n");
    const leftOut = feeds[0]?.leftOut ?? 0;
    expect([status, leftOut > 20, leftOut > feed.leftOut.length]).toEqual([0, true, true]);
    expect(lines[0]).toMatch(/^[\d,]+ files, .*: OK$/);
    expect(lines[1]).toBe(`feed google leaves out ${leftOut} products:`);
    expect(lines).toHaveLength(23);
    expect(lines[2]).toMatch(/^ {2}\d+ .+: lacks .*[a-z_]+$/);
    expect(lines[22]).toBe(`  … and ${leftOut - 20} more, all with --json`);
    const all = JSON.parse(vitrine(["check", "--out", out, "--json"]).stdout).feeds[0].leftOut;
    expect(all).toHaveLength(leftOut);
    expect(all[0]).toEqual({ id: expect.any(Number), title: expect.any(String), missing: expect.any(Array) });
    await build("2026-11-20 14:00:00", WITHOUT);
    expect(JSON.parse(vitrine(["check", "--out", out, "--json"]).stdout).feeds).toEqual([]);
  });
});

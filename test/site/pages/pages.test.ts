/** The explorer and the reference as part of a snapshot: what is in it, what changes it, and what it may load. */
import { hash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import type { PublicConfig } from "../../../src/api/config.ts";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { planBuild } from "../../../src/pipeline/plan.ts";
import { answerTarget } from "../../../src/serve/answer.ts";
import { answerAtEdge } from "../../../src/serve/edge.ts";
import { KnownValues } from "../../../src/site/known-values.ts";
import { layoutOf } from "../../../src/site/layout.ts";
import { imageOriginsOf } from "../../../src/site/pages/image-origins.ts";
import { REFERENCE_KEY, readPageList } from "../../../src/site/pages/pages.ts";
import { verifySnapshot } from "../../../src/site/verify.ts";
import { textOf } from "../../support/reference.ts";
import {
  buildQuietly,
  demoInputs,
  readTree,
  SMALL_CONFIG,
  seedSmall,
  temporaryFolder,
} from "../../support/shop.ts";

const folder = temporaryFolder();
const store = seedSmall(folder);
const CONFIG: PublicConfig = { ...SMALL_CONFIG, grid: { depth: 0, maxFiles: 250_000 }, pages: {} };
const out = join(folder, "out");
const layout = layoutOf(out);
const PAGES = readPageList("dist/public").files.map(({ key }) => key);

function build(config = CONFIG, target = out) {
  return buildQuietly(demoInputs(store, target, { config, allowShrink: 10_000 }));
}

function edit(sql: string): void {
  const db = new Database(store);
  db.exec(sql);
  db.close();
}

function policyOf(target = layout): string {
  const html = readFileSync(join(target.site, "explore/index.html"), "utf8");
  return /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
}

function imageSources(target = layout): string[] {
  const [, sources = ""] = /img-src ([^;]*)/.exec(policyOf(target)) ?? [];
  return sources.split(" ").filter((source) => source.startsWith("http"));
}

/** The first: the reference's example of one product. */
const SHOWN_PRODUCT = "(SELECT MIN(id) FROM products)";
const SOME_PRODUCT = "(SELECT MIN(id) FROM products WHERE slug = 'invoice-kit')";

beforeAll(async () => {
  await build();
});

describe("pages in a snapshot", () => {
  it("are ordinary files: planned, counted, checked and served with their types", async () => {
    const manifest = readTree(layout.site);
    for (const key of PAGES) expect(manifest.has(key), key).toBe(true);
    expect(PAGES).toEqual(expect.arrayContaining(["explore/index.html", "docs/index.html"]));
    expect(PAGES).toHaveLength(4);
    const plan = await planBuild(
      demoInputs(store, "", { config: CONFIG }),
      mkdtempSync(join(folder, "plan-")),
    );
    const others = [...manifest].filter(([key]) => PAGES.includes(key) || key.startsWith("widgets/"));
    const sizeBytes = others.reduce((sum, [, bytes]) => sum + bytes.length, 0);
    expect(plan.files).toBe(manifest.size);
    expect(plan.pages).toEqual({ files: others.length, sizeBytes });
    expect((await verifySnapshot(layout, () => undefined)).problems).toEqual([]);
    const catalog = openCatalog(layout.catalog);
    const types = [
      "/explore/",
      "/explore/index.html",
      "/docs/?theme=dark",
      `/${PAGES.find((key) => key.endsWith(".css"))}`,
    ];
    expect(types.map((target) => answerAtEdge(catalog, layout.site, target).headers["Content-Type"])).toEqual(
      [...Array(3).fill("text/html; charset=utf-8"), "text/css; charset=utf-8"],
    );
    const { status, headers } = answerTarget(catalog, "/explore");
    expect([status, headers["Location"]]).toEqual([308, "explore/"]);
    for (const target of [
      "/explore/../catalog.sqlite",
      "/explore/.x",
      "/explore//x",
      "/docs/none.js",
      "/explored/",
    ])
      expect(answerAtEdge(catalog, layout.site, target).status, target).toBe(404);
    catalog.close();
  });

  it("name exactly the origins of the catalog's images, and no source that a row tries to inject", async () => {
    expect(imageSources()).toEqual([new URL(CONFIG.siteUrl).origin]);
    edit(
      `UPDATE product_media SET url = 'https://Pictures.example:8443/a.png' WHERE product_id = ${SOME_PRODUCT}`,
    );
    await build();
    expect(imageSources()).toEqual([new URL(CONFIG.siteUrl).origin, "https://pictures.example:8443"].sort());
  });

  it("stay unchanged when a price changes that the reference does not show, and change with the images; a partial build reports the same as a whole build", async () => {
    const before = readTree(layout.site);
    edit(`UPDATE products SET regular_price_minor = regular_price_minor + 100 WHERE id = ${SOME_PRODUCT}`);
    const price = await build();
    expect(price.work).toBe("part");
    expect(price.written).toBeGreaterThan(0);
    const after = readTree(layout.site);
    for (const key of PAGES)
      expect(after.get(key)?.equals(before.get(key) ?? Buffer.alloc(0)), key).toBe(true);
    edit(`UPDATE products SET regular_price_minor = 123456 WHERE id = ${SHOWN_PRODUCT}`);
    await build();
    const shown = readTree(layout.site);
    expect(PAGES.filter((key) => !shown.get(key)?.equals(after.get(key) ?? Buffer.alloc(0)))).toEqual([
      REFERENCE_KEY,
    ]);
    expect(textOf(shown.get(REFERENCE_KEY)?.toString() ?? "")).toContain('"regular": 1234.56');
    edit(`UPDATE product_media SET url = '/media/a.png' WHERE product_id = ${SOME_PRODUCT}`);
    const images = await build();
    expect(images.work).toBe("part");
    expect(imageSources()).toEqual([new URL(CONFIG.siteUrl).origin]);
    const whole = await build(CONFIG, join(folder, "whole"));
    expect(whole.work).toBe("whole");
    expect(policyOf(layoutOf(join(folder, "whole")))).toBe(policyOf());
  });

  it("name the endpoints that have records, and follow changes", async () => {
    const named = (html: string) => /<html [^>]*data-endpoints="([^"]*)"/.exec(html)?.[1]?.split(" ");
    const page = () => readFileSync(join(layout.site, "explore/index.html"), "utf8");
    await build();
    expect(named(page())?.sort()).toEqual([...CONFIG.endpoints].sort());
    edit("UPDATE blog_posts SET status = 'draft'");
    await build({ ...CONFIG, endpoints: CONFIG.endpoints.filter((path) => path !== "faqs") });
    const left = CONFIG.endpoints.filter((path) => path !== "faqs" && path !== "blog");
    expect(named(page())?.sort()).toEqual([...left].sort());
  });

  it("lead to the shop's own site only where its address is public", async () => {
    const read = async (siteUrl: string) => {
      const target = join(folder, "site");
      await build({ ...CONFIG, siteUrl }, target);
      const files = ["explore/index.html", REFERENCE_KEY].map((key) => join(layoutOf(target).site, key));
      return files.map((file) => readFileSync(file, "utf8")) as [string, string];
    };
    const [explorer, reference] = await read("https://shop.example");
    expect(explorer).toContain(' data-site="https://shop.example"');
    expect(reference).toContain('<a href="https://shop.example"><bdi>');
    expect(reference).toContain("To the store");
    const [closed, quiet] = await read("http://127.0.0.1:8080");
    expect(closed).toContain(' data-site=""');
    expect(quiet).not.toMatch(/href="http:|To the store/);
  });

  it("name origins of products and posts, the most used first, and none that injects a source", () => {
    const originsOf = (images: Readonly<Record<string, number>>) => {
      const db = new Database(":memory:");
      for (const table of ["post_list", "product_list", "product_added"])
        db.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, json TEXT)`);
      const ids = (name: string) =>
        db.prepare<[], number>(`SELECT id FROM ${name} ORDER BY id`).pluck().all();
      const list = (name: string) => ({ ids: ids(name === "post" ? "post_list" : "product_added") });
      const tables = { list: [] as string[], gallery: [] as string[] };
      for (const [origin, count] of Object.entries(images))
        for (let at = 0; at < count; at++)
          tables[at % 2 === 0 ? "list" : "gallery"].push(`${origin}/${at}.png`);
      const put = (table: string, json: object) =>
        db.prepare(`INSERT INTO ${table} (json) VALUES (?)`).run(JSON.stringify(json));
      for (const image of tables.list) put("post_list", { image });
      put("product_added", { gallery: tables.gallery });
      const digests = { of: () => ({ digestOf: () => "" }) };
      return imageOriginsOf({ catalog: { db, list }, digests, known: new KnownValues() } as never);
    };
    const hostile = {
      "https://a;script-src *": 3,
      "https://b,*": 1,
      "https://'unsafe-inline'": 1,
      "https://c.example": 2,
    };
    expect(originsOf(hostile)).toEqual(["https://c.example"]);
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`https://h${at}.example`, 1]));
    const found = originsOf({ ...many, "https://z.example": 2 });
    expect(found).toHaveLength(50);
    expect(found).toContain("https://z.example");
  });

  it("can be made without images, and left out as a whole", async () => {
    await build({ ...CONFIG, pages: { images: false } });
    expect(imageSources()).toEqual([]);
    expect(policyOf()).toContain("img-src 'self' data: ;");
    const { deleted } = await build({ ...CONFIG, pages: false });
    expect(deleted).toBe(PAGES.length);
    for (const name of ["explore", "docs"]) expect(existsSync(join(layout.site, name))).toBe(false);
    const catalog = openCatalog(layout.catalog);
    expect(answerTarget(catalog, "/explore").status).toBe(404);
    catalog.close();
  });
});

describe("the policy of the explorer", () => {
  it("allows only the inline scripts whose digests it names, no inline style and no other host", () => {
    const explorer = readFileSync("dist/public/explore/index.html", "utf8");
    const [, policy = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(explorer) ?? [];
    const [inline = "", text = ""] = /<script>(.*?)<\/script>/s.exec(explorer) ?? [];
    const digest = hash("sha256", text, "base64");
    expect(policy).toContain(`default-src 'none'; script-src 'self' 'sha256-${digest}'; style-src 'self';`);
    expect(policy).toContain("connect-src 'self'; base-uri 'none'; form-action 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'; trusted-types vitrine-html");
    expect(policy).not.toContain("unsafe");
    expect(explorer.replace(inline, "")).not.toMatch(
      / style=|<style|<script(?! type="module" src=)| on[a-z]+=/,
    );
  });
});

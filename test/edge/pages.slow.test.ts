/** Cloudflare Pages without a fallback, in its own asset server: each file answers its request, and no other. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkPublic, readPublic } from "../../src/publish/served.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { openManifest } from "../../src/site/manifest.ts";
import {
  buildQuietly,
  demoInputs,
  readTree,
  SMALL_CONFIG,
  seedDemo,
  temporaryFolder,
} from "../support/shop.ts";
import { type Running, startPages } from "./support/servers.ts";

const folder = temporaryFolder();
const out = join(folder, "out");
const site = join(out, "site");
let pages: Running;
let origin: string;

beforeAll(async () => {
  await buildQuietly(demoInputs(seedDemo(folder), out, { config: { ...SMALL_CONFIG, pages: {} } }));
  pages = await startPages({ folder: join(folder, "pages"), site }, [...readTree(site).keys()]);
  origin = `http://127.0.0.1:${pages.port}`;
});
afterAll(() => pages.stop());

const ask = (target: string, init: RequestInit = {}) => fetch(new URL(target, origin), init);

/** Requests without a file: another list's file must not answer them. */
const NO_FILES = [
  "products?search=kit",
  "products?page=2&search=kit",
  "products?min_price=5",
  "products?category=scripts&type=script",
  "products?category=scripts&type=script&page=2&sort=oldest",
  "products?per_page=7",
  "products?page=2&per_page=7",
  "reviews?limit=3",
  "reviews?product_slug=invoice-kit&min_rating=2&page=1",
  "faqs?limit=2",
  "faqs?type=general&product_slug=invoice-kit",
  "forum?q=x&page=2",
  "search?q=kit",
  "search",
  "product",
].map((rest) => `/api/v1/${rest}`);

describe("Cloudflare Pages", () => {
  it("serves every file of the manifest for its request, with the contract's headers", async () => {
    const manifest = openManifest(layoutOf(out).manifest);
    const report = await checkPublic(readPublic(origin), manifest, { sample: 150, progress: () => {} });
    expect(report.problems).toEqual([]);
    expect(report.files).toBeGreaterThan(140);
    const response = await ask("/api/v1/products?category=SCRIPTS&page=01&utm_source=x");
    const key = "api/v1/products/category=scripts/page=1.json";
    expect(await response.text()).toBe(readFileSync(join(site, key), "utf8"));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      etag: manifest.get(key)?.etag,
      "content-type": "application/json; charset=utf-8",
      "cache-control": "public, max-age=60, s-maxage=300, stale-if-error=86400",
      "access-control-allow-origin": "*",
    });
    manifest.close();
    const again = { headers: { "if-none-match": response.headers.get("etag") ?? "" } };
    expect((await ask("/api/v1/products?category=scripts", again)).status).toBe(304);
  });

  it("serves a file by its path, and an error envelope if it does not exist", async () => {
    const page = await ask("/api/v1/products/page=2.json");
    expect(page.headers.get("access-control-allow-origin")).toBe("*");
    expect(await page.text()).toBe(readFileSync(join(site, "api/v1/products/page=2.json"), "utf8"));
    const codes = ["products/page=999.json", "products?page=999", "nothing", "products?colour=red"].map(
      async (rest) => {
        const response = await ask(`/api/v1/${rest}`);
        expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
        const { error } = (await response.json()) as { error: { code: string } };
        return [response.status, error.code];
      },
    );
    expect(await Promise.all(codes)).toEqual([
      [404, "unknown_endpoint"],
      [404, "not_found"],
      [404, "unknown_endpoint"],
      [400, "invalid_parameter"],
    ]);
    expect((await ask("/api/v1/products?page=1", { method: "POST" })).status).toBe(405);
  });

  it("redirects from its root to the status", async () => {
    const response = await ask("/");
    expect(new URL(response.url).pathname).toBe("/api/v1");
    expect(response.status).toBe(200);
  });

  it.each(NO_FILES)("does not answer %s with another file", async (target) => {
    expect((await ask(target)).ok).toBe(false);
  });
});

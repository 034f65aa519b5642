import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import Database from "better-sqlite3";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { answerAtEdge } from "../../src/serve/edge.ts";
import { createHttpServer, listen } from "../../src/serve/http.ts";
import { layoutOf } from "../../src/snapshot/layout.ts";
import { buildQuietly, DEMO_CONFIG, demoInputs, seedDemo, temporaryFolder } from "../support/shop.ts";

const CHROMIUM = "/usr/bin/chromium";
const present = existsSync(CHROMIUM);
const folder = temporaryFolder();
let browser: Browser;
let site: Server;
let page: Server;
let base = "";
let pageUrl = "";
let html = "";

beforeAll(async () => {
  if (!present) {
    if (process.env["CI"] === "true") throw new Error("Chromium is missing: apt-get install chromium");
    console.warn("The widget is not tested: Chromium is missing (apt-get install chromium).");
    return;
  }
  const store = seedDemo(folder);
  const db = new Database(store);
  db.exec(`UPDATE reviews SET title = '<img src=x onerror="window.hacked=1">', body = '<script>window.hacked=1</script>'
           WHERE product_id = (SELECT id FROM products WHERE slug = 'invoice-kit')`);
  db.close();
  // The script names its base address, so the port must be known before the build.
  page = createServer((_, response) =>
    response.setHeader("Content-Type", "text/html; charset=utf-8").end(html),
  );
  pageUrl = await listen(page, "127.0.0.1", 0);
  const probe = createServer();
  base = await listen(probe, "127.0.0.1", 0);
  await new Promise((resolve) => probe.close(resolve));
  const out = join(folder, "out");
  const config = {
    ...DEMO_CONFIG,
    baseUrl: `${base}/api/v1`,
    siteUrl: base,
    grid: { depth: 0, maxFiles: 250_000 },
  };
  await buildQuietly(demoInputs(store, out, { config }));
  const layout = layoutOf(out);
  const catalog = openCatalog(layout.catalog);
  site = createHttpServer({
    answer: (target) => answerAtEdge(catalog, layout.site, target),
    config: () => catalog.config,
    limiter: null,
    trustProxy: false,
    access: () => {},
    failed: () => {},
  });
  await listen(site, "127.0.0.1", Number(new URL(base).port));
  const flags = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
  ];
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [...flags, "--disable-component-update", "--disable-sync"],
  });
});

afterAll(async () => {
  await browser?.close();
  site?.close();
  page?.close();
});

describe.runIf(present)("the review widget, in a page of another origin", () => {
  const tag = (attributes: string) =>
    `<script async src="${base}/widgets/reviews.js" ${attributes}></script>`;

  it("shows as many reviews as it is told, in its container, and runs nothing that stands in them", async () => {
    html = `<!doctype html><main><div id="here"></div></main>${tag('data-product-slug="invoice-kit" data-limit="2" data-container="here"')}`;
    const tab = await browser.newPage();
    await tab.goto(pageUrl);
    await tab.waitForSelector("#here article");
    expect(await tab.locator("#here article").count()).toBe(2);
    expect(await tab.locator("#here article strong").first().textContent()).toContain("<img src=x");
    expect(await tab.evaluate("window.hacked")).toBeUndefined();
    expect(await tab.locator("#here [role=img]").first().getAttribute("aria-label")).toMatch(/^[1-5] \/ 5$/);
    await tab.close();
  });

  it.each(["", 'data-product-slug=""', 'data-product-slug=" "', 'data-container="here" data-limit="3"'])(
    "shows nothing without a product (%j), and says so in the console",
    async (attributes) => {
      html = `<!doctype html><main><div id="here">As it was</div></main>${tag(attributes)}<p id="after">After</p>`;
      const tab = await browser.newPage();
      const said: string[] = [];
      const asked: string[] = [];
      tab.on("console", (message) => said.push(message.text()));
      tab.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await tab.goto(pageUrl, { waitUntil: "networkidle" });
      expect(said.join()).toContain("no data-product-slug");
      expect(asked).not.toContain("/api/v1/reviews");
      expect(await tab.locator("[data-vitrine], article").count()).toBe(0);
      expect(await tab.locator("#here").textContent()).toBe("As it was");
      expect(await tab.locator("script + p#after").count()).toBe(1);
      await tab.close();
    },
  );

  it("stands where its tag stands without a container, and leaves a page alone when there is nothing to show", async () => {
    html = `<!doctype html><p id="before">Before</p>${tag('data-product-slug="invoice-kit" data-theme="dark"')}${tag('data-product-slug="no-such-product"')}`;
    const tab = await browser.newPage({ viewport: { width: 360, height: 640 } });
    const errors: string[] = [];
    tab.on("pageerror", (error) => errors.push(error.message));
    await tab.goto(pageUrl);
    await tab.waitForSelector("#before + div article");
    const widest = await tab.evaluate("document.documentElement.scrollWidth");
    expect(widest).toBeLessThanOrEqual(360);
    expect(errors).toEqual([]);
    await tab.close();
  });
});

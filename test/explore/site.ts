/** The demo shop with its pages and pictures, as `vitrine serve` serves it, and a browser that looks at it. */
import type { Server } from "node:http";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { drawPictures } from "../../scripts/seed/pictures.ts";
import { type Catalog, openCatalog } from "../../src/catalog/catalog.ts";
import { createHttpServer, listen, stop } from "../../src/serve/http.ts";
import { answerAtOwnAddress } from "../../src/serve/own-address.ts";
import { layoutOf } from "../../src/site/layout.ts";
import { startBrowser } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { buildQuietly, demoInputs, SMALL_CONFIG, seedDemo } from "../support/shop.ts";

/** Opens pages, and records their requests and their errors. */
interface Watched {
  readonly page: Page;
  readonly hosts: Set<string>;
  readonly complaints: string[];
}

export interface Site {
  readonly origin: string;
  open(path: string, options?: BrowserContextOptions): Promise<Watched>;
  close(): Promise<void>;
}

/** A category of two pages: templates are scripts, too. */
const FILL_SCRIPTS = `UPDATE OR IGNORE product_categories SET category_id = (SELECT id FROM categories WHERE slug = 'scripts')
  WHERE category_id = (SELECT id FROM categories WHERE slug = 'templates')`;

async function serve(folder: string, port: number): Promise<{ server: Server; catalog: Catalog }> {
  const origin = `http://127.0.0.1:${port}`;
  const [store, out, media] = [seedDemo(folder), join(folder, "out"), join(folder, "media")];
  const db = new Database(store);
  db.exec(FILL_SCRIPTS);
  db.close();
  drawPictures(store, media);
  const config = { ...SMALL_CONFIG, baseUrl: `${origin}/api/v1`, siteUrl: origin, pages: {} };
  await buildQuietly(demoInputs(store, out, { config }));
  const { site, catalog: file } = layoutOf(out);
  const catalog = openCatalog(file);
  const server = createHttpServer({
    answer: (target) => answerAtOwnAddress(catalog, target, { origin, site, media }),
    config: () => catalog.config,
    limiter: null,
    trustProxy: false,
    access: () => undefined,
    failed: () => undefined,
  });
  await listen(server, "127.0.0.1", port);
  return { server, catalog };
}

async function watch(browser: Browser, url: string, options: BrowserContextOptions): Promise<Watched> {
  const context = await browser.newContext({ locale: "en-GB", ...options });
  const page = await context.newPage();
  const watched: Watched = { page, hosts: new Set(), complaints: [] };
  page.on("request", (request) => {
    if (/^https?:/.test(request.url())) watched.hosts.add(new URL(request.url()).host);
  });
  page.on("console", (message) => {
    if (message.type() === "error") watched.complaints.push(message.text());
  });
  page.on("pageerror", (error) => watched.complaints.push(error.message));
  await page.goto(url);
  return watched;
}

/** Builds and serves the demo in a folder, and starts a browser. */
export async function startSite(folder: string): Promise<Site> {
  const port = await freePort();
  const { server, catalog } = await serve(folder, port);
  const browser = await startBrowser();
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    open: (path, options = {}) => watch(browser, origin + path, options),
    close: async () => {
      await browser.close();
      await stop(server);
      catalog.close();
    },
  };
}

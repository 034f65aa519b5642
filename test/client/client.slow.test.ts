/** `vitrine/client` over a server, a catalog and files; and the module as it is shipped, in a Worker and a browser. */
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { API_PATH } from "../../src/api/endpoints.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import {
  ApiError,
  type Client,
  createClient,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  UnavailableError,
} from "../../src/client/client.ts";
import { createFallback } from "../../src/serve/fallback.ts";
import { listen, stop } from "../../src/serve/http.ts";
import * as read from "../../src/serve/read-catalog.ts";
import { openFolder } from "../../src/serve/read-folder.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { packageFolder } from "../support/command.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";

const statuses: number[] = [];
const methods = new Set<string>();
let [origin, server] = ["", undefined as Server | undefined];
const closed: (() => void)[] = [];

beforeAll(async () => {
  const catalog = openCatalog(join(sharedSnapshot("demo"), "catalog.sqlite"));
  closed.push(() => catalog.close());
  server = createFallback(() => catalog, {
    access: ({ method, status }) => {
      statuses.push(status);
      methods.add(method);
    },
    failed: (error) => {
      throw error;
    },
  });
  origin = await listen(server, "127.0.0.1", 0);
});

afterAll(async () => {
  await stop(server as Server);
  for (const close of closed) close();
});

const base = () => origin + API_PATH;

async function raw<Data>(path: string): Promise<Data> {
  return ((await (await fetch(base() + path)).json()) as { data: Data }).data;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** A server that answers as it is told, one after the other, the last one for ever. */
async function scripted(...replies: ((request: IncomingMessage, response: ServerResponse) => void)[]) {
  let count = 0;
  const made = createServer((request, response) => {
    (replies[Math.min(count, replies.length - 1)] ?? (() => response.end()))(request, response);
    count += 1;
  });
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  closed.push(() => {
    made.closeAllConnections();
    made.close();
  });
  return { url: `http://127.0.0.1:${(made.address() as AddressInfo).port}`, asked: () => count };
}

const OK = (_: unknown, response: ServerResponse) =>
  response.end('{"success":true,"data":{"store_name":"Shop"},"meta":{}}');
const busy = (status: number, seconds: string) => (_: unknown, response: ServerResponse) => {
  response.writeHead(status, { "Retry-After": seconds });
  const code = status === 429 ? "rate_limited" : "service_unavailable";
  response.end(JSON.stringify({ success: false, error: { code, message: "Later." } }));
};

describe.each<[string, () => Client]>([
  ["an address", () => createClient(`${base()}/`)],
  [
    "a catalog",
    () => {
      const catalog = read.openCatalog(join(sharedSnapshot("demo"), "catalog.sqlite"));
      closed.push(() => catalog.close());
      return createClient(catalog);
    },
  ],
  ["files", () => createClient(openFolder(join(sharedSnapshot("demo"), "site")))],
])("over %s", (_, make) => {
  it("reads every list and record as the API has them", async () => {
    const shop = make();
    const scripts = await all(shop.products.list({ category: "scripts", sort: "price_asc" }));
    expect(scripts).toEqual(await raw("/products?category=scripts&sort=price_asc&per_page=100"));
    const products = await all(shop.products.list());
    expect(products.slice(0, 100)).toEqual(await raw("/products?per_page=100"));
    expect(products.length).toBeGreaterThan(100);
    expect((await shop.products.page({ page: 2 })).pagination.page).toBe(2);
    expect(await shop.products.get("invoice-kit")).toEqual(await raw("/product?slug=invoice-kit"));
    const id = products[0]?.id ?? 0;
    expect(await shop.products.get({ id })).toEqual(await raw(`/product?id=${id}`));
    expect(await shop.categories.list()).toEqual(await raw("/categories"));
    expect(await all(shop.reviews.list({ product_slug: "invoice-kit", min_rating: 4 }))).toEqual(
      await raw("/reviews?product_slug=invoice-kit&min_rating=4&per_page=100"),
    );
    const [post] = await all(shop.blog.list());
    expect(await shop.blog.get(post?.slug ?? "")).toEqual(await raw(`/blog?slug=${post?.slug}`));
    expect(await shop.store()).toEqual(await raw("/store"));
    expect((await shop.status()).status).toBe("ok");
  });

  it("says what is wrong by the contract's codes", async () => {
    const shop = make();
    const missing = await shop.products.get("no-such-thing").catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({ code: "not_found", status: 404, path: "/product?slug=no-such-thing" });
    const wrong = await shop.products.page({ page: 0 }).catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(InvalidRequestError);
    expect(wrong).toMatchObject({ code: "invalid_parameter", message: /page must be/ });
    // @ts-expect-error: what an endpoint does not take is seen before it is asked.
    await expect(shop.products.page({ categry: "scripts" })).rejects.toThrow(/categry/);
  });
});

describe("over the network", () => {
  it("asks again only for what has changed", async () => {
    const shop = createClient(base());
    const first = await shop.store();
    statuses.length = 0;
    expect(await shop.store()).toEqual(first);
    expect(statuses).toEqual([304]);
  });

  it("waits as long as it is told, and gives up after its tries", async () => {
    const twice = await scripted(busy(429, "1"), busy(503, "1"), OK);
    const before = performance.now();
    const options = { longestWaitSeconds: 0.05 };
    expect((await createClient(twice.url, options).store()).store_name).toBe("Shop");
    expect(performance.now() - before).toBeGreaterThanOrEqual(95);
    const never = await scripted(busy(429, "60"));
    const error = await createClient(never.url, { ...options, tries: 2 })
      .store()
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(never.asked()).toBe(2);
    const down = await scripted(busy(503, "60"));
    await expect(createClient(down.url, { ...options, tries: 2 }).store()).rejects.toBeInstanceOf(
      UnavailableError,
    );
  });

  it("stops when it is told, also between tries", async () => {
    const never = await scripted(busy(429, "60"));
    const stopping = new AbortController();
    const asked = createClient(never.url).store({ signal: stopping.signal });
    while (never.asked() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stopping.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    const silent = await scripted(() => undefined);
    const late = createClient(silent.url, { timeoutSeconds: 0.05, tries: 1 }).store();
    await expect(late).rejects.toMatchObject({ code: "network", status: 0 });
  });

  it("takes nothing else for the API", async () => {
    const page = await scripted((_, response) => response.writeHead(404).end("<h1>Parked</h1>"));
    const error = await createClient(page.url)
      .store()
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: "unreadable", status: 404 });
    const gone = createClient("http://127.0.0.1:1/api/v1", { tries: 2, longestWaitSeconds: 0.01 }).store();
    await expect(gone).rejects.toMatchObject({ code: "network" });
  });
});

describe("as it is shipped", () => {
  const text = () => readFileSync(join(packageFolder(), "dist/client/client.js"), "utf8");

  it("has at most 3 kB and imports nothing", () => {
    expect(text()).not.toMatch(/\bimport\b/);
    expect(gzipSync(text()).length).toBeLessThanOrEqual(3000);
  });

  const USE = `const shop = createClient(base); const found = [];
    for await (const { slug } of shop.products.list()) found.push(slug);`;

  it("runs in a Worker", async () => {
    const worker = new Miniflare({
      modules: true,
      script: `${text()}\nexport default { async fetch(request) { const base = ${JSON.stringify(base())}; ${USE} return Response.json(found); } };`,
      compatibilityDate: "2026-04-01",
      cf: false,
    });
    const slugs = (await (await worker.dispatchFetch("http://worker/")).json()) as string[];
    await worker.dispose();
    expect(slugs.length).toBeGreaterThan(100);
  });

  it.skipIf(!hasBrowser())("runs in a browser, without asking whether it may", async () => {
    const browser = await startBrowser();
    try {
      const page = await browser.newPage();
      const site = await scripted(({ url }, response) => {
        response.setHeader("Content-Type", url === "/client.js" ? "text/javascript" : "text/html");
        response.end(url === "/client.js" ? text() : "<p>");
      });
      await page.goto(site.url);
      methods.clear();
      const slugs = await page.evaluate(
        `(async () => {
          const [{ createClient }, base] = [await import("/client.js"), ${JSON.stringify(base())}];
          ${USE}
          await shop.store();
          await shop.store();
          return found;
        })()`,
      );
      expect((slugs as string[]).length).toBeGreaterThan(100);
      expect([...methods]).toEqual(["GET"]);
    } finally {
      await browser.close();
    }
  });
});

/** `vitrine/client` over a server, a catalog and files; and the module as it is shipped, in a Worker and a browser. */
import { execFile } from "node:child_process";
import { copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { Server, ServerResponse } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { Miniflare } from "miniflare";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleClient } from "../../scripts/widget/bundle.ts";
import { API_PATH, CLIENT_FILE } from "../../src/api/endpoints.ts";
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
import { PAGES } from "../docs/markdown.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { packageFolder, startServer } from "../support/command.ts";
import { hasNode20, NODE_20 } from "../support/node-20.ts";
import { scripted } from "../support/scripted.ts";
import { sharedSnapshot } from "../support/shared-demo.ts";
import { temporaryFolder } from "../support/shop.ts";
import { until } from "../support/until.ts";

const statuses: number[] = [];
const methods = new Set<string>();
/** What GitHub Pages does: it looks at no query, adds a slash to a folder, has a page for what is missing, and answers only GET. */
const pages = await scripted(({ url = "", method }, response) => {
  if (method !== "GET") return void response.writeHead(405).end();
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Expose-Headers", "ETag");
  const path = decodeURIComponent(new URL(url, "http://host").pathname.replace(/^\/repository/, ""));
  const file = join(sharedSnapshot("demo"), "site", path);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory() && !path.endsWith("/"))
    response.writeHead(301, { Location: `/repository${path}/` }).end();
  else if (found?.isFile()) response.writeHead(200, { ETag: `"${found.mtimeMs}"` }).end(readFileSync(file));
  else
    response
      .writeHead(404, { "Content-Type": "text/html" })
      .end("<h1>There isn't a GitHub Pages site here.</h1>");
});
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
      const catalog = read.openPublicCatalog(join(sharedSnapshot("demo"), "catalog.sqlite"));
      closed.push(() => catalog.close());
      return createClient(catalog);
    },
  ],
  ["files", () => createClient(openFolder(join(sharedSnapshot("demo"), "site")))],
  ["a static host", () => createClient(`${pages.origin}/repository/api/v1`)],
])("over %s", (where, make) => {
  it("reads every list and record as the API gives them", async () => {
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

  it("rejects a missing record with the contract's code", async () => {
    const missing = await make()
      .products.get("no-such-thing")
      .catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({ code: "not_found", status: 404, path: "/product?slug=no-such-thing" });
  });

  it.skipIf(where === "a static host")("rejects wrong parameters with the contract's codes", async () => {
    const shop = make();
    const wrong = await shop.products.page({ page: 0 }).catch((error: unknown) => error);
    expect(wrong).toBeInstanceOf(InvalidRequestError);
    expect(wrong).toMatchObject({ code: "invalid_parameter", message: /page must be/ });
    // @ts-expect-error: what an endpoint does not take is seen before it is asked.
    await expect(shop.products.page({ categry: "scripts" })).rejects.toThrow(/categry/);
  });
});

describe("over the network", () => {
  it("fetches only changed answers again", async () => {
    const shop = createClient(base());
    const first = await shop.store();
    statuses.length = 0;
    expect(await shop.store()).toEqual(first);
    expect(statuses).toEqual([304]);
  });

  it("waits as long as Retry-After says, and gives up after its tries", async () => {
    const twice = await scripted(busy(429, "1"), busy(503, "1"), OK);
    const before = performance.now();
    const options = { longestWaitSeconds: 0.05 };
    expect((await createClient(twice.base, options).store()).store_name).toBe("Shop");
    expect(performance.now() - before).toBeGreaterThanOrEqual(95);
    const never = await scripted(busy(429, "60"));
    const error = await createClient(never.base, { ...options, tries: 2 })
      .store()
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(never.asked.length).toBe(2);
    const down = await scripted(busy(503, "60"));
    await expect(createClient(down.base, { ...options, tries: 2 }).store()).rejects.toBeInstanceOf(
      UnavailableError,
    );
  });

  it("stops when its signal is aborted, also between tries", async () => {
    const never = await scripted(busy(429, "60"));
    const stopping = new AbortController();
    const asked = createClient(never.base).store({ signal: stopping.signal });
    await until("a first request", () => never.asked.length > 0);
    stopping.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    const silent = await scripted(() => undefined);
    const late = createClient(silent.base, { timeoutSeconds: 0.05, tries: 1 }).store();
    await expect(late).rejects.toMatchObject({ code: "network", status: 0 });
  });

  it("accepts no other answers as the API's", async () => {
    const page = await scripted((_, response) => response.writeHead(404).end("<h1>Parked</h1>"));
    const error = await createClient(page.base)
      .store()
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: "unreadable", status: 404 });
    const gone = createClient("http://127.0.0.1:1/api/v1", { tries: 2, longestWaitSeconds: 0.01 }).store();
    await expect(gone).rejects.toMatchObject({ code: "network" });
  });
});

/** The scripts of a page. A service worker can't import later, a classic worker can't import first. */
function scriptOf(url: string, client: string): string {
  const run = `async ({ data, ports: [port] }) => {
    const shop = createClient(data);
    const found = [];
    for (let at = 0; at < 2; at++)
      found.push(await shop.products.get("invoice-kit").then(({ title }) => title, ({ message }) => message));
    port.postMessage(found);
  }`;
  if (url === "/worker.js")
    return `import { createClient } from "${client}"; self.onmessage = ${run};
      self.onconnect = ({ ports: [port] }) => { port.onmessage = self.onmessage; };`;
  if (url === "/classic.js")
    return `onmessage = async (event) => {
      const { createClient } = await import("${client}"); await (${run})(event);
    };`;
  // As Workbox's StaleWhileRevalidate.
  if (url === "/keep.js")
    return `skipWaiting();
      onactivate = (event) => event.waitUntil(clients.claim());
      let keeping = Promise.resolve();
      onfetch = (event) => {
        if (event.request.url.endsWith("/kept")) event.respondWith(keeping.then(() => new Response("kept")));
        if (!event.request.url.includes("/api/")) return;
        const fresh = fetch(event.request);
        const copy = fresh.then((answer) => answer.clone());
        keeping = Promise.all([caches.open("api"), copy]).then(([cache, answer]) => cache.put(event.request, answer));
        event.respondWith(caches.match(event.request).then((kept) => kept ?? fresh));
      };`;
  return "<p>";
}

describe("the shipped client", () => {
  const file = join(sharedSnapshot("demo"), "site", CLIENT_FILE);
  const text = () => readFileSync(file, "utf8");

  it("is one file of 3 kB without imports, the same in the snapshot, in the package and from the sources", async () => {
    expect(text()).not.toMatch(/\bimport\b/);
    expect(brotliCompressSync(text()).length).toBeLessThan(3050);
    const manifest = JSON.parse(readFileSync(join(packageFolder(), "package.json"), "utf8"));
    expect(readFileSync(join(packageFolder(), manifest.exports["./client"].default), "utf8")).toBe(text());
    const isCurrent = (await bundleClient()) === text();
    expect(isCurrent, "npm run bundle:widget").toBe(true);
  });

  const USE = `const shop = createClient(base); const found = [];
    for await (const { slug } of shop.products.list()) found.push(slug);`;

  it("runs in a Worker", async () => {
    const program = `import { createClient } from "./client.mjs";
      const base = ${JSON.stringify(base())};
      export default { async fetch() { ${USE} return Response.json(found); } };`;
    const worker = new Miniflare({
      modules: [
        { type: "ESModule", path: "worker.mjs", contents: program },
        { type: "ESModule", path: "client.mjs", contents: text() },
      ],
      compatibilityDate: "2026-04-01",
      cf: false,
    });
    const slugs = (await (await worker.dispatchFetch("http://worker/")).json()) as string[];
    await worker.dispose();
    expect(slugs.length).toBeGreaterThan(100);
  });

  it.skipIf(!hasNode20())("runs in Node 20, saved as a file", async () => {
    const program = `import { createClient } from "./client.mjs";
      const base = ${JSON.stringify(base())}; ${USE} console.log(found.length);`;
    const folder = temporaryFolder();
    copyFileSync(file, join(folder, "client.mjs"));
    writeFileSync(join(folder, "program.mjs"), program);
    const { stdout } = await promisify(execFile)(NODE_20, ["program.mjs"], { cwd: folder });
    expect(Number(stdout)).toBeGreaterThan(100);
  });

  it("runs as docs/library.md shows", async () => {
    const page = PAGES.find(({ file }) => file === "docs/library.md");
    const example = page?.blocks.find(({ language }) => language === "js")?.text ?? "";
    const folder = temporaryFolder();
    copyFileSync(file, join(folder, "client.mjs"));
    const local = example
      .replace("https://shop.example/widgets/client.js", "./client.mjs")
      .replace("https://shop.example/api/v1", base());
    expect(local).not.toContain("shop.example");
    writeFileSync(join(folder, "example.mjs"), local);
    const { stdout } = await promisify(execFile)("node", ["example.mjs"], { cwd: folder });
    expect(stdout).toMatch(/^(.+: \d+(\.\d+)?\n){3,}\d+ of \d+ reviews\n/);
  });

  describe.skipIf(!hasBrowser())("in a browser, from the shop's host", () => {
    let [browser, page, shop] = [undefined as Browser | undefined, undefined as Page | undefined, ""];
    let siteOrigin = "";
    beforeAll(async () => {
      const serve = await startServer(["serve", "--out", sharedSnapshot("demo"), "--no-rate-limit"]);
      closed.push(() => serve.child.kill("SIGTERM"));
      shop = serve.url;
      browser = await startBrowser();
      page = await browser.newPage();
      const site = await scripted(async ({ url = "" }, response) => {
        if (url.startsWith("/moved/api")) return response.writeHead(301, { Location: url.slice(6) }).end();
        if (url.startsWith("/api")) return response.end(await (await fetch(origin + url)).text());
        const type = url.endsWith(".js") ? "text/javascript" : "text/html";
        response.writeHead(200, { "Content-Type": type }).end(scriptOf(url, `${shop}/${CLIENT_FILE}`));
      });
      siteOrigin = site.origin;
      await page.goto(siteOrigin);
    });
    afterAll(() => browser?.close());

    /** What a module of the page says that has imported the client. */
    const inPage = <Result>(base: string, code: string) =>
      page?.evaluate<Result>(`(async () => {
        const { createClient } = await import("${shop}/${CLIENT_FILE}");
        const base = ${JSON.stringify(base)};
        ${code}
      })()`);

    it("it reads without a preflight request", async () => {
      methods.clear();
      const slugs = await inPage<string[]>(
        base(),
        `${USE} await shop.store(); await shop.store(); return found;`,
      );
      expect(slugs?.length).toBeGreaterThan(100);
      expect([...methods]).toEqual(["GET"]);
    });

    it("it reads a static host that redirects", async () => {
      const slugs = await inPage<string[]>(`${pages.origin}/repository/api/v1`, `${USE} return found;`);
      expect(slugs?.length).toBeGreaterThan(100);
    });

    it.each(["classic worker", "module worker", "shared worker", "service worker"])(
      "it reads a host of files twice in a %s, without a preflight request",
      async (kind) => {
        const code = `(async () => {
          const kind = ${JSON.stringify(kind)};
          const { port1, port2 } = new MessageChannel();
          const answer = new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
          const file = kind === "classic worker" ? "/classic.js" : "/worker.js";
          const type = kind === "classic worker" ? "classic" : "module";
          let worker;
          if (kind === "shared worker") worker = new SharedWorker(file, { type }).port;
          else if (kind === "service worker") {
            const scope = "/nowhere/";
            const made = await navigator.serviceWorker.register(file, { type, scope });
            worker = made.installing ?? made.waiting ?? made.active;
          } else worker = new Worker(file, { type });
          worker.postMessage(${JSON.stringify(`${pages.origin}/repository/api/v1`)}, [port2]);
          return answer;
        })()`;
        expect(await page?.evaluate(code)).toEqual(["Invoice Kit", "Invoice Kit"]);
      },
    );

    it("it reads behind a service worker that keeps each answer, and behind a redirect", async () => {
      const context = await browser?.newContext();
      const tab = await context?.newPage();
      await tab?.goto(siteOrigin);
      const code = `(async () => {
        await navigator.serviceWorker.register("/keep.js");
        await new Promise((resolve) => {
          if (navigator.serviceWorker.controller !== null) resolve();
          navigator.serviceWorker.oncontrollerchange = resolve;
        });
        const { createClient } = await import("${shop}/${CLIENT_FILE}");
        const found = [];
        for (let at = 0; at < 6; at++) {
          const shop = createClient("/moved/api/v1", { tries: 1 });
          found.push((await shop.products.get("invoice-kit")).title);
          await (await fetch("/kept")).text();
        }
        return found;
      })()`;
      expect(await tab?.evaluate(code)).toEqual(Array(6).fill("Invoice Kit"));
      await context?.close();
    });

    it.each<[string, (text: string) => Buffer]>([
      ["gzip", gzipSync],
      ["br", brotliCompressSync],
      ["zstd", zstdCompressSync],
      ["identity", Buffer.from],
    ])("it asks again for an answer in %s that was cut", async (encoding, compress) => {
      const store = JSON.stringify({ success: true, data: { store_name: "Shop" }, meta: {} });
      const body = compress(store);
      const headers = {
        "Access-Control-Allow-Origin": "*",
        "Content-Type": "application/json; charset=utf-8",
        "Content-Encoding": encoding,
      };
      const host = await scripted(
        (_, response) => response.writeHead(200, headers).end(body.subarray(0, body.length - 12)),
        (_, response) => response.writeHead(200, headers).end(body),
      );
      const read = "return createClient(base, { longestWaitSeconds: 0.01 }).store();";
      expect(await inPage(host.base, read)).toEqual({ store_name: "Shop" });
      expect(host.asked).toHaveLength(2);
    });

    it("it accepts no answer of another host", async () => {
      const away = await scripted((_, response) =>
        response.writeHead(302, { Location: `${base()}/store`, "Access-Control-Allow-Origin": "*" }).end(),
      );
      const asked =
        "return createClient(base).store().then(() => 'answered', ({ code, message }) => code + message);";
      expect(await inPage(away.base, asked)).toMatch(/^unreadable.*was redirected to http:/);
    });
  });
});

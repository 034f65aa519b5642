/** The widgets when requests fail: what is not answered now is shown later, by itself or by "Try again". */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../src/serve/http.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { temporaryFolder } from "../support/shop.ts";
import { type HostPage, startHostPage, startSite } from "./support/host.ts";

/** Answers in the place of the API, whose answer it would have been. */
type Fault = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

const HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Retry-After",
  "Content-Type": "application/json; charset=utf-8",
};
const reset: Fault = ({ socket }) => socket.resetAndDestroy();
const cut = (encoding: string, compress: (body: Buffer) => Buffer): Fault => {
  return (_, response, body) => {
    const whole = compress(body);
    const headers = { ...HEADERS, "Content-Encoding": encoding };
    response.writeHead(200, headers).end(whole.subarray(0, whole.length - 30));
  };
};
const busy = (status: number, retryAfter?: () => string): Fault => {
  return (_, response) =>
    response.writeHead(status, { ...HEADERS, ...(retryAfter && { "Retry-After": retryAfter() }) }).end();
};
const html: Fault = (_, response) =>
  response.writeHead(200, { ...HEADERS, "Content-Type": "text/html" }).end("<h1>Back soon</h1>");

const present = hasBrowser();
let browser: Browser;
let host: HostPage;
let site: Awaited<ReturnType<typeof startSite>>;
let server: Server;
let origin = "";
/** The fault of a request to the API; undefined lets the site answer. */
let faultOf: (url: string) => Fault | undefined;

beforeAll(async () => {
  if (!present) return;
  const folder = temporaryFolder();
  [site, host, browser] = await Promise.all([startSite(folder), startHostPage(), startBrowser()]);
  server = createServer(async (request, response) => {
    const { url = "" } = request;
    const answer = await fetch(site.url + url);
    const body = Buffer.from(await answer.arrayBuffer());
    const fault = url.startsWith("/api") ? faultOf(url) : undefined;
    if (fault !== undefined) return fault(request, response, body);
    const type = answer.headers.get("Content-Type") ?? "";
    response.writeHead(answer.status, { ...HEADERS, "Content-Type": type });
    // The scripts ask this server then.
    response.end(url.endsWith(".js") ? body.toString().replaceAll(site.url, origin) : body);
  });
  origin = await listen(server, "127.0.0.1", 0);
});

afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});

afterAll(async () => {
  await browser?.close();
  server?.close();
  site?.close();
  host?.close();
});

const NEEDS = {
  reviews: 'product-slug="invoice-kit"',
  badge: 'product-slug="invoice-kit"',
  card: 'product-slug="invoice-kit"',
  grid: 'category="scripts"',
  faq: 'product-slug="invoice-kit"',
};
type Name = keyof typeof NEEDS;

/** Runs in the page: a pause before another try takes a twentieth of its time; deadlines stay. */
const QUICK_PAUSES = `
  const start = setTimeout;
  window.setTimeout = (work, pause = 0) => start(work, pause >= 500 && pause < 10_000 ? pause / 20 : pause);
`;

/** A page with widgets. `said`: their lines in the console. */
async function open(names: readonly Name[], faults: (url: string) => Fault | undefined) {
  faultOf = faults;
  const tags = names.map(
    (name) =>
      `<vitrine-${name} ${NEEDS[name]}></vitrine-${name}><script src="${origin}/widgets/${name}.js"></script>`,
  );
  host.set(tags.join(""));
  const tab = await browser.newPage({ viewport: { width: 1280, height: 6000 } });
  await tab.addInitScript(QUICK_PAUSES);
  const said: string[] = [];
  tab.on("console", (message) => message.text().startsWith("Vitrine:") && said.push(message.text()));
  tab.on("pageerror", (error) => said.push(error.message));
  await tab.goto(host.url);
  const count = (state: string) => tab.locator(`[data-vitrine-state=${state}]`).count();
  const untilAre = (state: string) => expect.poll(() => count(state), { timeout: 30_000 }).toBe(names.length);
  return { tab, said, untilAre, again: tab.getByRole("button", { name: "Try again" }) };
}

const focused = (tab: Page) => tab.evaluate("document.activeElement.localName");

describe.runIf(present)("a widget whose request fails once", () => {
  it.each<[string, Fault]>([
    ["by a reset connection", reset],
    ["by a cut body in gzip", cut("gzip", gzipSync)],
    ["by a cut body in brotli", cut("br", brotliCompressSync)],
    ["by a cut body in zstd", cut("zstd", zstdCompressSync)],
    ["by a cut body", cut("identity", Buffer.from)],
    ["by a 503 that says nothing", busy(503)],
    ["by a 429 that says 0", busy(429, () => "0")],
    ["by a 503 that says a date", busy(503, () => new Date(Date.now() + 2000).toUTCString())],
    ["by a 503 that says a date in the past", busy(503, () => "Fri, 31 Dec 1999 23:59:59 GMT")],
    ["by a 504 of a proxy", busy(504)],
  ])("%s is shown by itself", async (_, fault) => {
    const failed = new Set<string>();
    const { tab, said, untilAre } = await open(["reviews"], (url) => {
      if (failed.has(url)) return undefined;
      failed.add(url);
      return fault;
    });
    await untilAre("ready");
    // The bars, too.
    await tab.getByRole("button", { name: /^5 out of 5/ }).waitFor();
    expect(said).toEqual([]);
  });
});

describe.runIf(present)("a widget whose requests fail for a while", () => {
  it('has "Try again", whichever it is, and keeps the focus', async () => {
    let fault: Fault | undefined = reset;
    const names = Object.keys(NEEDS) as Name[];
    const { tab, said, untilAre, again } = await open(names, () => fault);
    await untilAre("failed");
    expect(said).toHaveLength(names.length);
    for (const line of said) expect(line).toContain("could not be shown");
    fault = html;
    await again.first().focus();
    await again.first().press("Enter");
    await expect.poll(() => said.length).toBe(names.length + 1);
    expect(await again.count()).toBe(names.length);
    expect(await focused(tab)).toBe(`vitrine-${names[0]}`);
    fault = undefined;
    for (const _ of names) await again.first().click();
    await untilAre("ready");
    expect(await focused(tab)).toBe(`vitrine-${names.at(-1)}`);
  });

  it("is shown when the browser is online again", async () => {
    let fault: Fault | undefined = reset;
    const { tab, untilAre } = await open(["card"], () => fault);
    await untilAre("failed");
    fault = undefined;
    await tab.context().setOffline(true);
    await tab.context().setOffline(false);
    await untilAre("ready");
  });

  it("shows its reviews without bars, which can be tried again", async () => {
    let fault: Fault | undefined = reset;
    const { tab, untilAre, again } = await open(["reviews"], (url) =>
      url.includes("rating=") ? fault : undefined,
    );
    await untilAre("ready");
    await again.waitFor();
    expect(await tab.locator("article").count()).toBe(5);
    fault = undefined;
    await again.click();
    await tab.getByRole("button", { name: /^5 out of 5/ }).waitFor();
    expect(await again.count()).toBe(0);
  });

  it("keeps its reviews, and the button that asks for more", async () => {
    let fault: Fault | undefined = reset;
    const { tab, untilAre, again } = await open(["reviews"], (url) =>
      url.includes("page=2") ? fault : undefined,
    );
    await untilAre("ready");
    const more = tab.getByRole("button", { name: "Show more reviews" });
    const count = () => tab.locator("article").count();
    for (const shown of [10, 15, 20]) {
      await more.click();
      await expect.poll(count).toBe(shown);
    }
    await more.click();
    await again.waitFor();
    expect(await again.textContent()).toBe("Reviews could not be loaded. Try again");
    expect(await count()).toBe(20);
    fault = undefined;
    await again.click();
    await expect.poll(count).toBe(25);
    expect(await more.isVisible()).toBe(true);
  });

  it("that the shop does not know has nothing to try again", async () => {
    const { untilAre, again, tab } = await open(["badge"], () => undefined);
    await untilAre("ready");
    await tab.evaluate("document.querySelector('vitrine-badge').setAttribute('product-slug', 'no-such')");
    await untilAre("not-found");
    expect(await again.count()).toBe(0);
  });
});

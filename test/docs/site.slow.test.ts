/** The documentation as a site: built once, below a path as most hosts have it, and looked at as readers do. */
import { globSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join, relative, resolve } from "node:path";
import mime from "mime-types";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONFIGURATION_FILE, makeConfigurationReference } from "../../scripts/config/manual.ts";
import { buildSite } from "../../scripts/docs-site/build.ts";
import { contents } from "../../scripts/docs-site/contents.ts";
import { listen, stop } from "../../src/serve/http.ts";
import { violations } from "../support/axe.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { temporaryFolder } from "../support/shop.ts";
import { PAGES } from "./markdown.ts";

const BASE = "/vitrine/";
const PICTURE_BYTES = 110_000;
const folder = temporaryFolder();
const site = join(folder, "site");
const present = hasBrowser();

beforeAll(() => buildSite(site, BASE));

const read = (page: string) => readFileSync(join(site, page), "utf8");
/** Those of the documents: not what one of them shows within itself. */
const htmlFiles = () => globSync("**/*.html", { cwd: site, exclude: ["live"] }).sort();

/** Where links of a page lead, as pages of the site with their anchor. */
function linksOf(page: string): string[] {
  const targets = [...read(page).matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, target = ""]) => target);
  const inside = targets.filter((target) => !/^[a-z]+:/.test(target));
  return inside.map((target) => {
    const { pathname, hash } = new URL(target, `http://site${BASE}${page}`);
    const path = pathname.slice(BASE.length) || "index.html";
    return `${path.endsWith("/") ? `${path}index.html` : path}${decodeURIComponent(hash)}`;
  });
}

describe("the documentation's site", () => {
  it("has every document of docs/, and each page in its sidebar", () => {
    const known = contents().flatMap(({ entries }) => entries.map(({ file }) => file));
    expect(globSync("docs/**/*.md").filter((file) => !known.includes(file))).toEqual([]);
    const linked = new Set(linksOf("index.html"));
    const pages = htmlFiles().filter((page) => page !== "404.html");
    expect(pages.length).toBeGreaterThan(30);
    expect(pages.filter((page) => !linked.has(page))).toEqual([]);
  });

  it("has links that lead to pages, and to headings that these have", () => {
    const places = new Set(
      htmlFiles().flatMap((page) => [
        page,
        ...[...read(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => `${page}#${id}`),
      ]),
    );
    const dead = htmlFiles().flatMap((page) =>
      linksOf(page)
        .filter((target) => !places.has(target))
        .map((target) => `${page}: ${target}`),
    );
    expect(dead).toEqual([]);
  });

  it("shows what documents link to outside of docs/", () => {
    expect(read("files/templates/queries.html")).toContain('id="productssql"');
    expect(read("security.html")).toContain("What can leak, and why it does not");
  });
});

describe("docs/configuration.md", () => {
  it("says what the schema says: npm run docs:config", () => {
    expect(readFileSync(CONFIGURATION_FILE, "utf8")).toBe(makeConfigurationReference());
  });
});

describe("the pictures of the documents", () => {
  // Of a picture in two themes, the words are those of its last element.
  const shown = PAGES.flatMap(({ file, prose }) => {
    const alt = /<img [^>]*alt="([^"]*)"/.exec(prose)?.[1] ?? "";
    const plain = [...prose.matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, words = "", target = ""]) => [
      words,
      target,
    ]);
    const themed = [...prose.matchAll(/"(docs\/pictures\/[^"]+)"/g)].map(([, target = ""]) => [alt, target]);
    return [...plain, ...themed].map(([words = "", target = ""]) => ({
      words,
      picture: relative(".", resolve(file, "..", target)),
    }));
  });

  it("are all shown, each with words for who cannot see it, and small", () => {
    expect([...new Set(shown.map(({ picture }) => picture))].sort()).toEqual(
      globSync("docs/pictures/*").sort(),
    );
    for (const { words, picture } of shown) {
      expect(words.length, picture).toBeGreaterThan(40);
      expect(statSync(picture).size, picture).toBeLessThanOrEqual(PICTURE_BYTES);
    }
  });
});

/** A page of prose with pictures, one of tables, one of code. */
const KINDS = ["start.html", "configuration.html", "api.html"];
const LOOKS = [
  [1280, "light"],
  [360, "dark"],
] as const;

describe.runIf(present)("the documentation's site, in Chromium", () => {
  let server: Server;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    server = createServer(({ url = "" }, response) => {
      const file = join(site, url.slice(BASE.length).replace(/[?#].*/, ""));
      const found = url.startsWith(BASE) && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
      response.writeHead(found ? 200 : 404, {
        "Content-Type": mime.contentType(file.slice(file.lastIndexOf("."))) || "",
      });
      response.end(found ? readFileSync(file) : "");
    });
    origin = await listen(server, "127.0.0.1", 0);
    browser = await startBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await stop(server);
  });

  /** With what it asks for and complains of. */
  async function open(path: string): Promise<{ page: Page; hosts: Set<string>; complaints: string[] }> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const [hosts, complaints] = [new Set<string>(), [] as string[]];
    page.on("request", (request) => {
      if (!request.url().startsWith("data:")) hosts.add(new URL(request.url()).origin);
    });
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${origin}${BASE}${path}`);
    await page.waitForLoadState("networkidle");
    return { page, hosts, complaints };
  }

  it("finds a page by its words, and asks no other host", async () => {
    const { page, hosts, complaints } = await open("index.html");
    await page.getByRole("button", { name: /search/i }).click();
    await page.getByRole("searchbox").fill("Retry-After");
    await page.locator("#localsearch-list").getByText("The API for readers").first().click();
    await page.getByRole("heading", { level: 1, name: "The API for readers" }).waitFor();
    expect([...hosts]).toEqual([origin]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("shows the widget as it runs, in six looks, from its own files", async () => {
    const { page, hosts, complaints } = await open("widget.html");
    await page.locator("iframe.live").scrollIntoViewIfNeeded();
    const live = page.frameLocator("iframe.live");
    const last = live.locator("[data-vitrine]").last();
    await last.scrollIntoViewIfNeeded();
    await expect.poll(() => live.locator("[data-vitrine-state=ready]").count(), { timeout: 10_000 }).toBe(6);
    const accents = await live
      .locator("[data-vitrine]")
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).getPropertyValue("--vitrine-accent")));
    expect(accents).toEqual(["", "", "#9a3412", "#5b21b6", "#111", ""]);
    expect([...hosts]).toEqual([origin]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.each(KINDS)("%s has nothing that axe finds, wide and light or narrow and dark", async (path) => {
    const { page, hosts, complaints } = await open(path);
    const found: string[] = [];
    for (const [width, colorScheme] of LOOKS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const drawn = colorScheme === "dark" ? "html.dark" : "html:not(.dark)";
      await page.locator(drawn).waitFor({ state: "attached" });
      const over = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      if (over !== 0) found.push(`${width}: scrolls sideways by ${over}`);
      for (const violation of await violations(page)) found.push(`${width} ${colorScheme} ${violation}`);
    }
    expect(found).toEqual([]);
    expect([...hosts]).toEqual([origin]);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

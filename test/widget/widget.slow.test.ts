import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleWidget, WIDGET_FILE } from "../../scripts/widget/bundle.ts";
import { widgetCall } from "../../src/api/records/widget.ts";
import { TEXTS } from "../../src/widget/texts.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { temporaryFolder } from "../support/shop.ts";
import { type HostPage, hear, type Site, startHostPage, startSite } from "./support/host.ts";

const present = hasBrowser();
const folder = temporaryFolder();
let browser: Browser;
let site: Site;
let host: HostPage;

/** Asks from outside: what waits within the page would be made of text there, which the page's policy refuses. */
async function untilReady(tab: Page, count: number): Promise<void> {
  await expect.poll(() => tab.locator("[data-vitrine-state=ready]").count(), { timeout: 20_000 }).toBe(count);
}

beforeAll(async () => {
  if (!present) return;
  [site, host, browser] = await Promise.all([startSite(folder), startHostPage(), startBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  site?.close();
  host?.close();
});

const PRODUCT = "/api/v1/product?slug=";
const REVIEWS = "/api/v1/reviews?product_slug=";
/** What one product's widgets ask for: two files. */
const FILES = [`200 file ${PRODUCT}invoice-kit`, `200 file ${REVIEWS}invoice-kit`];

/** The attribute is what a page or a test can wait for. */
const inState = (state: string) => `[data-vitrine-state=${state}]`;

const tag = (attributes: string) =>
  `<script async src="${site.url}/widgets/reviews.js" ${attributes}></script>`;
const kit = (attributes = "") => tag(`data-product-slug="invoice-kit" ${attributes}`);

async function open(html: string, policy?: string, options: Parameters<Browser["newPage"]>[0] = {}) {
  host.set(html, policy);
  site.asked();
  const tab = await browser.newPage(options);
  const noise = await hear(tab);
  await tab.goto(host.url);
  return { tab, noise };
}

function colour(tab: Page, selector: string, property: string): Promise<string> {
  const code = `getComputedStyle(node).getPropertyValue(${JSON.stringify(property)})`;
  return tab
    .locator(selector)
    .first()
    .evaluate(new Function("node", `return ${code}`) as () => string);
}

it("is one file under 4 kB, made of its sources", async () => {
  const text = await bundleWidget();
  expect(readFileSync(WIDGET_FILE, "utf8")).toBe(text);
  const call = `${widgetCall("https://api.shop.example/api/v1")}\n`;
  expect(gzipSync(text + call, { level: 9 }).length).toBeLessThan(4000);
});

describe.runIf(present)("the review widget, in a page of another origin", () => {
  it("asks a host that looks at no query for its files by their paths", async () => {
    const tab = await browser.newPage();
    const call = widgetCall(`${site.url}/api/v1`, true);
    const script = { contentType: "text/javascript", body: readFileSync(WIDGET_FILE, "utf8") + call };
    await tab.route("**/widgets/reviews.js", (route) => route.fulfill(script));
    await tab.route("**/api/v1/**", (route) => {
      const { pathname, search } = new URL(route.request().url());
      const path = join(folder, "out/site", pathname);
      const headers = { "Access-Control-Allow-Origin": "*" };
      return search === "" && existsSync(path)
        ? route.fulfill({ path, headers })
        : route.fulfill({ status: 404, headers, body: "{}" });
    });
    host.set(kit());
    await tab.goto(host.url);
    await tab.waitForSelector(inState("ready"));
    expect(await tab.locator("h3").count()).toBe(5);
    await tab.close();
  });

  it("works as /widgets says, with 200 hostile reviews, where the page forbids all styles and strings as code", async () => {
    const { data } = (await (await fetch(`${site.url}/api/v1/widgets`)).json()) as {
      data: { embed_example: string }[];
    };
    const policy = `default-src 'none'; script-src ${site.url}; connect-src ${site.url}; style-src 'none'; require-trusted-types-for 'script'`;
    const example = data[0]?.embed_example ?? "";
    expect(example).toContain('data-product-slug="invoice-kit"');
    const { tab, noise } = await open(example, policy);
    await tab.waitForSelector(`#product-reviews > ${inState("ready")}`);
    const answer = (await (await fetch(`${site.url}${REVIEWS}invoice-kit`)).json()) as {
      data: Record<"title" | "body" | "customer_display_name", string>[];
    };
    const first = answer.data.slice(0, 5);
    expect(await tab.locator("h3").allTextContents()).toEqual(first.map((review) => review.title));
    expect(await tab.locator("article > p").allTextContents()).toEqual(first.map((review) => review.body));
    expect(await tab.locator("bdi").allTextContents()).toEqual(
      first.map((review) => review.customer_display_name),
    );
    expect(await tab.locator("article script, article img, article a, article iframe").count()).toBe(0);
    expect(await tab.locator("header").textContent()).toBe("3.7 out of 5200 reviews");
    expect(await tab.locator("header > svg").getAttribute("aria-label")).toBe("3.7 out of 5");
    expect(await tab.locator("em").first().textContent()).toBe("✓ Verified purchase");
    // The sheet holds although the page forbids styles.
    expect(await colour(tab, "li", "border-top-left-radius")).toBe("14px");
    expect(noise).toEqual({ said: [], bad: [] });
    expect(site.asked().slice(-3).sort()).toEqual([...FILES, FILES[1]].sort());
    await tab.close();
  });

  it("shows at most the first page, and asks for files alone, once for all widgets of a page", async () => {
    const places = [1, 2, 3].map(
      (at) => `<div id="p${at}">Before</div>${kit(`data-limit="${at * 9}" data-container="p${at}"`)}`,
    );
    const { tab } = await open(
      `${places.join("")}${kit('data-limit="zero" data-theme="dark"')}<p id="after">`,
    );
    await tab.waitForSelector(`#p3 ${inState("ready")} >> nth=0`);
    await tab.waitForSelector(`${inState("ready")} + script + #after`, { state: "attached" });
    for (const [id, count] of [
      ["p1", 9],
      ["p2", 18],
      ["p3", 20],
    ] as const)
      expect(await tab.locator(`#${id} article`).count()).toBe(count);
    expect(await tab.locator("body > [data-vitrine] article").count()).toBe(5);
    expect(await tab.locator("text=Before").count()).toBe(0);
    expect(site.asked().sort()).toEqual(FILES);
    await tab.close();
  });

  it("shows nothing without a product, and says so in the console", async () => {
    const tags = [
      "",
      'data-product-slug=""',
      'data-product-slug=" "',
      'data-container="here" data-limit="3"',
    ];
    const { tab, noise } = await open(
      `<div id="here">As it was</div>${tags.map(tag).join("")}<p id="after">`,
    );
    await tab.waitForLoadState("networkidle");
    expect(noise.said.filter((line) => line.includes("no data-product-slug"))).toHaveLength(tags.length);
    expect(site.asked()).toEqual([]);
    expect(await tab.locator("[data-vitrine]").count()).toBe(0);
    expect(await tab.locator("#here").textContent()).toBe("As it was");
    expect(await tab.locator("script + p#after").count()).toBe(1);
    await tab.close();
  });

  it("asks again when a 429 says so, and has a state for each outcome", async () => {
    const other = tag('data-product-slug="pdf-invoice-pro" data-container="other"');
    site.next("limited", "limited", "limited");
    const waiting = await open(`<div id="here"></div>${kit('data-container="here"')}`);
    await waiting.tab.waitForSelector(inState("loading"));
    expect(await waiting.tab.locator("[aria-busy=true]").count()).toBe(1);
    await waiting.tab.waitForSelector(inState("ready"));
    expect(site.asked().map((line) => line.slice(0, 8))).toEqual([
      ...Array(3).fill("429 none"),
      "200 file",
      "200 file",
    ]);
    await waiting.tab.close();

    const { data } = (await (await fetch(`${site.url}/api/v1/products`)).json()) as {
      data: { slug: string }[];
    };
    const unreviewed = data.find(({ slug }) => slug !== "invoice-kit")?.slug ?? "";
    const empty = await open(other.replace("pdf-invoice-pro", unreviewed));
    await empty.tab.waitForSelector(inState("empty"));
    expect(await empty.tab.locator("section").textContent()).toContain("No reviews yet.");
    await empty.tab.close();

    const wrong = await open(tag('data-product-slug="no-such-product"'));
    await wrong.tab.waitForSelector(inState("not-found"));
    expect(await wrong.tab.locator("section").textContent()).toContain("Reviews could not be loaded.");
    expect(wrong.noise.said.join()).toContain('"no-such-product"');
    await wrong.tab.close();

    site.next("broken", "broken");
    const failed = await open(kit());
    await failed.tab.waitForSelector(inState("failed"));
    expect(failed.noise.bad).toEqual([]);
    await failed.tab.close();
    const dead = await open(kit(), `default-src 'none'; script-src ${site.url}; connect-src 'none'`);
    await dead.tab.waitForSelector(inState("failed"));
    await dead.tab.close();
  });

  it("speaks ten languages, that of its tag before the page's before the visitor's", async () => {
    const widgets = Object.keys(TEXTS).map((code) => kit(`data-lang="${code}"`));
    const { tab } = await open(
      `<script>document.documentElement.lang = "fr"</script>${widgets.join("")}${kit()}${kit('data-lang="tlh"')}`,
      "default-src * 'unsafe-inline'",
      { locale: "en-GB" },
    );
    await untilReady(tab, 12);
    const shown = await tab
      .locator("section")
      .evaluateAll((nodes) =>
        (nodes as unknown as { lang: string; dir: string; innerText: string }[]).map(
          ({ lang, dir, innerText }) => ({ lang, dir, innerText }),
        ),
      );
    expect(shown.map(({ lang }) => lang)).toEqual([...Object.keys(TEXTS), "fr", "en"]);
    for (const { lang, dir, innerText } of shown) {
      const [heading, average, count, verified, more] = TEXTS[lang] ?? [];
      expect(dir).toBe(lang === "ar" ? "rtl" : "ltr");
      for (const text of [heading, verified, more]) expect(innerText).toContain(text);
      expect(innerText).toMatch(new RegExp((average ?? "").replace("{n}", "(3[.,]7|٣٫٧)")));
      const plural = new Intl.PluralRules(lang).select(200);
      expect(innerText).toContain(
        (count?.[plural] ?? count?.other ?? "").replace("{n}", new Intl.NumberFormat(lang).format(200)),
      );
    }
    // Numbers and dates as the visitor's region has them, the day in UTC whatever the time zone.
    expect(shown[0]?.innerText).toMatch(/\b9 Jan 2026\b/);
    expect(shown[1]?.innerText).toMatch(/3,7 von 5/);
    await tab.close();
  });

  it("is light, dark, or as the visitor likes it", async () => {
    const themes = ["light", "dark", "auto"].map((name) => kit(`data-theme="${name}"`));
    const { tab } = await open(themes.join(""), undefined, { colorScheme: "dark" });
    await untilReady(tab, 3);
    const background = (name: string) => colour(tab, `[data-theme=${name}] li`, "background-color");
    const [white, black] = ["rgb(255, 255, 255)", "rgb(25, 29, 28)"];
    const all = () => Promise.all(["light", "dark", "auto"].map(background));
    // A browser that is busy takes up a colour scheme when it next draws.
    await expect.poll(all, { timeout: 20_000 }).toEqual([white, black, black]);
    await tab.emulateMedia({ colorScheme: "light" });
    await expect.poll(all, { timeout: 20_000 }).toEqual([white, black, white]);
    await tab.close();
  });

  it("tells search engines the rating where it is asked to, once a page", async () => {
    const { tab } = await open(`${kit("data-json-ld")}${kit("data-json-ld")}${kit()}`);
    await untilReady(tab, 3);
    const texts = await tab.locator("script[type='application/ld+json']").allTextContents();
    expect(texts.map((text) => JSON.parse(text))).toEqual([
      expect.objectContaining({
        "@type": "Product",
        name: "Invoice Kit",
        aggregateRating: { "@type": "AggregateRating", ratingValue: 3.66, reviewCount: 200 },
      }),
    ]);
    await tab.close();
  });

  it("waits until it is nearly seen where it is asked to, and fits a phone", async () => {
    const far = '<canvas height="5000"></canvas>';
    const { tab } = await open(`${far}${kit("data-lazy")}`, undefined, {
      viewport: { width: 360, height: 640 },
    });
    await tab.waitForSelector(inState("loading"));
    expect(site.asked()).toEqual([]);
    await tab.locator("[data-vitrine]").scrollIntoViewIfNeeded();
    await tab.waitForSelector(inState("ready"));
    expect(await tab.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await tab.close();
  });
});

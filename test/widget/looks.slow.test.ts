/** What readers see of the widgets: nothing moves, every mark can be told from the others, and print has all of it. */
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { temporaryFolder } from "../support/shop.ts";
import { type HostPage, type Site, startHostPage, startSite } from "./support/host.ts";

const present = hasBrowser();
const folder = temporaryFolder();
let browser: Browser;
let site: Site;
let host: HostPage;

beforeAll(async () => {
  if (!present) return;
  [site, host, browser] = await Promise.all([startSite(folder), startHostPage(), startBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  site?.close();
  host?.close();
});

const WIDTHS = [
  [360, 780],
  [768, 1024],
  [1280, 900],
] as const;

const review = (id: number) => ({
  id,
  rating: 5 - (id % 5),
  title: id % 7 === 0 ? "" : ["Good", "Does what it says, and a little more than that, every day"][id % 2],
  body: "We use it for a small shop with two hundred orders a month. ".repeat(1 + (id % 3)),
  customer_display_name: ["Kim", "Wilhelmina of the Long and Winding Street"][id % 2],
  customer_avatar: "",
  verified_purchase: id % 3 > 0,
  created_at: "2026-01-02 10:00:00",
});

const product = (count: number, pricing: object = { current: 12, regular: 12_345, currency: "EUR" }) => ({
  title: "Invoice Kit",
  slug: "kit",
  public_url: "https://shop.example/kit",
  image: `${site.url}/no-picture.png`,
  status: "published",
  pricing,
  rating_summary: { average: count === 0 ? 0 : 4.1, count },
});

/** The answers of a shop whose product has that many reviews. */
function answerOf(path: string, count: number): unknown {
  if (path.includes("slug=petrol")) return product(count, { current: 1.419, regular: 1.52, currency: "EUR" });
  if (path.includes("slug=forint")) return product(count, { current: 19.5, regular: 1990, currency: "HUF" });
  const query = new URL(path, site.url).searchParams;
  const all = Array.from({ length: count }, (_, at) => review(at + 1));
  if (path.includes("/product?")) return product(count);
  if (path.includes("/products?")) return Array.from({ length: 20 }, () => product(count));
  if (path.includes("/faqs?"))
    return Array.from({ length: count }, () => ({ question: "Is it free?", answer: "No." }));
  return all.filter(({ rating }) => query.get("rating") === null || `${rating}` === query.get("rating"));
}

interface Shown {
  readonly tab: Page;
  /** Lets the held answers go, and waits until the widget has shown all of them. */
  readonly release: () => Promise<void>;
}

const ELEMENTS = {
  reviews: '<vitrine-reviews product-slug="kit"></vitrine-reviews>',
  badge: '<vitrine-badge product-slug="kit"></vitrine-badge>',
  card: '<vitrine-card product-slug="kit"></vitrine-card>',
  grid: '<vitrine-grid category="scripts"></vitrine-grid>',
  faq: '<vitrine-faq product-slug="kit"></vitrine-faq>',
};
type Name = keyof typeof ELEMENTS;
const NAMES = Object.keys(ELEMENTS) as Name[];

const scriptOf = (name: Name) => `<script src="${site.url}/widgets/${name}.js"></script>`;
/** Of a page that fills several screens. */
const AFTER = `<div id="after">${"<p>What follows in the page.</p>".repeat(80)}</div>`;

/** A page whose widgets wait for their answers. */
async function open(
  html: string,
  count: number,
  { style = "", lang = "en", ...options }: BrowserContextOptions & { style?: string; lang?: string } = {},
): Promise<Shown> {
  const head = `<style>${style}</style><script>document.documentElement.lang = "${lang}"</script>`;
  host.set(html, "default-src * 'unsafe-inline'", head);
  const tab = await browser.newPage(options);
  await tab.addInitScript(
    `window.moved = 0;
    new PerformanceObserver((list) => { for (const one of list.getEntries()) moved += one.value; }).observe({ type: "layout-shift", buffered: true });`,
  );
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await tab.route(`${site.url}/api/v1/**`, async (route) => {
    await held;
    const data = answerOf(route.request().url(), count);
    const total = Array.isArray(data) ? data.length : 1;
    const page = Array.isArray(data) ? data.slice(0, 20) : data;
    const headers = { "Access-Control-Allow-Origin": "*" };
    await route.fulfill({ headers, json: { success: true, data: page, pagination: { total } } });
  });
  await tab.goto(host.url);
  await tab.locator("[data-vitrine-state=loading]").first().waitFor({ state: "attached" });
  await drawn(tab);
  const release = async () => {
    letGo();
    await expect.poll(() => tab.locator("[aria-busy=true]").count()).toBe(0);
    await tab.waitForLoadState("networkidle");
    await drawn(tab);
  };
  return { tab, release };
}

/** Two frames later, everything that was changed is drawn and measured. */
const drawn = (tab: Page) =>
  tab.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");

const box = async (tab: Page, selector: string) => {
  const found = await tab.locator(selector).first().boundingBox();
  if (found === null) throw new Error(`${selector} is not shown`);
  return { ...found, bottom: found.y + found.height, right: found.x + found.width };
};

/** Contrast of two colours, by WCAG's formula. */
function contrast(one: readonly number[], other: readonly number[]): number {
  const luminance = (colour: readonly number[]) => {
    const [red = 0, green = 0, blue = 0] = colour.map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Colours of a picture of an element, at the given parts of its width and half its height. */
async function pixels(tab: Page, selector: string, ...at: readonly number[]): Promise<number[][]> {
  const { data, info } = await sharp(await tab.locator(selector).first().screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const row = Math.round(info.height * 0.55);
  return at.map((part) => {
    const from = (row * info.width + Math.round(info.width * part)) * 3;
    return [...data.subarray(from, from + 3)];
  });
}

describe.runIf(present)("a page with widgets whose answers come late", () => {
  const cases = NAMES.flatMap((name) => [0, 1, 3, 33].map((count) => [name, count] as const));

  it.each(cases)(
    "stays where it is, with %s of a product with %i reviews, at three widths",
    async (name, count) => {
      for (const [width, height] of WIDTHS) {
        const html = `<h1>Product</h1>${ELEMENTS[name]}${scriptOf(name)}${AFTER}`;
        const { tab, release } = await open(html, count, { viewport: { width, height } });
        await release();
        expect(await tab.evaluate("moved"), `${width}`).toBeLessThan(0.05);
        await tab.close();
      }
    },
  );

  it.each([
    ["a page from right to left", { lang: "ar", style: "html { direction: rtl }" }],
    [
      "German and a serif font twice as large",
      { lang: "de", style: "vitrine-reviews { font: 30px serif; zoom: 2 }" },
    ],
    [
      "a page that resets everything",
      { style: "* { box-sizing: border-box; margin: 0; padding: 0; font-size: 10px; max-width: 100% }" },
    ],
    ["a narrow column", { style: "vitrine-reviews { width: 220px }" }],
  ])("stays where it is in %s", async (_, options) => {
    const html = `${ELEMENTS.reviews}${scriptOf("reviews")}${AFTER}`;
    for (const count of [3, 33]) {
      const { tab, release } = await open(html, count, {
        ...options,
        viewport: { width: 768, height: 1024 },
      });
      await release();
      expect(await tab.evaluate("moved")).toBeLessThan(0.05);
      expect(await tab.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(768);
      await tab.close();
    }
  });

  it("has as much space reserved as is used, by a list and by a grid of one, two or four columns", async () => {
    for (const [name, count] of [
      ["reviews", 33],
      ["grid", 3],
    ] as const)
      for (const [width, height] of WIDTHS) {
        const html = `${ELEMENTS[name]}${scriptOf(name)}${AFTER}`;
        const { tab, release } = await open(html, count, { viewport: { width, height } });
        const before = (await box(tab, "#after")).y;
        await release();
        const after = (await box(tab, "#after")).y;
        expect(Math.abs(after - before) / after, `${name} ${width}`).toBeLessThan(0.25);
        await tab.close();
      }
  });

  it.each([
    "display: flex",
    "display: flex; flex-direction: column; align-items: center",
    "display: inline-block",
    "float: left",
  ])("has a grid as wide as the page where the width is that of the content: %s", async (style) => {
    const html = `<div style="${style}">${ELEMENTS.grid}</div>${scriptOf("grid")}`;
    const { tab, release } = await open(html, 3, { viewport: { width: 1200, height: 900 } });
    const before = await box(tab, "section");
    await release();
    const { width, height } = await box(tab, "section");
    const cards = await tab.locator("article").evaluateAll((all) => all.map((each) => each.offsetTop));
    expect([cards.length, new Set(cards).size]).toEqual([4, 1]);
    expect(width).toBe(before.width);
    expect(width).toBeGreaterThan(1150);
    expect(height - before.height).toBeLessThan(50);
    await tab.close();
  });

  it("leaves no gap where a short answer came while the widget was below the screen, or after a click", async () => {
    const { tab, release } = await open(`${ELEMENTS.reviews}${scriptOf("reviews")}<p id="after">`, 1, {
      viewport: { width: 768, height: 600 },
      style: "body { padding-top: 900px }",
    });
    await release();
    const gap = async () => (await box(tab, "#after")).y - (await box(tab, "section")).y;
    const lower = await gap();
    expect(lower).toBeLessThan(400);
    await tab.close();
    const seen = await open(`${ELEMENTS.reviews}${scriptOf("reviews")}<p id="after">`, 1, {
      viewport: { width: 768, height: 600 },
    });
    await seen.release();
    expect((await box(seen.tab, "#after")).y).toBeGreaterThanOrEqual(600);
    await seen.tab.locator("h3").click();
    expect((await box(seen.tab, "#after")).y).toBeLessThan(400);
    await seen.tab.close();
  });

  it("asks again for a picture that could not be loaded when the browser is online again", async () => {
    const { tab, release } = await open(`${ELEMENTS.card}${scriptOf("card")}`, 3);
    await release();
    await expect.poll(() => tab.locator("article > i").count()).toBe(1);
    await tab.route("**/no-picture.png", (route) =>
      route.fulfill({
        contentType: "image/svg+xml",
        body: '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="5"/>',
      }),
    );
    await tab.context().setOffline(true);
    await tab.context().setOffline(false);
    const width = "document.querySelector('vitrine-card').shadowRoot.querySelector('img')?.naturalWidth";
    await expect.poll(() => tab.evaluate(width)).toBe(8);
    await tab.close();
  });

  it("keeps the space of a picture that cannot be loaded", async () => {
    const { tab, release } = await open(`${ELEMENTS.card}${scriptOf("card")}`, 3);
    const before = await box(tab, "article");
    await release();
    await expect.poll(() => tab.locator("article img").count()).toBe(0);
    expect(Math.abs((await box(tab, "article")).height - before.height)).toBeLessThan(4);
    await tab.close();
  });
});

describe.runIf(present)("stars and bars", () => {
  const LOOKS = [
    ["on a light page", {}],
    ["of the light theme on a dark page", { style: "body { background: #111; color: #eee }" }],
    ["with light forced colours", { forcedColors: "active", colorScheme: "light" }],
    ["with dark forced colours", { forcedColors: "active", colorScheme: "dark" }],
    [
      "of the light theme, for who sees a dark page with forced colours",
      { forcedColors: "active", colorScheme: "dark", style: ":root { color-scheme: dark }" },
    ],
  ] as const;

  it.each(LOOKS)(
    "can be told apart, filled and empty, %s; a pressed bar is seen, texts are read",
    async (_, options) => {
      const { tab, release } = await open(`${ELEMENTS.reviews}${scriptOf("reviews")}`, 33, {
        viewport: { width: 768, height: 1200 },
        ...options,
      });
      await release();
      for (const stars of ["header svg", "article svg"]) {
        const [full = [], empty = [], ground = []] = await pixels(tab, stars, 0.1, 0.9, 0.995);
        const isAllFull =
          stars === "article svg" &&
          (await tab.locator(stars).first().getAttribute("aria-label"))?.startsWith("5");
        expect(contrast(full, ground), stars).toBeGreaterThanOrEqual(3);
        if (!isAllFull) expect(contrast(full, empty), stars).toBeGreaterThanOrEqual(3);
      }
      const bar = "[role=group] button:nth-child(2)";
      const [full = [], track = []] = await pixels(tab, `${bar} svg`, 0.1, 0.9);
      expect(contrast(full, track)).toBeGreaterThanOrEqual(2.9);
      const look = async (nth: number) =>
        sharp(await tab.locator(`[role=group] button:nth-child(${nth})`).screenshot()).stats();
      const before = await look(2);
      await tab.locator(bar).click();
      await tab.mouse.move(0, 0);
      const after = await look(2);
      expect(
        after.channels.some(({ mean }, at) => Math.abs(mean - (before.channels[at]?.mean ?? 0)) > 3),
      ).toBe(true);
      const margin = { x: 2, y: 2, width: 1, height: 1 };
      const ground = [
        ...(await sharp(await tab.screenshot({ clip: margin }))
          .removeAlpha()
          .raw()
          .toBuffer()),
      ];
      for (const selector of [
        "h2",
        "header b",
        "header small",
        "[role=group] button:nth-child(3) small",
        "ul ~ a",
      ]) {
        const colour = await tab
          .locator(selector)
          .first()
          .evaluate(
            new Function(
              "node",
              "return getComputedStyle(node).color.match(/[\\d.]+/g).map(Number)",
            ) as () => number[],
          );
        expect(contrast(colour, ground), selector).toBeGreaterThanOrEqual(4.5);
      }
      await tab.close();
    },
  );
});

describe.runIf(present)("a widget's layout", () => {
  it("has 4, 6 and 8 pixels between the stars, the title, the text and the name of a review", async () => {
    const { tab, release } = await open(`${ELEMENTS.reviews}${scriptOf("reviews")}`, 3);
    await release();
    const stars = await box(tab, "article > svg");
    const title = await box(tab, "article > h3");
    const text = await box(tab, "article > p");
    const name = await box(tab, "article > small");
    const gaps = [title.y - stars.bottom, text.y - title.bottom, name.y - text.bottom];
    expect(gaps.map(Math.round)).toEqual([4, 6, 8]);
    expect(await tab.locator("article > small").first().textContent()).toMatch(
      / · .*2026 · ✓ Verified purchase$/,
    );
    await tab.close();
  });

  it("has bars as wide as the list, whose numbers of any length leave them one length, and none for one review", async () => {
    const html = `${ELEMENTS.reviews}${scriptOf("reviews")}`;
    for (const width of [320, 1280]) {
      const { tab, release } = await open(html, 12_345, { viewport: { width, height: 900 } });
      await release();
      const [group, list] = [await box(tab, "[role=group]"), await box(tab, "ul")];
      expect([group.x, group.right]).toEqual([list.x, list.right]);
      const bars = await tab
        .locator("[role=group] svg")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
      expect(new Set(bars).size).toBe(1);
      for (const number of await tab.locator("[role=group] small").all())
        expect((await number.boundingBox())?.height).toBeLessThan(25);
      const counted = tab.locator("header small");
      expect(await counted.textContent()).toBe("12,345 reviews");
      expect((await counted.boundingBox())?.height).toBeLessThan(25);
      await tab.close();
    }
    const { tab, release } = await open(html, 1);
    await release();
    expect(await tab.locator("[role=group]").count()).toBe(0);
    await tab.close();
  });

  it("has the rating of a card in figures, and room above its price", async () => {
    const { tab, release } = await open(`${ELEMENTS.card}${scriptOf("card")}`, 33);
    await release();
    expect(await tab.locator("header").innerText()).toMatch(/^4\.1\s+\(33\)$/);
    const [header, price, article] = [
      await box(tab, "header"),
      await box(tab, "b >> nth=1"),
      await box(tab, "article"),
    ];
    expect(price.y - header.bottom).toBeGreaterThanOrEqual(8);
    expect(price.bottom).toBeLessThan(article.bottom);
    await tab.close();
  });

  it("shows all digits of a price, also if the currency usually has fewer", async () => {
    const cards = ["petrol", "forint"].map((slug) => ELEMENTS.card.replace("kit", slug)).join("");
    const { tab, release } = await open(`${cards}${scriptOf("card")}`, 0);
    await release();
    const prices = (await tab.locator("article p").allInnerTexts()).map((text) =>
      text.replaceAll("\u00a0", " "),
    );
    expect(prices).toEqual(["€1.419 €1.52", expect.stringMatching(/^HUF 19\.50? HUF 1,990(\.00)?$/)]);
    await tab.close();
  });

  it("has clearer edges for who prefers more contrast", async () => {
    const { tab, release } = await open(`${ELEMENTS.card}${scriptOf("card")}`, 3, { contrast: "more" });
    await release();
    const edge = await tab
      .locator("article")
      .evaluate(new Function("node", "return getComputedStyle(node).borderTopColor") as () => string);
    expect(edge).toBe("rgb(28, 29, 27)");
    await tab.close();
  });
});

describe.runIf(present)("a printed page", () => {
  const page = () =>
    `<div style="height: 5000px"></div>${NAMES.map((name) => ELEMENTS[name].replaceAll("kit", "invoice-kit") + scriptOf(name)).join("")}`;

  it("has the reviews that nobody has scrolled to", async () => {
    host.set(page(), "default-src * 'unsafe-inline'");
    const tab = await browser.newPage();
    // Between the two events, the browser draws the paper and lets nothing else happen.
    await tab.addInitScript(
      `addEventListener("afterprint", () => {
        window.printed = [...document.querySelectorAll("[data-vitrine-state]")].map((one) => one.dataset.vitrineState + ": " + one.shadowRoot.textContent);
      })`,
    );
    await tab.goto(host.url);
    await tab.locator("[data-vitrine-state=loading]").first().waitFor({ state: "attached" });
    await tab.pdf();
    const printed = (await tab.evaluate("printed")) as string[];
    expect(printed.map((text) => text.split(":", 1)[0])).toEqual(NAMES.map(() => "ready"));
    expect(printed[0]).toContain("3.7 out of 5");
    expect(printed[0]).toContain("Verified purchase");
    expect(printed[0]).toMatch(
      /5 out of 5: 66 reviews.*4 out of 5: 0 .*3 out of 5: 134 .*2 out of 5: 0 .*1 out of 5: 0 /,
    );
    expect(printed.join()).not.toContain("xxxxx");
    await tab.close();
  });

  it("loads what print needs, and is dark on light in any theme", async () => {
    host.set(
      page().replace("<vitrine-reviews", '<vitrine-reviews theme="dark"'),
      "default-src * 'unsafe-inline'",
    );
    const tab = await browser.newPage({ colorScheme: "dark" });
    await tab.goto(host.url);
    await tab.locator("[data-vitrine-state=loading]").first().waitFor({ state: "attached" });
    await tab.emulateMedia({ media: "print" });
    await expect.poll(() => tab.locator("[data-vitrine-state=ready]").count()).toBe(NAMES.length);
    const colour = await tab
      .locator("vitrine-reviews article")
      .first()
      .evaluate(new Function("node", "return getComputedStyle(node).color") as () => string);
    expect(colour).toBe("rgb(28, 29, 27)");
    expect(await tab.getByRole("button", { name: "Show more reviews" }).isVisible()).toBe(false);
    await tab.close();
  });
});

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  bundleJsonLd,
  bundleWidget,
  jsonLdFile,
  textsFile,
  textsOf,
  widgetFile,
} from "../../scripts/widget/bundle.ts";
import { WIDGET_LANGUAGES, WIDGETS } from "../../src/api/endpoints.ts";
import { type Widget, widgetCall, widgetsOfSite } from "../../src/api/records/widget.ts";
import { columnsOf } from "../../src/widget/columns.ts";
import { ENGLISH, type Texts } from "../../src/widget/texts.ts";
import { TRANSLATIONS } from "../../src/widget/translations.ts";
import { violations } from "../support/axe.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { temporaryFolder } from "../support/shop.ts";
import { ALL_FOUR, type HostPage, hear, type Site, startHostPage, startSite } from "./support/host.ts";

/** By language; the first is the one that needs no file. */
const TEXTS: Readonly<Record<string, Texts>> = {
  en: { ...ENGLISH, free: "Free", preorder: "Preorder", coming: "Coming soon" },
  ...TRANSLATIONS,
};

const present = hasBrowser();
const folder = temporaryFolder();
let browser: Browser;
let site: Site;
let host: HostPage;

/** Asks from outside: what waits within the page would be made of text there, which the page's policy refuses. */
async function untilReady(tab: Page, count: number): Promise<void> {
  await expect.poll(() => tab.locator("[data-vitrine-state=ready]").count()).toBe(count);
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
/** What one product's widgets ask for: files, but for a rating that none of its reviews has, which is no file. */
const FILES = [
  `200 file ${PRODUCT}invoice-kit`,
  `200 file ${REVIEWS}invoice-kit&page=1`,
  ...[3, 5].map((rating) => `200 file ${REVIEWS}invoice-kit&rating=${rating}&page=1`),
  ...[1, 2, 4].map((rating) => `200 fallback ${REVIEWS}invoice-kit&rating=${rating}&page=1`),
].sort();
/** A product that has reviews but no questions. */
const WITHOUT_FAQS = ALL_FOUR;
/** So high that every widget is near. */
const HIGH = { viewport: { width: 1280, height: 12_000 } };

/** The attribute is what a page or a test can wait for. */
const inState = (state: string) => `[data-vitrine-state=${state}]`;

const tag = (attributes: string, name = "reviews") =>
  `<script async src="${site.url}/widgets/${name}.js" ${attributes}></script>`;
const kit = (attributes = "") => tag(`data-product-slug="invoice-kit" ${attributes}`);

async function open(
  html: string,
  policy?: string,
  options: Parameters<Browser["newPage"]>[0] = {},
  head?: string,
) {
  host.set(html, policy, head);
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

it.each(WIDGETS)("%s is made from its sources, and as small as the documentation says", async (name) => {
  const text = await bundleWidget(name);
  expect(readFileSync(widgetFile(name), "utf8")).toBe(text);
  const call = `${widgetCall("https://api.shop.example/api/v1")}\n`;
  const kilobytes = (gzipSync(text + call, { level: 9 }).length / 1000).toFixed(1);
  expect(readFileSync("docs/widget.md", "utf8")).toMatch(
    new RegExp(`^\\| \`${name}\` .*\\| ${kilobytes} kB *\\|`, "m"),
  );
});

it("what widgets load is made from its sources", async () => {
  expect(readFileSync(jsonLdFile, "utf8")).toBe(await bundleJsonLd());
  for (const language of WIDGET_LANGUAGES)
    expect(readFileSync(textsFile(language), "utf8")).toBe(textsOf(language));
});

describe.runIf(present)("the review widget, in a page of another origin", () => {
  it("works as /widgets says, with 200 hostile reviews, in a page that forbids all styles and eval", async () => {
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
    await tab.getByRole("button", { name: /^5 out of 5/ }).waitFor();
    expect(new Set(site.asked())).toEqual(new Set([...FILES, `200 file ${REVIEWS}invoice-kit`]));
    await tab.close();
  });

  it("shows at most the first page, and requests only files, once for all widgets of a page", async () => {
    const places = [1, 2, 3].map(
      (at) => `<div id="p${at}">Before</div>${kit(`data-limit="${at * 9}" data-container="p${at}"`)}`,
    );
    const { tab } = await open(
      `${places.join("")}${kit('data-limit="zero" data-theme="dark"')}<p id="after">`,
      undefined,
      HIGH,
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
    await tab
      .locator("body > [data-vitrine]")
      .getByRole("button", { name: /^5 out of 5/ })
      .waitFor();
    expect(site.asked().sort()).toEqual(FILES);
    await tab.close();
  });

  it("shows nothing without a product, and says so in the console", async () => {
    const tags = [
      'data-slug="invoice-kit"',
      'data-product-slug=""',
      'data-product-slug=" "',
      'data-container="here" data-limit="3"',
    ];
    const { tab, noise } = await open(
      `<div id="here">As it was</div>${tags.map((attributes) => tag(attributes)).join("")}<p id="after">`,
    );
    await tab.waitForLoadState("networkidle");
    const missing = `Vitrine: data-product-slug is missing or empty. See ${site.url}/api/v1/products for the slugs.`;
    await expect
      .poll(() => noise.said.map((line) => line.slice(0, missing.length)))
      .toEqual(tags.map(() => missing));
    expect(site.asked()).toEqual([]);
    expect(await tab.locator("[data-vitrine]").count()).toBe(0);
    expect(await tab.locator("#here").textContent()).toBe("As it was");
    expect(await tab.locator("script + p#after").count()).toBe(1);
    await tab.close();
  });

  it("asks again after a 429, and has a state for each outcome", async () => {
    const other = tag('data-product-slug="pdf-invoice-pro" data-container="other"');
    site.next("limited", "limited", "limited");
    const waiting = await open(`<div id="here"></div>${kit('data-container="here"')}`);
    await waiting.tab.waitForSelector(inState("loading"));
    expect(await waiting.tab.locator("[aria-busy=true]").count()).toBe(1);
    await waiting.tab.waitForSelector(inState("ready"));
    await waiting.tab.getByRole("button", { name: /^5 out of 5/ }).waitFor();
    expect(
      site
        .asked()
        .map((line) => line.slice(0, 8))
        .sort(),
    ).toEqual([...Array(3).fill("200 fall"), ...Array(4).fill("200 file"), ...Array(3).fill("429 none")]);
    await waiting.tab.close();

    const { data } = (await (await fetch(`${site.url}/api/v1/products`)).json()) as {
      data: { slug: string; review_count: number }[];
    };
    const unreviewed = data.find(({ review_count }) => review_count === 0)?.slug ?? "";
    const empty = await open(other.replace("pdf-invoice-pro", unreviewed));
    await empty.tab.waitForSelector(inState("empty"));
    expect(await empty.tab.locator("section").textContent()).toContain("No reviews yet.");
    await empty.tab.close();

    site.next("broken", "broken");
    const failed = await open(kit());
    await failed.tab.waitForSelector(inState("failed"));
    expect(failed.noise.bad).toEqual([]);
    expect(failed.noise.said.filter((line) => line.startsWith("Vitrine"))).toEqual([
      expect.stringMatching(
        /^Vitrine: data-product-slug="invoice-kit" could not be shown: .+ See .+\/products /,
      ),
    ]);
    await failed.tab.close();
    const dead = await open(kit(), `default-src 'none'; script-src ${site.url}; connect-src 'none'`);
    await dead.tab.waitForSelector(inState("failed"));
    await dead.tab.close();
  });

  it("speaks ten languages: its tag's, else the page's, else the visitor's", async () => {
    const widgets = Object.keys(TEXTS).map((code) => kit(`data-lang="${code}"`));
    const { tab } = await open(
      `<script>document.documentElement.lang = "fr"</script>${widgets.join("")}${kit()}${kit('data-lang="tlh"')}`,
      "default-src * 'unsafe-inline'",
      { ...HIGH, locale: "en-GB" },
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
      const { heading, verified, more, all, average, count } = TEXTS[lang] ?? ENGLISH;
      expect(dir).toBe(lang === "ar" ? "rtl" : "ltr");
      for (const text of [heading, verified, more, all]) expect(innerText).toContain(text);
      expect(innerText).toMatch(new RegExp(average.replace("{n}", "(3[.,]7|٣٫٧)")));
      const plural = new Intl.PluralRules(lang).select(200);
      expect(innerText).toContain(
        (count[plural] ?? count.other).replace("{n}", new Intl.NumberFormat(lang).format(200)),
      );
    }
    // Numbers and dates as the visitor's region has them, the day in UTC whatever the time zone.
    expect(shown[0]?.innerText).toMatch(/\b9 Jan 2026\b/);
    expect(shown[1]?.innerText).toMatch(/3,7 von 5/);
    await tab.close();
  });

  it.each([
    ["its file is missing", (route: Route) => route.fulfill({ status: 404 })],
    ["no connection is had", (route: Route) => route.abort()],
    ["its file is a web page", (route: Route) => route.fulfill({ body: "<html>" })],
  ])("speaks English at once where %s, and nothing moves", async (_, answer) => {
    const { tab, noise } = await open("<p>", undefined, HIGH);
    await tab.route("**/widgets/ar.json", answer);
    await tab.addInitScript(`globalThis.moved = 0; new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) moved += value;
    }).observe({ type: "layout-shift", buffered: true })`);
    host.set(`${kit('data-lang="ar"')}<p>After`);
    await tab.goto(host.url);
    await untilReady(tab, 1);
    const section = tab.locator("section");
    expect(await section.getAttribute("lang")).toBe("en");
    expect(await section.getAttribute("dir")).toBe("ltr");
    expect(await section.textContent()).toContain("Customer reviews3.7 out of 5200 reviews");
    expect(await tab.evaluate("moved")).toBeLessThan(0.05);
    expect(noise.said.filter((line) => line.startsWith("Vitrine"))).toEqual([]);
    await tab.close();
  });

  it("asks for a language's texts once for all widgets of a page, and for English never", async () => {
    const all = ["de", "de-AT", "de", "en", "tlh"].map((lang) => kit(`data-lang="${lang}"`)).join("");
    const { tab } = await open("<p>");
    const asked: string[] = [];
    tab.on("request", (request) => asked.push(new URL(request.url()).pathname));
    host.set(all + tag('data-product-slug="invoice-kit" data-lang="de"', "badge"));
    await tab.setViewportSize(HIGH.viewport);
    await tab.goto(host.url);
    await untilReady(tab, 6);
    expect(asked.filter((path) => path.endsWith(".json"))).toEqual(["/widgets/de.json"]);
    await tab.close();
  });

  it("is light, dark, or follows the visitor's system", async () => {
    const themes = ["light", "dark", "auto"].map((name) => kit(`data-theme="${name}"`));
    const { tab } = await open(themes.join(""), undefined, { ...HIGH, colorScheme: "dark" });
    await untilReady(tab, 3);
    const background = (name: string) => colour(tab, `[theme=${name}] li`, "background-color");
    const [white, black] = ["rgb(255, 255, 255)", "rgb(25, 29, 28)"];
    const all = () => Promise.all(["light", "dark", "auto"].map(background));
    // A browser that is busy takes up a colour scheme when it next draws.
    await expect.poll(all).toEqual([white, black, black]);
    await tab.emulateMedia({ colorScheme: "light" });
    await expect.poll(all).toEqual([white, black, white]);
    await tab.close();
  });

  it("gives search engines the rating with data-json-ld, once per page", async () => {
    const { tab } = await open(`${kit("data-json-ld")}${kit("data-json-ld")}`);
    await untilReady(tab, 2);
    const texts = () => tab.locator("script[type='application/ld+json']").allTextContents();
    await expect.poll(async () => (await texts()).length).toBe(1);
    expect((await texts()).map((text) => JSON.parse(text))).toEqual([
      expect.objectContaining({
        "@type": "Product",
        name: "Invoice Kit",
        aggregateRating: { "@type": "AggregateRating", ratingValue: 3.66, reviewCount: 200 },
        review: expect.arrayContaining([
          expect.objectContaining({ "@type": "Review", reviewRating: { "@type": "Rating", ratingValue: 3 } }),
        ]),
      }),
    ]);
    await tab.close();
  });

  it("counts the ratings, and shows the reviews of one rating page by page, all from files", async () => {
    const policy = `default-src 'none'; script-src ${site.url}; connect-src ${site.url}`;
    const write = 'data-review-url="https://shop.example/write"';
    const { tab, noise } = await open(kit(`data-limit="15" ${write}`), policy, HIGH);
    const bar = (rating: number) => tab.getByRole("button", { name: new RegExp(`^${rating} out of 5`) });
    await bar(5).waitFor();
    expect(await tab.locator("[role=group] button").allTextContents()).toEqual([
      "5 out of 5: 66 reviews",
      "4 out of 5: 0 reviews",
      "3 out of 5: 134 reviews",
      "2 out of 5: 0 reviews",
      "1 out of 5: 0 reviews",
    ]);
    expect(await bar(4).isDisabled()).toBe(true);
    expect(await tab.getByRole("link", { name: "Write a review" }).getAttribute("href")).toBe(
      "https://shop.example/write",
    );
    await bar(5).press("Enter");
    expect(await bar(5).getAttribute("aria-pressed")).toBe("true");
    const ratings = () =>
      tab
        .locator("article > svg")
        .evaluateAll((nodes) => nodes.map((node) => (node.ariaLabel ?? "").slice(0, 1)));
    expect(await ratings()).toEqual(Array(15).fill("5"));
    const more = tab.getByRole("button", { name: "Show more reviews" });
    for (const shown of [30, 45, 60, 66]) {
      await more.click();
      await expect.poll(async () => (await ratings()).length).toBe(shown);
    }
    expect(new Set(await ratings())).toEqual(new Set(["5"]));
    expect(await more.isHidden()).toBe(true);
    await bar(5).click();
    expect((await ratings()).length).toBe(15);
    expect(site.asked().filter((line) => !line.startsWith("200 file"))).toHaveLength(3);
    expect(noise).toEqual({ said: [], bad: [] });
    await tab.close();
  });

  it("uses the page's font, and the page's colours, corners and lines if they are set", async () => {
    const values = {
      accent: "rgb(1, 2, 3)",
      star: "rgb(4, 5, 6)",
      surface: "rgb(7, 8, 9)",
      line: "rgb(9, 8, 7)",
    };
    const style = Object.entries({ ...values, radius: "3px" }).map(
      ([name, value]) => `--vitrine-${name}: ${value}`,
    );
    const css = `<style>body { font-family: Courier } #b { ${style.join(";")}; --vitrine-font: Verdana }</style>`;
    const places = ["a", "b"].map((id) => `<div id="${id}"></div>${kit(`data-container="${id}"`)}`);
    const { tab } = await open(css + places.join(""), "default-src * 'unsafe-inline'", HIGH);
    await untilReady(tab, 2);
    expect(await colour(tab, "#a section", "font-family")).toBe("Courier");
    expect(await colour(tab, "#b section", "font-family")).toBe("Verdana");
    expect(await colour(tab, "#b li", "background-color")).toBe(values.surface);
    expect(await colour(tab, "#b li", "border-top-color")).toBe(values.line);
    expect(await colour(tab, "#b li", "border-top-left-radius")).toBe("3px");
    expect(await colour(tab, "#b a", "color")).toBe(values.accent);
    expect(await colour(tab, "#b header svg svg", "fill")).toBe(values.star);
    await tab.close();
  });

  it("waits until it is near the visible part, has no fault that axe finds, and fits a phone", async () => {
    const far = '<canvas height="5000"></canvas>';
    const { tab } = await open(`${far}<main>${kit()}</main>`, undefined, {
      viewport: { width: 360, height: 640 },
    });
    await tab.waitForSelector(inState("loading"));
    expect(site.asked()).toEqual([]);
    await tab.locator("[data-vitrine]").scrollIntoViewIfNeeded();
    await tab.waitForSelector(inState("ready"));
    await tab.getByRole("button", { name: /^5 out of 5/ }).waitFor();
    const rules = [
      "color-contrast",
      "button-name",
      "link-name",
      "list",
      "listitem",
      "aria-allowed-attr",
      "svg-img-alt",
    ];
    expect(await violations(tab, rules)).toEqual([]);
    expect(await tab.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await tab.close();
  });
});

describe.runIf(present)("the small widgets, in a page of another origin", () => {
  it("show a rating, a product, products and questions from files, as /widgets has their tags", async () => {
    const { data } = (await (await fetch(`${site.url}/api/v1/widgets`)).json()) as {
      data: { key: string; embed_example: string }[];
    };
    const tags = data.map(({ embed_example }) => embed_example.replace("<script", '<script data-limit="2"'));
    const policy = `default-src 'none'; script-src ${site.url}; connect-src ${site.url}; img-src *`;
    const { tab, noise } = await open(`<main>${tags.join("")}</main>`, policy, HIGH);
    await untilReady(tab, WIDGETS.length);
    expect(data.map(({ key }) => key)).toEqual([...WIDGETS]);
    const of = (name: string) => tab.locator(`[data-vitrine=${name}]`);
    const text = (name: string) => of(name).locator("section").innerText();
    expect(await text("badge")).toMatch(/^\d\.\d out of 5\s+\d+ reviews?$/);
    expect(await text("card")).toMatch(/^[^\n]+\n\d\.\d\s+\(\d+\)\s+€[\d.]+$/);
    expect(await of("card").locator("h3 a").getAttribute("href")).toBe(`${site.url}/product/invoice-kit`);
    expect(await of("grid").locator("article h3").count()).toBe(2);
    const question = of("faq").locator("details").first();
    expect(await of("faq").locator("details").count()).toBeGreaterThan(0);
    await question.locator("summary").press("Enter");
    expect(await question.locator("p").isVisible()).toBe(true);
    expect(site.asked().filter((line) => !line.startsWith("200 file") && !line.includes("&rating="))).toEqual(
      [],
    );
    expect(noise.bad).toEqual([]);
    const rules = ["color-contrast", "link-name", "list", "listitem", "image-alt", "svg-img-alt"];
    expect(await violations(tab, rules)).toEqual([]);
    await tab.setViewportSize({ width: 360, height: 800 });
    expect(await tab.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    await tab.close();
  });

  it.each([4, 5, 7])(
    "show %i products with no single card in the last row and rows of one height, down to 160 pixels",
    async (limit) => {
      const { tab, noise } = await open(
        tag(`data-category="scripts" data-limit="${limit}"`, "grid"),
        undefined,
        HIGH,
      );
      await untilReady(tab, 1);
      /** The heights of the cards of each row, and how far the cards reach to the right. */
      const laidOut = async () => {
        const boxes = await tab.locator("article").evaluateAll((cards) =>
          cards.map((card) => {
            const { top, height, right } = card.getBoundingClientRect();
            return { top, height, right };
          }),
        );
        const rows = [...new Set(boxes.map(({ top }) => top))].map((row) =>
          boxes.filter(({ top }) => top === row).map(({ height }) => height),
        );
        return { rows, right: Math.max(...boxes.map(({ right }) => right)) };
      };
      for (const width of [1280, 950, 700, 500, 360, 160]) {
        await tab.setViewportSize({ width, height: 4000 });
        // The body has a margin of eight pixels on both sides.
        const { columns, isFirstWide } = columnsOf(limit, width - 16);
        const count = Math.ceil((limit + Number(isFirstWide)) / columns);
        await expect.poll(async () => (await laidOut()).rows.length, { message: `${width}` }).toBe(count);
        const { rows, right } = await laidOut();
        if (columns > 1) expect(rows.at(-1)?.length, `${width}`).toBeGreaterThan(1);
        for (const heights of rows) expect(new Set(heights).size, `${width}`).toBe(1);
        expect(right).toBeLessThanOrEqual(width);
        expect(await tab.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
      }
      expect(noise.bad).toEqual([]);
      await tab.close();
    },
  );

  it("call a price of 0 free, and name a product that is not out yet, in ten languages", async () => {
    const slugs = ["sale-to-nothing", "preorder-open", "coming-soon", "coming-soon-without-price"];
    const codes = Object.keys(TEXTS);
    const cards = slugs.flatMap((slug) =>
      codes.map((code) => tag(`data-product-slug="${slug}" data-lang="${code}"`, "card")),
    );
    const { tab } = await open(cards.join(""), undefined, HIGH);
    await untilReady(tab, cards.length);
    const prices = await tab.locator("article > p").allTextContents();
    const words = (["free", "preorder", "coming", "coming"] as const).flatMap((word) =>
      codes.map((code) => TEXTS[code]?.[word] ?? "no word"),
    );
    expect(prices).toEqual(words.map((word) => expect.stringContaining(word)));
    const inEnglish = slugs.map((_, at) => prices[at * codes.length]);
    expect(inEnglish).toEqual([
      ...["Free €100.00", "€29.00 €49.00 Preorder", "€49.00 Coming soon"],
      // The price is not decided yet; the API says 0.
      " Coming soon",
    ]);
    await tab.close();
  });

  it("have space between two tags, and none below the only widget of a container", async () => {
    const product = 'data-product-slug="invoice-kit"';
    const box = '<div id="box" style="display: flow-root"></div>';
    const { tab } = await open(
      `${tag(product, "badge")}${tag(product, "card")}${box}${tag(`${product} data-container="box"`, "badge")}`,
      undefined,
      HIGH,
    );
    await untilReady(tab, 3);
    const rect = async (selector: string) => {
      const { y = 0, height = 0 } = (await tab.locator(selector).boundingBox()) ?? {};
      return { top: y, bottom: y + height, height };
    };
    const badge = await rect("body > [data-vitrine=badge]");
    expect((await rect("[data-vitrine=card]")).top - badge.bottom).toBe(12);
    expect((await rect("#box")).height).toBe(badge.height);
    await tab.close();
  });

  it("have a state for an unknown slug, and name it in the console once", async () => {
    const needed = (name: string) => (name === "grid" ? "data-category" : "data-product-slug");
    const wrong = (slug: string) => WIDGETS.map((name) => tag(`${needed(name)}="${slug}"`, name)).join("");
    for (const [slug, state, says] of [
      ["no-such-slug", "not-found", "is unknown"],
      ["Wrong Slug!", "failed", "could not be shown: "],
    ] as const) {
      const { tab, noise } = await open(wrong(slug), undefined, HIGH);
      await expect.poll(() => tab.locator(inState(state)).count()).toBe(WIDGETS.length);
      const said = noise.said.filter((line) => line.startsWith("Vitrine"));
      expect(said.sort().map((line) => line.slice(0, line.indexOf(says) + says.length))).toEqual(
        WIDGETS.map((name) => `Vitrine: ${needed(name)}="${slug}" ${says}`).sort(),
      );
      const lists = said.map((line) => /\/api\/v1\/\w+/.exec(line)?.[0]).sort();
      expect(lists).toEqual(["/api/v1/categories", ...Array(4).fill("/api/v1/products")]);
      expect(await tab.locator("[data-vitrine=reviews] section").textContent()).toContain(
        "Reviews could not be loaded.",
      );
      expect(noise.bad).toEqual([]);
      await tab.close();
    }
  });

  it("are empty for a product without questions and a category without products", async () => {
    const { tab, noise } = await open(tag(`data-product-slug="${WITHOUT_FAQS}"`, "faq"), undefined, HIGH);
    await tab.waitForSelector(`[data-vitrine=faq]${inState("empty")}`, { state: "attached" });
    expect(noise).toEqual({ said: [], bad: [] });
    await tab.close();
  });

  it("show averages with one decimal, and the rating of one review without", async () => {
    const badges = ["invoice-kit", ALL_FOUR].map((slug) => tag(`data-product-slug="${slug}"`, "badge"));
    const { tab } = await open(badges.join("") + tag(`data-product-slug="${ALL_FOUR}"`), undefined, HIGH);
    await untilReady(tab, 3);
    expect(await tab.locator("header b").allTextContents()).toEqual([
      "3.7 out of 5",
      "4.0 out of 5",
      "4.0 out of 5",
    ]);
    expect(await tab.locator("article > svg").first().getAttribute("aria-label")).toBe("4 out of 5");
    await tab.close();
  });
});

describe.runIf(present)("the tag of a widget", () => {
  const vitrine = (noise: { readonly said: readonly string[] }) =>
    noise.said.filter((line) => line.startsWith("Vitrine"));

  it("waits for a later container until the page is loaded", async () => {
    const places = ["next", "late"].map((id) => kit(`data-container="${id}"`));
    host.set(`${places.join("")}<div id="next">Before</div><img src="/slow" alt="">`);
    const tab = await browser.newPage(HIGH);
    const noise = await hear(tab);
    let load = () => {};
    const loaded = new Promise<void>((resolve) => {
      load = resolve;
    });
    // The page is not loaded before its picture is.
    await tab.route("**/slow", (route) => loaded.then(() => route.fulfill({ status: 204 })));
    await tab.goto(host.url, { waitUntil: "domcontentloaded" });
    await tab.waitForSelector(`#next > ${inState("ready")}`);
    expect(await tab.locator("[data-vitrine]").count()).toBe(1);
    await tab.evaluate(
      `document.body.append(Object.assign(document.createElement("div"), { id: "late", textContent: "Before" }))`,
    );
    for (const id of ["next", "late"]) await tab.waitForSelector(`#${id} > ${inState("ready")}`);
    expect(await tab.locator("text=Before").count()).toBe(0);
    load();
    await tab.waitForLoadState("load");
    expect(noise).toEqual({ said: [], bad: [] });
    await tab.close();
  });

  it("reports a missing container once, and shows the widget at the tag", async () => {
    const { tab, noise } = await open(`<div id="reviews"></div>${kit('data-container="reviewz"')}`);
    await tab.waitForSelector(`#reviews + ${inState("ready")}`);
    expect(vitrine(noise)).toEqual([
      expect.stringMatching(
        /^Vitrine: data-container="reviewz" is not the id of an element in <body>\. .* at its tag\./,
      ),
    ]);
    await tab.close();
  });

  it("fills a container from the head; without one it shows nothing there and says why", async () => {
    const other = '<meta id="inside">';
    const tags = [
      kit('data-container="place"'),
      kit(),
      kit('data-container="nowhere"'),
      kit('data-container="inside"'),
    ];
    const { tab, noise } = await open('<div id="place"></div>', undefined, {}, other + tags.join(""));
    await tab.waitForSelector(`#place > ${inState("ready")}`);
    await expect.poll(() => vitrine(noise).length).toBe(3);
    expect(vitrine(noise).sort()).toEqual([
      expect.stringMatching(/data-container="inside" .* Nothing is shown/),
      expect.stringMatching(/data-container="nowhere" .* Nothing is shown/),
      expect.stringMatching(/the tag is in <head> or was removed\. Nothing is shown/),
    ]);
    expect(await tab.locator("[data-vitrine]").count()).toBe(1);
    expect(await tab.locator("head vitrine-reviews").count()).toBe(0);
    await tab.close();
  });

  it("only defines the element if it has no attribute of a widget", async () => {
    const html = `${tag('data-cfasync="false"')}<vitrine-reviews product-slug="invoice-kit" limit="2"></vitrine-reviews>`;
    const { tab, noise } = await open(html);
    await untilReady(tab, 1);
    expect(await tab.locator("article").count()).toBe(2);
    expect(noise).toEqual({ said: [], bad: [] });
    await tab.close();
  });

  it.each(WIDGETS)("of %s has the attributes that /widgets lists", async (name) => {
    const { tab } = await open(tag("", name));
    await expect.poll(() => tab.evaluate(`!!customElements.get("vitrine-${name}")`)).toBe(true);
    const observed = await tab.evaluate(`customElements.get("vitrine-${name}").observedAttributes`);
    const all = new Set(observed as string[]);
    // Each is known without its hyphen, too.
    for (const each of all) if (each.includes("-")) all.delete(each.replaceAll("-", ""));
    const known = [...all].filter((each) => each !== "data-vitrine-state");
    const { data_attributes } = widgetsOfSite(site.url).find(({ key }) => key === name) as Widget;
    expect(
      known
        .map((each) => `data-${each}`)
        .concat("data-container")
        .sort(),
    ).toEqual([...data_attributes].sort());
    await tab.close();
  });
});

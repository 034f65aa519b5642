/** The explorer and the reference as people meet them, in Chromium. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { violations } from "../support/axe.ts";
import { hasBrowser } from "../support/browser.ts";
import { temporaryFolder } from "../support/shop.ts";
import { type Site, startSite } from "./site.ts";

const folder = temporaryFolder();
const present = hasBrowser();
let site: Site;

beforeAll(async () => {
  if (present) site = await startSite(folder);
});

afterAll(() => site?.close());

/** As long as Playwright's own waits. */

/** A view's answer is there. Locators wait for it: a function that is polled in the page needs `eval`, which its policy refuses. */
async function settled(page: Page): Promise<void> {
  await page.waitForSelector("#content :is(.req-meta .status:not(.wait), .row .card)", { state: "attached" });
  await page.locator(".skeletons").waitFor({ state: "detached" });
}

/** Goes to a view as a link does. */
async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await page.waitForURL((url) => url.hash === hash);
  await settled(page);
}

/** A view of the same shop if its own site were at a public address. */
async function openPublic(hash: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { page } = await site.open("/docs/none", options);
  await page.route("**/explore/", async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.replace('data-site=""', 'data-site="https://shop.example"') });
  });
  await page.goto(`${site.origin}/explore/${hash}`);
  await settled(page);
  return page;
}

const VIEWS = [
  "#/home",
  "#/products",
  "#/product/invoice-kit",
  "#/product/invoice-kit?tab=reviews",
  "#/product/invoice-kit?tab=questions",
  "#/product/invoice-kit?tab=releases",
  "#/blog",
  "#/blog/hostile-markup",
  "#/forum",
  "#/forum/pinned",
  "#/request?path=categories",
  "#/request?path=products%3Fsort%3Dwrong",
  "#/product/no-such-product",
];

/**
 * 640 and 320 are what 1280 pixels are at 200 and 400 %; phones have 320 or more. contrast.test.ts proves without a page that
 * each colour can be read in both themes, so each theme is looked at in one width.
 */
const LOOKS = [
  [1280, "light", []],
  [640, "light", ["target-size"]],
  [320, "dark", []],
] as const;

/** The focused element, whether its focus is visible, and its position; "" past the end of the page. */
const STOP = `(() => {
  const at = document.activeElement;
  if (at === document.body) return "";
  const has = (node, part) => node !== null && getComputedStyle(node, part).outlineStyle !== "none";
  const { top, bottom } = at.getBoundingClientRect();
  const isSeen = [at, at.closest(".field")].some((node) => has(node)) || has(at, "::after");
  const name = (at.getAttribute("aria-label") ?? at.textContent).trim();
  return { name, isSeen, isInside: bottom > 0 && top < innerHeight, top: top + scrollY, bottom: bottom + scrollY };
})()`;

interface Stop {
  readonly name: string;
  readonly isSeen: boolean;
  readonly isInside: boolean;
  readonly top: number;
  readonly bottom: number;
}

/** Presses Tab from the start of the page to its end; a keyboard trap ends it, too. */
async function walk(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  while (stops.length < 200) {
    await page.keyboard.press("Tab");
    const stop = (await page.evaluate(STOP)) as Stop | "";
    if (stop === "") break;
    stops.push(stop);
  }
  return stops;
}

describe.runIf(present)("the explorer", () => {
  it("leads to a product, its reviews, and the URL to fetch them", async () => {
    const { page, hosts, complaints } = await site.open("/", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.getByRole("heading", { level: 1, name: "Northlight Digital" }).waitFor();
    await page.getByRole("searchbox", { name: "Search products" }).fill("invoice kit");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("link", { name: "Invoice Kit", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Invoice Kit" }).waitFor();
    await page.getByRole("link", { name: /^Reviews/ }).click();
    const request = page.getByRole("region", { name: "The request behind the reviews" });
    await request.getByText("200 OK").waitFor();
    expect(await page.locator(".req").count()).toBe(1);
    expect(await request.locator(".source").getByText("File", { exact: true }).count()).toBe(1);
    // The word is there for two seconds.
    const copied = request.getByText("Copied").first().waitFor();
    await request.getByRole("button", { name: "Copy as URL" }).click();
    await copied;
    const url = (await page.evaluate("navigator.clipboard.readText()")) as string;
    expect(url).toBe(`${site.origin}/api/v1/reviews?product_slug=invoice-kit`);
    const { data } = (await (await fetch(url)).json()) as { data: { title: string }[] };
    const shown = await page.locator(".entry h2").allTextContents();
    expect(shown).toEqual(data.map(({ title }) => title).filter((title) => title !== ""));
    expect([...hosts]).toEqual([new URL(site.origin).host]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("takes four clicks and keys to find a product by a typing error, and as few for four more tasks", async () => {
    const { page } = await site.open("/explore/", { permissions: ["clipboard-read", "clipboard-write"] });
    await settled(page);
    const link = (name: string | RegExp) => page.getByRole("link", { name });
    const button = (name: string | RegExp) => page.getByRole("button", { name });
    let actions = 0;
    const act = async (action: Promise<unknown>) => {
      actions += 1;
      await action;
    };
    const took: number[] = [];
    const done = () => {
      took.push(actions);
      actions = 0;
    };
    let clipboard = "";
    const copied = async () => {
      const before = clipboard;
      const changed = async () => {
        clipboard = (await page.evaluate("navigator.clipboard.readText()")) as string;
        return clipboard !== before;
      };
      await expect.poll(changed).toBe(true);
      return clipboard;
    };

    const search = page.getByRole("searchbox", { name: "Search products" });
    await act(search.click());
    await act(search.pressSequentially("invoce"));
    await act(search.press("Enter"));
    await act(link("Invoice Kit").first().click());
    await page.getByRole("heading", { level: 1, name: "Invoice Kit" }).waitFor();
    done();

    await act(button("Copy as curl").click());
    const [command, argument = ""] = (await copied()).split(" '");
    const { stdout } = await promisify(execFile)(command ?? "", ["-s", argument.slice(0, -1)]);
    expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { slug: "invoice-kit" } });
    done();

    await act(link(/^Reviews/).click());
    await act(button(/^Copy as widget/).click());
    const tag = await copied();
    const empty = await page.context().newPage();
    await empty.goto(`${site.origin}/api/v1/store`);
    await empty.setContent(tag.replace("#0a6761", "#b4005a"));
    await empty.locator("[data-vitrine-state=ready]").waitFor();
    const more = empty.getByRole("button", { name: "Show more reviews" });
    expect(await more.evaluate((node) => node.ownerDocument.defaultView.getComputedStyle(node).color)).toBe(
      "rgb(180, 0, 90)",
    );
    await empty.close();
    done();

    await act(link("Northlight Digital").click());
    await act(link(/^Scripts \d+$/).click());
    await act(page.getByLabel("Sort").first().selectOption({ label: "Best rated" }));
    await act(link("Next").click());
    await page.waitForURL(/page=2$/);
    await act(button("Copy as URL").click());
    expect(await copied()).toBe(`${site.origin}/api/v1/products?page=2&category=scripts&sort=rating`);
    done();

    await act(link("Requests").click());
    await link("/search?q=a needs a server").waitFor();
    done();
    expect(took).toEqual([4, 1, 2, 5, 1]);
    await page.context().close();
  });

  it("starts with the shop, its products and categories, and example requests that are answered", async () => {
    const { page } = await site.open("/explore/");
    await settled(page);
    const titles = ["What is new", "Best rated", "On sale", "Categories", "For developers"];
    expect(await page.locator(".row h2").allTextContents()).toEqual(titles);
    const { data } = (await (await fetch(`${site.origin}/api/v1/products?sort=rating`)).json()) as {
      data: { title: string }[];
    };
    const rated = page.locator(".row", { has: page.getByRole("heading", { name: "Best rated" }) });
    expect(await rated.locator("h3").allTextContents()).toEqual(data.slice(0, 4).map(({ title }) => title));
    for (const path of await page.locator(".firsts code").allTextContents())
      expect((await fetch(`${site.origin}/api/v1${path}`)).status, path).toBe(200);
    await page.getByRole("link", { name: /^Scripts \d+$/ }).click();
    await page.waitForURL(/#\/products\?category=scripts$/);
    await page.context().close();
  });

  it("requests the first answers while its script is loading, each once", async () => {
    const { page } = await site.open("/docs/none");
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith("/api/v1")) asked.push(pathname.slice("/api/v1".length) + search);
    });
    const first = ["", "/categories", "/products", "/products?sort=rating", "/store"];
    let letScript = () => {};
    const script = new Promise<void>((resolve) => {
      letScript = resolve;
    });
    await page.route("**/explore/page-*.js", (route) => script.then(() => route.continue()));
    const loaded = page.goto(`${site.origin}/explore/`);
    await expect.poll(() => asked.toSorted()).toEqual(first);
    letScript();
    await loaded;
    await settled(page);
    await page.waitForLoadState("networkidle");
    expect(asked.toSorted()).toEqual(first);
    await page.context().close();
  });

  it("shows the first product, or the reviews of a link, on a phone's first screen, and moves nothing", async () => {
    const moved =
      "window.moved=0;new PerformanceObserver((list)=>{for(const e of list.getEntries())if(!e.hadRecentInput)moved+=e.value})" +
      ".observe({type:'layout-shift',buffered:true})";
    const { page } = await site.open("/docs/none");
    await page.addInitScript(moved);
    for (const [width, height] of [
      [360, 780],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const [hash, first] of [
        ["", ".row .card"],
        ["#/products", ".grid .card"],
        ["#/product/invoice-kit?tab=reviews", ".entry"],
        ["#/forum", ".stack .card"],
      ] as const) {
        // Another document: a change of what follows # alone would load nothing.
        await page.goto("about:blank");
        await page.goto(`${site.origin}/explore/${hash}`);
        await page.locator(first).first().waitFor();
        await settled(page);
        await page.waitForLoadState("networkidle");
        const place = `${hash} at ${width}`;
        const top = await page
          .locator(first)
          .first()
          .evaluate((node) => node.getBoundingClientRect().top);
        expect(top, place).toBeGreaterThan(0);
        expect(top, place).toBeLessThan(height * 0.75);
        expect(await page.evaluate("moved"), place).toBeLessThan(0.05);
      }
    }
    await page.context().close();
  });

  it("has a text and a link for an empty shop, an unknown page and a slow answer", async () => {
    const { page } = await site.open("/explore/#/product/no-invoice-kit");
    await page.getByRole("heading", { level: 1, name: "No such product" }).waitFor();
    await page.getByRole("link", { name: "Search for it" }).click();
    await page.waitForURL(/#\/products\?search=no\+invoice\+kit$/);
    const pagination = { page: 1, per_page: 20, total: 0, total_pages: 0 };
    const empty = { json: { success: true, data: [], pagination } };
    await page.route(/api\/v1\/(products|blog)/, (route) => route.fulfill(empty));
    await go(page, "#/products?sort=rating");
    await page.getByText("There are no products yet").waitFor();
    expect(await page.locator(".bar").count()).toBe(0);
    await go(page, "#/blog");
    await page.getByRole("link", { name: "Show the products" }).waitFor();
    await page.evaluate("location.hash = '#/'");
    await page.getByText("This shop has no products yet").waitFor();
    let late = 1;
    await page.route("**/api/v1/forum", (route) => (late-- > 0 ? undefined : route.continue()));
    await page.evaluate("location.hash = '#/forum'");
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.locator(".stack .card").first().waitFor();
    await page.getByRole("link", { name: "Reference" }).last().click();
    await page.waitForURL(/docs\/(#.*)?$/);
    await page.getByRole("heading", { name: "List threads" }).waitFor();
    await page.context().close();
  });

  it("links to nothing that the shop does not offer, and says so at such an address", async () => {
    const { page } = await site.open("/docs/none");
    await page.route("**/explore/", async (route) => {
      const response = await route.fetch();
      const without = (await response.text()).replace(/data-endpoints="[^"]*"/, (whole) =>
        whole.replace(/ (?:blog|forum|faqs|reviews)(?=[ "])/g, ""),
      );
      await route.fulfill({ response, body: without });
    });
    await page.goto(`${site.origin}/explore/#/forum/pinned`);
    await page.getByRole("heading", { level: 1, name: "This shop shows no forum here" }).waitFor();
    expect(await page.locator(".main a").allTextContents()).toEqual(["Products", "Requests", "Reference"]);
    await go(page, "#/product/invoice-kit");
    const tabs = await page.locator(".tabs a").allTextContents();
    expect(tabs.map((words) => words.split(" ", 1)[0])).toEqual(["Description", "Releases"]);
    await go(page, "#/products");
    expect(await page.getByText("No reviews yet").count()).toBe(0);
    expect(await page.getByRole("option", { name: "Best rated" }).count()).toBe(0);
    await go(page, "#/");
    expect(await page.locator(".firsts code").allTextContents()).toEqual([
      expect.stringMatching(/^\/products\?category=.*&sort=price_asc$/),
      expect.stringMatching(/^\/product\?slug=/),
    ]);
    await page.context().close();
  });

  it("leads to the shop's own site where readers can open that, and nowhere where they cannot", async () => {
    const links = async (page: Page) => {
      const shown: string[] = [];
      for (const hash of ["#/product/invoice-kit", "#/blog/hostile-markup"]) {
        await go(page, hash);
        const names = await page.locator("a").allTextContents();
        shown.push(...names.filter((name) => / in the store$|^To the store$/.test(name)));
      }
      await page.context().close();
      return shown;
    };
    expect(await links(await openPublic("#/home"))).toEqual([
      "View in the store",
      "To the store",
      "Read it in the store",
      "To the store",
    ]);
    const { page } = await site.open("/explore/#/home");
    expect(await links(page)).toEqual([]);
  });

  it("keeps its footer below what is above it, lists what a release changed, and counts no replies in words", async () => {
    const { page } = await site.open("/explore/#/product/invoice-kit?tab=releases");
    await settled(page);
    const last = await page.locator(".split").boundingBox();
    const footer = await page.locator("footer").boundingBox();
    expect((footer?.y ?? 0) - (last?.y ?? 0) - (last?.height ?? 0)).toBeGreaterThanOrEqual(28);
    expect(await page.locator(".entry .text").allTextContents()).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/^\* /m)]),
    );
    await page.route("**/api/v1/forum?slug=pinned", async (route) => {
      const answer = (await (await route.fetch()).json()) as { data: object };
      await route.fulfill({ json: { ...answer, data: { ...answer.data, replies: [] } } });
    });
    await go(page, "#/forum/pinned");
    await page.getByRole("heading", { level: 2, name: "No replies" }).waitFor();
    await page.context().close();
  });

  it("shows the state of each answer: file or fallback, empty, past the end, wrong", async () => {
    const { page } = await site.open("/explore/#/products?category=scripts&sort=price_asc");
    await settled(page);
    const source = page.locator(".source");
    expect(await source.textContent()).toBe("Fileproducts/category=scripts/sort=price_asc/page=1.json");
    await go(page, "#/products?search=kit");
    expect(await source.textContent()).toBe("Fallbacka search text has no file, so a server answered");
    await go(page, "#/products?category=scripts&type=digital&status=published");
    expect(await source.textContent()).toBe("Fallbackthis snapshot has no such file, so a server answered");
    await go(page, "#/products?search=zzzzzz");
    await page.getByText("No results for “zzzzzz”").waitFor();
    await page.getByRole("link", { name: "Clear the search" }).waitFor();
    await go(page, "#/products?category=scripts&search=zzzzzz");
    await page.getByText("Check the spelling or use fewer words, or remove a filter.").waitFor();
    await page.getByRole("link", { name: "Search without filters" }).click();
    await page.waitForURL(/#\/products\?search=zzzzzz$/);
    await go(page, "#/products?category=scripts&min_price=99999");
    await page.getByText("Nothing matches these filters").waitFor();
    await go(page, "#/products?page=99");
    await page.getByRole("link", { name: /^Go to page \d+$/ }).click();
    await page.getByText("Page 99 does not exist").waitFor({ state: "detached" });
    await go(page, "#/forum?solved=1&page=99");
    await page.getByRole("link", { name: /^Go to page \d+$/ }).click();
    await page.locator(".stack .card").first().waitFor();
    expect(page.url()).toContain("#/forum?solved=1");
    await go(page, "#/products?categry=scripts");
    await page.getByText("Did you mean category?").first().waitFor();
    await page.getByRole("heading", { name: "This request is not valid" }).waitFor();
    await page.context().close();
  });

  it("calls a price of 0 free, and shows no link to an address of documentation", async () => {
    const { page } = await site.open("/docs/none");
    await page.route("**/api/v1/product?slug=invoice-kit", async (route) => {
      const answer = (await (await route.fetch()).json()) as { data: { pricing: object } };
      const data = {
        ...answer.data,
        demo_url: "https://demo.shop.example/invoice-kit",
        docs_url: "https://docs.example-shop.org/invoice-kit",
        pricing: { ...answer.data.pricing, regular: 12, sale: 0, current: 0 },
      };
      await route.fulfill({ json: { ...answer, data } });
    });
    await page.goto(`${site.origin}/explore/#/product/invoice-kit`);
    await settled(page);
    expect(await page.locator(".facts .price > *").allTextContents()).toEqual([
      "Sale price Free",
      "Regular price €12.00",
      "−100 %",
    ]);
    expect(await page.locator(".facts .btn").allTextContents()).toEqual(["Documentation"]);
    await page.context().close();
  });

  it("shows no price where the API's 0 means that it is not decided yet", async () => {
    const { page } = await site.open("/explore/#/product/coming-soon-without-price");
    await settled(page);
    expect(await page.locator(".facts .price > *").allTextContents()).toEqual(["Coming soon"]);
    await page.context().close();
  });

  it("shows the corrected search text after a typing error", async () => {
    const { page } = await site.open("/explore/#/products?search=invoce");
    await settled(page);
    const corrected = page.locator(".corrected");
    expect(await corrected.textContent()).toBe("Results for invoice. Nothing matches “invoce”.");
    await page.getByText(/^Results for invoice: \d+ products?$/).waitFor({ state: "attached" });
    for (const [hash, words] of [
      ["#/products?search=invoice", null],
      ["#/products?search=kit+tmeplate", "kit"],
      ["#/forum?q=licnece", "licence"],
      ["#/request?path=search%3Fq%3Dinvoce+kit", "invoice kit"],
      ["#/request?path=search%3Fq%3Dinvoice", null],
    ] as const) {
      await go(page, hash);
      if (words === null) expect(await corrected.count(), hash).toBe(0);
      else expect(await corrected.locator("b").textContent(), hash).toBe(words);
    }
    await page.context().close();
  });

  it("names kinds, gives no badge to a sale below 5 %, and hides no picture behind a badge", async () => {
    const { page } = await site.open("/docs/none");
    const sales = [
      [100, 95.01],
      [100, 95],
      [19.99, 18.99],
      [100, 50],
      [100, null],
    ] as const;
    await page.route("**/api/v1/products", async (route) => {
      const answer = (await (await route.fetch()).json()) as { data: Record<string, unknown>[] };
      answer.data = sales.map(([regular, sale], at) => ({
        ...answer.data[at],
        type: ["script", "wp_plugin", "e-book", "3d", "__"][at],
        status: "published",
        pricing: {
          regular,
          sale,
          current: sale ?? regular,
          extended: regular,
          preorder: null,
          currency: "EUR",
        },
      }));
      await route.fulfill({ json: answer });
    });
    await page.goto(`${site.origin}/explore/#/products`);
    await settled(page);
    expect(await page.locator(".tag").allTextContents()).toEqual(["−5 %", "−5 %", "−50 %"]);
    const kinds = await page
      .locator("dialog .field", { hasText: "Kind" })
      .locator("option")
      .allTextContents();
    expect(kinds.sort()).toEqual(["3d", "All", "E book", "Script", "Wp plugin", "__"]);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      for (const card of await page.locator(".card", { has: page.locator(".tag") }).all()) {
        const tag = await card.locator(".tag").boundingBox();
        const picture = await card.locator(".art").boundingBox();
        const isBeside = (tag?.x ?? 0) >= (picture?.x ?? 0) + (picture?.width ?? 0);
        const isBelow = (tag?.y ?? 0) >= (picture?.y ?? 0) + (picture?.height ?? 0);
        expect([width, isBeside || isBelow]).toEqual([width, true]);
      }
    }
    await page.context().close();
  });

  it("shows an error before its JSON, in a window of any width", async () => {
    const { page } = await site.open("/docs/none");
    for (const [hash, width] of [
      ["#/request?path=products%3Fsort%3Dwrong", 360],
      ["#/request?path=products%3Fsort%3Dwrong", 1280],
      ["#/products?sort=wrong", 800],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto("about:blank");
      await page.goto(`${site.origin}/explore/${hash}`);
      await settled(page);
      const topOf = async (part: string) => (await page.locator(part).boundingBox())?.y ?? 0;
      expect(await topOf(".state"), hash).toBeLessThan(await topOf(".answer"));
    }
    await page.setViewportSize({ width: 360, height: 800 });
    await go(page, "#/request");
    expect((await page.locator(".lead").boundingBox())?.y).toBeLessThan(
      (await page.locator(".answer").boundingBox())?.y ?? 0,
    );
    await page.context().close();
  });

  it("searches for the typed text at its button, from every view", async () => {
    const { page } = await site.open("/explore/#/forum");
    await settled(page);
    await page.getByRole("textbox", { name: "Request" }).fill("/faqs?limit=1");
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForURL(/#\/request\?path=faqs%3Flimit%3D1$/);
    await settled(page);
    const search = page.getByRole("searchbox", { name: "Search products" });
    await search.fill("invoice");
    await search.press("Enter");
    await page.waitForURL(/#\/products\?search=invoice$/);
    await settled(page);
    expect(await search.inputValue()).toBe("invoice");
    await page.getByRole("link", { name: "Invoice Kit", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Invoice Kit" }).waitFor();
    expect(await search.inputValue()).toBe("");
    await page.context().close();
  });

  it("labels answers File, Cached and Fallback correctly from the first view on", async () => {
    const { page } = await site.open("/explore/#/products");
    await settled(page);
    const chip = page.locator(".req-meta .source .chip");
    expect(await chip.textContent()).toBe("File");
    await go(page, "#/products?search=kit");
    expect(await chip.textContent()).toBe("Fallback");
    await go(page, "#/products");
    expect(await chip.textContent()).toBe("Cached");
    await page.reload();
    await settled(page);
    expect(await chip.textContent()).toBe("Cached");
    await page.context().close();
    const { page: home } = await site.open("/explore/");
    await settled(home);
    await go(home, "#/blog");
    expect(await home.locator(".req-meta .source .chip").textContent()).toBe("File");
    await home.context().close();
    // Other parts of these views send the same request at the same time.
    for (const [hash, words] of [
      ["#/request", "File"],
      ["#/product/invoice-kit?tab=reviews&rating=5", "Fallback"],
    ] as const) {
      const { page: first } = await site.open(`/explore/${hash}`);
      await settled(first);
      expect([hash, await first.locator(".req-meta .source .chip").textContent()]).toEqual([hash, words]);
      await first.context().close();
    }
  });

  const error = (code: string) => JSON.stringify({ success: false, error: { code, message: "No." } });
  const FAILURES = [
    ["#/products", 503, error("service_unavailable"), "No answer"],
    ["#/products", 502, "<html>Bad gateway</html>", "No answer"],
    ["#/product/invoice-kit", 503, error("service_unavailable"), "No answer"],
    ["#/product/invoice-kit", 504, "", "No answer"],
    ["#/product/invoice-kit", 404, error("not_found"), "No file"],
    ["#/product/invoice-kit", 404, "<html>Not found</html>", "No file"],
    ["#/product/invoice-kit", 403, "<Error/>", "No file"],
    ["#/products", 404, error("not_found"), "No file"],
    ["#/products", 200, "<html>Home</html>", "No file"],
    ["#/products?search=kit", 503, error("service_unavailable"), "No answer"],
    ["#/products?search=kit", 404, error("not_found"), "No file"],
    ["#/products?sort=wrong", 400, error("invalid_parameter"), null],
    ["#/products", 500, error("internal_error"), null],
    ["#/products", 429, error("rate_limited"), null],
    ["#/request?path=nothing", 404, error("unknown_endpoint"), null],
    ["#/request?path=faqs", 503, error("service_unavailable"), "No answer"],
  ] as const;
  it("shows what a failed answer means, and no badge for a mistake of the request", async () => {
    const { page } = await site.open("/docs/none");
    for (const [hash, status, body, words] of FAILURES) {
      await page.route("**/api/v1/**", (route) => route.fulfill({ status, body }));
      await page.setViewportSize({ width: 1280, height: 800 });
      // Another document, which knows no earlier answer.
      await page.goto("about:blank");
      await page.goto(`${site.origin}/explore/${hash}`);
      await settled(page);
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 });
        const chips = await page.locator(".req .chip").allTextContents();
        const found = [hash, status, body, width, ...new Set(chips)];
        expect(found).toEqual([hash, status, body, width, ...(words === null ? [] : [words])]);
      }
      await page.unroute("**/api/v1/**");
    }
    await page.context().close();
  });

  it("without a connection shows no badge and no earlier answer", async () => {
    const { page } = await site.open("/explore/#/forum");
    await settled(page);
    await page.route("**/api/v1/**", (route) => route.abort());
    for (const hash of ["#/blog", "#/forum", "#/products?sort=rating"]) {
      await go(page, hash);
      await page.getByRole("heading", { name: "No connection" }).waitFor();
      expect(await page.locator(".req .chip").count(), hash).toBe(0);
      expect(await page.locator(".answer").count(), hash).toBe(0);
      expect(await page.locator(".req-meta .status").first().textContent(), hash).toBe("No connection");
    }
    await page.context().close();
    const { page: first } = await site.open("/docs/none");
    await first.route(/\/api\/v1/, (route) => route.abort());
    await first.goto(`${site.origin}/explore/`);
    await first.getByRole("heading", { level: 1, name: "Explorer" }).waitFor();
    await first.getByRole("heading", { name: "No connection" }).waitFor();
    await first.context().close();
  });

  it("leads to the reference without a script", async () => {
    const { page } = await site.open("/explore/", { javaScriptEnabled: false });
    await page.getByRole("link", { name: "reference" }).click();
    await page.getByRole("heading", { level: 1, name: "API reference" }).waitFor();
    await page.context().close();
  });

  it.each([
    ["that it has no file", { status: 404, body: "{}" }],
    ["that it may not be read", { status: 403, body: "<Error/>" }],
    ["with a web page", { status: 200, contentType: "text/html", body: "<!doctype html><p>Home" }],
  ])("asks a host that answers %s by the file's path, and shows that address", async (_, missing) => {
    const { page } = await site.open("/docs/none");
    await page.route("**/api/v1/**", (route) => {
      const { pathname, search } = new URL(route.request().url());
      const path = join(folder, "out/site", pathname);
      const isFile = search === "" && pathname.endsWith(".json") && existsSync(path);
      return isFile ? route.fulfill({ path }) : route.fulfill(missing);
    });
    await page.goto(`${site.origin}/explore/#/products?category=scripts`);
    await settled(page);
    const url = "/api/v1/products/category=scripts/page=1.json";
    const source = page.locator(".source");
    expect(await source.textContent()).toBe("Fileproducts/category=scripts/page=1.json");
    const request = page.getByRole("textbox", { name: "Request" });
    expect(await request.inputValue()).toBe(url.slice("/api/v1".length));
    expect(await page.locator(".req-meta .status").first().textContent()).toBe("200 OK");
    await go(page, "#/products?search=kit&category=scripts&page=2");
    expect(await page.locator(".state").textContent()).toBe(
      "Only a server can answer this" +
        "A search text has no file: a server must answer it, and this address has none. Everything else works." +
        "Clear the search text",
    );
    await page.getByRole("status").getByText("Only a server can answer this").waitFor({ state: "attached" });
    expect(await source.textContent()).toBe("No filea search text has no file, and no server answered");
    expect(await page.getByText("200 OK").count()).toBe(0);
    await page.getByRole("link", { name: "Clear the search text" }).press("Enter");
    await page.waitForURL(/#\/products\?category=scripts$/);
    await page.locator("#results:focus .card").first().waitFor();
    await go(page, "#/products?category=scripts&type=digital&status=published");
    await page.getByText("Try fewer filters, or an earlier page.").waitFor();
    await go(page, "#/product/nobody-sells-this");
    await page
      .getByText(/^(No such product|Only a server can answer this)$/)
      .first()
      .waitFor();
    expect(await page.getByRole("link", { name: "Search for it" }).count()).toBe(0);
    await page.context().close();
  });

  it("opens another page at its first record, names it, and keeps the position when a filter changes", async () => {
    const { page } = await site.open("/explore/#/products", { viewport: { width: 390, height: 800 } });
    await settled(page);
    await page.getByRole("link", { name: "Next" }).press("Enter");
    await page.locator("#results:focus").waitFor();
    await page
      .getByRole("status")
      .getByText(/^Page 2 of \d, \d+ products$/)
      .waitFor({ state: "attached" });
    const isAtTop = () =>
      page.locator("#results").evaluate((results) => Math.abs(results.getBoundingClientRect().top - 20) < 20);
    await expect.poll(isAtTop).toBe(true);
    await page.keyboard.press("Tab");
    await page.locator(".grid li:first-child a:focus").waitFor();
    const search = page.getByRole("searchbox", { name: "Search products" });
    await search.pressSequentially("kit");
    await page.waitForURL(/#\/products\?search=kit$/);
    await settled(page);
    expect(await search.evaluate((field) => field.matches(":focus"))).toBe(true);
    await page.getByRole("link", { name: "Invoice Kit", exact: true }).press("Enter");
    await page.locator("h1:focus").waitFor();
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.context().close();
  });

  it("has a title for each view, and comes back to the place in a list, also from another document", async () => {
    const { page } = await site.open("/explore/#/products", { viewport: { width: 1280, height: 600 } });
    await settled(page);
    const titles = new Set<string>();
    const titled = async (title: string) => {
      await expect.poll(() => page.title()).toBe(title);
      titles.add(title);
    };
    await titled("Products · Northlight Digital");
    const place = () => page.evaluate("Math.round(scrollY)");
    const nth = page.locator(".card h2 a").nth(12);
    const [words, href] = [await nth.textContent(), await nth.getAttribute("href")];
    await nth.scrollIntoViewIfNeeded();
    const before = await place();
    expect(before).toBeGreaterThan(300);
    const answers: (() => void)[] = [];
    await nth.click();
    await titled(`${words} · Northlight Digital`);
    await settled(page);
    expect(await place()).toBe(0);
    // The list comes later than the view, as over a slow network.
    await page.route("**/api/v1/products", async (route) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      await route.continue();
    });
    await page.goBack();
    await page.locator(".skeletons").waitFor();
    await expect.poll(() => answers.length).toBe(1);
    answers.pop()?.();
    await settled(page);
    await expect.poll(place).toBe(before);
    await page.locator(`a[href="${href}"]:focus`).waitFor();
    await page.unroute("**/api/v1/products");
    for (const leave of ["reload", "reference"] as const) {
      if (leave === "reload") await page.reload();
      else {
        await page.goto(`${site.origin}/docs/`);
        await page.goBack();
      }
      await settled(page);
      await expect.poll(place).toBe(before);
    }
    for (const [hash, title] of [
      ["#/product/invoice-kit", "Invoice Kit · Northlight Digital"],
      ["#/product/invoice-kit?tab=reviews", "Invoice Kit, reviews · Northlight Digital"],
      ["#/request?path=products%3Fsort%3Drating", "/products?sort=rating · Northlight Digital"],
      ["#/blog", "Blog · Northlight Digital"],
      ["#/products?category=scripts&page=2", "Products, category scripts, page 2 · Northlight Digital"],
    ] as const) {
      await go(page, hash);
      await expect.poll(place, { message: hash }).toBe(0);
      await titled(title);
    }
    await page.evaluate("location.hash = '#/'");
    await titled("Explorer · Northlight Digital");
    expect(titles.size).toBe(8);
    await page.context().close();
  });

  it("shows the view that a program goes to while the explorer is still starting", async () => {
    const { page } = await site.open("/explore/#/products", { viewport: { width: 1280, height: 600 } });
    await settled(page);
    await page.evaluate("scrollTo(0, 700)");
    await expect.poll(() => page.evaluate("history.state?.top")).toBe(700);
    // After the first drawing, and before its effects.
    await page.addInitScript(`new MutationObserver((_, watcher) => {
      if (document.querySelector("#content") === null) return;
      watcher.disconnect();
      location.hash = "#/blog";
    }).observe(document, { childList: true, subtree: true })`);
    await page.reload();
    await expect.poll(() => page.title()).toBe("Blog · Northlight Digital");
    await settled(page);
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.context().close();
  });

  it("forgets the place that it returns to when a program goes elsewhere", async () => {
    const { page } = await site.open("/explore/#/products", { viewport: { width: 1280, height: 600 } });
    await settled(page);
    await page.evaluate("scrollTo(0, 700)");
    await expect.poll(() => page.evaluate("history.state?.top")).toBe(700);
    const answers: (() => void)[] = [];
    await page.route("**/api/v1/products", async (route) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      await route.continue();
    });
    await page.reload();
    await page.locator(".skeletons").waitFor();
    await page.evaluate("location.hash = '#/product/invoice-kit'");
    await expect.poll(() => page.title()).toBe("Invoice Kit · Northlight Digital");
    await settled(page);
    for (const answer of answers) answer();
    await page.evaluate("document.body.append(document.createElement('p'))");
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.context().close();
  });

  it("waits as long as a 429 says and asks again, and reports a missing answer", async () => {
    const { page } = await site.open("/explore/#/forum");
    await settled(page);
    let limited = 1;
    await page.route("**/api/v1/blog", (route) =>
      limited-- > 0
        ? route.fulfill({
            status: 429,
            headers: { "Retry-After": "1" },
            body: '{"success":false,"error":{"code":"rate_limited","message":"Too many."}}',
          })
        : route.continue(),
    );
    await page.getByRole("link", { name: "Blog" }).click();
    await page.getByText(/^Trying again in \d+ seconds\.$/).waitFor();
    await page.locator(".grid .card").first().waitFor();
    await page.route("**/api/v1/forum", (route) => route.abort());
    await page.getByRole("link", { name: "Forum" }).click();
    await page.getByText("This page can't reach the store.").waitFor();
    await page.unroute("**/api/v1/forum");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".stack .card").first().waitFor();
    await page.route("**/api/v1/forum?q=**", (route) => route.fulfill({ status: 503, body: "{}" }));
    const search = page.getByRole("searchbox", { name: "Search threads" });
    await search.fill("licence");
    await page.getByText("a server must answer it, and that is not available now.").waitFor();
    await page.unroute("**/api/v1/forum?q=**");
    await page.route("**/api/v1/forum?q=**", (route) => route.abort());
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("a server must answer it, and this page can't reach one.").waitFor();
    await page.getByRole("link", { name: "Clear the search text" }).click();
    await page.locator(".stack .card").first().waitFor();
    expect(await search.inputValue()).toBe("");
    await page.context().close();
  });

  it("opens the answer value by value, by keyboard, too, and long lists in hundreds", async () => {
    const { page } = await site.open("/explore/#/product/invoice-kit");
    await settled(page);
    const json = page.getByRole("region", { name: "Answer as a tree" });
    const pricing = json.locator("summary", { hasText: /^pricing/ });
    expect(await json.getByText("regular", { exact: true }).count()).toBe(0);
    await pricing.press("Enter");
    expect(await json.getByText("regular", { exact: true }).first().getAttribute("class")).toBe("j-key");
    expect(
      await json
        .locator("p", { hasText: /^regular/ })
        .first()
        .getAttribute("title"),
    ).toMatch(/^data\.pricing\.regular/);
    const data = Array.from({ length: 250 }, (_, at) => ({ id: at, slug: `f${at}`, answer_html: "" }));
    await page.route("**/api/v1/faqs", (route) => route.fulfill({ json: { success: true, data } }));
    await go(page, "#/request?path=faqs");
    expect(await json.locator("summary", { hasText: /^\d+\{ \}/ }).count()).toBe(100);
    await json.getByRole("button", { name: "150 more" }).click();
    await json.getByRole("button", { name: "50 more" }).click();
    expect(await json.locator("summary", { hasText: /^\d+\{ \} f\d+$/ }).count()).toBe(250);
    await page.context().close();
  });

  it("sends the request typed into the request bar, and shows its mistakes", async () => {
    const { page } = await site.open("/explore/#/products?category=scripts");
    await settled(page);
    const request = page.getByRole("textbox", { name: "Request" });
    expect(await request.inputValue()).toBe("/products?category=scripts");
    await request.fill("/reviews?rating=5");
    await request.press("Enter");
    await page.getByRole("heading", { level: 1, name: "/reviews" }).waitFor();
    await settled(page);
    expect(new URL(page.url()).hash).toBe("#/request?path=reviews%3Frating%3D5");
    expect(await page.locator(".source").textContent()).toBe("Filereviews/rating=5/page=1.json");
    await request.fill(`${site.origin}/api/v1/products?sort=rating&min_price=x`);
    await request.press("Enter");
    await page
      .getByText(/^min_price /)
      .first()
      .waitFor();
    expect(await page.locator(".req-meta .status").first().textContent()).toBe("400 Bad Request");
    await page.context().close();
  });

  it.each([
    ["#/home", 1280],
    ["#/product/invoice-kit", 1280],
    ["#/request", 1280],
    ["#/home", 360],
    ["#/products?category=scripts", 360],
    ["#/product/invoice-kit?tab=reviews", 360],
    ["#/forum", 360],
  ])(
    "has a keyboard path through %s at %i pixels: visible at each stop, in reading order, with an end",
    async (hash, width) => {
      const page = await openPublic(hash, { viewport: { width, height: 800 } });
      const stops = await walk(page);
      expect(stops[0]?.name).toBe("Skip to the content");
      expect(stops.at(-1)?.name).toBe("To the store");
      expect(stops.filter(({ isSeen, isInside }) => !isSeen || !isInside)).toEqual([]);
      // In one column, no stop is above the one before it.
      const back = stops.filter(({ bottom }, at) => bottom < (stops[at - 1]?.top ?? 0));
      if (width === 360) expect(back.map(({ name }) => name)).toEqual([]);
      await page.context().close();
    },
  );

  it("skips to the content, and returns the focus after a dialog or a line is closed", async () => {
    const { page } = await site.open("/explore/#/products", { viewport: { width: 360, height: 800 } });
    await settled(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.locator("h1:focus").waitFor();
    await page.keyboard.press("Tab");
    await page.locator(".req-line:focus").press("Enter");
    await page.locator(".req-line:focus[aria-expanded=true]").waitFor();
    await page.keyboard.press("Tab");
    await page.getByRole("textbox", { name: "Request" }).and(page.locator(":focus")).waitFor();
    const filters = page.getByRole("button", { name: /^Filters/ });
    for (const end of ["Escape", "Enter"]) {
      await filters.press("Enter");
      const dialog = page.getByRole("dialog");
      await dialog.locator(":focus").waitFor();
      if (end === "Enter") await dialog.getByRole("button", { name: "Show products" }).focus();
      await page.keyboard.press(end);
      await filters.and(page.locator(":focus")).waitFor();
    }
    await page.context().close();
  });

  it("prints dark on light in any theme, and marks the chosen entry with forced colours", async () => {
    const { page } = await site.open("/explore/#/products", { colorScheme: "dark" });
    await settled(page);
    await page.evaluate("document.documentElement.dataset.theme = 'dark'");
    const colour = () => page.evaluate("getComputedStyle(document.body).color");
    expect(await colour()).toBe("rgb(232, 235, 233)");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    expect(await colour()).toBe("rgb(28, 29, 27)");
    expect(await page.locator(".req").isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen", forcedColors: "active" });
    const chosen = page.locator(".main [aria-current]");
    expect(
      await chosen.evaluate(
        (node) => node.ownerDocument.defaultView.getComputedStyle(node).textDecorationLine,
      ),
    ).toBe("underline");
    await page.context().close();
  });

  it("makes only allowed elements from a record's text, and runs no script", async () => {
    const { page, hosts } = await site.open("/explore/#/blog");
    await settled(page);
    await page.route("**/api/v1/blog?slug=hostile", (route) =>
      route.fulfill({
        json: {
          success: true,
          data: {
            id: 1,
            title: "<img src=x onerror=hacked=1>",
            slug: "hostile",
            image: "",
            published_at: "",
            url: `${site.origin}/blog/x`,
            content_html:
              "<p onclick='hacked=1'>Hi<script>hacked=1</script><img src=x onerror='hacked=1'><img src='https://elsewhere.example/a.png'>" +
              "<a href='javascript:hacked=1'>a</a><a href='/b'>b</a><iframe srcdoc='<script>top.hacked=1</script>'></iframe><style>*{display:none}</style></p>",
          },
        },
      }),
    );
    await go(page, "#/blog/hostile");
    await page.locator(".prose").waitFor();
    expect(await page.locator("h1").textContent()).toBe("<img src=x onerror=hacked=1>");
    expect(await page.locator(".prose").innerHTML()).toBe(
      `<p>Hi<img src="${site.origin}/blog/x" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">` +
        `a<a href="${site.origin}/b" rel="noopener noreferrer nofollow">b</a></p>`,
    );
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect([...hosts]).toEqual([new URL(site.origin).host]);
    await page.context().close();
  });

  it("has no fault that axe finds in any view, narrow or wide, light or dark", async () => {
    const { page, complaints } = await site.open("/explore/");
    await settled(page);
    const found: string[] = [];
    const look = async (what: string) => {
      for (const [width, colorScheme, rules] of LOOKS) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        const over = await page.evaluate(
          "Math.max(...[document.documentElement, ...document.querySelectorAll('dialog[open]')].map((e) => e.scrollWidth - e.clientWidth))",
        );
        if (over !== 0) found.push(`${what} at ${width}: scrolls sideways by ${over}`);
        for (const violation of await violations(page, rules))
          found.push(`${what} ${width} ${colorScheme} ${violation}`);
      }
    };
    for (const view of VIEWS) {
      await go(page, view);
      await look(view);
    }
    await go(page, "#/products?category=scripts");
    await page.getByRole("button", { name: "Filters (1)" }).click();
    await look("dialog");
    await page.keyboard.press("Escape");
    await page.route("**/api/v1/products?search=**", (route) => route.fulfill({ status: 404, body: "" }));
    await go(page, "#/products?search=kit");
    await look("no server");
    expect(found).toEqual([]);
    expect(complaints.filter((text) => !text.includes("404") && !text.includes("400"))).toEqual([]);
    await page.context().close();
  });
});

describe.runIf(present)("the reference", () => {
  it("has nothing that its policy blocks and no fault that axe finds, narrow or wide, light or dark, and asks no other host", async () => {
    const { page, hosts, complaints } = await site.open("/docs/");
    const found: string[] = [];
    for (const [width, colorScheme, rules] of LOOKS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      const over = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      if (over !== 0) found.push(`${width}: scrolls sideways by ${over}`);
      for (const violation of await violations(page, rules))
        found.push(`${width} ${colorScheme} ${violation}`);
    }
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([new URL(site.origin).host]);
    expect(await page.evaluate("getComputedStyle(document.body).fontFamily")).toContain("system-ui");
    await page.context().close();
  });

  it("has a keyboard path: visible at each stop, in reading order, with an end", async () => {
    const { page } = await site.open("/docs/", { viewport: { width: 360, height: 800 } });
    const stops = await walk(page);
    expect(stops.length).toBeGreaterThan(30);
    expect(stops.length).toBeLessThan(200);
    expect(stops.filter(({ isSeen, isInside }) => !isSeen || !isInside)).toEqual([]);
    expect(stops.filter(({ bottom }, at) => bottom < (stops[at - 1]?.top ?? 0))).toEqual([]);
    await page.context().close();
  });

  it("has the explorer's header, with the same links in the same order", async () => {
    const { page } = await site.open("/explore/");
    await settled(page);
    const places = ".head :is(.brand, .main a)";
    const read = async () => ({
      names: await page.locator(places).allTextContents(),
      boxes: await page.evaluate(
        `[...document.querySelectorAll(${JSON.stringify(places)})].map((each) => { const { x, y, height } = each.getBoundingClientRect(); return [x, y, height].map(Math.round); })`,
      ),
    });
    // The current entry is bold, so its neighbours may be off by a pixel or two.
    await page.evaluate(
      "for (const each of document.querySelectorAll('.main a')) each.removeAttribute('aria-current')",
    );
    const explorer = await read();
    await page.locator(places).last().click();
    await page.waitForURL(/\/docs\/$/);
    expect(await page.locator(".main [aria-current=page]").textContent()).toBe("Reference");
    await page.evaluate("document.querySelector('.main [aria-current]').removeAttribute('aria-current')");
    expect(await read()).toEqual(explorer);
    await page.context().close();
  });

  it("has a header of one row on a phone, whose menu has the links and the search, without a script, too", async () => {
    for (const width of [320, 360, 720]) {
      const { page } = await site.open("/docs/", {
        viewport: { width, height: 700 },
        javaScriptEnabled: width !== 360,
      });
      expect((await page.locator(".head").boundingBox())?.height).toBeLessThanOrEqual(64);
      const link = page.locator(".head").getByRole("link", { name: "Requests" });
      expect(await link.isVisible()).toBe(false);
      await page.getByRole("button", { name: "Menu" }).click();
      const field = page.getByRole("searchbox", { name: "Search products" });
      for (const part of [link, field, page.locator(".head [aria-current=page]")]) {
        const { x = -1, width: wide = 0 } = (await part.boundingBox()) ?? {};
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + wide).toBeLessThanOrEqual(width);
      }
      await link.click();
      await page.waitForURL(/explore\/#\/request$/);
      await page.context().close();
    }
  });

  it("underlines the current entry of its contents with forced colours", async () => {
    const { page } = await site.open("/docs/#reviews", { forcedColors: "active" });
    const underlined = () =>
      page
        .locator(".toc a")
        .evaluateAll((all) =>
          all
            .filter(
              (one) => one.ownerDocument.defaultView.getComputedStyle(one).textDecorationLine !== "none",
            )
            .map((one) => one.getAttribute("href")),
        );
    await expect.poll(underlined).toEqual(["#reviews"]);
    await page.context().close();
  });

  it("searches the explorer's products from its header, and needs no script to get there", async () => {
    for (const [options, address] of [
      [{}, "/explore/#/products?search=invoice+kit"],
      [{ javaScriptEnabled: false }, "/explore/?search=invoice+kit"],
    ] as const) {
      const { page, complaints } = await site.open("/docs/", options);
      const field = page.getByRole("searchbox", { name: "Search products" });
      await field.fill("invoice kit");
      await field.press("Enter");
      await page.waitForURL(site.origin + address);
      expect(complaints).toEqual([]);
      if (address.includes("#")) {
        await page.locator(".grid .card").first().waitFor();
        expect(await page.getByRole("searchbox", { name: "Search products" }).inputValue()).toBe(
          "invoice kit",
        );
        // The reference is one step back, with the language that was chosen before.
        await page.goBack();
        await page.waitForURL(`${site.origin}/docs/`);
        expect(await page.evaluate("localStorage.getItem('vitrine-language')")).toBeNull();
      }
      await page.context().close();
    }
  });

  it("scrolls sideways at no width, and neither does the explorer", async () => {
    for (const path of ["/docs/", "/explore/#/products"]) {
      const { page } = await site.open(path);
      for (const width of [320, 720, 721, 768, 900, 1000, 1001, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect([path, width, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([
          path,
          width,
          width,
        ]);
        const box = await page.locator(".head .find").boundingBox();
        expect((box?.x ?? 0) + (box?.width ?? 0), `${path} ${width}`).toBeLessThanOrEqual(width);
      }
      await page.context().close();
    }
  });

  it("links each example to its request in the explorer, which is answered", async () => {
    const { page } = await site.open("/docs/");
    const links = page.getByRole("link", { name: /^Try it: / });
    const asked = (await links.evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")))).map(
      (label) => label?.replace("Try it: /", ""),
    );
    expect(asked.length).toBe(16);
    for (const rest of asked) expect((await fetch(`${site.origin}/api/v1/${rest}`)).status, rest).toBe(200);
    expect((await fetch(new URL("../api/v1/openapi.json", page.url()))).status).toBe(200);
    await page.getByRole("link", { name: "Try it: /forum", exact: true }).click();
    await page.waitForURL(/explore\/#\/request\?path=forum$/);
    await settled(page);
    expect(await page.locator(".req-meta .status").first().textContent()).toBe("200 OK");
    await page.getByRole("link", { name: "Reference", exact: true }).last().click();
    await page.waitForURL(/docs\/#forum$/);
    await page.context().close();
  });

  it("is complete without a script: each example in each language, in the system's theme", async () => {
    const { page } = await site.open("/docs/", { javaScriptEnabled: false, colorScheme: "dark" });
    const panel = page.locator("#products .panel").first();
    const shown = () => panel.locator("pre:visible").allInnerTexts();
    expect(await shown()).toEqual([`curl '${site.origin}/api/v1/products'`]);
    for (const [language, words] of [
      ["PHP", "<?php"],
      ["Python", "import json"],
      ["JavaScript", "const response"],
    ] as const) {
      await panel.getByText(language, { exact: true }).click();
      expect(await shown()).toEqual([expect.stringContaining(words)]);
    }
    expect(await page.getByRole("button").count()).toBe(0);
    expect(
      await page
        .locator("body")
        .evaluate((body) => body.ownerDocument.defaultView.getComputedStyle(body).color),
    ).toBe("rgb(232, 235, 233)");
    await page.context().close();
  });

  it("keeps one language for all examples and one theme for all pages, and copies the visible text", async () => {
    const { page } = await site.open("/docs/#products", {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const languageAt = (id: string) =>
      page.locator(`#${id} .panel`).first().locator("input:checked").getAttribute("value");
    const copied = async (id: string, at: number) => {
      await page.locator(`#${id} .copy`).nth(at).click();
      await page.locator(`#${id} .copy`).nth(at).getByText("Copied").waitFor();
      return (await page.evaluate("navigator.clipboard.readText()")) as string;
    };
    expect(await copied("products", 0)).toBe(`curl '${site.origin}/api/v1/products'`);
    const before = await page
      .locator("#products h2")
      .evaluate((heading) => heading.getBoundingClientRect().top);
    await page.locator("#products").getByText("Python", { exact: true }).click();
    const after = await page
      .locator("#products h2")
      .evaluate((heading) => heading.getBoundingClientRect().top);
    expect(Math.abs(after - before)).toBeLessThan(2);
    expect(await languageAt("reviews")).toBe("py");
    expect(await copied("reviews", 0)).toContain(`urlopen("${site.origin}/api/v1/reviews")`);
    expect(JSON.parse(await copied("reviews", 1))).toMatchObject({ success: true });
    await page.getByRole("button", { name: "Switch to dark" }).click();
    await page.reload();
    expect(await languageAt("status")).toBe("py");
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    await page.goto(`${site.origin}/explore/`);
    await page.getByRole("button", { name: "Switch to light" }).waitFor();
    await page.context().close();
  });

  it("prints dark on light, with complete answers and without controls", async () => {
    const { page } = await site.open("/docs/", { colorScheme: "dark" });
    await page.emulateMedia({ media: "print" });
    for (const selector of [".main a", ".toc", ".copy", ".languages", ".theme"])
      expect(await page.locator(selector).first().isVisible(), selector).toBe(false);
    expect(
      await page
        .locator(".answer")
        .evaluateAll((all) => all.filter((each) => each.scrollHeight > each.clientHeight).length),
    ).toBe(0);
    expect(
      await page
        .locator("body")
        .evaluate((body) => body.ownerDocument.defaultView.getComputedStyle(body).color),
    ).toBe("rgb(28, 29, 27)");
    await page.context().close();
  });
});

/** Widgets where something else than the browser puts pages together: routers, morphs, jQuery, frames, shadow roots. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { temporaryFolder } from "../support/shop.ts";
import {
  ALL_FOUR,
  type HostPage,
  hear,
  type Noise,
  type Site,
  startHostPage,
  startSite,
} from "./support/host.ts";

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

/** So high that every widget is near. */
const HIGH = { viewport: { width: 1280, height: 6000 } };
const KIT = 'data-product-slug="invoice-kit"';

const address = (name: string) => `${site.url}/widgets/${name}.js`;
const tag = (attributes: string, name = "badge") =>
  `<script async src="${address(name)}" ${attributes}></script>`;
const page = (body: string, head = "") =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title>${head}</head><body>${body}</body></html>`;

interface Opened {
  readonly tab: Page;
  readonly noise: Noise;
}

/** A site of these pages and scripts, by path. */
async function open(files: Readonly<Record<string, string>>): Promise<Opened> {
  host.put(files);
  const tab = await browser.newPage(HIGH);
  const noise = await hear(tab);
  await tab.goto(host.url);
  return { tab, noise };
}

const source = (module: string) => readFileSync(fileURLToPath(module), "utf8");

/** Names and states of all widgets, also in shadow roots. */
const WIDGETS = `(() => {
  const all = (root) => [...root.querySelectorAll("*")].flatMap((each) =>
    each.localName.startsWith("vitrine-") ? [each.localName.slice(8) + " " + each.dataset.vitrineState]
      : each.shadowRoot ? all(each.shadowRoot) : []);
  return all(document).sort();
})()`;

async function untilShown(tab: Page, ...names: readonly string[]): Promise<void> {
  await expect.poll(() => tab.evaluate(WIDGETS)).toEqual(names.map((name) => `${name} ready`));
}

const jsonLd = (tab: Page) => tab.locator("script[type='application/ld+json']").count();

async function expectQuiet({ tab, noise }: Opened): Promise<void> {
  expect(noise).toEqual({ said: [], bad: [] });
  await tab.close();
}

/** A script of a program that imports packages. */
async function program(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    write: false,
    conditions: ["browser"],
    logLevel: "silent",
  });
  return `<script>${outputFiles[0]?.text}</script>`;
}

const TURBO = '<script type="module" src="/turbo.js"></script>';
const turbo = () => ({ "/turbo.js": source(import.meta.resolve("@hotwired/turbo")) });

describe.runIf(present)("a page that a router brings back", () => {
  it("has each widget once, as a fresh page has it, with Turbo", async () => {
    const first = `${tag(KIT)}${tag(KIT, "card")}<div id="place"></div>${tag(`${KIT} data-container="place"`)}`;
    const opened = await open({
      ...turbo(),
      "/": page(`<a href="/two">Next</a>${first}`, TURBO),
      "/two": page(`<a href="/">Next</a>${tag(KIT)}`, TURBO),
    });
    const { tab } = opened;
    await untilShown(tab, "badge", "badge", "card");
    await tab.click("a");
    await untilShown(tab, "badge");
    for (const _ of [1, 2]) {
      await tab.goBack();
      await untilShown(tab, "badge", "badge", "card");
      expect(await tab.locator("#place > vitrine-badge").count()).toBe(1);
      await tab.goForward();
      await untilShown(tab, "badge");
    }
    await expectQuiet(opened);
  });

  it("describes its product once, and a page without a product none", async () => {
    const head = TURBO + tag("", "reviews");
    const element = '<vitrine-reviews product-slug="invoice-kit" json-ld></vitrine-reviews>';
    const opened = await open({
      ...turbo(),
      "/": page(`<a href="/two">Next</a>${element}`, head),
      "/two": page("<h1>Two</h1>", head),
    });
    const { tab } = opened;
    await untilShown(tab, "reviews");
    await expect.poll(() => jsonLd(tab)).toBe(1);
    await tab.click("a");
    await expect.poll(() => jsonLd(tab)).toBe(0);
    await tab.goBack();
    await untilShown(tab, "reviews");
    await expect.poll(() => jsonLd(tab)).toBe(1);
    await tab.goForward();
    await expect.poll(() => jsonLd(tab)).toBe(0);
    await expectQuiet(opened);
  });

  it("shows the tags of the next page although the router does not run their script again", async () => {
    const opened = await open({ "/": page(tag(KIT)) });
    const { tab } = opened;
    await untilShown(tab, "badge");
    // Astro's router and others put parsed elements into the page: their scripts never run.
    await tab.evaluate(
      `document.body.innerHTML = ${JSON.stringify(tag(KIT) + tag(`data-product-slug="${ALL_FOUR}"`))}`,
    );
    await untilShown(tab, "badge", "badge");
    expect(await tab.locator("vitrine-badge b").allTextContents()).toEqual(["3.7 out of 5", "4.0 out of 5"]);
    await expectQuiet(opened);
  });
});

describe.runIf(present)("a page that is morphed", () => {
  it("keeps its widgets and what they show, with Turbo", async () => {
    const refresh = '<meta name="turbo-refresh-method" content="morph">';
    const body = `<div id="place">Loading</div>${tag(KIT)}${tag(`${KIT} data-container="place"`)}
      <vitrine-grid category="scripts"></vitrine-grid>${tag("", "grid")}`;
    const opened = await open({ ...turbo(), "/": page(body, TURBO + refresh) });
    const { tab } = opened;
    await untilShown(tab, "badge", "badge", "grid");
    const shown =
      "[...document.querySelectorAll('[data-vitrine-state]')].flatMap((each) => [each, each.shadowRoot.firstChild])";
    await tab.evaluate(`
      window.before = ${shown};
      window.width = document.querySelector("vitrine-grid").clientWidth;
      window.isMorphed = new Promise((done) => addEventListener("turbo:morph", done, { once: true })).then(() => true);
      document.body.append(document.createElement("i"));
      Turbo.visit(location.href, { action: "replace" });`);
    expect(await tab.evaluate("isMorphed")).toBe(true);
    await untilShown(tab, "badge", "badge", "grid");
    expect(await tab.evaluate(`${shown}.every((each, at) => each === before[at])`)).toBe(true);
    expect(await tab.evaluate('document.querySelector("vitrine-grid").clientWidth === width')).toBe(true);
    await expectQuiet(opened);
  });

  it("has a widget back as it was, if it was removed right after another change", async () => {
    const opened = await open({ "/": page(tag(KIT)) });
    const { tab } = opened;
    await untilShown(tab, "badge");
    await tab.evaluate(`(async () => {
      window.badge = document.querySelector("vitrine-badge");
      window.box = badge.shadowRoot.firstChild;
      document.body.append("another change");
      await new Promise((seen) => setTimeout(seen));
      badge.remove();
    })()`);
    await expect.poll(() => tab.evaluate("badge.isConnected")).toBe(true);
    expect(await tab.evaluate("badge.shadowRoot.firstChild === box")).toBe(true);
    await expectQuiet(opened);
  });

  it("shows the product that the server's tag names now, with htmx", async () => {
    const part = (slug: string) => `<div id="part">${tag(`data-product-slug="${slug}"`)}</div>`;
    const opened = await open({
      "/htmx.js": source(import.meta.resolve("htmx.org/dist/htmx.min.js")),
      "/": page(
        `${part("invoice-kit")}<button hx-get="/part" hx-target="#part" hx-swap="outerMorph">Morph</button>`,
        '<script src="/htmx.js"></script>',
      ),
      "/part": part(ALL_FOUR),
    });
    const { tab } = opened;
    await untilShown(tab, "badge");
    await tab.click("button");
    await expect.poll(() => tab.locator("vitrine-badge b").allTextContents()).toEqual(["4.0 out of 5"]);
    await untilShown(tab, "badge");
    await expectQuiet(opened);
  });

  it("is not stopped by a program that removes what a tag adds, or by two tags with one container", async () => {
    const two = tag(`${KIT} data-container="place"`) + tag(`${KIT} data-container="place"`, "card");
    const { tab } = await open({ "/": page(`<main>${tag(KIT)}</main><div id="place"></div>${two}`) });
    await expect.poll(() => tab.locator("#place > [data-vitrine-state=ready]").count()).toBe(1);
    await tab.evaluate(`
      window.removed = 0;
      const remove = () => document.querySelector("main > vitrine-badge")?.remove();
      new MutationObserver(() => { removed++; remove(); }).observe(document.querySelector("main"), { childList: true });
      remove();`);
    await expect.poll(() => tab.evaluate("removed")).toBeGreaterThan(2);
    expect(await tab.locator("#place > *").count()).toBe(1);
    await tab.close();
  });
});

describe.runIf(present)("a tag", () => {
  it.each([
    ["in a module", () => `<script type="module" src="${address("badge")}" ${KIT}></script>`],
    ["with a version in its address", () => `<script async src="${address("badge")}?v=2" ${KIT}></script>`],
    ["in a shadow root", () => `<div><template shadowrootmode="open">${tag(KIT)}</template></div>`],
    [
      "with a container in its shadow root",
      () =>
        `<div><template shadowrootmode="open"><p id="place"></p>${tag(`${KIT} data-container="place"`)}</template></div>`,
    ],
    [
      "that is written while the page loads",
      () => `<script>document.write(${JSON.stringify(tag(KIT)).replaceAll("</", "<\\/")})</script>`,
    ],
    [
      "of a template",
      () =>
        `<template>${tag(KIT)}</template><script>document.body.append(document.querySelector("template").content.cloneNode(true))</script>`,
    ],
  ])("%s has its widget", async (_, html) => {
    const opened = await open({ "/": page(html()) });
    await untilShown(opened.tab, "badge");
    await expectQuiet(opened);
  });

  it.each(["html", "append", "after"])("that jQuery's .%s() puts in has its widget", async (method) => {
    const opened = await open({
      "/jquery.js": readFileSync(createRequire(import.meta.url).resolve("jquery"), "utf8"),
      "/": page('<div id="place"></div>', '<script src="/jquery.js"></script>'),
    });
    await opened.tab.evaluate(`$("#place").${method}(${JSON.stringify(tag(KIT))})`);
    await untilShown(opened.tab, "badge");
    await expectQuiet(opened);
  });

  it("in a closed shadow root shows nothing, and says so", async () => {
    const { tab, noise } = await open({
      "/": page(`<div><template shadowrootmode="closed">${tag(KIT)}</template></div>`),
    });
    await expect
      .poll(() => noise.said)
      .toEqual([expect.stringMatching(/^Vitrine: .*closed shadow root.*<vitrine-badge>/)]);
    expect(await tab.evaluate(WIDGETS)).toEqual([]);
    await tab.close();
  });

  it("waits for the visitor's consent as long as its type is no script's", async () => {
    const opened = await open({
      "/": page(
        `${tag("")}<script type="text/plain" src="${address("badge")}" ${KIT}></script>${tag(KIT, "card")}`,
      ),
    });
    await untilShown(opened.tab, "card");
    await expectQuiet(opened);
  });
});

describe.runIf(present)("an element", () => {
  it.each(["product-slug", "productSlug"])(
    "takes properties as Solid sets them, of %s, before and after its script",
    async (spelling) => {
      const opened = await open({
        "/": page(
          await program(`
          import h from "solid-js/h"; import { createSignal } from "solid-js"; import { render } from "solid-js/web";
          const [slug, setSlug] = createSignal("invoice-kit");
          window.setSlug = setSlug;
          render(() => h("vitrine-reviews", { "${spelling}": slug, limit: 2, photos: false }), document.body);`),
        ),
      });
      const { tab } = opened;
      await tab.addScriptTag({ url: address("reviews") });
      await untilShown(tab, "reviews");
      expect(await tab.locator("article").count()).toBe(2);
      const read = "(({ productSlug, limit, photos, jsonLd }) => [productSlug, limit, photos, jsonLd])";
      expect(await tab.evaluate(`${read}(document.querySelector("vitrine-reviews"))`)).toEqual([
        "invoice-kit",
        2,
        false,
        false,
      ]);
      expect(await tab.locator("[photos]").count()).toBe(0);
      await tab.evaluate(`setSlug("${ALL_FOUR}")`);
      await expect.poll(() => tab.locator("header b").allTextContents()).toEqual(["4.0 out of 5"]);
      await expectQuiet(opened);
    },
  );

  // Preact writes null and undefined to a property as "", which is how HTML writes an attribute that is set.
  it.each(["null", "undefined"])("takes %s of Preact for an attribute that is not set", async (nothing) => {
    const opened = await open({
      "/": page(
        await program(`
          import { h, render } from "preact";
          window.show = (jsonLd) => render(
            h("vitrine-reviews", { "product-slug": "invoice-kit", jsonLd, photos: jsonLd }), document.body);`),
      ),
    });
    const { tab } = opened;
    await tab.addScriptTag({ url: address("reviews") });
    for (const value of [nothing, "true", nothing]) {
      await tab.evaluate(`show(${value})`);
      await untilShown(tab, "reviews");
      await expect.poll(() => jsonLd(tab)).toBe(value === "true" ? 1 : 0);
      expect(await tab.locator("[photos]").count()).toBe(value === "true" ? 1 : 0);
    }
    await expectQuiet(opened);
  });

  // VanJS does so if its script runs first; Snabbdom's attributes and Arrow always do.
  it.each(["false", "null", "undefined"])(
    "takes the text %s for an attribute that is not set",
    async (nothing) => {
      const reviews = ["lang", "limit", "review-url", "photos", "json-ld"];
      const all = (names: readonly string[]) => names.map((name) => `${name}="${nothing}"`).join(" ");
      const opened = await open({
        "/": page(`<vitrine-reviews product-slug="invoice-kit" ${all(reviews)}></vitrine-reviews>
        <vitrine-grid category="scripts" ${all(["limit", "sort", "theme"])}></vitrine-grid>
        ${tag("", "reviews")}${tag("", "grid")}`).replace('lang="en"', 'lang="de"'),
      });
      const { tab } = opened;
      await untilShown(tab, "grid", "reviews");
      expect(await tab.locator("h2").allTextContents()).toEqual(["Kundenbewertungen"]);
      expect(await tab.locator("vitrine-reviews article").count()).toBe(5);
      expect(await tab.locator("[part=write]").count()).toBe(0);
      await tab.waitForLoadState("networkidle");
      expect(await jsonLd(tab)).toBe(0);
      await expectQuiet(opened);
    },
  );

  it.each(["before", "after"])("takes each spelling that a framework makes, %s its script", async (when) => {
    const opened = await open({ "/": page("") });
    const { tab } = opened;
    const load = () => tab.addScriptTag({ url: address("reviews") });
    if (when === "after") await load();
    // Angular 21 sets `product-slug="{{ slug }}"` as a property of that name. Svelte 5, Mithril and React 18 set a property
    // that the element does not know yet as an attribute, whose name HTML writes in lower case.
    await tab.evaluate(`{
      const element = document.createElement("vitrine-reviews");
      element["product-slug"] = "invoice-kit";
      element.setAttribute("reviewUrl", "/write");
      element.setAttribute("jsonLd", true);
      document.body.append(element);
    }`);
    if (when === "before") await load();
    await untilShown(tab, "reviews");
    expect(await tab.locator("[part=write]").getAttribute("href")).toBe("/write");
    await expect.poll(() => jsonLd(tab)).toBe(1);
    await tab.evaluate(`{
      const element = document.querySelector("vitrine-reviews");
      element["product-slug"] = "${ALL_FOUR}";
      element.removeAttribute("jsonLd");
    }`);
    await expect.poll(() => tab.locator("header b").allTextContents()).toEqual(["4.0 out of 5"]);
    expect(await jsonLd(tab)).toBe(0);
    await expectQuiet(opened);
  });

  // Alpine 3.17 writes a bound attribute of an element in the page when it starts, Angular 22 that of one in a `@defer`
  // block some time after it has put the element in.
  it("says nothing of a slug that a program sets when the element is in the page already", async () => {
    const opened = await open({
      "/": page(`<vitrine-badge id="bound"></vitrine-badge><script src="${address("badge")}"></script>
        <script defer src="/start.js"></script>`),
      "/start.js": `bound.setAttribute("product-slug", "invoice-kit")`,
    });
    const { tab } = opened;
    await untilShown(tab, "badge");
    await tab.evaluate(`{
      const element = document.createElement("vitrine-badge");
      document.body.append(element);
      setTimeout(() => element.setAttribute("product-slug", "${ALL_FOUR}"));
    }`);
    await untilShown(tab, "badge", "badge");
    await expectQuiet(opened);
  });

  it("rests if a polyfill reports the removal of an attribute that was not set", async () => {
    // As @webcomponents/scoped-custom-element-registry 0.0.10 does.
    const polyfill = `<script>
      const { removeAttribute } = Element.prototype;
      Element.prototype.removeAttribute = function (name) {
        const before = this.getAttribute(name);
        removeAttribute.call(this, name);
        this.attributeChangedCallback?.(name, before, null);
      };</script>`;
    const opened = await open({ "/": page(tag(KIT), polyfill) });
    await untilShown(opened.tab, "badge");
    await expectQuiet(opened);
  });

  it("keeps its looks and what it shows in a frame, in a popup, and back", async () => {
    const opened = await open({
      "/": page(`<iframe srcdoc="<!doctype html><body>"></iframe><vitrine-badge product-slug="invoice-kit"></vitrine-badge>
        ${tag("")}${tag("", "card")}`),
    });
    const { tab } = opened;
    await untilShown(tab, "badge");
    await tab.waitForLoadState();
    await tab.evaluate(`
      window.badge = document.querySelector("vitrine-badge");
      window.content = badge.shadowRoot.firstChild;
      window.popup = open("about:blank", "", "width=600,height=600");
      window.looks = (one) => new Promise((done) => setTimeout(() => done([
        one.dataset.vitrineState, one.shadowRoot.adoptedStyleSheets.length,
        one.ownerDocument.defaultView.getComputedStyle(one.shadowRoot.firstChild).fontSize])));`);
    for (const place of ["frames[0].document.body", "popup.document.body", "document.body"])
      expect(await tab.evaluate(`${place}.append(badge), looks(badge)`), place).toEqual(["ready", 1, "15px"]);
    expect(await tab.evaluate("content === badge.shadowRoot.firstChild")).toBe(true);
    for (const place of ["frames[0].document.body", "popup.document.body"]) {
      await tab.evaluate(`void Vitrine.mount(${place}, { widget: "card", productSlug: "invoice-kit" })`);
      await expect
        .poll(() => tab.evaluate(`looks(${place}.querySelector("vitrine-card"))`))
        .toEqual(["ready", 1, "15px"]);
    }
    await expectQuiet(opened);
  });
});

describe.runIf(present)("the review widget", () => {
  const reviews = (attributes = "") =>
    page(
      `<vitrine-reviews product-slug="invoice-kit" limit="20" ${attributes}></vitrine-reviews>${tag("", "reviews")}`,
    );

  it("never loses the keyboard's focus at its button for more, and leads on to the last reviews", async () => {
    const opened = await open({ "/": reviews() });
    const { tab } = opened;
    await untilShown(tab, "reviews");
    const bar = tab.getByRole("button", { name: "3 out of 5: 134 reviews" });
    await bar.click();
    const more = tab.getByRole("button", { name: "Show more reviews" });
    await more.focus();
    const focused = () =>
      tab.evaluate("document.querySelector('vitrine-reviews').shadowRoot.activeElement?.localName");
    for (const shown of [40, 60, 80, 100, 120]) {
      await tab.keyboard.press("Enter");
      await expect.poll(() => tab.locator("article").count()).toBe(shown);
      expect(await focused()).toBe("button");
    }
    await tab.keyboard.press("Enter");
    await expect.poll(() => tab.locator("article").count()).toBe(134);
    expect(await more.isHidden()).toBe(true);
    expect(
      await tab.locator("li:focus").evaluate((one) => [...(one.parentElement?.children ?? [])].indexOf(one)),
    ).toBe(120);
    await expectQuiet(opened);
  });

  it("has a name of its own in a page with two, and buttons whose names contain what they show", async () => {
    const opened = await open({
      "/": page(`<vitrine-reviews product-slug="invoice-kit"></vitrine-reviews>
        <vitrine-reviews product-slug="${ALL_FOUR}" lang="ja"></vitrine-reviews>${tag("", "reviews")}`),
    });
    const { tab } = opened;
    await untilShown(tab, "reviews", "reviews");
    await tab.getByRole("region", { name: "Customer reviews: Invoice Kit" }).waitFor();
    await tab.getByRole("region", { name: "カスタマーレビュー: Café Menu Builder" }).waitFor();
    for (const name of ["3 out of 5: 134 reviews", /^5つ星のうち ?4 ?: ?3 ?件のレビュー$/])
      await tab.getByRole("button", { name }).waitFor();
    expect(await tab.locator("button[aria-label]").count()).toBe(0);
    await expectQuiet(opened);
  });

  it.each([
    ["/account/review", "/account/review"],
    ["write?product=1", "/write?product=1"],
    ["//other.example/write", "//other.example/write"],
    ["#write", "/#write"],
  ])("links to the form at %s", async (given, expected) => {
    const opened = await open({ "/": reviews(`review-url="${given}"`) });
    const link = opened.tab.getByRole("link", { name: "Write a review" });
    expect(await link.evaluate((one) => (one as unknown as { href: string }).href)).toBe(
      new URL(expected, host.url).href,
    );
    await expectQuiet(opened);
  });

  it.each(["javascript:alert(1)", "mailto:shop@shop.example", "http://"])(
    "names %s, which is no form",
    async (given) => {
      const { tab, noise } = await open({ "/": reviews(`review-url="${given}"`) });
      await untilShown(tab, "reviews");
      expect(noise.said).toEqual([expect.stringContaining(`Vitrine: review-url="${given}"`)]);
      expect(await tab.getByRole("link", { name: "Write a review" }).count()).toBe(0);
      await tab.close();
    },
  );
});

/** Widgets in pages that programs make: the examples in React and Vue, as a module, by `Vitrine.mount`, in HTML that is put in. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPage } from "../docs/markdown.ts";
import { hasBrowser, startBrowser } from "../support/browser.ts";
import { outsideFolder, requireOutside } from "../support/outside.ts";
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
const EXAMPLES = "examples/widgets";
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

/** An example as it is, but for the address of its shop. */
function example(file: string): string {
  return readFileSync(join(EXAMPLES, file), "utf8").replaceAll("https://shop.example", site.url);
}

/** What the examples need of Vue's compiler. */
interface VueCompiler {
  parse(text: string, options: object): { readonly descriptor: object };
  compileScript(descriptor: object, options: object): { readonly content: string };
}

/** Compiles the examples, as a bundler's plugins do. */
const EXAMPLE_FILES: Plugin = {
  name: "examples",
  setup({ onLoad }) {
    onLoad({ filter: /ProductReviews\.jsx$/ }, () => ({
      contents: example("ProductReviews.jsx"),
      loader: "jsx",
    }));
    onLoad({ filter: /ProductReviews\.vue$/ }, () => {
      const { compileScript, parse } = requireOutside("vue/compiler-sfc") as VueCompiler;
      const isCustomElement = (tag: string) => tag.startsWith("vitrine-");
      const { descriptor } = parse(example("ProductReviews.vue"), {
        templateParseOptions: { isCustomElement },
      });
      const { content } = compileScript(descriptor, {
        id: "example",
        inlineTemplate: true,
        // For the second time: the compiler keeps the descriptor, and then parses its template again with these.
        templateOptions: { compilerOptions: { isCustomElement } },
      });
      return { contents: content, loader: "js", resolveDir: EXAMPLES };
    });
  },
};

async function bundle(program: string): Promise<string> {
  const result = await build({
    stdin: { contents: program, resolveDir: process.cwd(), loader: "jsx" },
    bundle: true,
    write: false,
    format: "iife",
    jsx: "automatic",
    tsconfigRaw: "{}",
    define: {
      "process.env.NODE_ENV": '"development"',
      __VUE_OPTIONS_API__: "true",
      __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "true",
    },
    plugins: [EXAMPLE_FILES],
    nodePaths: [join(outsideFolder(), "node_modules")],
    logLevel: "silent",
  });
  return result.outputFiles[0]?.text ?? "";
}

interface Opened {
  readonly tab: Page;
  readonly noise: Noise;
}

/** So high that every widget is near. */
const HIGH = { viewport: { width: 1000, height: 6000 } };

async function open(
  html: string,
  prepare: (tab: Page) => Promise<unknown> = async () => undefined,
): Promise<Opened> {
  host.set(html, "default-src * 'unsafe-inline'");
  site.asked();
  const tab = await browser.newPage(HIGH);
  const noise = await hear(tab);
  await prepare(tab);
  await tab.goto(host.url);
  return { tab, noise };
}

/** A page with a program's places, in which `go` shows other products. */
async function openProgram(program: string, prepare?: (tab: Page) => Promise<unknown>): Promise<Opened> {
  return open(`<main id="app"></main><script>${await bundle(program)}</script>`, prepare);
}

const go = (tab: Page, ...slugs: readonly string[]) => tab.evaluate(`go(${JSON.stringify(slugs)})`);
const said = ({ said }: Noise) => said.filter((line) => !line.includes("Download the React DevTools"));

async function untilReady(tab: Page, count: number): Promise<void> {
  const ready = tab.locator("vitrine-reviews[data-vitrine-state=ready]");
  await expect.poll(() => ready.count()).toBe(count);
}

/** Names of the products that the page's JSON-LD is about. */
async function rated(tab: Page): Promise<string[]> {
  const texts = await tab.locator("script[type='application/ld+json']").allTextContents();
  return texts.map((text) => JSON.parse(text).name);
}

const [KIT, CAFE] = ["Invoice Kit", "Café Menu Builder"];

const REACT = `
  import { StrictMode, useState } from "react";
  import { createRoot } from "react-dom/client";
  import { ProductReviews } from "./${EXAMPLES}/ProductReviews.jsx";
  function App() {
    const [slugs, setSlugs] = useState(["invoice-kit", "invoice-kit"]);
    window.go = setSlugs;
    return slugs.map((slug, at) => <ProductReviews key={at} slug={slug} />);
  }
  createRoot(document.getElementById("app")).render(<StrictMode><App /></StrictMode>);`;

const VUE = `
  import { createApp, h, ref } from "vue";
  import ProductReviews from "./${EXAMPLES}/ProductReviews.vue";
  const slugs = ref(["invoice-kit", "invoice-kit"]);
  window.go = (next) => { slugs.value = next; };
  createApp(() => slugs.value.map((slug, at) => h(ProductReviews, { key: at, slug }))).mount("#app");`;

describe.runIf(present)("widgets in pages made by frameworks", () => {
  it.each([
    ["React, in strict mode", REACT],
    ["Vue", VUE],
  ])("work like the example in %s: two at once, other routes, removal", async (_, program) => {
    const { tab, noise } = await openProgram(program);
    await untilReady(tab, 2);
    expect(await tab.locator("article").count()).toBe(10);
    await expect.poll(() => rated(tab)).toEqual([KIT]);
    expect(site.asked().filter((line) => line.includes("/product?"))).toHaveLength(1);
    await go(tab, "invoice-kit", ALL_FOUR);
    await expect.poll(() => tab.locator("article").count()).toBe(8);
    // The first is still there.
    await expect.poll(() => rated(tab)).toEqual([KIT]);
    await go(tab, ALL_FOUR);
    await expect.poll(() => rated(tab)).toEqual([CAFE]);
    await untilReady(tab, 1);
    expect(await tab.locator("article").count()).toBe(3);
    await go(tab);
    await expect.poll(() => rated(tab)).toEqual([]);
    expect(said(noise)).toEqual([]);
    expect(noise.bad).toEqual([]);
    await tab.close();
  });

  it("explain why the tag of two React components shows nothing: React loads it once, in the head", async () => {
    const script = `src="${site.url}/widgets/reviews.js"`;
    const { tab, noise } = await openProgram(`
      import { createRoot } from "react-dom/client";
      const Tag = ({ slug }) => <script async ${script} data-product-slug={slug} />;
      createRoot(document.getElementById("app")).render(<><Tag slug="invoice-kit" /><Tag slug="${ALL_FOUR}" /></>);`);
    await expect
      .poll(() => said(noise))
      .toEqual([expect.stringMatching(/^Vitrine: the tag is in <head>.*data-container.*<vitrine-reviews>/)]);
    expect(await tab.locator("head [data-vitrine], body [data-vitrine]").count()).toBe(0);
    expect(noise.bad).toEqual([]);
    await tab.close();
  });

  it("are mounted twice by React's strict mode, and shown once", async () => {
    const { tab, noise } = await openProgram(`
      import { StrictMode, useEffect, useRef, useState } from "react";
      import { createRoot } from "react-dom/client";
      window.log = [];
      function Reviews({ slug }) {
        const place = useRef(null);
        useEffect(() => {
          const unmount = Vitrine.mount(place.current, { productSlug: slug, limit: 2, jsonLd: true, photos: false });
          log.push("mounted");
          return () => { log.push("unmounted"); unmount(); };
        }, [slug]);
        return <div ref={place} />;
      }
      function App() {
        const [slugs, setSlugs] = useState(["invoice-kit"]);
        window.go = setSlugs;
        return slugs.map((slug, at) => <Reviews key={at} slug={slug} />);
      }
      import("${site.url}/widgets/reviews.js").then(() =>
        createRoot(document.getElementById("app")).render(<StrictMode><App /></StrictMode>));`);
    await untilReady(tab, 1);
    expect(await tab.evaluate("log")).toEqual(["mounted", "unmounted", "mounted"]);
    expect(await tab.locator("article").count()).toBe(2);
    expect(await tab.locator("vitrine-reviews[photos]").count()).toBe(0);
    expect(site.asked().filter((line) => line.includes("/product?"))).toHaveLength(1);
    await go(tab, ALL_FOUR);
    await expect.poll(() => rated(tab)).toEqual([CAFE]);
    await go(tab);
    await expect.poll(() => rated(tab)).toEqual([]);
    expect(await tab.locator("vitrine-reviews").count()).toBe(0);
    expect(said(noise)).toEqual([]);
    await tab.close();
  });

  it("cancel their requests when they are removed before the answer, but not those of others", async () => {
    const aborted: string[] = [];
    const released: (() => void)[] = [];
    const { tab, noise } = await openProgram(REACT, async (tab) => {
      tab.on("requestfailed", (request) => aborted.push(new URL(request.url()).search));
      await tab.route(/\/api\//, async (route) => {
        await new Promise<void>((resolve) => released.push(resolve));
        await route.continue().catch(() => undefined);
      });
    });
    await expect.poll(() => released.length).toBe(2);
    await go(tab, "invoice-kit");
    await expect.poll(() => tab.locator("vitrine-reviews").count()).toBe(1);
    expect(aborted).toEqual([]);
    await go(tab);
    await expect
      .poll(() => aborted.sort())
      .toEqual(["?product_slug=invoice-kit&page=1", "?slug=invoice-kit"]);
    for (const release of released) release();
    await expect.poll(() => rated(tab)).toEqual([]);
    expect(said(noise)).toEqual([]);
    expect(noise.bad).toEqual([]);
    await tab.close();
  });

  it("appear with each example of the documentation", async () => {
    const { blocks } = readPage("docs/widget.md");
    const texts = blocks.filter(({ language }) => ["html", "js"].includes(language));
    const plain = { language: "html", text: readFileSync(join(EXAMPLES, "page.html"), "utf8") };
    for (const { language, text } of [...texts, plain]) {
      const code = text.replaceAll("https://shop.example", site.url);
      const html = `<div id="reviews"></div><script type="module">${code}</script>`;
      const { tab, noise } = await open(language === "js" ? html : code);
      await untilReady(tab, 1);
      expect(await tab.locator("#reviews article").count()).toBe(5);
      expect(noise).toEqual({ said: [], bad: [] });
      await tab.close();
    }
  });

  it("start in inserted HTML, stay unchanged when they are moved, and follow their attributes", async () => {
    const module = `<script type="module">import "${site.url}/widgets/reviews.js";</script>`;
    const { tab, noise } = await open(`<main></main><footer></footer>${module}`);
    await tab.evaluate(
      `document.querySelector("main").innerHTML = '<vitrine-reviews product-slug="invoice-kit" limit="3"></vitrine-reviews>'`,
    );
    await untilReady(tab, 1);
    await tab.getByRole("button", { name: "Show more reviews" }).click();
    await expect.poll(() => tab.locator("article").count()).toBe(6);
    await tab.evaluate(`document.querySelector("footer").append(document.querySelector("vitrine-reviews"))`);
    expect(await tab.locator("footer article").count()).toBe(6);
    site.asked();
    const set = (name: string, value: string) =>
      tab.evaluate(`document.querySelector("vitrine-reviews").setAttribute("${name}", "${value}")`);
    await set("limit", "3");
    await set("theme", "dark");
    expect(await tab.locator("article").count()).toBe(6);
    await set("limit", "2");
    await expect.poll(() => tab.locator("article").count()).toBe(2);
    await set("lang", "de");
    await expect.poll(() => tab.locator("h2").allTextContents()).toEqual(["Kundenbewertungen"]);
    expect(noise).toEqual({ said: [], bad: [] });
    await set("product-slug", "");
    await expect.poll(() => tab.locator("h2").count()).toBe(0);
    expect(await tab.locator("[data-vitrine-state]").count()).toBe(0);
    await expect
      .poll(() => noise.said)
      .toEqual([expect.stringContaining("Vitrine: product-slug is missing or empty.")]);
    await tab.close();
  });

  it("report a program's mistakes", async () => {
    const { tab, noise } = await open(
      `<main></main><script type="module" src="${site.url}/widgets/reviews.js"></script>`,
    );
    await tab.waitForFunction("window.Vitrine");
    const mount = (options: string) =>
      tab.evaluate(`void Vitrine.mount(document.querySelector("main"), ${options})`);
    await expect(mount('{ widget: "grid", category: "scripts" }')).rejects.toThrow(
      "Vitrine.mount: load widgets/grid.js first",
    );
    await mount(`{ productSlug: "${ALL_FOUR}", limits: 3, onclick: "alert(1)" }`);
    await untilReady(tab, 1);
    expect(noise.said).toEqual([
      expect.stringContaining('no option "limits"'),
      expect.stringContaining('no option "onclick"'),
    ]);
    expect(noise.bad).toEqual([]);
    await tab.close();
  });

  it("have no attributes and no complaints for what a page's script adds to all objects", async () => {
    const { tab, noise } = await open(
      `<script>Object.prototype.hidden = () => 1</script><main></main><script type="module" src="${site.url}/widgets/reviews.js"></script>`,
    );
    await tab.waitForFunction("window.Vitrine");
    await tab.evaluate(`void Vitrine.mount(document.querySelector("main"), { productSlug: "${ALL_FOUR}" })`);
    await untilReady(tab, 1);
    const added = "[...document.querySelector('vitrine-reviews').shadowRoot.querySelectorAll('[hidden]')]";
    expect(await tab.evaluate(`${added}.map((each) => each.localName)`)).toEqual(["button"]);
    expect(await tab.locator("vitrine-reviews[hidden]").count()).toBe(0);
    expect(noise).toEqual({ said: [], bad: [] });
    await tab.close();
  });

  it("belong to the shop of their tag in a page with tags of two shops", async () => {
    const other = "https://other.example/api/v1";
    const script = await (await fetch(`${site.url}/widgets/badge.js`)).text();
    const badge = (address: string) =>
      `<script src="${address}/widgets/badge.js" data-product-slug="invoice-kit"></script>`;
    const product = { title: "Other", rating_summary: { average: 2, count: 1 } };
    const { tab } = await open(`${badge(site.url)}${badge("https://other.example")}`, async (tab) => {
      await tab.route("https://other.example/**", (route) =>
        route.request().url().endsWith(".js")
          ? route.fulfill({
              body: script.replace(`${site.url}/api/v1`, other),
              contentType: "text/javascript",
            })
          : route.fulfill({
              json: { success: true, data: product },
              headers: { "Access-Control-Allow-Origin": "*" },
            }),
      );
    });
    const texts = () => tab.locator("vitrine-badge b").allTextContents();
    await expect.poll(texts).toEqual(["3.7 out of 5", "2.0 out of 5"]);
    await tab.close();
  });

  it("may be in a page that React's server rendered, and start before React does", async () => {
    const server = await bundle(`
      import { renderToString } from "react-dom/server.edge";
      import { ProductReviews } from "./${EXAMPLES}/ProductReviews.jsx";
      window.html = renderToString(<ProductReviews slug="invoice-kit" />);`);
    const first = await open(`<script>${server}</script>`);
    const html = String(await first.tab.evaluate("html"));
    await first.tab.close();
    const client = await bundle(`
      import { hydrateRoot } from "react-dom/client";
      import { ProductReviews } from "./${EXAMPLES}/ProductReviews.jsx";
      import { useEffect } from "react";
      function App() {
        useEffect(() => { window.isHydrated = true; });
        return <ProductReviews slug="invoice-kit" />;
      }
      window.hydrate = () => hydrateRoot(document.getElementById("app"), <App />);`);
    const { tab, noise } = await open(`<main id="app">${html}</main><script>${client}</script>`);
    await untilReady(tab, 1);
    await tab.evaluate("window.isHydrated = false, void hydrate()");
    await expect.poll(() => tab.evaluate("isHydrated")).toBe(true);
    await untilReady(tab, 1);
    expect(await tab.locator("article").count()).toBe(5);
    expect(said(noise)).toEqual([]);
    await tab.close();
  });

  it("may be in a page that Vue rendered in Node, which cannot import the script", async () => {
    const server = await bundle(`
      import { createSSRApp } from "vue";
      import { renderToString } from "vue/server-renderer";
      import ProductReviews from "./${EXAMPLES}/ProductReviews.vue";
      renderToString(createSSRApp(ProductReviews, { slug: "invoice-kit" })).then(console.log);`);
    const html = execFileSync(process.execPath, ["--input-type=module"], { input: server, encoding: "utf8" });
    const client = await bundle(`
      import { createSSRApp } from "vue";
      import ProductReviews from "./${EXAMPLES}/ProductReviews.vue";
      createSSRApp(ProductReviews, { slug: "invoice-kit" }).mount("#app");`);
    const { tab, noise } = await open(`<main id="app">${html.trim()}</main><script>${client}</script>`);
    await untilReady(tab, 1);
    expect(await tab.locator("article").count()).toBe(5);
    expect(said(noise)).toEqual([]);
    await tab.close();
  });
});

it.each(["ProductReviews.jsx", "ProductReviews.vue"])("the documentation shows %s unchanged", (file) => {
  const { blocks } = readPage("docs/widget.md");
  expect(blocks.map(({ text }) => text)).toContain(readFileSync(join(EXAMPLES, file), "utf8").trimEnd());
});

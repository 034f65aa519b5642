/**
 * Takes the documentation's pictures of the demo's snapshot, which `npm run demo` makes, and draws the architecture:
 * `npm run docs:pictures`. Needs Chromium, Graphviz, and a font with Chinese and Japanese (fonts-wqy-microhei).
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { LOOK_COUNT, looksPage } from "./pictures/looks.ts";
import { contactSheet, shopsOf, widthsOf } from "./pictures/sheets.ts";
import { buildShop, type Shop, serveFiles } from "./pictures/shops.ts";

const COMMAND = "dist/cli/main.js";
const DEMO = "demo";
const ORIGIN = "http://127.0.0.1:8080";
const FOLDER = "docs/pictures";
/** WebP quality, of 100: text stays sharp, and a picture takes some tens of kilobytes. */
const QUALITY = 72;

interface Picture {
  readonly name: string;
  readonly address: string;
  /** What must be visible before the picture is taken. */
  readonly shows: string;
  /** What to scroll to, if not to the top of the page. */
  readonly top?: string;
}

type Theme = "light" | "dark";

const VIEWPORT = { width: 1200, height: 760 };

async function save(page: Page, name: string, quality = QUALITY): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality });
  const bytes = Buffer.from(data, "base64");
  writeFileSync(join(FOLDER, `${name}.webp`), bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}

async function take(browser: Browser, { name, address, shows, top }: Picture, theme: Theme): Promise<void> {
  const page = await browser.newPage({ viewport: VIEWPORT, colorScheme: theme, locale: "en-GB" });
  await page.goto(address);
  await page.locator(shows).first().waitFor();
  await page.waitForLoadState("networkidle");
  // The focus outline of the linked element would look like a part of the page.
  await page.evaluate("document.activeElement?.blur()");
  if (top !== undefined)
    await page.evaluate(
      `document.querySelector(${JSON.stringify(top)}).scrollIntoView({ behavior: "instant" })`,
    );
  await save(page, name);
  await page.close();
}

const FILE = "api/v1/reviews/product_slug=invoice-kit/page=1.json";

/** The beginning of a file as the README's picture shows it, as HTML: long texts are cut, only the first review is there. */
function excerptOf(file: string): string {
  const answer = JSON.parse(readFileSync(join(DEMO, "out/site", file), "utf8")) as {
    data: Record<string, unknown>[];
  };
  const { id, rating, title, body } = answer.data[0] ?? {};
  const review = { id, rating, title, body: `${/^.{0,22}\b/.exec(String(body))?.[0].trim()} …` };
  const lines = JSON.stringify({ success: true, data: [review] }, null, 2).split("\n");
  // A long line goes on below its beginning.
  const shown = (line: string) =>
    `<span style="display:block;padding-left:${line.search(/\S/) + 2}ch;text-indent:-2ch">${line.trim()}</span>`;
  return [...lines.slice(0, -3), "    },", "    …"].map(shown).join("");
}

/** The README's picture: a request, the file that answers it, and the widget that shows it; for phones one below the other. */
async function takeSteps(browser: Browser, theme: Theme, shape: "wide" | "phone"): Promise<void> {
  const viewport = shape === "wide" ? { width: 1200, height: 480 } : { width: 420, height: 1290 };
  const page = await browser.newPage({ viewport, colorScheme: theme, locale: "en-GB" });
  await page.setContent(
    `<!doctype html><html lang="en"><style>
      :root{color-scheme:light dark;--ground:light-dark(#f6f7f6,#101413);--card:light-dark(#fff,#171c1b);--ink:light-dark(#1b2321,#e4e9e7);
        --quiet:light-dark(#5b6663,#9aa5a1);--line:light-dark(#dfe3e1,#2a3230);--accent:light-dark(#0a6761,#66cfc3)}
      *{box-sizing:border-box}body{margin:0;padding:26px;background:var(--ground);color:var(--ink);font:15px/1.45 system-ui,sans-serif;
        display:grid;grid-template-columns:1fr 34px 1fr 34px 1.12fr;gap:8px;height:100vh}
      section{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:18px 20px;overflow:hidden;display:flex;flex-direction:column}
      h2{margin:0 0 2px;font-size:16px}p{margin:0 0 14px;color:var(--quiet);font-size:13.5px}i{align-self:center;text-align:center;font:26px/1 sans-serif;color:var(--accent)}
      pre{margin:0;font:12.5px/1.55 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}b{color:var(--accent);font-weight:600}u{color:var(--quiet);text-decoration:none}
      #steps{margin-top:auto;color:var(--quiet);font-size:13px;line-height:1.6}
      #reviews{flex:1;min-height:0;overflow:hidden;mask:linear-gradient(#000 78%,#0000)}
      @media(max-width:600px){body{padding:12px;grid-template-columns:1fr;grid-template-rows:auto 30px auto 30px 1fr}i{rotate:90deg}#steps{margin-top:16px}}
    </style>
    <section><h2>A request</h2><p>of an app, a reseller or a page</p><pre>GET <b>/api/v1/reviews</b>
  ?product_slug=<b>invoice-kit</b>

<u>GET /api/v1/products
  ?category=scripts&sort=price_asc

GET /api/v1/product?slug=invoice-kit

GET /api/v1/forum?solved=yes&page=2</u></pre><div id="steps">Nothing is computed for it: the CDN finds<br>the file of each request and sends it.</div></section><i>→</i>
    <section><h2>is a file</h2><p>made at build time, in your bucket</p><pre id="file"></pre></section><i>→</i>
    <section><h2>and a widget</h2><p>one tag in any page</p><div id="reviews"></div></section></html>`,
  );
  await page
    .locator("#file")
    .evaluate(
      (node, text) => node.insertAdjacentHTML("beforeend", text),
      `${FILE.replace("product_slug", "\n  product_slug")}\n\n${excerptOf(FILE)}`,
    );
  await page.evaluate(
    `{ const tag = document.createElement("script");
       tag.src = ${JSON.stringify(`${ORIGIN}/widgets/reviews.js`)};
       Object.assign(tag.dataset, { productSlug: "invoice-kit", limit: "2", container: "reviews", theme: "auto" });
       document.body.append(tag); }`,
  );
  await page.getByRole("button", { name: /^1 out of 5/ }).waitFor();
  await save(page, shape === "wide" ? `readme-${theme}` : `readme-phone-${theme}`);
  await page.close();
}

/** Six colourful pictures in one. */
const LOOKS_QUALITY = 55;

/** The review widget in six looks. */
async function takeLooks(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 }, locale: "en-GB" });
  await page.setContent(looksPage(`${ORIGIN}/widgets/reviews.js`));
  const ready = page.locator("[data-vitrine-state=ready]");
  await ready.nth(LOOK_COUNT - 1).waitFor();
  await page.waitForLoadState("networkidle");
  const { height = 0 } = (await page.locator("body").boundingBox()) ?? {};
  await page.setViewportSize({ width: 1200, height: Math.ceil(height) });
  await save(page, "widget", LOOKS_QUALITY);
  await page.close();
}

/** Small versions of large pictures, whose shapes are enough. */
const SHEET_QUALITY = 45;

const SHOPS: readonly Shop[] = [
  { name: "empty", port: 8091 },
  { name: "chinook", port: 8092 },
  { name: "right-to-left", port: 8093 },
];

/** Waits for a server that was just started. */
async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}

/** The explorer in all its widths, and with other kinds of shops: an empty one, another schema, files without a server. */
async function takeSheets(browser: Browser, folder: string): Promise<void> {
  const servers = SHOPS.map((shop) =>
    spawn("node", [COMMAND, ...buildShop(COMMAND, join(folder, shop.name), shop)], {
      stdio: ["ignore", "ignore", "pipe"],
    }),
  );
  const files = serveFiles(`${DEMO}/out/site`).listen(8094, "127.0.0.1");
  try {
    for (const { port } of SHOPS) await answers(`http://127.0.0.1:${port}/explore/`);
    const at = (port: number, view: string) => `http://127.0.0.1:${port}/explore/#${view}`;
    const [empty, chinook, right] = [8091, 8092, 8093];
    const views = [
      ...[at(empty, "/"), at(chinook, "/"), at(right, "/products"), at(right, "/product/invoice-kit")],
      ...[at(8094, "/products?search=kit"), at(8094, "/request")],
    ];
    await save(await contactSheet(browser, widthsOf(ORIGIN)), "explorer-widths", SHEET_QUALITY);
    await save(await contactSheet(browser, shopsOf(views)), "explorer-shops", SHEET_QUALITY);
  } finally {
    for (const server of servers) server.kill();
    files.close();
  }
}

/** Drawn in the colour of the reader's theme. */
function draw(name: string): void {
  const { stdout } = spawnSync("dot", ["-Tsvg", `scripts/${name}.dot`], { encoding: "utf8" });
  const style =
    "<style>#graph0{--ink:#24292f}@media(prefers-color-scheme:dark){#graph0{--ink:#d7dde2}}" +
    "text,polygon{fill:var(--ink)}path,polygon{stroke:var(--ink)}</style>";
  const svg = stdout
    .slice(stdout.indexOf("<svg"))
    .replaceAll(/ (?:stroke|fill)="black"/g, "")
    .replaceAll(/<title>[^<]*<\/title>\n/g, "")
    .replace('<g id="graph0"', (group) => `<title>${name}</title>${style}${group}`);
  writeFileSync(join(FOLDER, `${name}.svg`), svg);
}

const work = mkdtempSync(join(tmpdir(), "vitrine-pictures-"));
const server = spawn(
  "node",
  [COMMAND, "serve", "--no-rate-limit", "--out", `${DEMO}/out`, "--media", `${DEMO}/media`],
  { stdio: "ignore" },
);
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  await answers(`${ORIGIN}/explore/`);
  mkdirSync(FOLDER, { recursive: true });
  const pictures: Picture[] = [
    { name: "explorer", address: `${ORIGIN}/explore/#/products?category=scripts`, shows: ".grid .card img" },
    {
      name: "reviews",
      address: `${ORIGIN}/explore/#/product/invoice-kit?tab=reviews`,
      shows: ".entry h2",
      top: ".tabs",
    },
  ];
  for (const picture of pictures) await take(browser, picture, "light");
  for (const theme of ["light", "dark"] as const)
    for (const shape of ["wide", "phone"] as const) await takeSteps(browser, theme, shape);
  await takeLooks(browser);
  await takeSheets(browser, work);
  draw("architecture");
} finally {
  await browser.close();
  server.kill();
  rmSync(work, { recursive: true });
}

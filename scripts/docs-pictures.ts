/**
 * Takes the documentation's pictures of the demo's snapshot, which `npm run demo` makes, and draws the architecture:
 * `npm run docs:pictures`. Needs Chromium, and Graphviz.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { contactSheet, shopsOf, widthsOf } from "./pictures/sheets.ts";
import { buildShop, type Shop, serveFiles } from "./pictures/shops.ts";

const COMMAND = "dist/cli/main.js";
const ORIGIN = "http://127.0.0.1:8080";
const FOLDER = "docs/pictures";
/** WebP's, of 100: text stays sharp, and a picture is some tens of kilobytes. */
const QUALITY = 72;

interface Picture {
  readonly name: string;
  readonly address: string;
  /** What must be there before it is taken. */
  readonly shows: string;
  /** What stands at its top, where that is not the page's. */
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
  // The outline of what an address leads to would look like a part of the page.
  await page.evaluate("document.activeElement?.blur()");
  if (top !== undefined)
    await page.evaluate(
      `document.querySelector(${JSON.stringify(top)}).scrollIntoView({ behavior: "instant" })`,
    );
  await save(page, name);
  await page.close();
}

/** What a terminal shows of a command in the demo. */
function shown(...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync("node", [COMMAND, ...args], { encoding: "utf8" });
  return `$ vitrine ${args.join(" ")}\n${stderr}${stdout}`;
}

/** The README's picture: the explorer, and before it what a terminal says of the demo. */
async function takeBoth(browser: Browser, terminal: string, theme: Theme): Promise<void> {
  const page = await browser.newPage({ viewport: VIEWPORT, colorScheme: theme, locale: "en-GB" });
  await page.goto(`${ORIGIN}/explore/`);
  await page.locator(".row .card img").first().waitFor();
  await page.waitForLoadState("networkidle");
  const explorer = (await page.screenshot()).toString("base64");
  const front = await browser.newPage({ viewport: VIEWPORT, colorScheme: theme });
  await front.setContent(
    `<style>body{margin:0}img{display:block}pre{position:fixed;right:28px;bottom:28px;margin:0;padding:18px 22px;max-width:640px;
    white-space:pre-wrap;font:14px/1.5 monospace;color:#e8ebe9;background:#14191af2;border:1px solid #3a413f;border-radius:12px;
    box-shadow:0 12px 40px #0008}</style><img src="data:image/png;base64,${explorer}"><pre></pre>`,
  );
  await front.locator("pre").evaluate((node, text) => node.append(text), terminal.trimEnd());
  await save(front, `readme-${theme}`);
  await page.close();
  await front.close();
}

/** Small pictures of large ones: what they say is in their shapes. */
const SHEET_QUALITY = 45;

const SHOPS: readonly Shop[] = [
  { name: "empty", port: 8091 },
  { name: "chinook", port: 8092 },
  { name: "right-to-left", port: 8093 },
];

/** Waits for a server that has just been started. */
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

/** The explorer in all its widths, and over shops of other kinds: an empty one, one of another schema, files without a server. */
async function takeSheets(browser: Browser, folder: string): Promise<void> {
  const servers = SHOPS.map((shop) =>
    spawn("node", [COMMAND, ...buildShop(COMMAND, join(folder, shop.name), shop)], {
      stdio: ["ignore", "ignore", "pipe"],
    }),
  );
  const files = serveFiles("out/site").listen(8094, "127.0.0.1");
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

/** Its ink is that of the reader's theme. */
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
const server = spawn("node", [COMMAND, "serve", "--no-rate-limit", "--media", "demo/media"], {
  stdio: ["ignore", "inherit", "pipe"],
});
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  await once(server.stderr, "data");
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
  const terminal = `${shown("build", "--full")}\n${shown("check")}`;
  for (const theme of ["light", "dark"] as const) await takeBoth(browser, terminal, theme);
  await takeSheets(browser, work);
  draw("architecture");
} finally {
  await browser.close();
  server.kill();
  rmSync(work, { recursive: true });
}

/** Takes the pictures of docs/start.md from the demo's snapshot, which `npm run demo` makes: `npm run docs:pictures`. Needs Chromium. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";

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

async function take(browser: Browser, { name, address, shows, top }: Picture): Promise<void> {
  const page = await browser.newPage({
    viewport: { width: 1200, height: 760 },
    colorScheme: "light",
    locale: "en-GB",
  });
  await page.goto(address);
  await page.locator(shows).first().waitFor();
  await page.waitForLoadState("networkidle");
  // The outline of what an address leads to would look like a part of the page.
  await page.evaluate("document.activeElement?.blur()");
  if (top !== undefined)
    await page.evaluate(
      `document.querySelector(${JSON.stringify(top)}).scrollIntoView({ behavior: "instant" })`,
    );
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  const bytes = Buffer.from(data, "base64");
  writeFileSync(join(FOLDER, `${name}.webp`), bytes);
  console.log(`${name}: ${bytes.length} bytes`);
  await page.close();
}

const work = mkdtempSync(join(tmpdir(), "vitrine-pictures-"));
const report = join(work, "report.html");
spawnSync("node", [COMMAND, "report", "--file", report], { stdio: "inherit" });
const server = spawn("node", [COMMAND, "serve", "--media", "demo/media"], {
  stdio: ["ignore", "inherit", "pipe"],
});
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
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
    { name: "reference", address: `${ORIGIN}/docs/#tag/products/GET/products`, shows: "h1" },
    { name: "report", address: pathToFileURL(resolve(report)).href, shows: "svg" },
  ];
  for (const picture of pictures) await take(browser, picture);
} finally {
  await browser.close();
  server.kill();
  rmSync(work, { recursive: true });
}

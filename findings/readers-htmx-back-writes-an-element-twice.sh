#!/usr/bin/env bash
# htmx keeps a copy of the page as it looks when the reader leaves it by a boosted link, and Back makes a page of that copy: a custom element that writes its text when it is connected has it twice, "Mug 19.90Mug 19.90", and a third time after
# the next Back, and the scripts of <body> run again. The canonical link and the JSON-LD in <head> are the first page's on every page. One would guess the page's own markup after Back, or the very elements that were there, as the browser's own Back has.
# A product widget shows its price or its list of reviews twice. It must clear itself when it is connected, use a shadow tree (which the copy leaves out), or undo itself at htmx:beforeHistorySave.
# Version: htmx.org 2.0.11, playwright-core 1.65.1 with Debian's chromium-headless-shell, seen on Node 20.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund htmx.org@2.0.11 playwright-core@1.65.1
cat > run.mjs <<'JS'
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const htmx = readFileSync("node_modules/htmx.org/dist/htmx.min.js");
const define = `customElements.define("x-price", class extends HTMLElement { connectedCallback() { this.append(this.dataset.price); } });`;
const product = (name, price, next) => `<!doctype html><html><head><title>${name}</title><link rel="canonical" href="/${name}">
<script src="/htmx.js"></script><script>${define}</script></head>
<body hx-boost="true"><h1>${name}</h1><x-price data-price="${price} "></x-price><a href="/${next}">next</a></body></html>`;
const pages = { "/mug": product("mug", "19.90", "cup"), "/cup": product("cup", "5.00", "mug") };
const server = createServer(({ url }, response) => {
  response.setHeader("Content-Type", url === "/htmx.js" ? "text/javascript" : "text/html");
  response.end(url === "/htmx.js" ? htmx : (pages[url] ?? ""));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
const seen = [];
const at = async (name) => {
  await page.waitForFunction((heading) => document.querySelector("h1")?.textContent === heading && document.querySelector("x-price").textContent !== "", name);
  seen.push(await page.evaluate(() => `${document.title}: ${document.querySelector("x-price").textContent}${document.querySelector("link[rel=canonical]").getAttribute("href")}`));
};
await page.goto(`http://127.0.0.1:${server.address().port}/mug`);
await at("mug");
await page.click("a");
await at("cup");
await page.goBack();
await at("mug");
await page.goForward();
await at("cup");
await page.goBack();
await at("mug");
console.log(seen.join(", "));
await browser.close();
server.close();
server.closeAllConnections();
JS
seen=$(node run.mjs)
echo "htmx.org@2.0.11"
echo "seen: $seen"
[ "$seen" = "mug: 19.90 /mug, cup: 5.00 /mug, mug: 19.90 19.90 /mug, cup: 5.00 5.00 /mug, mug: 19.90 19.90 19.90 /mug" ]

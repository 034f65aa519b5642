#!/usr/bin/env bash
# Turbo replaces <title>, <meta> and <link rel=canonical> of <head> on each visit, but never takes a <script> out, not even one of type application/ld+json, which runs nothing. One would
# guess that a page's data goes with its page: after two clicks the head of one page describes three products, and the canonical link names the third.
# A catalog whose pages have schema.org's Product in <head> tells whoever reads the rendered page (extensions, price trackers, agents in a browser) the prices of other products: put it into <body>.
# Version: @hotwired/turbo 8.0.23, playwright-core 1.65.1 with Debian's chromium-headless-shell 156.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @hotwired/turbo@8.0.23 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { chromium } from "playwright-core";

const turbo = readFileSync("node_modules/@hotwired/turbo/dist/turbo.es2017-esm.js");
const products = ["lamp", "chair", "table"];
const product = (name, at) => `<!doctype html><html><head><title>${name}</title>
  <meta name="description" content="${name}"><link rel="canonical" href="/${name}">
  <script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"${name}"}</script>
  <script type="module" src="/turbo.js"></script></head>
  <body><h1>${name}</h1><a href="/${products[at + 1] ?? ""}">next</a></body></html>`;
const server = createServer(({ url }, response) => {
  const at = products.indexOf(url.slice(1));
  response.setHeader("Content-Type", at < 0 ? "text/javascript" : "text/html");
  response.end(at < 0 ? turbo : product(products[at], at));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.goto(`http://127.0.0.1:${server.address().port}/lamp`);
for (const name of products.slice(1)) {
  await page.waitForFunction(() => window.Turbo);
  await page.click("a");
  await page.waitForFunction((heading) => document.querySelector("h1").textContent === heading && !document.documentElement.hasAttribute("aria-busy"), name);
}
console.log(await page.evaluate(() => {
  const all = (selector, read) => [...document.head.querySelectorAll(selector)].map(read).join("+");
  return [
    `title ${document.title}`,
    `description ${all("meta[name=description]", (each) => each.content)}`,
    `canonical ${all("link[rel=canonical]", (each) => each.getAttribute("href"))}`,
    `json-ld ${all("script[type='application/ld+json']", (each) => JSON.parse(each.textContent).name)}`,
  ].join(", ");
}));
await browser.close();
server.close();
JS
seen=$(node run.js)
echo "@hotwired/turbo@8.0.23"
echo "seen: $seen"
[ "$seen" = 'title table, description table, canonical /table, json-ld lamp+chair+table' ]

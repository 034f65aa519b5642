#!/usr/bin/env bash
# pjax and flamethrower run the scripts of the next page by making them anew: with src, and without one data- attribute (flamethrower sets each attribute as a property of its name).
# One would guess that a router that runs a page's scripts runs them as the page has them. swup with its scripts plugin, one line of settings away, copies all attributes.
# Widgets are embedded as <script src data-product=...>: on the first page they work, after a click they run and know no product, and a reload makes them work again.
# Version: pjax 0.2.8, flamethrower-router 0.0.0-meme.12, swup 4.10.0 with @swup/scripts-plugin 2.1.0, esbuild 0.28.2, playwright-core 1.65.1 with Debian's chromium-headless-shell.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund pjax@0.2.8 flamethrower-router@0.0.0-meme.12 swup@4.10.0 @swup/scripts-plugin@2.1.0 esbuild@0.28.2 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { build } from "esbuild";
import { chromium } from "playwright-core";

const routers = {
  pjax: `import Pjax from "pjax"; new Pjax({ elements: "a", selectors: ["#shop"], cacheBust: false });`,
  flamethrower: `import start from "flamethrower-router"; start({ prefetch: false });`,
  swup: `import Swup from "swup"; import Scripts from "@swup/scripts-plugin";
    new Swup({ containers: ["#shop"], animationSelector: false, plugins: [new Scripts({ head: false })] });`,
};
const page = (product, next) => `<!doctype html><html lang="en"><head><title>${product}</title>
  <script defer src="/router.js"></script></head><body><div id="shop"><h1>${product}</h1><a href="/${next}">next</a>
  <script src="/widget.js" data-product="${product}"></script></div></body></html>`;
let router = "";
const server = createServer(({ url }, response) => {
  const isScript = url.endsWith(".js");
  response.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
  if (url === "/router.js") response.end(router);
  else if (isScript) response.end("(window.runs ??= []).push(document.currentScript.dataset.product ?? 'nothing');");
  else response.end(url.startsWith("/chair") ? page("chair", "") : page("lamp", "chair"));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const [name, contents] of Object.entries(routers)) {
  const stdin = { contents, resolveDir: process.cwd() };
  const built = await build({ stdin, bundle: true, write: false, format: "iife", logLevel: "silent" });
  router = built.outputFiles[0].text;
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: "load" });
  await tab.click("a");
  await tab.waitForFunction(() => document.querySelector("h1").textContent === "chair" && window.runs?.length > 1);
  console.log(name, (await tab.evaluate(() => window.runs)).join(", then "));
  await tab.close();
}
await browser.close();
server.close();
JS
seen=$(node run.js)
echo "pjax@0.2.8 flamethrower-router@0.0.0-meme.12 swup@4.10.0"
echo "seen: $seen"
[ "$seen" = 'pjax lamp, then nothing
flamethrower lamp, then nothing
swup lamp, then chair' ]

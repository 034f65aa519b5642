#!/usr/bin/env bash
# VitePress writes the <script> of a Markdown page, one with src and data- attributes or one of JSON-LD, into the HTML file, and has none of it in the page's program: when Vue starts, it takes both out of the document
# (the console says "Hydration completed but contains mismatches"), and a reader who comes by a click inside the site never has them. One would guess that it is kept, as
# a <div> is, or that the build says that it is not. The build ends with 0, and curl shows the tag.
# A widget of a shop that is embedded by its tag shows up on the page that was opened first and on no other; whoever reads the rendered page finds no price.
# Version: vitepress 1.6.4, playwright-core 1.65.1 with Debian's chromium-headless-shell, seen on Node 24.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --legacy-peer-deps vitepress@1.6.4 playwright-core@1.65.1
mkdir -p site/public; echo 'window.runs = (window.runs ?? 0) + 1;' > site/public/widget.js
printf '# Shop\n\n[the mug](./mug.md)\n' > site/index.md
cat > site/mug.md <<'MD'
# Mug

<div id="reviews"></div>
<script async src="/widget.js" data-product="mug"></script>
<script type="application/ld+json">{"@type":"Product","name":"Mug"}</script>
MD
code=0; node_modules/.bin/vitepress build site > log 2>&1 < /dev/null || code=$?
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const server = createServer(({ url }, response) => {
  const path = new URL(url, "http://site").pathname.replace(/\/$/, "/index.html");
  try {
    const bytes = readFileSync(join("site/.vitepress/dist", decodeURIComponent(path)));
    response.setHeader("content-type", types[extname(path)] ?? "application/octet-stream").end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const address = `http://127.0.0.1:${server.address().port}`;
const tags = () => document.querySelectorAll("[data-product], [type='application/ld+json']").length;
const inFile = (readFileSync("site/.vitepress/dist/mug.html", "utf8").match(/data-product|ld\+json/g) ?? []).length;
const started = () => document.querySelector("#app")?.__vue_app__ && document.readyState === "complete";

const first = await browser.newPage();
await first.goto(`${address}/mug.html`);
await first.waitForFunction(started);
await first.waitForFunction(() => window.runs === 1 && document.querySelectorAll("[data-product]").length === 0);
const opened = `${await first.evaluate(tags)} tags, ran ${await first.evaluate(() => window.runs ?? 0)} times`;

const second = await browser.newPage();
await second.goto(`${address}/index.html`);
await second.waitForFunction(started);
await second.click("main a[href$='mug.html']");
await second.waitForFunction(() => document.querySelector("h1")?.id === "mug" && document.querySelector("#reviews"));
const clicked = `${await second.evaluate(tags)} tags, ran ${await second.evaluate(() => window.runs ?? 0)} times`;
console.log(`${inFile} tags in the file; opened: ${opened}; by a click: ${clicked}`);
await browser.close();
server.close();
JS
seen="exit code $code; $(timeout 100 node run.js)"
echo "vitepress@1.6.4"
echo "seen: $seen"
[ "$seen" = 'exit code 0; 2 tags in the file; opened: 0 tags, ran 1 times; by a click: 0 tags, ran 0 times' ]

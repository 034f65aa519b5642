#!/usr/bin/env bash
# micro-app shows nothing of a page that leaves out <head> or </body>, which HTML lets be left out and minifiers take away: the console says "element head is missing" or "element body is missing". It looks for both with a regular
# expression. qiankun and wujie show the same pages, as a browser does. One would guess that a program which embeds pages reads them with the browser's parser, which is at hand and adds both.
# A catalog's page, well in every browser and validator, is an empty place in the shop around it once its build minifies: html-minifier-terser with removeOptionalTags, and minify-html by default, make such pages.
# Version: @micro-zoe/micro-app 0.8.11, qiankun 2.10.16, wujie 1.0.29, esbuild 0.28.2, playwright-core 1.65.1 with Debian's chromium-headless-shell 156.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @micro-zoe/micro-app@0.8.11 qiankun@2.10.16 wujie@1.0.29 esbuild@0.28.2 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { buildSync } from "esbuild";
import { chromium } from "playwright-core";

const shows = {
  "micro-app": `import app from "@micro-zoe/micro-app"; app.start();
    document.querySelector("#place").innerHTML = '<micro-app name="inner" url="' + location.origin + '/inner/"></micro-app>';`,
  qiankun: `import { loadMicroApp } from "qiankun"; loadMicroApp({ name: "inner", entry: location.origin + "/inner/", container: "#place" });`,
  wujie: `import { startApp } from "wujie"; startApp({ name: "inner", url: location.origin + "/inner/", el: "#place" });`,
};
const pages = {
  "all tags": "<!doctype html><html><head><title>t</title></head><body><h1>Mug</h1></body></html>",
  "no head": "<!doctype html><html><title>t</title><body><h1>Mug</h1></body></html>",
  "no end of body": "<!doctype html><html><head><title>t</title></head><body><h1>Mug</h1>",
};
const bundle = (contents) =>
  buildSync({ stdin: { contents, resolveDir: "." }, bundle: true, write: false, define: { "process.env.NODE_ENV": '"production"' } }).outputFiles[0].text;
let outer, inner;
const server = createServer(({ url }, response) => {
  response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(url === "/inner/" ? inner : outer);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const url = `http://127.0.0.1:${server.address().port}/`;
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const [name, contents] of Object.entries(shows)) {
  outer = `<!doctype html><body><div id="place"></div><script>${bundle(contents)}</script>`;
  for (const [kind, html] of Object.entries(pages)) {
    inner = html;
    const page = await browser.newPage();
    const heard = [];
    page.on("console", (message) => heard.push(...message.text().match(/element \w+ is missing/) ?? []));
    await page.goto(url);
    const isShown = await page.locator("h1").waitFor({ timeout: 8000 }).then(() => "shown", () => "nothing");
    console.log(`${name}, ${kind}: ${[isShown, ...heard].join(", ")}`);
    await page.close();
  }
}
await browser.close();
server.close();
JS
seen=$(node run.js)
echo "@micro-zoe/micro-app@0.8.11 qiankun@2.10.16 wujie@1.0.29, $(chromium-headless-shell --version 2> /dev/null || true)"
echo "seen: $seen"
[ "$seen" = 'micro-app, all tags: shown
micro-app, no head: nothing, element head is missing
micro-app, no end of body: nothing, element body is missing
qiankun, all tags: shown
qiankun, no head: shown
qiankun, no end of body: shown
wujie, all tags: shown
wujie, no head: shown
wujie, no end of body: shown' ]

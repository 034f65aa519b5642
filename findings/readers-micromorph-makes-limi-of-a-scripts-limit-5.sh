#!/usr/bin/env bash
# micromorph, which makes one document of another, adds the time to the src of each script that the new markup brings, and takes every t=number out before, also the end of another name:
# /list.js?limit=5&category=lamps becomes /list.js?t=TIME&limi&category=lamps. One would guess that the page has the markup that it was given, as with morphdom and idiomorph.
# A script or JSONP address of a catalog that has limit= or start= with a number loses it in pages that are morphed, and no cache knows the address a second time.
# Version: micromorph 0.4.5, morphdom 2.7.8, esbuild 0.28.2, playwright-core 1.65.1 with Debian's chromium-headless-shell.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund micromorph@0.4.5 morphdom@2.7.8 esbuild@0.28.2 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { build } from "esbuild";
import { chromium } from "playwright-core";

const morphs = {
  micromorph: `import morph from "micromorph"; window.morph = (to) => morph(document.querySelector("#shop"), to);`,
  morphdom: `import morph from "morphdom"; window.morph = (to) => morph(document.querySelector("#shop"), to);`,
};
const server = createServer(({ url }, response) => {
  response.setHeader("Content-Type", url.includes(".js") ? "text/javascript" : "text/html");
  response.end(url.includes(".js") ? "" : `<!doctype html><div id="shop"><h1>lamp</h1></div>`);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const [name, contents] of Object.entries(morphs)) {
  const stdin = { contents, resolveDir: process.cwd() };
  const built = await build({ stdin, bundle: true, write: false, format: "iife", logLevel: "silent" });
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.addScriptTag({ content: built.outputFiles[0].text });
  const src = await tab.evaluate(async () => {
    const to = document.createElement("div");
    to.id = "shop";
    to.innerHTML = '<h1>lamp</h1><script src="/list.js?limit=5&category=lamps"></' + "script>";
    await window.morph(to);
    return document.querySelector("#shop script").getAttribute("src");
  });
  console.log(name, src.replace(/\d{13}/, "TIME"));
  await tab.close();
}
await browser.close();
server.close();
JS
seen=$(node run.js)
echo "micromorph@0.4.5 morphdom@2.7.8"
echo "seen: $seen"
[ "$seen" = 'micromorph /list.js?t=TIME&limi&category=lamps
morphdom /list.js?limit=5&category=lamps' ]

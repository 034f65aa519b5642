#!/usr/bin/env bash
# Sinuous does nothing when an observable attribute becomes null or undefined: <shop-card sale=${() => product().sale}> of the next product, which has no sale, keeps the sale price of the one before. 0 is set.
# One would guess that null removes the attribute, as in uhtml, Inferno and RE:DOM, or is written as a text, as in VanJS.
# Whoever goes from a product on sale to one without sees the other's price, brand or picture in it.
# Version: sinuous 0.32.1, esbuild 0.28.2, playwright-core 1.65.1 with Debian's chromium-headless-shell.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund sinuous@0.32.1 esbuild@0.28.2 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { buildSync } from "esbuild";
import { chromium } from "playwright-core";

const contents = `
  import { html } from "sinuous";
  import { observable } from "sinuous/observable";
  const product = observable({ name: "Mug", sale: 14.9 });
  document.body.append(html\`<a title=\${() => product().name} data-sale=\${() => product().sale} />\`);
  window.show = (next) => {
    product(next);
    const { title, dataset } = document.querySelector("a");
    return title + " " + dataset.sale;
  };`;
const { outputFiles } = buildSync({ stdin: { contents, resolveDir: "." }, bundle: true, write: false, format: "iife" });
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.setContent("<!doctype html><body></body>");
await page.addScriptTag({ content: outputFiles[0].text });
for (const [name, sale] of [["Mug", 14.9], ["Cup", null], ["Pot", undefined], ["Jar", 0]])
  console.log(await page.evaluate((next) => window.show(next), { name, sale }));
await browser.close();
JS
seen=$(timeout 100 node run.js | paste -sd';')
echo "sinuous@0.32.1"
echo "seen: $seen"
[ "$seen" = 'Mug 14.9;Cup 14.9;Pot 14.9;Jar 0' ]

#!/usr/bin/env bash
# Morphing a page into the very markup that it was made from resets it: idiomorph and morphdom untick a ticked box, write over a typed search, take a chosen sort back and close an open <details>.
# Alpine's morph keeps the fields and closes the <details>. One would guess that equal markup changes nothing: keeping what the reader did is what morphs are chosen for.
# A list of products that is refreshed by a morph (a price every minute) takes its filters and the opened answer away from the reader each time, also when no price has changed.
# Version: idiomorph 0.8.0, morphdom 2.7.8, @alpinejs/morph 3.17.4 with alpinejs 3.17.5, esbuild 0.28.2, playwright-core 1.65.1 with Debian's chromium-headless-shell 156.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund idiomorph@0.8.0 morphdom@2.7.8 alpinejs@3.17.5 @alpinejs/morph@3.17.4 esbuild@0.28.2 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { buildSync } from "esbuild";
import { chromium } from "playwright-core";

const contents = `
  import { Idiomorph } from "idiomorph"; import morphdom from "morphdom"; import Alpine from "alpinejs"; import morph from "@alpinejs/morph";
  Alpine.plugin(morph); Alpine.start();
  window.morphs = { idiomorph: Idiomorph.morph, morphdom, alpine: Alpine.morph };`;
const { outputFiles } = buildSync({ stdin: { contents, resolveDir: "." }, bundle: true, write: false });
const list = `<div id="list"><input type="search" value=""><input type="checkbox"><select><option>newest<option>cheapest</select>
  <details><summary>Does it ship?</summary><p>Yes.</p></details></div>`;
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const name of ["idiomorph", "morphdom", "alpine"]) {
  const page = await browser.newPage();
  await page.setContent(`<!doctype html>${list}`);
  await page.addScriptTag({ content: outputFiles[0].text });
  await page.fill("[type=search]", "lamp");
  await page.check("[type=checkbox]");
  await page.selectOption("select", "cheapest");
  await page.click("summary");
  await page.evaluate(([morph, html]) => { window.morphs[morph](document.querySelector("#list"), html); }, [name, list]);
  const seen = await page.evaluate(() => {
    const one = (selector) => document.querySelector(selector);
    return `search "${one("[type=search]").value}", ticked ${one("[type=checkbox]").checked}, ${one("select").value}, open ${one("details").open}`;
  });
  console.log(`${name}: ${seen}`);
  await page.close();
}
await browser.close();
JS
seen=$(node run.js)
echo "idiomorph@0.8.0 morphdom@2.7.8 @alpinejs/morph@3.17.4"
echo "seen: $seen"
[ "$seen" = 'idiomorph: search "", ticked false, newest, open false
morphdom: search "", ticked false, newest, open false
alpine: search "lamp", ticked true, cheapest, open false' ]

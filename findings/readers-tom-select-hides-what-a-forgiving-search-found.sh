#!/usr/bin/env bash
# Tom Select asks the server for what is typed, takes the answer, and searches it again by itself: what has not the typed letters in its searchField is hidden. A server that finds "Invoice Kit" for "invoce" answers, the option is there, and the list says
# "No results found". One would guess that an answer to the question is shown, as a native datalist's or Select2's remote results are.
# A shop's search box loses what a search by typing errors, by synonyms ("bill"), by other fields (SKU) or by word stems found, and its developer sees a good answer in the network panel.
# Version: tom-select 2.6.2 and playwright-core 1.65.1, seen with Debian's chromium-headless-shell 156. What to do: score: () => () => 1, so that all of the answer counts as found.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund tom-select@2.6.2 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";

const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const [name, more] of [["as it is", ""], ["score: () => () => 1", ", score: () => () => 1"]]) {
  const page = await browser.newPage();
  await page.setContent("<!doctype html><input id=search>");
  await page.addScriptTag({ path: "node_modules/tom-select/dist/js/tom-select.complete.js" });
  await page.evaluate(`window.asked = "";
    const load = (typed, done) => { asked = typed; done([{ id: 7, title: "Invoice Kit" }]); };
    window.box = new TomSelect("#search", { valueField: "id", labelField: "title", searchField: "title", load, loadThrottle: 1${more} });`);
  await page.click(".ts-control");
  await page.keyboard.type("invoce", { delay: 20 });
  await page.waitForFunction("asked === 'invoce' && box.options[7] && !document.querySelector('.ts-wrapper.loading')");
  // The list is drawn after the answer.
  await page.waitForFunction("/No results|Invoice/.test(document.querySelector('.ts-dropdown').textContent)");
  console.log(await page.evaluate(`\`${name}: asked \${asked}, got \${box.options[7].title}, shows \${document.querySelector(".ts-dropdown").textContent.trim()}\``));
  await page.close();
}
await browser.close();
JS
seen=$(node run.js)
echo "tom-select@2.6.2, $(chromium-headless-shell --version 2>/dev/null | head -1)"
echo "seen: $seen"
[ "$seen" = 'as it is: asked invoce, got Invoice Kit, shows No results found
score: () => () => 1: asked invoce, got Invoice Kit, shows Invoice Kit' ]

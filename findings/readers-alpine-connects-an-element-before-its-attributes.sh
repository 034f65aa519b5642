#!/usr/bin/env bash
# Alpine's x-for connects a custom element to the page first and sets its bound attributes later, one by one: connectedCallback sees no sku. petite-vue, of nearly the same syntax, sets them
# before. One would guess that an element is complete when it is connected. A product widget that reads its attributes only when it is connected loads nothing or an
# error in lists made with Alpine, and works in a page written by hand.
# Version: alpinejs 3.17.5, petite-vue 0.4.1, playwright-core 1.65.1 with Debian's chromium-headless-shell.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund alpinejs@3.17.5 petite-vue@0.4.1 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";

const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const cases = [
  ["alpinejs/dist/cdn.js", `<div x-data="{skus:['a1']}"><template x-for="sku in skus"><shop-card :sku="sku"></shop-card></template></div>`, ""],
  ["petite-vue/dist/petite-vue.iife.js", `<div v-scope="{skus:['a1']}"><shop-card v-for="sku in skus" :sku="sku"></shop-card></div>`, "PetiteVue.createApp().mount()"],
];
for (const [script, html, start] of cases) {
  const page = await browser.newPage();
  await page.setContent(`<!doctype html>${html}`);
  await page.evaluate(() => {
    window.seen = [];
    customElements.define("shop-card", class extends HTMLElement {
      static observedAttributes = ["sku"];
      connectedCallback() {
        // petite-vue has its pattern in the page as an element, Alpine in a template.
        if (this.getAttribute(":sku") === null || window.Alpine) window.seen.push(`connected with ${this.getAttribute("sku")}`);
      }
      attributeChangedCallback(_name, _old, sku) {
        window.seen.push(`sku ${sku}`);
      }
    });
  });
  await page.addScriptTag({ path: `node_modules/${script}` });
  await page.evaluate(start);
  await page.waitForFunction(() => window.seen.length > 1);
  console.log(script.split("/")[0], (await page.evaluate(() => window.seen)).join(", "));
  await page.close();
}
await browser.close();
JS
seen=$(node run.js)
echo "alpinejs@3.17.5 petite-vue@0.4.1"
echo "seen: $seen"
[ "$seen" = 'alpinejs connected with null, sku a1
petite-vue sku a1, connected with a1' ]

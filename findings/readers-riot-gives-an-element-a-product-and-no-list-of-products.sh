#!/usr/bin/env bash
# Riot sets an object or a boolean also as a property of the element, so that custom elements of others get it: <shop-card product={product}> works. A list or a Date is neither set as a property nor as an attribute, without a warning:
# <shop-grid products={products}> gets nothing. One would guess that a list passes where an object does, or becomes the text "a,b", as in Mithril, Inferno and petite-vue.
# A grid or a gallery of a catalog's records stays empty in a Riot page whose single cards are right, and Riot's own components do get their lists.
# Version: riot 9.4.11 and playwright-core 1.65.1, seen with Debian's chromium-headless-shell 156. What to do: JSON.stringify in the template, or set the property in onMounted and onUpdated; { list } passes, too.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund riot@9.4.11 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { chromium } from "playwright-core";

const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.setContent("<!doctype html><main></main>");
await page.addScriptTag({ path: "node_modules/riot/riot+compiler.js" });
const seen = await page.evaluate(() => {
  customElements.define("shop-card", class extends HTMLElement {});
  const source = "<shop-page><shop-card value={state.value}></shop-card>{state.value}</shop-page>";
  riot.inject(riot.compileFromString(source).code, "shop-page", "./shop-page.riot");
  const [shop] = riot.mount("main", {}, "shop-page");
  const values = { product: { sku: "00123" }, products: [{ sku: "00123" }], tags: ["a", "b"], date: new Date(0), "no product": null, flag: true, text: "00123" };
  return Object.entries(values).map(([name, value]) => {
    const old = document.querySelector("shop-card");
    delete old.value;
    old.removeAttribute("value");
    shop.update({ value });
    const { value: property } = old;
    return `${name}: property ${JSON.stringify(property)}, attribute ${old.getAttribute("value")}`;
  });
});
console.log(seen.join("\n"));
await browser.close();
JS
seen=$(node run.js)
echo "riot@9.4.11, $(chromium-headless-shell --version 2>/dev/null | head -1)"
echo "seen: $seen"
[ "$seen" = 'product: property {"sku":"00123"}, attribute null
products: property undefined, attribute null
tags: property undefined, attribute null
date: property undefined, attribute null
no product: property undefined, attribute null
flag: property true, attribute true
text: property undefined, attribute 00123' ]

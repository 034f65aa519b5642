#!/usr/bin/env bash
# haunted gives a component the value true for an attribute that is "", as if each were a switch, and its html, which is Lit's, writes null and undefined as "": <shop-card brand=${product.brand}> of a product without a brand shows "by true".
# So does brand="" in a page's own HTML. A price of null is true as well, which counts as 1. One would guess null, undefined or the empty text.
# A catalog has fields that may be null beside those that may not; the brand of a shop that has none is "true" in every card and in its JSON-LD. Use .brand=${}, or ask for typeof "string".
# Version: haunted 6.1.0, lit 3.3.3, esbuild 0.28.2, playwright-core 1.65.1 with Debian's chromium-headless-shell.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund haunted@6.1.0 lit@3.3.3 esbuild@0.28.2 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { buildSync } from "esbuild";
import { chromium } from "playwright-core";

const contents = `
  import { component, html } from "haunted";
  import { render } from "lit";
  const card = ({ brand, price }) => html\`by \${brand}, twice \${price * 2}\`;
  customElements.define("shop-card", component(card, { observedAttributes: ["brand", "price"] }));
  window.show = ({ brand, price }) => render(html\`<shop-card brand=\${brand} price=\${price}></shop-card>\`, document.body);`;
const { outputFiles } = buildSync({ stdin: { contents, resolveDir: "." }, bundle: true, write: false, format: "iife" });
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
for (const product of [{ brand: "Acme", price: 20 }, { brand: null, price: null }]) {
  const page = await browser.newPage();
  await page.setContent("<!doctype html><body></body>");
  await page.addScriptTag({ content: outputFiles[0].text });
  await page.evaluate((product) => { window.show(product); }, product);
  await page.waitForFunction(() => document.querySelector("shop-card").shadowRoot?.textContent);
  console.log(await page.evaluate(() => document.querySelector("shop-card").shadowRoot.textContent));
  await page.close();
}
await browser.close();
JS
seen=$(timeout 100 node run.js | paste -sd';')
echo "haunted@6.1.0 lit@3.3.3"
echo "seen: $seen"
[ "$seen" = 'by Acme, twice 40;by true, twice 2' ]

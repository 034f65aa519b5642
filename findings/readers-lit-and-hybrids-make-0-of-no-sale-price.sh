#!/usr/bin/env bash
# Lit writes null and undefined into an attribute as "", and reads "" of a property of the type Number as 0: a page with <shop-card sale=${product.sale}> gives the card a sale price of 0 where the product has none. hybrids, for a property whose default is a
# number, makes 0 of both, too. One would guess that null stays null, or that the attribute is left out, as Vue, Solid and Preact do, and that the library that wrote the value reads it back.
# The card shows every product that is not on sale as free. In Lit use .sale=${} or ifDefined(), in hybrids a default of undefined.
# Version: lit 3.3.3, hybrids 9.1.23, esbuild 0.28.2, playwright-core 1.65.1 with Debian's chromium-headless-shell.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund lit@3.3.3 hybrids@9.1.23 esbuild@0.28.2 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { buildSync } from "esbuild";
import { chromium } from "playwright-core";

const contents = `
  import { define, html as hybridsHtml } from "hybrids";
  import { html, LitElement, render } from "lit";
  customElements.define("lit-card", class extends LitElement { static properties = { sale: { type: Number } }; });
  define({ tag: "hybrids-card", sale: 0 });
  const pages = {
    lit: (sale, place) => render(html\`<lit-card sale=\${sale}></lit-card>\`, place),
    hybrids: (sale, place) => hybridsHtml\`<hybrids-card sale="\${sale}"></hybrids-card>\`({}, place),
  };
  window.saleOf = (name, sale) => {
    const place = document.body.appendChild(document.createElement("div"));
    pages[name](sale, place);
    return String(place.querySelector(name + "-card").sale);
  };`;
const { outputFiles } = buildSync({ stdin: { contents, resolveDir: "." }, bundle: true, write: false, format: "iife" });
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.setContent("<!doctype html><body></body>");
await page.addScriptTag({ content: outputFiles[0].text });
for (const name of ["lit", "hybrids"]) {
  const seen = await page.evaluate((name) => [19.9, null, undefined].map((sale) => `${sale} ${window.saleOf(name, sale)}`), name);
  console.log(`${name}: ${seen.join(", ")}`);
}
await browser.close();
JS
seen=$(node run.js | paste -sd';')
echo "lit@3.3.3 hybrids@9.1.23"
echo "seen: $seen"
[ "$seen" = 'lit: 19.9 19.9, null 0, undefined 0;hybrids: 19.9 19.9, null 0, undefined 0' ]

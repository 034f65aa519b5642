#!/usr/bin/env bash
# Isotope (sorted by a number that is NaN for one product) and Shuffle (by one that is undefined) don't put the product without a price at one end of a list: what stands before it in the page is not sorted with what follows, and 30 comes before 5, 10 and 20.
# Both compare with < and > only, so that what has no price equals every other. One would guess that it comes first or last, or, as Shuffle says of undefined, that the list stays in the order of the page.
# A reader who sorts by price takes the first product for the cheapest; nothing is said. Use a number such as Infinity.
# Version: isotope-layout 3.0.6, shufflejs 7.0.0, esbuild 0.28.2, playwright-core 1.65.1 with Debian's chromium-headless-shell.
set -euo pipefail
command -v chromium-headless-shell > /dev/null || { echo "needs Debian's package chromium-headless-shell"; exit 1; }
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund isotope-layout@3.0.6 shufflejs@7.0.0 esbuild@0.28.2 playwright-core@1.65.1
cat > run.js <<'JS'
import { execFileSync } from "node:child_process";
import { buildSync } from "esbuild";
import { chromium } from "playwright-core";

const contents = `
  import Isotope from "isotope-layout";
  import Shuffle from "shufflejs";
  const place = (prices) => {
    const list = document.body.appendChild(document.createElement("div"));
    list.innerHTML = prices.map((price) => '<p class="item">' + price + "</p>").join("");
    return list;
  };
  const priceOf = (item) => (item.textContent === "" ? undefined : Number(item.textContent));
  const shown = (items) => items.map(({ element }) => element.textContent || "none").join(" ");
  window.sorted = (prices) => {
    const grid = new Isotope(place(prices), { itemSelector: ".item", getSortData: { price: (item) => parseFloat(item.textContent) } });
    grid.arrange({ sortBy: "price" });
    const shuffle = new Shuffle(place(prices), { itemSelector: ".item" });
    shuffle.sort({ by: priceOf });
    return ["isotope", shown(grid.filteredItems), "shuffle", shown(shuffle.sortedItems)].join(" ");
  };`;
const { outputFiles } = buildSync({ stdin: { contents, resolveDir: "." }, bundle: true, write: false, format: "iife" });
const executablePath = execFileSync("which", ["chromium-headless-shell"], { encoding: "utf8" }).trim();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage();
await page.setContent("<!doctype html><body></body>");
await page.addScriptTag({ content: outputFiles[0].text });
for (const prices of [[30, 10, 20, 5], [30, "", 10, 20, 5]])
  console.log(await page.evaluate((prices) => window.sorted(prices), prices));
await browser.close();
JS
seen=$(timeout 100 node run.js | paste -sd';')
echo "isotope-layout@3.0.6 shufflejs@7.0.0"
echo "seen: $seen"
[ "$seen" = 'isotope 5 10 20 30 shuffle 5 10 20 30;isotope 30 none 5 10 20 shuffle 30 none 5 10 20' ]

#!/usr/bin/env bash
# Tabulator picks how to sort a column when it is sorted for the first time, by the row that is on top then. Prices 5, none, 100, 19.9: a click on price gives 5, 19.9, 100. After a click on size, which puts the product
# without a price on top, a click on price gives 100, 19.9, 5, and goes on doing so. One would guess one sorter a column, from its values. With tags or another list of words on top, the sort throws "value.match is not a function".
# A table of a catalog's JSON whose columns are not given a sorter shows the dearest product as the cheapest, by what its visitor clicked before.
# Version: tabulator-tables 6.3.1 with jsdom 26.1.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund tabulator-tables@6.3.1 jsdom@26.1.0
cat > run.js <<'JS'
import { JSDOM } from "jsdom";

const { window } = new JSDOM('<div id="shop"></div>', { pretendToBeVisual: true, url: "https://shop.example/" });
class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}
Object.assign(window, { ResizeObserver: Observer, IntersectionObserver: Observer });
for (const name of Object.getOwnPropertyNames(window)) if (!(name in globalThis)) globalThis[name] = window[name];
Object.assign(globalThis, { window, Event: window.Event });
const { TabulatorFull } = await import("tabulator-tables");
const data = [
  { size: "M", price: 5, tags: ["a"] },
  { size: "L", tags: [] },
  { size: "XL", price: 100, tags: ["c"] },
  { size: "S", price: 19.9, tags: ["b"] },
];
async function click(...fields) {
  const table = new TabulatorFull("#shop", { data, columns: ["size", "price", "tags"].map((field) => ({ title: field, field })) });
  await new Promise((resolve) => table.on("tableBuilt", resolve));
  for (const field of fields) table.setSort(field, "asc");
  const shown = table.getRows("active").map((row) => row.getData().price ?? "none");
  table.destroy();
  return `${fields}: ${shown}`;
}
console.log(await click("price"));
console.log(await click("size", "price"));
console.log(await click("tags").catch((error) => error.message));
process.exit();
JS
seen=$(timeout 60 node run.js | paste -sd';')
echo "tabulator-tables@6.3.1"
echo "seen: $seen"
[ "$seen" = 'price: none,5,19.9,100;size,price: none,100,19.9,5;value.match is not a function' ]

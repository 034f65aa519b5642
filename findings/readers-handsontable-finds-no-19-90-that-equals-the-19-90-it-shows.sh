#!/usr/bin/env bash
# Handsontable shows the price 19.9 of a numeric column with two decimals as 19.90; its filter "Is equal to" 19.90 finds nothing, and 19.9, which nobody sees, finds it. A price that is text in the API, "19.90",
# is the other way round: 19.90 finds it and 19.9 does not. "Is between" 19.90 and 19.90, and "Greater than or equal to", find both. One would guess that all conditions of a numeric
# column compare numbers: the column has other conditions than a text column, and sorts by numbers. Equality compares the texts of both values.
# Who looks in a table of a catalog for what costs exactly 20.00 sees none of the products, beside cells that say 20.00.
# Version: handsontable 18.1.1 with jsdom 26.1.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --omit=optional handsontable@18.1.1 jsdom@26.1.0
cat > run.js <<'JS'
import { JSDOM, VirtualConsole } from "jsdom";

const { window } = new JSDOM("<div id='table'></div>", { url: "https://page.example/", virtualConsole: new VirtualConsole() });
for (const name of Object.getOwnPropertyNames(window)) if (!(name in globalThis)) globalThis[name] = window[name];
class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}
Object.assign(window, { ResizeObserver: Observer, matchMedia: () => ({ matches: false, addEventListener() {} }) });
Object.assign(globalThis, { window, document: window.document, ResizeObserver: Observer, IntersectionObserver: Observer });
const { default: Handsontable } = await import("handsontable");

/** What is left of three prices, in the cells' own text, once a reader has typed a condition. */
function left(prices, condition, ...typed) {
  const table = new Handsontable(document.querySelector("#table"), {
    data: prices.map((price) => ({ price })),
    columns: [{ data: "price", type: "numeric", numericFormat: { minimumFractionDigits: 2 } }],
    filters: true,
    licenseKey: "non-commercial-and-evaluation",
  });
  const filters = table.getPlugin("filters");
  filters.addCondition(0, condition, typed);
  filters.filter();
  const shown = [...document.querySelectorAll("#table tbody td")].map((cell) => cell.textContent);
  table.destroy();
  return `${condition} ${typed.join(" ")}: ${shown.join(" ") || "nothing"}`;
}
for (const [name, prices] of Object.entries({ numbers: [9, 19.9, 100], texts: ["9.00", "19.90", "100.00"] })) {
  const seen = [
    left(prices, "eq", "19.90"),
    left(prices, "eq", "19.9"),
    left(prices, "between", "19.90", "19.90"),
    left(prices, "gte", "19.90"),
  ];
  console.log(`${name}: ${seen.join(", ")}`);
}
process.exit(0);
JS
seen=$(node run.js 2> warnings)
echo "handsontable@18.1.1 jsdom@26.1.0, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = 'numbers: eq 19.90: nothing, eq 19.9: 19.90, between 19.90 19.90: 19.90, gte 19.90: 19.90 100.00
texts: eq 19.90: 19.90, eq 19.9: nothing, between 19.90 19.90: 19.90, gte 19.90: 19.90 100.00' ]

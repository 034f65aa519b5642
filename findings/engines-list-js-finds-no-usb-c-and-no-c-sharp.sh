#!/usr/bin/env bash
# list.js, which adds a search box to a list in a page, finds nothing for "usb-c", "3.5", "C#" and "(blue", although products have these words in their titles: it escapes the query for a regular expression
# and then looks for the escaped text, "usb\-c", in the titles. One would guess that a search for a part of a text finds that part: "usb" and "hub" do.
# A page that filters a catalog's JSON in this way finds no product by its version, its size in decimals or its name with a hyphen.
# Version: list.js 2.3.1 with jsdom 26.1.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund list.js@2.3.1 jsdom@26.1.0
cat > run.js <<'JS'
import { JSDOM } from "jsdom";

const { window } = new JSDOM('<div id="shop"><ul class="list"></ul></div>');
globalThis.window = window;
globalThis.document = window.document;
const { default: List } = await import("list.js");
const products = ["USB-C hub 3.5 mm", "C# in depth", "Mug (blue)"].map((title) => ({ title }));
const list = new List("shop", { valueNames: ["title"], item: '<li><b class="title"></b></li>' }, products);
function find(query) {
  list.search(query);
  return `${query}: ${list.matchingItems.map((item) => item.values().title).join() || "none"}`;
}
console.log(["usb", "usb-c", "3.5", "3", "C#", "(blue", "blue"].map(find).join("; "));
JS
seen=$(node run.js)
echo "list.js $(node -p 'JSON.parse(fs.readFileSync("node_modules/list.js/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'usb: USB-C hub 3.5 mm; usb-c: none; 3.5: none; 3: USB-C hub 3.5 mm; C#: none; (blue: none; blue: Mug (blue)' ]

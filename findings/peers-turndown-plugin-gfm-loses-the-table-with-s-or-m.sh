#!/usr/bin/env bash
# turndown-plugin-gfm writes a cell's text into a table as it is: with "S|M" as a heading the table has three columns above two, and GitHub's Markdown shows it as a paragraph full of bars; with S|M in a row its price is lost, as the cells move by one and the last has no column. A line end (<br>) in a cell ends its row.
# One would guess that a program that escapes _ and * in every text escapes the one sign that ends a cell.
# Tables of sizes and specifications in descriptions have "S|M", "USB|HDMI" and cells of two lines: the price is gone, or in a row of its own.
# Version: turndown 7.2.5 with turndown-plugin-gfm 1.0.2, read with micromark-extension-gfm 3.0.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund turndown@7.2.5 turndown-plugin-gfm@1.0.2 micromark@4.0.2 micromark-extension-gfm@3.0.0
cat > run.js <<'JS'
import Turndown from "turndown";
import { gfm as plugin } from "turndown-plugin-gfm";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

const turndown = new Turndown();
turndown.use(plugin);
for (const [heading, size] of [["size", "S|M"], ["S|M", "1"], ["size", "S<br>M"]]) {
  const html = `<table><thead><tr><th>${heading}</th><th>price</th></tr></thead><tbody><tr><td>${size}</td><td>19.90</td></tr></tbody></table>`;
  const again = micromark(turndown.turndown(html), { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  console.log([...again.matchAll(/<(t[hd]|p)>([^<]*)/g)].map(([, element, text]) => `${element}: ${text.trim().replaceAll("\n", " / ")}`).join(", "));
}
JS
seen=$(node run.js)
echo "turndown-plugin-gfm 1.0.2"
echo "seen: $seen"
[ "$seen" = 'th: size, th: price, td: S, td: M
p: | S|M | price | / | --- | --- | / | 1 | 19.90 |
th: size, th: price, td: S, td: , td: M, td: 19.90' ]

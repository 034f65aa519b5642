#!/usr/bin/env bash
# minify-html takes the space between <s>25.00</s> and <b>19.90</b> away if they are in a <div>, and keeps it in a <p>, <td> or <li>: the page says 25.0019.90. Its README says why: a div is layout, whatever is in it, and no option changes
# that. Three other minifiers, each told to collapse spaces, keep the one that is seen. One would guess that a minifier without options changes no text that a reader sees.
# A shop's old price and new price, an amount and its currency, or two tags become one word in the minified page, for readers, for copy and paste, and for whoever reads prices from pages.
# Version: @minify-html/node 0.18.1, html-minifier-next 6.2.11, htmlnano 3.5.1, @swc/html 1.16.22. What to do: <p> or <span> around prices, &nbsp; between them, or another minifier.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @minify-html/node@0.18.1 html-minifier-next@6.2.11 @swc/html@1.16.22 htmlnano@3.5.1 posthtml@0.16.7
cat > run.js <<'JS'
import minifyHtml from "@minify-html/node";
import swc from "@swc/html";
import { minify as next } from "html-minifier-next";
import htmlnano from "htmlnano";

const tools = {
  "minify-html": (html) => minifyHtml.minify(Buffer.from(html), {}).toString(),
  "html-minifier-next": (html) => next(html, { collapseWhitespace: true }),
  htmlnano: async (html) => (await htmlnano.process(html, { minifyCss: false }, htmlnano.presets.safe)).html,
  "swc html": async (html) => (await swc.minify(html, { collapseWhitespaces: "smart" })).code,
};
for (const [name, minify] of Object.entries(tools)) {
  const texts = [];
  for (const box of ["div", "p"]) {
    const html = await minify(`<!doctype html><title>Mug</title><${box}><s>25.00</s> <b>19.90</b></${box}>`);
    texts.push(`${box} ${html.match(/<s>.*<\/b>/)[0].replace(/<.*?>/g, "")}`);
  }
  console.log(`${name}: ${texts.join(", ")}`);
}
JS
seen=$(node run.js)
echo "@minify-html/node@0.18.1 html-minifier-next@6.2.11 htmlnano@3.5.1 @swc/html@1.16.22"
echo "seen: $seen"
[ "$seen" = 'minify-html: div 25.0019.90, p 25.00 19.90
html-minifier-next: div 25.00 19.90, p 25.00 19.90
htmlnano: div 25.00 19.90, p 25.00 19.90
swc html: div 25.00 19.90, p 25.00 19.90' ]

#!/usr/bin/env bash
# The white space between two inline elements is a visible space, and minifiers keep it, except: html-minifier-terser, html-minifier-next and htmlnano's "max" do not know that <data>, HTML's element for a value such as a
# price, is inline (they know <time> and <label>), and write <data value="1990">19,90</data> <span>EUR</span> without the space. @minify-html/node keeps it in <p> and drops it in <div>, for any element, as its page says: a div is
# for layout to it. htmlnano's default keeps it everywhere but between elements that have no parent, as in a fragment. One would guess that "collapse" makes one space of many, as @swc/html does.
# The page shows 19,90EUR, and a reader of its text (a search engine, a screen reader, a page search) finds one word; the more so with <data>10</data> <data>20</data>, which becomes 1020.
# What to do: html-minifier's conservativeCollapse: true; &nbsp; between a price and its currency is right anyway.
# Versions: html-minifier-terser 7.2.0, html-minifier-next 6.2.11, htmlnano 3.5.1, @minify-html/node 0.18.1, @swc/html 1.16.22, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund html-minifier-terser@7.2.0 html-minifier-next@6.2.11 htmlnano@3.5.1 posthtml@0.16.7 @minify-html/node@0.18.1 @swc/html@1.16.22
cat > run.js <<'JS'
import minifyHtml from "@minify-html/node";
import swc from "@swc/html";
import * as next from "html-minifier-next";
import * as terser from "html-minifier-terser";
import htmlnano from "htmlnano";

const none = { minifyCss: false, minifyJs: false, minifySvg: false };
const minifiers = {
  "html-minifier-terser": (html) => terser.minify(html, { collapseWhitespace: true }),
  "html-minifier-next": (html) => next.minify(html, { collapseWhitespace: true }),
  "htmlnano max": async (html) => (await htmlnano.process(html, none, htmlnano.presets.max)).html,
  "htmlnano": async (html) => (await htmlnano.process(html, none)).html,
  "minify-html": (html) => minifyHtml.minify(Buffer.from(html), {}).toString(),
  "swc": async (html) => (await swc.minifyFragment(Buffer.from(html), { collapseWhitespaces: "smart" })).code,
};
const data = '<data value="1990">19,90</data> <span>EUR</span>';
const span = "<span>19,90</span> <span>EUR</span>";
const pages = { "data in p": `<p>${data}</p>`, "data in div": `<div>${data}</div>`, "span in p": `<p>${span}</p>`, "span in div": `<div>${span}</div>`, "span alone": span, "two data": "<p><data>10</data> <data>20</data></p>" };
for (const [name, minify] of Object.entries(minifiers)) {
  const glued = [];
  for (const [page, html] of Object.entries(pages)) if (!/\s/.test((await minify(html)).replaceAll(/<[^>]*>/g, ""))) glued.push(page);
  console.log(`${name}: ${glued.length === 0 ? "-" : glued.join(", ")}`);
}
JS
seen=$(node run.js)
echo "html-minifier-terser 7.2.0, html-minifier-next 6.2.11, htmlnano 3.5.1, @minify-html/node 0.18.1, @swc/html 1.16.22"
echo "seen, glued: $seen"
[ "$seen" = 'html-minifier-terser: data in p, data in div, two data
html-minifier-next: data in p, data in div, two data
htmlnano max: data in p, data in div, two data
htmlnano: span alone
minify-html: data in div, span in div, span alone
swc: -' ]

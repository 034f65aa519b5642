#!/usr/bin/env bash
# DatoCMS turns its texts into plain text, for descriptions and search. It joins what is bold, italic, underlined, marked or code with what follows, and breaks the line after what is struck out, in the middle of a sentence: its list of inline elements
# has <del>, and the package it builds on writes <s>. One would guess that all marks of one list are treated alike.
# What shops strike out are old prices: "Now 25.00, 19.90 EUR" becomes two lines, and a title with one a title of two. In a feed, a table or a meta tag the second line is another row, or missing.
# Version: datocms-structured-text-to-plain-text 5.1.16 and datocms-structured-text-to-html-string 5.1.16, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts datocms-structured-text-to-plain-text@5.1.16 datocms-structured-text-to-html-string@5.1.16
cat > run.js <<'JS'
import { render as toHtml } from "datocms-structured-text-to-html-string";
import { render as toText } from "datocms-structured-text-to-plain-text";
const span = (value, ...marks) => ({ type: "span", value, ...(marks.length > 0 && { marks }) });
for (const mark of ["strong", "underline", "highlight", "strikethrough"]) {
  const children = [{ type: "paragraph", children: [span("Now "), span("25.00", mark), span(", 19.90 EUR")] }];
  const text = { schema: "dast", document: { type: "root", children } };
  console.log(`seen: ${mark}:`, toHtml(text), JSON.stringify(toText(text)));
}
JS
echo "datocms-structured-text-to-plain-text $(node -p 'JSON.parse(fs.readFileSync("node_modules/datocms-structured-text-to-plain-text/package.json")).version'), Node $(node --version)"
seen=$(node run.js)
echo "$seen"
[ "$seen" = 'seen: strong: <p>Now <strong>25.00</strong>, 19.90 EUR</p> "Now 25.00, 19.90 EUR"
seen: underline: <p>Now <u>25.00</u>, 19.90 EUR</p> "Now 25.00, 19.90 EUR"
seen: highlight: <p>Now <mark>25.00</mark>, 19.90 EUR</p> "Now 25.00, 19.90 EUR"
seen: strikethrough: <p>Now <s>25.00</s>, 19.90 EUR</p> "Now 25.00\n, 19.90 EUR"' ]

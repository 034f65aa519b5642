#!/usr/bin/env bash
# Markdoc.format(Markdoc.parse(text)), the way to write a document that was changed, takes backslashes away that the text needs. A table cell "Mug 1\|2" is written with a bare "|", so that the next reading has "2" under the price and the price 19.90 in no
# column at all; the alignment of the columns is gone, too. "2026\. A good year" becomes the item of a numbered list that begins with 2026, "\- none" a list, "\[x](y)" a link. One would guess that format and parse give the same document: the
# backslash before * stays.
# A description that a program or an editor reads and saves so shows another price, or none.
# Version: @markdoc/markdoc 0.5.10, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund @markdoc/markdoc@0.5.10
cat > run.js <<'JS'
const Markdoc = require("@markdoc/markdoc");
const html = (text) => Markdoc.renderers.html(Markdoc.transform(Markdoc.parse(text))).replace(/<\/?article>/g, "");
const texts = ["| name | price |\n|---|---:|\n| Mug 1\\|2 | 19.90 |\n", "2026\\. A good year\n", "\\- none\n", "\\[x](y)\n", "\\*new\\*\n"];
for (const text of texts) console.log(html(text) + "\n  " + html(Markdoc.format(Markdoc.parse(text))));
JS
seen=$(node run.js)
echo "@markdoc/markdoc $(node -p 'require("@markdoc/markdoc/package.json").version')"
echo "seen: $seen"
[ "$seen" = '<table><thead><tr><th>name</th><th align="right">price</th></tr></thead><tbody><tr><td>Mug 1|2</td><td align="right">19.90</td></tr></tbody></table>
  <table><thead><tr><th>name</th><th>price</th></tr></thead><tbody><tr><td>Mug 1</td><td>2</td></tr></tbody></table>
<p>2026. A good year</p>
  <ol start="2026"><li>A good year</li></ol>
<p>- none</p>
  <ul><li>none</li></ul>
<p>[x](y)</p>
  <p><a href="y">x</a></p>
<p>*new*</p>
  <p>*new*</p>' ]

#!/usr/bin/env bash
# Of a page's microdata, web-auto-extractor reads the words that people see where HTML says that the attribute is the value: <time datetime="2026-01-02">Jan 2</time> is "Jan 2", <data value="00123">Article</data> is "Article"; and it joins
# "Blue <b>mug</b>" to "Bluemug". microdata-node reads the attribute and makes the number 123 of 00123. One would guess the text of the attribute, which extruct (Python) gives.
# A product page that is right by the book has another article number in each program that reads it; <meta itemprop content>, beside the words, is read alike by all three.
# Version: web-auto-extractor 1.0.17, microdata-node 2.0.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund web-auto-extractor@1.0.17 microdata-node@2.0.0
cat > run.js <<'JS'
const extractor = require("web-auto-extractor").default;
const microdata = require("microdata-node");

const page = `<!doctype html><html><body><div itemscope itemtype="https://schema.org/Product"><span itemprop="name">Blue <b>mug</b></span>
  <data itemprop="sku" value="00123">Article</data><time itemprop="releaseDate" datetime="2026-01-02">Jan 2</time><meta itemprop="gtin" content="00456"></div></body></html>`;
const shown = ({ name, sku, releaseDate, gtin }) => JSON.stringify([name, sku, releaseDate, gtin]);
const [{ properties }] = microdata.toJson(page).items;
console.log(shown(extractor().parse(page).microdata.Product[0]), shown(Object.fromEntries(Object.entries(properties).map(([name, [value]]) => [name, value]))));
JS
seen=$(node run.js)
echo "web-auto-extractor@1.0.17 microdata-node@2.0.0"
echo "seen: $seen"
[ "$seen" = '["Bluemug","Article","Jan 2","00456"] ["Blue mug",123,"2026-01-02","00456"]' ]

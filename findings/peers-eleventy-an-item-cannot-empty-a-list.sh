#!/usr/bin/env bash
# Eleventy: a folder of products says sizes: [S, M], specs: {…} and price: 10 for all of them. An item that says sizes: [] still has S and M, and specs: null still has the folder's specs, while
# price: null is null; sizes: [L] adds to the two. One would guess that the nearer word wins, as it does for a price, or at least that [] and null take away ("override:sizes" does).
# Two files of global data of one name, products.js and an old products.json, are one list with the products of both, without a word.
# A catalog that is rendered so offers sizes which an item says it does not have.
# Version: @11ty/eleventy 3.1.8, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @11ty/eleventy@3.1.8
mkdir -p src/products src/_data
echo '{ "sizes": ["S", "M"], "price": 10, "specs": { "colour": "red" }, "permalink": "/{{ page.fileSlug }}.json" }' > src/products/products.json
print='{{ { sizes: sizes, price: price, specs: specs } | dump | safe }}'
printf -- '---\nsizes: []\nspecs: null\nprice: null\n---\n%s' "$print" > src/products/none.njk
printf -- '---\nsizes: [L]\n---\n%s' "$print" > src/products/large.njk
printf -- '---\noverride:sizes: []\n---\n%s' "$print" > src/products/override.njk
echo '[{ "slug": "old" }]' > src/_data/catalog.json
echo 'export default [{ slug: "new" }];' > src/_data/catalog.js
printf -- '---\npermalink: /catalog.json\n---\n{{ catalog | dump | safe }}' > src/catalog.njk
npx eleventy --quiet --input=src --output=out > build.log 2>&1 || { cat build.log; exit 2; }
seen=$(for file in none large override catalog; do echo "$file $(cat "out/$file.json")"; done)
echo "@11ty/eleventy $(node -p 'require("./node_modules/@11ty/eleventy/package.json").version'), said while building: $(grep -v 'Wrote\|Writing' build.log || true)"
echo "seen: $seen"
[ "$seen" = 'none {"sizes":["S","M"],"price":null,"specs":{"colour":"red"}}
large {"sizes":["S","M","L"],"price":10,"specs":{"colour":"red"}}
override {"sizes":[],"price":10,"specs":{"colour":"red"}}
catalog [{"slug":"old"},{"slug":"new"}]' ]

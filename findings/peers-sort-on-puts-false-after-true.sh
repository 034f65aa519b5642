#!/usr/bin/env bash
# sort-on, which sorts the lists of json-server 1.0, takes false for a missing value, and missing values come last: sorted by "inStock", what is in stock comes first and what is not last, and by "-inStock" the sold-out
# products lead the list. An empty text counts as missing too: products with the title "" come after "Zebra". The price 0 is spared. One would guess that false is below true, as in es-toolkit's orderBy, array-sort, SQL and
# every comparison of JavaScript.
# A page "available first" that asks for -inStock, as it would anywhere else, shows the sold-out products on its first page.
# What to do: sort by a number, such as [(product) => (product.inStock ? 0 : 1), "price"].
# Versions: sort-on 7.0.0, es-toolkit 1.53.2, array-sort 1.0.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund sort-on@7.0.0 es-toolkit@1.53.2 array-sort@1.0.0
cat > run.js <<'JS'
import arraySort from "array-sort";
import { orderBy } from "es-toolkit";
import sortOn from "sort-on";

const products = [
  { slug: "gone", inStock: false, title: "" },
  { slug: "here", inStock: true, title: "Zebra" },
];
const names = (list) => list.map(({ slug }) => slug).join(" ");
const log = (label, list) => console.log(`${label}: ${names(list)}`);
log("sort-on up", sortOn(products, "inStock"));
log("sort-on down", sortOn(products, "-inStock"));
log("sort-on by title", sortOn(products, "title"));
log("es-toolkit down", orderBy(products, ["inStock"], ["desc"]));
log("array-sort down", arraySort([...products], "inStock", { reverse: true }));
JS
seen=$(node run.js)
echo "sort-on 7.0.0, es-toolkit 1.53.2, array-sort 1.0.0"
echo "seen: $seen"
[ "$seen" = 'sort-on up: here gone
sort-on down: gone here
sort-on by title: here gone
es-toolkit down: here gone
array-sort down: here gone' ]

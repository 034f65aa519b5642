#!/usr/bin/env bash
# zipson, a format for keeping JSON in localStorage and caches, loses the field attributes of [{"slug":"mug","attributes":{}},{"slug":"kit","attributes":{}}]: the records come back without it, and a list of records that have nothing else as
# undefined. If one of the records has an attribute, or another field, all come back whole. One would guess that what is stringified and parsed is what it was, for an empty object is JSON; an empty list, null and "" all stay.
# A page that reads product.attributes.size works until the day on which no product of a list has attributes, and only for what came from the cache. Let empty objects be null before, or store JSON.
# Version: zipson 0.2.12, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; npm init --yes > /dev/null
npm install --silent --no-audit --no-fund zipson@0.2.12
cat > run.cjs <<'JS'
const { parse, stringify } = require("zipson");

const lists = [
  [{ slug: "mug", attributes: {} }, { slug: "kit", attributes: {} }],
  [{ slug: "mug", attributes: {} }, { slug: "kit", attributes: { size: "M" } }],
  [{ slug: "mug", attributes: {} }, { slug: "kit", attributes: {}, price: 20 }],
  [{ slug: "mug", tags: [], sale: null, brand: "" }, { slug: "kit", tags: [], sale: null, brand: "" }],
  [{ attributes: {} }, { attributes: {} }],
];
const show = (list) => JSON.stringify(list.map((record) => record ?? "undefined"));
for (const list of lists) console.log(show(parse(stringify(list))));
JS
seen=$(node run.cjs)
echo "zipson@0.2.12"
echo "seen: $seen"
[ "$seen" = '[{"slug":"mug"},{"slug":"kit"}]
[{"slug":"mug","attributes":{}},{"slug":"kit","attributes":{"size":"M"}}]
[{"slug":"mug","attributes":{}},{"slug":"kit","attributes":{},"price":20}]
[{"brand":"","sale":null,"slug":"mug","tags":[]},{"brand":"","sale":null,"slug":"kit","tags":[]}]
["undefined","undefined"]' ]

#!/usr/bin/env bash
# Fuse's extended search over title, tags and brand: "acme mug" does not find the mug of the brand Acme, and "mug !red" finds nothing at all, though each finds it as one would guess when there is one key. With several keys
# all words must stand in one field, and as soon as one word is excluded every field must pass the whole query. And { tags: "!kitchen" } leaves out what has no tags, as
# { brand: "!acme" } what has no brand. One would guess that words are looked for in the product.
# A search box that gets a second key (the brand beside the title) loses all "not" searches and finds fewer products than before.
# Version: fuse.js 7.5.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund fuse.js@7.5.0
cat > run.js <<'JS'
import Fuse from "fuse.js";

const products = [
  { title: "Blue mug", tags: ["kitchen"], brand: "Acme" },
  { title: "Red mug", tags: [], brand: null },
];
const options = { useExtendedSearch: true, threshold: 0, ignoreLocation: true };
const find = (keys, query) =>
  `${JSON.stringify(query)}: ${new Fuse(products, { ...options, keys }).search(query).map((result) => result.item.title).join() || "none"}`;
console.log(
  [
    find(["title"], "mug !red"),
    find(["title", "tags", "brand"], "mug !red"),
    find(["title", "tags", "brand"], "acme mug"),
    find(["title", "tags", "brand"], { tags: "!kitchen" }),
    find(["title", "tags", "brand"], { brand: "!acme" }),
  ].join("; "),
);
JS
seen=$(node run.js)
echo "fuse.js@7.5.0"
echo "seen: $seen"
[ "$seen" = '"mug !red": Blue mug; "mug !red": none; "acme mug": none; {"tags":"!kitchen"}: none; {"brand":"!acme"}: none' ]

#!/usr/bin/env bash
# hocon-parser, given JSON, drops the backslash of every escape and keeps the letter: "Mug\nblue" becomes Mugnblue, "caf\u00e9" cafu00e9, "C:\\data" C:data. -1.5 and 1e3 become texts, and the key "1.5 l" becomes 5 l inside 1, though
# in quotes. HOCON is a superset of JSON: one would guess what JSON.parse reads.
# A catalog or its settings, written by JSON.stringify and read with it, are changed without an error as soon as a description has two lines. Name a .json file to JSON.parse.
# Version: hocon-parser 1.0.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund hocon-parser@1.0.1
cat > run.js <<'JS'
const parse = require("hocon-parser");

for (const record of [
  { title: "Mug", price: 19.9, sku: "00123", tags: ["a"] },
  { title: "Mug\nblue" },
  { title: "café" },
  { title: "C:\\data" },
  { discount: -1.5 },
  { "1.5 l": 3 },
]) {
  const json = JSON.stringify(record).replace("é", "\\u00e9");
  console.log(json, JSON.stringify(parse(json)), JSON.stringify(JSON.parse(json)) === JSON.stringify(parse(json)));
}
JS
seen=$(node run.js)
echo "hocon-parser@$(node -p 'JSON.parse(fs.readFileSync("node_modules/hocon-parser/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '{"title":"Mug","price":19.9,"sku":"00123","tags":["a"]} {"title":"Mug","price":19.9,"sku":"00123","tags":["a"]} true
{"title":"Mug\nblue"} {"title":"Mugnblue"} false
{"title":"caf\u00e9"} {"title":"cafu00e9"} false
{"title":"C:\\data"} {"title":"C:data"} false
{"discount":-1.5} {"discount":"-1.5"} false
{"1.5 l":3} {"1":{"5 l":3}} false' ]

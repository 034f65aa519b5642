#!/usr/bin/env bash
# Hjson.stringify({ updated: new Date(…) }) writes {} for the date, undefined and a BigInt become the text "undefined", also in a list, and toJSON() of a record is not asked. One would guess what JSON.stringify does: the ISO time,
# no field (null in a list), an error for the BigInt. Hjson.parse reads each of these files without an error.
# A catalog of rows of a database driver, saved for people to edit, comes back without its times, with a sale that is called "undefined" and one id for all products. Hjson.stringify(JSON.parse(JSON.stringify(rows))) does it.
# Version: hjson 3.2.2, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund hjson@3.2.2
cat > run.js <<'JS'
const Hjson = require("hjson");

const price = { amount: 1990, toJSON: () => "19.90" };
for (const record of [
  { updated: new Date(0) },
  { title: "Mug", sale: undefined },
  { sales: [9, undefined] },
  { price },
]) {
  console.log(JSON.stringify(record), JSON.stringify(Hjson.parse(Hjson.stringify(record))));
}
console.log(JSON.stringify(Hjson.parse(Hjson.stringify([{ id: 1n }, { id: 2n }]))));
JS
seen=$(node run.js)
echo "hjson@$(node -p 'JSON.parse(fs.readFileSync("node_modules/hjson/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '{"updated":"1970-01-01T00:00:00.000Z"} {"updated":{}}
{"title":"Mug"} {"title":"Mug","sale":"undefined"}
{"sales":[9,null]} {"sales":[9,"undefined"]}
{"price":"19.90"} {"price":{"amount":1990,"toJSON":"undefined"}}
[{"id":"undefined"},{"id":"undefined"}]' ]

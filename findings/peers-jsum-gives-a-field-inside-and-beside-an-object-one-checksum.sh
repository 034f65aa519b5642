#!/usr/bin/env bash
# jsum's digest is the same for { pricing: { current: 9 }, stock: 5 } and { pricing: { current: 9, stock: 5 } }, and for a record with its specs in one object or in two, one inside the other: the text that it hashes does not say where an
# object ends. One would guess another checksum for another structure, as it gives for a list in a list.
# Who takes it for the ETag of an answer, or for the test of whether a record is to be published again, keeps the old shape after a field has moved, as in a new version of a schema.
# Version: jsum 1.0.1, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund jsum@1.0.1
cat > run.js <<'JS'
const { digest } = require("jsum");

for (const [one, other] of [
  [{ pricing: { current: 9 }, stock: 5 }, { stock: 5, pricing: { current: 9 } }],
  [{ pricing: { current: 9 }, stock: 5 }, { pricing: { current: 9 }, stock: 6 }],
  [{ pricing: { current: 9 }, stock: 5 }, { pricing: { current: 9, stock: 5 } }],
  [{ specs: { a: { w: 1 }, z: 2 } }, { specs: { a: { w: 1, z: 2 } } }],
  [{ sizes: [["S"], "M"] }, { sizes: [["S", "M"]] }],
]) console.log(JSON.stringify(one), JSON.stringify(other), digest(one, "SHA256", "hex") === digest(other, "SHA256", "hex"));
JS
seen=$(node run.js)
echo "jsum@$(node -p 'JSON.parse(fs.readFileSync("node_modules/jsum/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '{"pricing":{"current":9},"stock":5} {"stock":5,"pricing":{"current":9}} true
{"pricing":{"current":9},"stock":5} {"pricing":{"current":9},"stock":6} false
{"pricing":{"current":9},"stock":5} {"pricing":{"current":9,"stock":5}} true
{"specs":{"a":{"w":1},"z":2}} {"specs":{"a":{"w":1,"z":2}}} true
{"sizes":[["S"],"M"]} {"sizes":[["S","M"]]} false' ]

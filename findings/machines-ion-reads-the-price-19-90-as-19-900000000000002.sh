#!/usr/bin/env bash
# Amazon Ion's reader for JavaScript reads the JSON {"price":19.90} and writes it back as {"price":19.900000000000002}; 29.99 becomes 29.990000000000002. Ion is a superset of JSON made for exact decimals: one would guess 19.9, as of JSON.parse,
# or 19.90. A number with a point is a decimal there, and its value as a number is the digits times 10 to the power of -2, which rounds twice: of the prices 0.01 to 100.00 it changes 1,327.
# A catalog that passes through it has other prices than its source, which equal none of them, and a diff of two snapshots shows changes. toString() of the value gives the digits.
# Version: ion-js 5.2.1, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund ion-js@5.2.1
cat > run.js <<'JS'
const { load } = require("ion-js");

for (const text of ['{"price":19.90}', '{"price":29.99}', '{"price":12.50}']) {
  const { price } = load(text);
  console.log(text, JSON.stringify(load(text)), String(price), Number(price) === JSON.parse(text).price);
}
const prices = Array.from({ length: 10000 }, (_, cents) => ((cents + 1) / 100).toFixed(2));
console.log(prices.filter((price) => Number(load(price)) !== Number(price)).length, "of", prices.length);
JS
seen=$(node run.js)
echo "ion-js 5.2.1"
echo "seen: $seen"
[ "$seen" = '{"price":19.90} {"price":19.900000000000002} 19.90 false
{"price":29.99} {"price":29.990000000000002} 29.99 false
{"price":12.50} {"price":12.5} 12.50 true
1327 of 10000' ]

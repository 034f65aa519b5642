#!/usr/bin/env bash
# type-analyzer, which finds the types of a table's columns, says INT of a thousand prices of which two are 19.90, and FLOAT once three are; in a list of four products two whole prices make an INT of all. A type may miss two values, whatever
# the number of rows, and INT is tried before FLOAT. One would guess FLOAT at the first 19.90, as every whole number is a number: in CSV that is written 20 for 20.00, as JavaScript does.
# A column of sizes with two of "38.5", or of ratings with two of 4.5, is taken for whole numbers by who trusts it, and its two odd values are cut or lost; all tests with more of them pass.
# Version: type-analyzer 0.4.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund type-analyzer@0.4.0
cat > run.js <<'JS'
const { Analyzer } = require("type-analyzer");

const typeOf = (prices) => Analyzer.computeColMeta(prices.map((price) => ({ price })))[0].type;
for (const count of [0, 1, 2, 3]) {
  const prices = Array.from({ length: 1000 }, (_, at) => (at < count ? "19.90" : "20"));
  console.log(count, "of 1000:", typeOf(prices), typeOf(prices.map(Number)));
}
console.log(typeOf([19.9, 29.9, 20, 30]), typeOf([19.9, 29.9, 39.9, 30]));
JS
seen=$(node run.js)
echo "type-analyzer@$(node -p 'JSON.parse(fs.readFileSync("node_modules/type-analyzer/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '0 of 1000: INT INT
1 of 1000: INT INT
2 of 1000: INT INT
3 of 1000: FLOAT FLOAT
INT FLOAT' ]

#!/usr/bin/env bash
# money-math counts with prices as texts and takes away the point: "19.9" is 1.99, "19" is 0.19 and "19.999" is 199.99, without a word. isEqual("19.90", "19.9") is false, and cmp("19.9", "2.50") says 19.9 is less.
# One would guess 19.90, or an error for a text without two decimals.
# The number 19.90 of a JSON API is "19.9" as a text in JavaScript: prices that end in 0 become a tenth or a hundredth, and all others are right.
# Version: money-math 2.6.3, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{}' > package.json
npm install --silent --no-audit --no-fund money-math@2.6.3
cat > run.js <<'JS'
const money = require("money-math");

for (const price of JSON.parse("[19.99, 19.90, 19.00, 19.999]"))
  console.log(price, money.add(String(price), "0.00"), money.mul(String(price), "2.00"));
console.log(money.isEqual("19.90", "19.9"), money.cmp("19.9", "2.50") < 0);
JS
seen=$(node run.js)
echo "money-math@$(node -p 'require("money-math/package.json").version')"
echo "seen: $seen"
[ "$seen" = '19.99 19.99 39.98
19.9 1.99 3.98
19 0.19 0.38
19.999 199.99 399.98
false true' ]

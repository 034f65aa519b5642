#!/usr/bin/env bash
# Prices as objects of currency.js, big.js, bignumber.js or decimal.js compare as texts: 9.99 < 10.00 is false, and 9.99 + 1 is "9.991". 10.00 - 9.99 and Math.min() count them as numbers. One would guess that < does, too, as with Date, whose valueOf
# is a number: theirs is a text (currency.js has none, and falls back to toString). Nothing is raised, and with prices that have as many digits before the point, as in most tests, the order is right.
# A list sorted with (a, b) => (a.price < b.price ? -1 : 1), or a filter price <= limit, puts 10.00 before 9.99. lt() and cmp(), or .value of currency.js.
# Version: currency.js 2.0.4, big.js 7.0.1, bignumber.js 11.1.5, decimal.js 10.6.0, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund currency.js@2.0.4 big.js@7.0.1 bignumber.js@11.1.5 decimal.js@10.6.0
cat > run.js <<'JS'
const kinds = { "currency.js": require("currency.js") };
for (const name of ["big.js", "bignumber.js", "decimal.js"]) {
  const Kind = require(name);
  kinds[name] = (value) => new Kind(value);
}
for (const [name, price] of Object.entries(kinds)) {
  const [low, high] = [price("9.99"), price("10.00")];
  const sorted = [high, low, price("5")].sort((a, b) => (a < b ? -1 : 1)).map(String);
  console.log(name, low < high, Math.min(low, high), low + 1, sorted.join(" "));
}
JS
seen=$(node run.js)
echo "currency.js 2.0.4 big.js 7.0.1 bignumber.js 11.1.5 decimal.js 10.6.0"
echo "seen: $seen"
[ "$seen" = 'currency.js false 9.99 9.991 10.00 5.00 9.99
big.js false 9.99 9.991 10 5 9.99
bignumber.js false 9.99 9.991 10 5 9.99
decimal.js false 9.99 9.991 10 5 9.99' ]

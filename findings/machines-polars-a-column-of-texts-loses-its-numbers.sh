#!/usr/bin/env bash
# Polars for Node makes null of every price that is of another kind than the first: { price: ["5", 19.9] } has the prices "5" and null, and { price: [19.9, "5"] } has 19.9 and null. The same products given as rows keep both,
# as texts. One would guess an error, or texts in both.
# Shops that write "5" in one record and 19.9 in another (a price that was edited by hand) lose products' prices in the statistics without a word, and which ones depends on the order.
# Version: nodejs-polars 0.26.1, seen on Node 20 and Linux x64.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund nodejs-polars@0.26.1 nodejs-polars-linux-x64-gnu@0.26.1
cat > run.js <<'JS'
const polars = require("nodejs-polars");

const seen = [["5", 19.9], [19.9, "5"]].flatMap((price) => [polars.DataFrame({ price }), polars.DataFrame(price.map((one) => ({ price: one })))]);
console.log(seen.map((frame) => JSON.stringify(frame.toRecords().map((record) => record.price))).join(" "));
JS
seen=$(node run.js)
echo "nodejs-polars@0.26.1"
echo "seen: $seen"
[ "$seen" = '["5",null] ["5","19.9"] [19.9,null] ["19.9","5"]' ]

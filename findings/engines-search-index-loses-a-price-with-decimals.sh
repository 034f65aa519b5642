#!/usr/bin/env bash
# search-index finds the product for 5 in the range of prices from 5 to 20, the one for 20 too, and not the one for 19.9, which is in no range at all, nor for "at least 0": a number that is not whole is not in its index, and there is no error. One would
# guess that a range over numbers, which its manual shows, takes all numbers.
# A filter by price in the page finds the products with round prices only. Prices in cents are found.
# Version: search-index 6.0.1, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund search-index@6.0.1
cat > run.js <<'JS'
import { SearchIndex } from "search-index";

const index = new SearchIndex({ name: "shop" });
await index.PUT([5, 19.9, 20, 100].map((price) => ({ _id: String(price), title: "Mug", price })));
const find = async (VALUE) => (await index.QUERY({ FIELD: "price", VALUE })).RESULT.map(({ _id }) => _id).toSorted().join();
console.log(await find({ GTE: 5, LTE: 20 }), await find({ GTE: 0 }), (await index.QUERY({ FIELD: "title", VALUE: "mug" })).RESULT.length);
process.exit(0);
JS
seen=$(node run.js)
echo "search-index@6.0.1"
echo "seen: $seen"
[ "$seen" = "20,5 100,20,5 4" ]

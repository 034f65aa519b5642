#!/usr/bin/env bash
# Refine's data provider for REST knows five of Refine's operators in an address: eq, ne, lte, gte and contains. The other ones are sent as "equals", without a warning: price lt 20 asks for price=20, size nin [S, M] asks for S and M, brand null asks for brand=true.
# Of two equal conditions of one field the last is sent: size S and size M, as two filters, is M. Only for `or` it throws. One would guess that it throws for whatever it cannot send.
# A list of products shows what was filtered away, or a few instead of many, and a table's own filter menu offers these operators.
# Version: @refinedev/simple-rest 6.0.1, seen on Node 24. What to do: use lte and gte, or a data provider of your own for the catalog's parameters (min_price, max_price).
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @refinedev/simple-rest@6.0.1 axios@1 react@19 react-dom@19
cat > run.js <<'JS'
import refine from "@refinedev/simple-rest";

let asked;
const client = { get: async (address) => ((asked = address.split("?")[1]), { data: [], headers: {} }) };
const { getList } = refine("https://shop.example/api", client);
const cases = {
  "price lte 20": [["price", "lte", 20]],
  "price lt 20": [["price", "lt", 20]],
  "size nin S, M": [["size", "nin", ["S", "M"]]],
  "brand null": [["brand", "null", true]],
  "title ncontains cup": [["title", "ncontains", "cup"]],
  "price between 5, 20": [["price", "between", [5, 20]]],
  "size eq S, size eq M": [["size", "eq", "S"], ["size", "eq", "M"]],
};
for (const [name, conditions] of Object.entries(cases)) {
  const filters = conditions.map(([field, operator, value]) => ({ field, operator, value }));
  await getList({ resource: "products", pagination: { mode: "server", currentPage: 1, pageSize: 10 }, filters });
  console.log(`${name}: ${asked.replace("_end=10&_start=0&", "")}`);
}
JS
seen=$(node run.js)
echo "@refinedev/simple-rest@6.0.1"
echo "seen: $seen"
[ "$seen" = 'price lte 20: price_lte=20
price lt 20: price=20
size nin S, M: size=S&size=M
brand null: brand=true
title ncontains cup: title=cup
price between 5, 20: price=5&price=20
size eq S, size eq M: size=M' ]

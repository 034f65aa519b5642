#!/usr/bin/env bash
# Orama counts products by price with facets: { price: { ranges: [{ from: 0, to: 20 }, { from: 20, to: 40 }] } }; its manual writes such ranges, each from the end of the one before. One would guess that each product is
# in one of them. Both ends belong to a range: what costs 20 counts in both, and round prices are what shops have. There is no way to leave an end out but to write 19.99, which then loses 19.995.
# The counts beside the filters of a catalog add up to more than its products.
# Version: @orama/orama@3.1.18.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" @orama/orama@3.1.18 > /dev/null
cat > "$dir/run.mjs" <<'JS'
import { create, insertMultiple, search } from "@orama/orama";
const db = create({ schema: { title: "string", price: "number" } });
await insertMultiple(db, [0, 10, 20, 20, 40].map((price) => ({ title: "Mug", price })));
const ranges = [{ from: 0, to: 20 }, { from: 20, to: 40 }, { from: 40, to: 60 }];
const { count, facets } = await search(db, { term: "", facets: { price: { ranges } } });
const { values } = facets.price;
console.log(`${count} products, ${Object.values(values).reduce((sum, n) => sum + n)} in the ranges: ${JSON.stringify(values)}`);
JS
seen=$(node "$dir/run.mjs")
echo "@orama/orama 3.1.18, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = '5 products, 8 in the ranges: {"0-20":4,"20-40":3,"40-60":1}' ]

#!/usr/bin/env bash
# Dexie lets where({ brand }) go over a compound index, [brand+price], if brand has no index of its own. One would guess that it finds all products of the brand, as in a database. It finds those
# that have a price as well: IndexedDB puts a record into an index only if all its keys are valid, and null or a missing value is none. The query changes its result with the list of indexes.
# A shop's app that keeps the catalog offline shows the brand's list, and its count, without the products on request (price null), once somebody has written [brand+price] in place of brand.
# Version: dexie@4.4.7, fake-indexeddb@6.2.5.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
npm install --silent --no-audit --no-fund --prefix "$dir" dexie@4.4.7 fake-indexeddb@6.2.5 > /dev/null
cat > "$dir/run.mjs" <<'JS'
import "fake-indexeddb/auto";
import Dexie from "dexie";
const products = [{ id: 1, brand: "Acme", price: 19.9 }, { id: 2, brand: "Acme", price: null }, { id: 3, brand: "Acme" }];
for (const indexes of ["id, brand", "id, [brand+price]"]) {
  const db = new Dexie(indexes);
  db.version(1).stores({ products: indexes });
  await db.products.bulkAdd(products);
  const found = await db.products.where({ brand: "Acme" }).primaryKeys();
  console.log(`${indexes}: ${found} of ${await db.products.count()}, sorted: ${await db.products.orderBy("brand").primaryKeys()}`);
}
JS
seen=$(node "$dir/run.mjs")
echo "dexie 4.4.7, fake-indexeddb 6.2.5, Node $(node --version)"
echo "seen: $seen"
[ "$seen" = "id, brand: 1,2,3 of 3, sorted: 1,2,3
id, [brand+price]: 1 of 3, sorted: 1" ]

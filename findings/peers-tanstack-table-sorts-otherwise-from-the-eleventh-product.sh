#!/usr/bin/env bash
# TanStack Table picks how to sort a column by its values. It looks at the rows after the tenth: a table of ten products or fewer sorts titles by their characters, Mug 10, Mug 9, Zip 1 and apron last, one of eleven in
# natural order, apron, Mug 9, Mug 10. One would guess that it looks at the first rows, and that a product more changes no order. How to filter it picks by the first row alone: if that product's price is null,
# a range of prices is compared as a whole, and { 5 to 20 } finds nothing; if another product is first, it finds what it should.
# A page of 10 of a catalog's list is sorted otherwise than one of 20, and its price filter works or not by which product is first. Name sortingFn and filterFn of each column.
# Version: @tanstack/table-core 8.21.3, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @tanstack/table-core@8.21.3
cat > run.js <<'JS'
import { createTable, getCoreRowModel, getFilteredRowModel, getSortedRowModel } from "@tanstack/table-core";

function rows(data, state) {
  const table = createTable({
    data,
    columns: [{ accessorKey: "title" }, { accessorKey: "price" }],
    state: { columnPinning: {}, columnFilters: [], sorting: [], ...state },
    onStateChange() {},
    renderFallbackValue: null,
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
    getFilteredRowModel: getFilteredRowModel(),
  });
  return table.getRowModel().rows.map((row) => row.original);
}
const titles = ["Mug 10", "Mug 9", "apron", ...Array.from({ length: 8 }, (_, index) => `Zip ${index + 1}`)];
const sorted = (count) => rows(titles.slice(0, count).map((title) => ({ title })), { sorting: [{ id: "title", desc: false }] });
for (const count of [10, 11]) console.log(`${count} products: ${sorted(count).map(({ title }) => title).slice(0, 3)}`);
const filtered = (prices) => rows(prices.map((price) => ({ price })), { columnFilters: [{ id: "price", value: [5, 20] }] }).map(({ price }) => price);
console.log(`5 to 20 of 19.9, null, 5: ${filtered([19.9, null, 5])}`);
console.log(`5 to 20 of null, 19.9, 5: ${filtered([null, 19.9, 5]).join() || "none"}`);
JS
seen=$(node run.js | paste -sd';')
echo "@tanstack/table-core@8.21.3"
echo "seen: $seen"
[ "$seen" = '10 products: Mug 10,Mug 9,Zip 1;11 products: apron,Mug 9,Mug 10;5 to 20 of 19.9, null, 5: 19.9,5;5 to 20 of null, 19.9, 5: none' ]

#!/usr/bin/env bash
# SheetJS's sheet_to_csv() writes the number 4006381333931 as 4.00638E+12, an order number of 12 digits as 1.23457E+11 and 0.1 + 0.2 as 0.3, though it was given JSON. One would guess that CSV has
# what JavaScript has, as sheet_to_json() of the same sheet does: it writes what a narrow cell would show. With rawNumbers the digits are there.
# Barcodes and ids of an export are gone for good when they have more than 11 digits, and all that is shorter in the test is right.
# Version: xlsx 0.18.5, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{}' > package.json
npm install --silent --no-audit --no-fund xlsx@0.18.5
cat > run.js <<'JS'
const { utils } = require("xlsx");

const products = [
  { id: 12345678901, barcode: 40063813, price: 19.9 },
  { id: 123456789012, barcode: 4006381333931, price: 0.1 + 0.2 },
];
const sheet = utils.json_to_sheet(products);
console.log(utils.sheet_to_csv(sheet).trim());
console.log(utils.sheet_to_csv(sheet, { rawNumbers: true }).trim());
console.log(JSON.stringify(utils.sheet_to_json(sheet)[1]));
JS
seen=$(node run.js)
echo "xlsx@$(node -p 'require("xlsx/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'id,barcode,price
12345678901,40063813,19.9
1.23457E+11,4.00638E+12,0.3
id,barcode,price
12345678901,40063813,19.9
123456789012,4006381333931,0.30000000000000004
{"id":123456789012,"barcode":4006381333931,"price":0.30000000000000004}' ]

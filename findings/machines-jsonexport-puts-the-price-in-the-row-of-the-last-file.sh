#!/usr/bin/env bash
# jsonexport writes a product with two files as two rows, the second without id and title. What follows the files in the record is not in the product's row but in that second one: the price of the mug
# stands beside no id. One would guess that a product's own fields are in its first row, whatever their order. A Date is written as 1/2/2026: without its time, as the machine's zone and language have it.
# Who reads the table by rows with an id finds a mug without a price as soon as it has two files, and the same price again once one is removed.
# Version: jsonexport 3.2.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{}' > package.json
npm install --silent --no-audit --no-fund jsonexport@3.2.0
cat > run.js <<'JS'
const jsonexport = require("jsonexport");

const products = [{ id: 1, title: "Mug", files: [{ size: 5 }, { size: 6 }], price: 19.9 }, { id: 2, title: "Cup", files: [{ size: 7 }], price: 5 }];
jsonexport(products).then(async (table) => console.log(`${table}\n${await jsonexport([{ id: 1, updated_at: new Date("2026-01-02T13:04:05Z") }])}`));
JS
seen=$(TZ=UTC LC_ALL=en_US.UTF-8 node run.js)
echo "jsonexport@$(node -p 'require("jsonexport/package.json").version')"
echo "seen: $seen"
[ "$seen" = 'id,title,files.size,price
1,Mug,5,
,,6,19.9
2,Cup,7,5
id,updated_at
1,1/2/2026' ]

#!/usr/bin/env bash
# convert-array-to-csv takes its header from the first object and writes the values of each other in that object's own order: if the second product lacks a title, its price stands under title; if its keys come in another order, the title stands
# under id. The option header with the names of the columns changes only the first line. A list, ["a","b"], is written as a,b without quotes, two cells. One would guess that a value stands under its key.
# Records of a document store, or of JSON that leaves empty fields out, have keys in any number and order: the file has the right header and no error, and prices are titles.
# Version: convert-array-to-csv 2.0.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"commonjs"}' > package.json
npm install --silent --no-audit --no-fund convert-array-to-csv@2.0.0
cat > run.js <<'JS'
const { convertArrayToCSV } = require("convert-array-to-csv");

const mug = { id: 1, title: "Mug", price: "19.90" };
console.log(convertArrayToCSV([mug, { id: 2, price: "9.00" }]));
console.log(convertArrayToCSV([mug, { title: "Cup", id: 2, price: "9.00" }]));
console.log(convertArrayToCSV([mug, { title: "Cup", id: 2, price: "9.00" }], { header: ["id", "title", "price"] }));
console.log(convertArrayToCSV([{ id: 1, tags: ["a", "b"], price: "19.90" }]));
JS
seen=$(node run.js)
echo "convert-array-to-csv@$(node -p 'JSON.parse(fs.readFileSync("node_modules/convert-array-to-csv/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'id,title,price
1,Mug,19.90
2,9.00

id,title,price
1,Mug,19.90
Cup,2,9.00

id,title,price
1,Mug,19.90
Cup,2,9.00

id,tags,price
1,a,b,19.90' ]

#!/usr/bin/env bash
# Papa.unparse and fast-csv take the columns from the first object: if the first product has no sale price, no product of the file has one, without an
# error. d3-dsv and json-2-csv take every key that any object has. One would guess the latter. A feed written from JSON that omits empty fields loses a column
# on the day on which the list begins with another product.
# Version: papaparse 5.7.1, fast-csv 5.0.8, d3-dsv 3.0.1, json-2-csv 5.6.0, seen on Node 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund papaparse@5.7.1 fast-csv@5.0.8 d3-dsv@3.0.1 json-2-csv@5.6.0
cat > run.js <<'JS'
import { csvFormat } from "d3-dsv";
import { writeToString } from "fast-csv";
import { json2csv } from "json-2-csv";
import Papa from "papaparse";

const products = [{ id: 1, price: 5 }, { id: 2, price: 7, sale: 6 }];
const written = { papaparse: Papa.unparse(products), "fast-csv": await writeToString(products, { headers: true }), "d3-dsv": csvFormat(products), "json-2-csv": json2csv(products) };
for (const [name, text] of Object.entries(written)) console.log(`${name}: ${text.split(/\r?\n/).join(" | ")}`);
JS
seen=$(node run.js)
echo "papaparse@5.7.1 fast-csv@5.0.8 d3-dsv@3.0.1 json-2-csv@5.6.0"
echo "seen: $seen"
[ "$seen" = 'papaparse: id,price | 1,5 | 2,7
fast-csv: id,price | 1,5 | 2,7
d3-dsv: id,price,sale | 1,5, | 2,7,6
json-2-csv: id,price,sale | 1,5,undefined | 2,7,6' ]

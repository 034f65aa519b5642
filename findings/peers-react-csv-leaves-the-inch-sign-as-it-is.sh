#!/usr/bin/env bash
# react-csv puts each cell between quotes and leaves the quotes inside it as they are: the title 3/4" pipe, red is written as "3/4" pipe, red". One would guess that they are doubled, as every writer of CSV that
# quotes does: csv-stringify and Papa Parse do. The file that a visitor saves has another number of columns in that line, or no CSV at all. A nested brand is the text [object Object].
# A "download as CSV" button over a catalog's JSON works until the first product is measured in inches.
# Version: react-csv 2.2.2, beside csv-stringify 6.5.2, read by csv-parse 5.6.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund react-csv@2.2.2 csv-stringify@6.5.2 csv-parse@5.6.0
cat > run.js <<'JS'
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import reactCsv from "react-csv/lib/core.js";

function read(text) {
  try {
    return JSON.stringify(parse(text, { from_line: 2 }));
  } catch (error) {
    return error.code;
  }
}
const products = [{ title: '3/4" pipe, red', price: 19.9 }];
const text = reactCsv.toCSV(products);
console.log(text.split("\n")[1], "read:", read(text));
console.log("csv-stringify:", read(stringify(products, { header: true })));
JS
seen=$(node run.js | paste -sd';')
echo "react-csv@2.2.2"
echo "seen: $seen"
[ "$seen" = '"3/4" pipe, red","19.9" read: CSV_INVALID_CLOSING_QUOTE;csv-stringify: [["3/4\" pipe, red","19.9"]]' ]

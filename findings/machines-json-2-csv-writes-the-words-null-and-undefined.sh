#!/usr/bin/env bash
# json-2-csv prints a missing field of a record as the word undefined, or as null if the field lies in a nested record; a nested record that is null in one row
# adds a column with the whole record as JSON to all rows. One would guess an empty cell and one set of columns. A table of products of which some have
# no sale has the text "null" as sale price, and its header depends on the rows that happen to be in it.
# Version: json-2-csv 5.6.0.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund json-2-csv@5.6.0
cat > run.js <<'JS'
import { json2csv } from "json-2-csv";

const full = { id: 1, tag: "new", sale: { price: "5.00" } };
console.log(json2csv([full, { id: 2 }]));
console.log(json2csv([full, { id: 2, tag: "old", sale: null }]));
JS
seen=$(node run.js)
echo "json-2-csv@5.6.0"
echo "seen: $seen"
[ "$seen" = 'id,tag,sale.price
1,new,5.00
2,undefined,null
id,tag,sale.price,sale
1,new,5.00,"{""price"":""5.00""}"
2,old,null,null' ]

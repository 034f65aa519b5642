#!/usr/bin/env bash
# uDSV takes the types of the columns from the first ten rows and keeps to them without an error: after rows with 1, 5.5 and true, the article number "A-5" is NaN, the price "n/a" is NaN, and "preorder" in a column of true and false is
# false. One would guess that the column, or the cell, falls back to text. 00123 in the first rows makes the whole column numbers.
# A catalog's table is read by the products that stand first: one that is sold otherwise, on line 12, is "not available", and its key is gone.
# Version: udsv 0.7.3, seen on Node 20.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund udsv@0.7.3
cat > run.js <<'JS'
import { inferSchema, initParser } from "udsv";

const rows = Array.from({ length: 11 }, (_, index) => `0012${index},${index}.5,true`);
const csv = ["sku,price,available", ...rows, "A-5,n/a,preorder"].join("\n");
const records = initParser(inferSchema(csv)).typedObjs(csv);
console.log(...Object.values(records[0]), ...Object.values(records.at(-1)));
JS
seen=$(node run.js)
echo "udsv@0.7.3"
echo "seen: $seen"
[ "$seen" = '120 0.5 true NaN NaN false' ]

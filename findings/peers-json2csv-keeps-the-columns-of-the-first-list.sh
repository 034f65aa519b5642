#!/usr/bin/env bash
# A Parser of @json2csv/plainjs that was made without fields takes the columns of the first list that it is given, and keeps them: parse(products), then parse(reviews) writes the header of the products and no row at
# all, without an error; and a column that only the second list of products has is lost. One would guess the fields of each list, as the first call has them of all its records.
# An export that makes one parser and writes each list of a catalog with it has one good file: the first. A test with one list shows nothing, and in a server the first request decides. Make a Parser a list.
# Version: @json2csv/plainjs 7.0.8, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund @json2csv/plainjs@7.0.8
cat > run.js <<'JS'
import { Parser } from "@json2csv/plainjs";

const products = [{ id: 1, title: "Mug" }, { id: 2, price: "19.90" }];
const reviews = [{ product: 1, stars: 5 }, { product: 2, stars: 4 }];
const parser = new Parser();
console.log(parser.parse(products));
console.log(parser.parse(reviews));
console.log("a new parser");
console.log(new Parser().parse(reviews));
JS
seen=$(node run.js)
echo "@json2csv/plainjs@$(node -p 'JSON.parse(fs.readFileSync("node_modules/@json2csv/plainjs/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '"id","title","price"
1,"Mug",
2,,"19.90"
"id","title","price"
a new parser
"product","stars"
1,5
2,4' ]

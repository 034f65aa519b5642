#!/usr/bin/env bash
# json-2-csv writes null as the word null and a field that a record lacks as the word undefined, and a brand that is null in one record adds a column brand beside brand.name, with JSON or null in it; a Date goes out as the English text of the
# machine's zone, as with fast-csv. One would guess empty cells and ISO dates: @json2csv/plainjs writes them. A price list that a shop loads into its table has products of the
# brand "undefined", and its times are read by no database; emptyFieldValue names what an empty cell is, for null and undefined alike.
# Version: json-2-csv 5.6.0, fast-csv 5.0.8, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund json-2-csv@5.6.0 fast-csv@5.0.8
cat > run.js <<'JS'
import { writeToString } from "fast-csv";
import { json2csv } from "json-2-csv";

const products = [{ slug: "mug", brand: { name: "Nord" }, price: null }, { slug: "lamp", brand: null, price: 30, platform: "any" }];
console.log(json2csv(products));
const changed = [{ changed: new Date("2026-11-28T10:00:00Z") }];
console.log(json2csv(changed, { prependHeader: false }));
console.log(await writeToString(changed));
JS
seen=$(TZ=Europe/Berlin LC_ALL=C node run.js)
echo "json-2-csv $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/json-2-csv/package.json")).version')"
echo "seen: $seen"
[ "$seen" = 'slug,brand.name,price,brand,platform
mug,Nord,null,"{""name"":""Nord""}",undefined
lamp,null,30,null,any
Sat Nov 28 2026 11:00:00 GMT+0100 (Central European Standard Time)
Sat Nov 28 2026 11:00:00 GMT+0100 (Central European Standard Time)' ]

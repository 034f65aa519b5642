#!/usr/bin/env bash
# csv2json of json-2-csv gives the last cell of a file its line end, if it is a text: title "Lamp\n" for a file that ends as nearly all do. A number, a quoted or an empty cell there has none. One would
# guess that a line end ends a line, the last one too. And a table with CRLF, which RFC 4180 asks for and Excel writes, has the field "title\r" in every record, unless the option
# delimiter.eol says so. One product of a catalog is not found by its slug, each time another.
# Version: json-2-csv 5.6.0, seen on Node 20 and 24.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"; echo '{"type":"module"}' > package.json
npm install --silent --no-audit --no-fund json-2-csv@5.6.0
cat > run.js <<'JS'
import { csv2json } from "json-2-csv";

for (const table of ["title,slug\nMug,mug\nLamp,lamp\n", "title,price\nMug,19.90\n", "price,title\r\n5,Mug\r\n"]) console.log(JSON.stringify(csv2json(table)));
JS
seen=$(node run.js)
echo "json-2-csv $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/json-2-csv/package.json")).version')"
echo "seen: $seen"
[ "$seen" = '[{"title":"Mug","slug":"mug"},{"title":"Lamp","slug":"lamp\n"}]
[{"title":"Mug","price":19.9}]
[{"price":5,"title\r":"Mug\r\n"}]' ]
